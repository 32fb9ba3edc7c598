/** `pattern` and `patternProperties` in linear time: an ECMA-262 regular expression (Unicode mode) rewritten for RE2. */
import { RE2JS } from "re2js";
import { type Meter, spend } from "./meter.ts";
import { PatternError, translatePattern } from "./translate-pattern.ts";

/** Bounds for compiling a pattern, about 0.1 s each: its length, and its length times the largest repeat count. */
const MAX_PATTERN_CHARACTERS = 10_000;
const MAX_PATTERN_WEIGHT = 100_000;

/** A RegExp for typebox's `instanceof`, but RE2 in `test`; each test spends program size times text length from the meter. */
export class LinearPattern extends RegExp {
  readonly #program: RE2JS;
  readonly #meter: Meter;
  readonly #shown: string;

  constructor(shown: string, program: RE2JS, meter: Meter) {
    super("");
    this.#shown = shown;
    this.#program = program;
    this.#meter = meter;
  }

  /** RE2 instructions. */
  get programSize(): number {
    return this.#program.programSize();
  }

  override test(text: string): boolean {
    spend(this.#meter, text.length * this.programSize);
    return this.#program.test(text);
  }

  /** Shows the caller's own pattern in error messages. */
  override toString(): string {
    return this.#shown;
  }
}

/**
 * The number of RE2 instructions of a caller's pattern. Throws PatternError if it is not a valid ECMA-262 pattern, is too large, or needs
 * backtracking (lookaround, backreference).
 */
export const checkPattern = (source: string): number => {
  requireEcmaSyntax(source);
  if (source.length > MAX_PATTERN_CHARACTERS || source.length * largestRepeat(source) > MAX_PATTERN_WEIGHT)
    throw new PatternError("the pattern is too large");
  return linearPattern(source, { left: 0, price: 1 }).programSize;
};

/** For a pattern that passed `checkPattern`. */
export const linearPattern = (source: string, meter: Meter): LinearPattern => {
  const translated = translatePattern(source);
  try {
    return new LinearPattern(source, RE2JS.compile(translated), meter);
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
