/**
 * A text that may still be growing. Detectors read it only through `codeAt`, which notes when a decision depended on what comes after the
 * end. That is how a stream knows which characters are decided and which must wait.
 */

import { isBlank, isDash, isDigit, isLetter, isOneOf, isWordCode } from "./characters.ts";
import type { Place } from "./layout.ts";

export type Reader = {
  text: string;
  /** True once a detector asked for a character past the end of `text`. */
  touchedEnd: boolean;
  /** What the layout says about a number that starts there: the head of its column, or the line that announces its list. */
  placeAt?(start: number): Place | undefined;
  /** The number whose row was looked for last, and the start of the first number in that row. */
  row?: { last: Span; first: number };
};

/** `end` is exclusive. */
export type Span = { start: number; end: number };

/** How far a detector may look to the left of a span's start; a stream keeps this much of what it has already sent. */
export const LOOK_BEHIND = 256;

/** The UTF-16 code unit at `index`, -1 outside the text. */
export function codeAt(reader: Reader, index: number): number {
  if (index >= reader.text.length) {
    reader.touchedEnd = true;
    return -1;
  }
  return index < 0 ? -1 : reader.text.charCodeAt(index);
}

/** Whether this character stands at `index`. */
export const isAt = (reader: Reader, index: number, character: string): boolean =>
  codeAt(reader, index) === character.charCodeAt(0);
export const isDigitAt = (reader: Reader, index: number): boolean => isDigit(codeAt(reader, index));
export const isLetterAt = (reader: Reader, index: number): boolean => isLetter(codeAt(reader, index));
export const isBlankAt = (reader: Reader, index: number): boolean => isBlank(codeAt(reader, index));

/** `index`, or the one after it if a blank stands there. */
export const pastBlank = (reader: Reader, index: number): number => (isBlankAt(reader, index) ? index + 1 : index);

/** The index before `index`, or the one before that if a blank stands there. */
export const beforeBlank = (reader: Reader, index: number): number => (isBlankAt(reader, index - 1) ? index - 2 : index - 1);

/** The end of the run of digits that starts at `start`, of which at most `most` are looked at. */
export function digitsEnd(reader: Reader, start: number, most: number): number {
  let end = start;
  while (end - start < most && isDigitAt(reader, end)) end++;
  return end;
}

/** The index after the line break at `index`, if there is one. */
export function pastLineBreak(reader: Reader, index: number): number {
  const feed = isAt(reader, index, "\r") ? index + 1 : index;
  return isAt(reader, feed, "\n") ? feed + 1 : index;
}

/**
 * The index after what may separate two groups of digits: nothing, a blank, a dash, a dot, or a dash between blanks. A line may be broken
 * behind a dash.
 */
export function afterSeparator(reader: Reader, index: number): number {
  if (isDash(codeAt(reader, index))) return pastLineBreak(reader, index + 1);
  if (isAt(reader, index, ".")) return index + 1;
  if (!isBlankAt(reader, index)) return index;
  return isDash(codeAt(reader, index + 1)) && isBlankAt(reader, index + 2) ? index + 3 : index + 1;
}

/** The number written by the digits from `start` to `end`. */
export function numberAt(reader: Reader, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) value = value * 10 + (codeAt(reader, i) - 48);
  return value;
}

/** Powers of two, and one less: the flags and limits of programs. */
export const isPowerOfTwo = (value: number): boolean => Math.log2(value) % 1 === 0 || Math.log2(value + 1) % 1 === 0;

/** Whether a number may start at `start`: no letter and no further digits before it make it the end of something longer. */
export function startsFresh(reader: Reader, start: number): boolean {
  if (isWordCode(codeAt(reader, start - 1))) return followsLabel(reader, start);
  return !(joinsNumbers(reader, start - 1) && isDigitAt(reader, start - 2));
}

/** `Tel415-555-2671`, `SSN219-09-9999`: whether nothing but a label touches the number. */
function followsLabel(reader: Reader, start: number): boolean {
  let i = start;
  while (start - i <= LONGEST_LABEL && isLetterAt(reader, i - 1)) i--;
  return LABELS.has(reader.text.slice(i, start).toLowerCase()) && !isWordCode(codeAt(reader, i - 1));
}
const LABELS = new Set("ssn ss tel ph phone telephone cell mobile mob fax dob born".split(" "));
const LONGEST_LABEL = 9;

/** Whether a number may end at `end`: no letter and no further digits after it make it the beginning of something longer. */
export const endsClean = (reader: Reader, end: number): boolean =>
  !isWordCode(codeAt(reader, end)) && !(joinsNumbers(reader, end) && isDigitAt(reader, end + 1));

const joinsNumbers = (reader: Reader, index: number): boolean => isAt(reader, index, ".") || isDash(codeAt(reader, index));

const LONGEST_COUNTRY_CODE = 12;
const isParenthesis = isOneOf("()");
const isInPhoneNumber = (code: number): boolean => isDigit(code) || isBlank(code) || isDash(code) || isParenthesis(code);

/** `+33 612345678`, `(+48) 601234567`, `+49 (0)301234567`: whether what starts at `start` is the rest of an international phone number. */
export function followsPlus(reader: Reader, start: number): boolean {
  let i = start - 1;
  while (start - i < LONGEST_COUNTRY_CODE && isInPhoneNumber(codeAt(reader, i))) i--;
  return isAt(reader, i, "+") && isDigitAt(reader, i + 1);
}

/** `TX-301557623`: letters and a dash right before a number make it part of somebody's own code. */
export const hasPrefix = (reader: Reader, start: number): boolean => {
  const letter = codeAt(reader, start - 2);
  return isDash(codeAt(reader, start - 1)) && isWordCode(letter) && !isDigit(letter);
};
