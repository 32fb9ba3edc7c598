/** The patterns of one schema: whether a text matches, and a text that does. */

import { RE2JS } from "re2js";
import { splitLookaheads } from "../../../lib/split-lookaheads.ts";
import { type Texts, textsOf } from "./texts-of-program.ts";

export type Pattern = {
  /** Whether a text contains a match, told in linear time. */
  matches(text: string): boolean;
  /** A text that matches, of that length if there is one; the `nth` of such texts. Undefined if none was found. */
  instance(least?: number, most?: number, nth?: number): string | undefined;
};

/** Undefined for a pattern that RE2 does not support (most look-arounds, back references, deep nesting). */
export type Patterns = (pattern: string) => Pattern | undefined;

/**
 * In RE2 instructions times characters: a few tenths of a second for all patterns together, after which none matches any more. A hostile
 * schema could ask for a minute.
 */
const MOST_STEPS = 20_000_000;
/** The price of compiling, for each character of the pattern times its largest repeat count. */
const STEPS_PER_WEIGHT = 40;

export const createPatterns = (): Patterns => {
  let stepsLeft = MOST_STEPS;
  const spend = (steps: number): boolean => {
    stepsLeft -= steps;
    return stepsLeft >= 0;
  };
  const known = new Map<string, Pattern | undefined>();
  return (pattern) => known.getOrInsertComputed(pattern, () => compile(pattern, spend));
};

type Spend = (steps: number) => boolean;
/** `matches`: whether it has to match, or must not. */
type Condition = { program: RE2JS; matches: boolean };

const compile = (pattern: string, spend: Spend): Pattern | undefined => {
  if (!spend(pattern.length * largestRepeat(pattern) * STEPS_PER_WEIGHT)) return undefined;
  try {
    const conditions = splitLookaheads(RE2JS.translateRegExp(pattern)).map(
      (each): Condition => ({ program: RE2JS.compile(each.pattern), matches: each.matches }),
    );
    const size = conditions.reduce((sum, { program }) => sum + program.programSize(), 0);
    const matches = (text: string): boolean =>
      spend(size * text.length) && conditions.every((each) => each.program.test(text) === each.matches);
    const found = new Map<number, Candidates>();
    const instance = (least = 0, most = Number.POSITIVE_INFINITY, nth = 0): string | undefined => {
      const texts = found.getOrInsertComputed(least, () => candidatesFor(conditions, least, spend))(nth);
      const hasLength = ({ length }: string): boolean => length >= least && length <= most;
      return texts.find((text) => hasLength(text) && matches(text)) ?? texts.find(matches);
    };
    return { matches, instance };
  } catch {
    return undefined;
  }
};

const largestRepeat = (pattern: string): number =>
  Math.max(1, ...[...pattern.matchAll(/\{(\d{1,5})(?:,(\d{1,5}))?/g)].map(([, least, most]) => Number(most ?? least)));

const MOST_TRIED = 16;

type Candidates = (nth: number) => string[];

/** What the last condition spells, with what the others want; before a pattern without a beginning, anything may stand. */
const candidatesFor = (conditions: readonly Condition[], least: number, spend: Spend): Candidates => {
  const shortest = ({ program }: Condition): Texts[] => [...textsOf(program, 0, spend).take(1)];
  const body = conditions.at(-1)!;
  const needed = conditions.filter((each) => each.matches && each !== body).flatMap(shortest);
  const wanted = needed.map((texts) => texts(0)).join("");
  const texts = [...textsOf(body.program, least, spend).take(MOST_TRIED), ...shortest(body)];
  return (nth) => {
    // Where a way has no further text, a number may follow behind a pattern without an end.
    const bodies = texts.map((each) => each(nth) ?? `${each(0)}${nth}`);
    const whole = (text: string) => [text, wanted + text.slice(wanted.length), wanted + text, text.padStart(least, "a")];
    return [...new Set(bodies.flatMap(whole))];
  };
};
