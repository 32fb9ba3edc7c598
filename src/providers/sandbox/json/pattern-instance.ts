/** A text that matches a regular expression, for the patterns that schemas usually have. */

import { RE2JS } from "re2js";
import { splitLookaheads } from "../../../lib/split-lookaheads.ts";

const MAX_LENGTH = 2_000;
const MAX_REPEAT = 200;
const SAMPLES: Record<string, string> = {
  d: "1",
  w: "a",
  s: " ",
  D: "a",
  W: "-",
  S: "a",
  n: "\n",
  t: "\t",
  r: "\r",
  f: "\f",
  v: "\v",
  b: "",
  B: "",
};

type Matcher = (text: string) => boolean;

/** The patterns of one schema. */
export type Patterns = {
  /**
   * Tells in linear time whether a text contains a match. Undefined if RE2 does not support the pattern. Once the work for all patterns is
   * used up, none matches any more.
   */
  matcher(pattern: string): Matcher | undefined;
};

/** In RE2 instructions times characters: a few tenths of a second. A hostile schema could ask for a minute. */
const MOST_STEPS = 20_000_000;
/** The price of compiling, for each character of the pattern times its largest repeat count. */
const STEPS_PER_WEIGHT = 40;

export function createPatterns(): Patterns {
  let stepsLeft = MOST_STEPS;
  const spend = (steps: number): boolean => {
    stepsLeft -= steps;
    return stepsLeft >= 0;
  };
  const compile = (pattern: string): Matcher | undefined => {
    if (!spend(pattern.length * largestRepeat(pattern) * STEPS_PER_WEIGHT)) return undefined;
    try {
      const conditions = splitLookaheads(inRe2(pattern)).map((each) => ({ ...each, program: RE2JS.compile(each.pattern) }));
      const size = conditions.reduce((sum, { program }) => sum + program.programSize(), 0);
      return (text) => spend(size * text.length) && conditions.every(({ program, matches }) => program.test(text) === matches);
    } catch {
      return undefined;
    }
  };
  const known = new Map<string, Matcher | undefined>();
  return { matcher: (pattern) => known.getOrInsertComputed(pattern, compile) };
}

/** JSON Schema's patterns are ECMAScript's, whose escapes of code points RE2 does not know. */
const inRe2 = (pattern: string): string =>
  pattern.replace(/\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|[\s\S])/gi, (whole, four?: string, braced?: string) => {
    const code = four ?? braced;
    return code === undefined ? whole : `\\x{${code}}`;
  });

const largestRepeat = (pattern: string): number =>
  Math.max(1, ...[...pattern.matchAll(/\{(\d{1,5})(?:,(\d{1,5}))?/g)].map(([, least, most]) => Number(most ?? least)));

/**
 * Undefined if RE2 does not support the pattern (most look-arounds, back references, deep nesting), or if no text was found. The text is of
 * the given length if possible.
 */
export function patternInstance(patterns: Patterns, pattern: string, minLength = 0, maxLength = MAX_LENGTH): string | undefined {
  const matches = patterns.matcher(pattern);
  if (matches === undefined) return undefined;
  const generate = (part: string, stretch: number): string =>
    alternatives({ pattern: part, at: 0, stretch, patterns }).slice(0, MAX_LENGTH);
  const conditions = splitLookaheads(pattern);
  const wanted = conditions.slice(0, -1).filter((each) => each.matches);
  const needed = wanted
    .map((each) => generate(each.pattern, 0))
    .join("")
    .slice(0, MAX_LENGTH);
  const candidates = [0, minLength / 2, minLength, 1]
    .map((stretch) => generate(conditions.at(-1)!.pattern, stretch))
    .flatMap((text) => [text, needed + text.slice(needed.length), needed + text])
    .flatMap((text) => [text, text.padStart(minLength, "a")]);
  const hasLength = (text: string): boolean => text.length >= minLength && text.length <= maxLength;
  return candidates.find((text) => hasLength(text) && matches(text)) ?? candidates.find(matches);
}

/** A place in the pattern. `stretch`: the length in characters that open repetitions are given. */
type Cursor = { pattern: string; at: number; stretch: number; patterns: Patterns };

/** Matches `expression`, which begins with `^`, at the cursor within `reach` characters, and moves the cursor past the match. */
function eat(cursor: Cursor, expression: RegExp, reach: number): RegExpExecArray | null {
  const match = expression.exec(cursor.pattern.slice(cursor.at, cursor.at + reach));
  cursor.at += match?.[0].length ?? 0;
  return match;
}

/** The first alternative that is not empty. */
function alternatives(cursor: Cursor): string {
  let text = sequence(cursor);
  while (cursor.pattern[cursor.at] === "|") {
    cursor.at += 1;
    const other = sequence(cursor);
    if (text === "") text = other;
  }
  return text;
}

function sequence(cursor: Cursor): string {
  let text = "";
  while (cursor.at < cursor.pattern.length && cursor.pattern[cursor.at] !== "|" && cursor.pattern[cursor.at] !== ")") {
    const piece = atom(cursor);
    text = (text + piece.repeat(repetitions(cursor, piece.length))).slice(0, MAX_LENGTH);
  }
  return text;
}

function atom(cursor: Cursor): string {
  const character = cursor.pattern[cursor.at] as string;
  cursor.at += 1;
  if (character === "(") return group(cursor);
  if (character === "[") return characterClass(cursor);
  if (character === "\\") return escaped(cursor);
  if (character === "^" || character === "$") return "";
  return character === "." ? "a" : character;
}

function group(cursor: Cursor): string {
  const prefix = eat(cursor, /^\?(?::|<?[=!]|P?<\w+>)/, 80)?.[0] ?? "";
  const text = alternatives(cursor);
  cursor.at += 1;
  return /[=!]$/.test(prefix) ? "" : text;
}

function escaped(cursor: Cursor): string {
  const character = cursor.pattern[cursor.at] ?? "";
  cursor.at += 1;
  if (character === "p" || character === "P") {
    const property = eat(cursor, /^\{\^?(\w+)(?:=\w+)?\}/, 40)?.[1] ?? "";
    return property === "N" || property === "Nd" ? "1" : property === "Lu" ? "A" : "a";
  }
  if (character === "u" || character === "x") {
    const code = eat(cursor, character === "u" ? /^(?:[\da-f]{4}|\{[\da-f]{1,5}\})/i : /^[\da-f]{2}/i, 7)?.[0];
    return code === undefined ? "" : String.fromCodePoint(Number.parseInt(code.replace("{", ""), 16));
  }
  return SAMPLES[character] ?? character;
}

/** The first character of the class; of a negated class, one of a few characters that it does not exclude. */
function characterClass(cursor: Cursor): string {
  const negated = eat(cursor, /^\^/, 1) !== null;
  const from = cursor.at;
  let first: string | undefined;
  while (cursor.at < cursor.pattern.length && (cursor.pattern[cursor.at] !== "]" || cursor.at === from)) {
    const member = cursor.pattern[cursor.at] as string;
    cursor.at += 1;
    const written = member === "\\" ? escaped(cursor) : member;
    first ??= written;
  }
  const members = cursor.pattern.slice(from, cursor.at);
  cursor.at += 1;
  if (!negated) return first ?? "";
  return [..."a1 A-_x"].find((text) => cursor.patterns.matcher(`^[^${members}]$`)?.(text)) ?? "";
}

function repetitions(cursor: Cursor, pieceLength: number): number {
  const quantifier = eat(cursor, /^(?:[*+?]|\{(\d{1,5})(,(\d{0,5}))?\})/, 16);
  if (!quantifier) return 1;
  eat(cursor, /^[?+]/, 1);
  const [least, most] = boundsOf(quantifier);
  return pieceLength === 0 ? least : Math.min(most, Math.max(least, Math.ceil(cursor.stretch / pieceLength)));
}

/** Least and most repetitions. */
function boundsOf(quantifier: RegExpExecArray): [number, number] {
  const sign = quantifier[0][0];
  if (sign === "+") return [1, MAX_REPEAT];
  if (sign === "*") return [0, MAX_REPEAT];
  if (sign === "?") return [0, 1];
  const least = Math.min(Number(quantifier[1]), MAX_LENGTH);
  if (quantifier[2] === undefined) return [least, least];
  return [least, quantifier[3] ? Math.min(Number(quantifier[3]), MAX_LENGTH) : Math.max(least, MAX_REPEAT)];
}
