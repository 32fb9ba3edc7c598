/** `pattern` and `patternProperties` in linear time: an ECMA-262 regular expression (Unicode mode) rewritten for RE2. */
import { RE2JS } from "re2js";
import { splitLookaheads } from "../../lib/split-lookaheads.ts";
import { type Meter, spend } from "./meter.ts";
import { PatternError, translatePattern } from "./translate-pattern.ts";

/** Bounds for compiling a pattern, about 0.1 s each: its length, and its length times the largest repeat count. */
const MAX_PATTERN_CHARACTERS = 10_000;
const MAX_PATTERN_WEIGHT = 100_000;
/** The price of a match, however short the text: a pattern may hold thousands of conditions. */
const STEPS_PER_CONDITION = 50;

type Condition = { program: RE2JS; matches: boolean };

/**
 * A RegExp for typebox's `instanceof`, but RE2 in `test`. Each test spends program size times text length from the meter, and a little for
 * each condition.
 */
export class LinearPattern extends RegExp {
  readonly #conditions: readonly Condition[];
  readonly #meter: Meter;
  readonly #shown: string;
  /** RE2 instructions. */
  readonly programSize: number;

  constructor(shown: string, conditions: readonly Condition[], meter: Meter) {
    super("");
    this.#shown = shown;
    this.#conditions = conditions;
    this.#meter = meter;
    this.programSize = conditions.reduce((sum, { program }) => sum + program.programSize(), 0);
  }

  override test(text: string): boolean {
    spend(this.#meter, text.length * this.programSize + this.#conditions.length * STEPS_PER_CONDITION);
    return this.#conditions.every(({ program, matches }) => program.test(text) === matches);
  }

  /** Shows the caller's own pattern in error messages. */
  override toString(): string {
    return this.#shown;
  }
}

/**
 * The number of RE2 instructions of a caller's pattern. Throws PatternError if it is not a valid ECMA-262 pattern, is too large, or needs
 * backtracking (a lookaround that is not a condition on the whole text, a backreference).
 */
export const checkPattern = (source: string): number => {
  requireEcmaSyntax(source);
  if (source.length > MAX_PATTERN_CHARACTERS || source.length * largestRepeat(source) > MAX_PATTERN_WEIGHT)
    throw new PatternError("the pattern is too large");
  return linearPattern(source, { left: 0, price: 1 }).programSize;
};

/** Makes each pattern of a schema once, from a source that passed `checkPattern`. */
export type PatternOf = (source: string) => LinearPattern;

export const createPatterns = (meter: Meter): PatternOf => {
  const made = new Map<string, LinearPattern>();
  return (source) => {
    const pattern = made.get(source) ?? linearPattern(source, meter);
    made.set(source, pattern);
    return pattern;
  };
};

const linearPattern = (source: string, meter: Meter): LinearPattern => {
  const conditions = splitLookaheads(source).map(({ pattern, matches }) => ({ pattern: translatePattern(pattern), matches }));
  try {
    const programs = conditions.map(({ pattern, matches }) => ({ program: RE2JS.compile(pattern), matches }));
    return new LinearPattern(source, programs, meter);
  } catch {
    throw new PatternError("the pattern uses syntax that cannot be matched in linear time");
  }
};

/** JSON Schema demands Unicode mode; sloppy mode is accepted too, because many hand-written patterns escape too much. */
const requireEcmaSyntax = (source: string): void => {
  for (const flags of ["u", ""]) {
    try {
      new RegExp(source, flags);
      return;
    } catch {
      // Try the next mode, or refuse below.
    }
  }
  throw new PatternError("the pattern is not a regular expression");
};

const largestRepeat = (source: string): number => {
  let largest = 1;
  for (const match of source.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g)) {
    largest = Math.max(largest, Number(match[1]), Number(match[2] || 1));
  }
  return largest;
};
