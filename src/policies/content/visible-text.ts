/** Invisible characters, which could hide personal data and terms: which they are, and a text without them. */
import { type OffsetMap, offsetMap } from "./offset-map.ts";

/** The visible text, with offsets mapped to the whole one. Its end is mapped to the whole's end. */
type VisibleText = OffsetMap & { text: string };

/** Further invisible characters of a run count as visible. This bounds how much a stream must hold back. */
const LONGEST_RUN = 16;

/** What no font shows (Unicode's Default_Ignorable_Code_Point): the first and last of each range, ascending. */
const INVISIBLE: readonly (readonly [first: number, last: number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** By ranges: for one code point that takes a fraction of the time of a regular expression. */
export const isInvisible = (point: number): boolean => {
  for (const [first, last] of INVISIBLE) if (point <= last) return point >= first;
  return false;
};

const CLASS = INVISIBLE.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join("");
const ANY_INVISIBLE = new RegExp(`[${CLASS}]`, "u");
const EACH_INVISIBLE = new RegExp(ANY_INVISIBLE, "gu");

/** Whether the other half of a surrogate pair is still to come; until then it is unknown whether the character is visible. */
export const endsInHalfCharacter = (text: string): boolean => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;

export const visibleText = (text: string): VisibleText => {
  const whole = endsInHalfCharacter(text) ? text.slice(0, -1) : text;
  if (whole === text && !ANY_INVISIBLE.test(text)) return { text, inward: (index) => index, outward: (index) => index };
  const inner = [0];
  const outer = [0];
  let visible = "";
  let from = 0;
  let run = 0;
  let end = -1;
  for (const { index, 0: character } of whole.matchAll(EACH_INVISIBLE)) {
    run = index === end ? run + 1 : 1;
    end = index + character.length;
    if (run > LONGEST_RUN) continue;
    visible += whole.slice(from, index);
    from = end;
    inner.push(visible.length);
    outer.push(from);
  }
  visible += whole.slice(from);
  const { inward, outward } = offsetMap(inner, outer, visible.length);
  return { text: visible, inward, outward: (index) => (index === visible.length ? text.length : outward(index)) };
};

/** Where a text may be cut so that at least `count` visible characters remain before `end`. */
export const contextBefore = (text: string, end: number, count: number): number => {
  // Nearly every chunk of a stream goes this way, and keeps the least.
  if (end <= count || !ANY_INVISIBLE.test(text)) return Math.max(0, end - count);
  // The cut may divide a run of invisible characters, whose rest is then counted from one again.
  const wanted = count + LONGEST_RUN;
  const visible = visibleText(text.slice(0, end));
  return visible.text.length <= wanted ? 0 : visible.outward(visible.text.length - wanted);
};
