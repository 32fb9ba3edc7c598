/**
 * A text that may still be growing. Detectors read it only through `codeAt`, which notices when a decision depended on
 * what comes after the end: that is how a stream knows which characters are decided and which must wait.
 */

import type { Place } from "./layout.ts";

export type Reader = {
  text: string;
  /** True once a detector asked for a character past the end of `text`. */
  touchedEnd: boolean;
  /** What the layout says of what starts there: the head of its column, the announcement of its list. */
  placeAt?(start: number): Place | undefined;
};

export type Span = { start: number; end: number };

/** How far a detector may look to the left of a span's start; a stream keeps this much of what it has already sent. */
export const LOOK_BEHIND = 192;

/** The UTF-16 code unit at `index`, -1 outside the text. */
export function codeAt(reader: Reader, index: number): number {
  if (index >= reader.text.length) {
    reader.touchedEnd = true;
    return -1;
  }
  return index < 0 ? -1 : reader.text.charCodeAt(index);
}

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isUpper = (code: number): boolean => code >= 65 && code <= 90;
export const isLower = (code: number): boolean => code >= 97 && code <= 122;
export const isAsciiLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122 && code < 128;

const isPunctuationBlock = (code: number): boolean => (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f);

/** Letters of any script, judged by block: enough for words of context, and cheap. */
export const isLetter = (code: number): boolean =>
  code < 128
    ? isAsciiLetter(code)
    : code >= 0xc0 && code !== 0xd7 && code !== 0xf7 && !isPunctuationBlock(code) && !(code >= 0xff00 && code <= 0xff20);

/** What a number or a name may not touch. Scripts that set no blanks between words touch everything, so they do not count. */
export const isWordCode = (code: number): boolean => isDigit(code) || code === 95 || (code < 0x0e00 && isLetter(code));

/** Blanks that stand between digit groups: space, no-break space, thin and narrow no-break space. */
export const isBlank = (code: number): boolean => code === 32 || code === 0xa0 || code === 0x2009 || code === 0x202f;

/** Hyphen-minus and the dashes that models and word processors write for it. */
export const isDash = (code: number): boolean => code === 45 || (code >= 0x2010 && code <= 0x2015) || code === 0x2212;

/** The end of the digit run that starts at `start`, looking at no more than `most` digits. */
export function digitsEnd(reader: Reader, start: number, most: number): number {
  let end = start;
  while (end - start < most && isDigit(codeAt(reader, end))) end++;
  return end;
}

/** The number written by the digits in [start, end). */
export function numberAt(reader: Reader, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) value = value * 10 + (codeAt(reader, i) - 48);
  return value;
}

/** Whether a number may start at `start`: nothing before it that makes it the tail of something longer. */
export function startsFresh(reader: Reader, start: number): boolean {
  const before = codeAt(reader, start - 1);
  if (isWordCode(before)) return false;
  const joins = before === 46 || isDash(before);
  return !(joins && isDigit(codeAt(reader, start - 2)));
}

/** Whether a number may end at `end`: nothing after it that makes it the head of something longer. */
export function endsClean(reader: Reader, end: number): boolean {
  const after = codeAt(reader, end);
  if (isWordCode(after)) return false;
  const joins = after === 46 || isDash(after);
  return !(joins && isDigit(codeAt(reader, end + 1)));
}

/** Signs of money and shares. */
export const isQuantitySign = (code: number): boolean =>
  code === 36 || code === 163 || code === 165 || code === 8364 || code === 37;

/** `TX-301557623`: letters and a dash right before make it the tail of somebody's own code, unless they say what it is. */
export const hasPrefix = (reader: Reader, start: number): boolean => {
  const letter = codeAt(reader, start - 2);
  return isDash(codeAt(reader, start - 1)) && isWordCode(letter) && !isDigit(letter);
};
