/** The particles that Korean writes behind a word without a blank, as «은» in «한국은». They are words of their own, so a term may end before them. */

import { isInvisible } from "./visible-text.ts";

const SINGLE =
  "은 는 이 가 을 를 의 에 로 으로 와 과 랑 이랑 하고 도 만 께 한테 에게 까지 부터 마다 조차 마저 밖에 뿐 보다 처럼 같이 만큼 대로 이나 이라도 라도 이란";
/** Several in a row, and «to be». */
const JOINED =
  "에서 에서는 에서도 에서의 에는 에도 에만 에의 으로는 로는 으로도 로도 으로서 로서 으로써 로써 으로부터 로부터 와는 와의 와도 과는 과의 과도 께서 께서는 한테서 한테는 " +
  "에게서 에게는 에게도 까지는 까지도 부터는 만은 만이 만을 만의 뿐만 보다는 보다도 하고는 이라는 라는 이라고 라고 입니다 이다 이에요 예요 이었다 였다 이며 이고 인";
const PLURAL = ["", "들"];

const PARTICLES: ReadonlySet<string> = new Set([
  "들",
  ...PLURAL.flatMap((plural) => `${SINGLE} ${JOINED}`.split(" ").map((particle) => plural + particle)),
]);

const BEGINNINGS: ReadonlySet<string> = new Set(
  [...PARTICLES].flatMap((particle) => Array.from(particle, (_, at) => particle.slice(0, at + 1))),
);

const HANGUL = /\p{sc=Hangul}/u;
/** What is longer is no particle, not even with its letters set apart and a run of invisible characters. */
const LONGEST = 36;

export const isHangul = (character: string): boolean => HANGUL.test(character);

type Read = {
  /** Where the particle ends; undefined if there is none. */
  end?: number;
  /** Whether more text may change that. */
  isOpen: boolean;
};

/** Reads all the Hangul from `start` on. */
export function readParticle(text: string, start: number): Read {
  const until = Math.min(text.length, start + LONGEST);
  let run = "";
  let end = start;
  while (end < until) {
    const point = text.codePointAt(end)!;
    const character = String.fromCodePoint(point);
    if (isHangul(character)) run += character;
    else if (!isInvisible(point)) break;
    end += character.length;
  }
  const particle = run.normalize("NFC");
  const isOpen = end >= text.length && (particle === "" || BEGINNINGS.has(particle));
  return PARTICLES.has(particle) ? { end, isOpen } : { isOpen };
}
