/** US phone numbers (North American Numbering Plan): a valid area and exchange, written as a phone number or beside a word that says so. */

import { isAsciiLetter, isDash, isQuantitySign, isWordCode } from "./characters.ts";
import { ELEVEN_DIGITS, TEN_DIGITS, WRITTEN_PHONE } from "./context-lexicons.ts";
import { nearestContext } from "./nearest-context.ts";
import {
  afterSeparator,
  codeAt,
  digitsEnd,
  endsClean,
  followsPlus,
  isAt,
  isBlankAt,
  isDigitAt,
  isPowerOfTwo,
  numberAt,
  pastLineBreak,
  type Reader,
  type Span,
  startsFresh,
} from "./reader.ts";

/** Area codes are [2-9]XX but not N11; exchanges are [2-9]XX. */
const isAreaCode = (area: number): boolean => area >= 200 && area % 100 !== 11;
const isExchange = (exchange: number): boolean => exchange >= 200;

/** -1 if there are fewer. */
const threeDigits = (reader: Reader, start: number): number =>
  digitsEnd(reader, start, 3) === start + 3 ? numberAt(reader, start, start + 3) : -1;

/** Reads area, exchange and line from `start`; `isWritten`: parentheses or separators show that it is a phone number. */
function readNational(reader: Reader, start: number): { end: number; isWritten: boolean } | undefined {
  const hasParentheses = isAt(reader, start, "(");
  const areaStart = hasParentheses ? start + 1 : start;
  if (!isAreaCode(threeDigits(reader, areaStart))) return undefined;
  if (hasParentheses && !isAt(reader, areaStart + 3, ")")) return undefined;
  const areaEnd = areaStart + (hasParentheses ? 4 : 3);
  // A line may be broken behind the parenthesis.
  const broken = hasParentheses ? pastLineBreak(reader, areaEnd) : areaEnd;
  const exchangeStart = broken > areaEnd ? broken : afterSeparator(reader, areaEnd);
  if (!isExchange(threeDigits(reader, exchangeStart))) return undefined;
  const lineStart = afterSeparator(reader, exchangeStart + 3);
  const end = lineStart + 4;
  if (digitsEnd(reader, lineStart, 5) !== end) return undefined;
  const isSeparated = exchangeStart > areaEnd && lineStart > exchangeStart + 3;
  // `252.227-7013` is a clause of a contract, `277.764 1035` are coordinates: after a dot comes another one.
  const isMixed = isAt(reader, areaEnd, ".") && !isAt(reader, lineStart - 1, ".");
  return { end, isWritten: hasParentheses || (isSeparated && !isMixed) };
}

/** Whether digits or the code of another country before `start` make this the end of a longer number. */
function isTail(reader: Reader, start: number): boolean {
  const before = codeAt(reader, start - 1);
  if (!startsFresh(reader, start) || isQuantitySign(before)) return true;
  return !isAt(reader, start - 1, ".") && !isDash(before) && followsPlus(reader, start);
}

/** `x12`, `ext12`, `EXT. 12`. */
function isExtension(reader: Reader, start: number): boolean {
  let end = start;
  while (end - start < 4 && isAsciiLetter(codeAt(reader, end))) end++;
  let digits = end;
  while (digits - end < 2 && (isBlankAt(reader, digits) || isAt(reader, digits, "."))) digits++;
  return /^(?:x|ext)$/i.test(reader.text.slice(start, end)) && isDigitAt(reader, digits);
}

/** Whether more digits after `end` make this the beginning of a longer number; an extension does not. */
function isHead(reader: Reader, end: number): boolean {
  const after = codeAt(reader, end);
  if (isWordCode(after)) return !isExtension(reader, end);
  return isAt(reader, end, "@") || isQuantitySign(after) || !endsClean(reader, end);
}

/** `3 12 415 671 2345 77`: groups separated by blanks, with further groups before or after them, are a row of numbers. */
function isInRow(reader: Reader, start: number, end: number): boolean {
  if (isAt(reader, start, "(")) return false;
  const hasBlanks = /\d\p{Zs}\d/u.test(reader.text.slice(start, end));
  const follows = isBlankAt(reader, start - 1) && isDigitAt(reader, start - 2);
  const goesOn = isBlankAt(reader, end) && isDigitAt(reader, end + 1);
  return hasBlanks && (follows || goesOn);
}

/** The index of the national number after `+1` or `1`; `start` if there is no country code, or another country's. */
function afterCountryCode(reader: Reader, start: number): number {
  const digits = isAt(reader, start, "+") ? start + 1 : start;
  return isAt(reader, digits, "1") ? afterSeparator(reader, digits + 1) : start;
}

export function phoneNumberAt(reader: Reader, start: number): Span | undefined {
  const nationalStart = afterCountryCode(reader, start);
  const national = readNational(reader, nationalStart);
  if (national === undefined || isTail(reader, start) || isHead(reader, national.end)) return undefined;
  const span = { start, end: national.end };
  if (isAt(reader, start, "+")) return span;
  if (isInRow(reader, start, span.end)) return undefined;
  if (national.isWritten) return nearestContext(reader, span, WRITTEN_PHONE, 20, 0) === "against" ? undefined : span;
  if (isPowerOfTwo(numberAt(reader, nationalStart, span.end))) return undefined;
  const lexicon = nationalStart === start + 1 ? ELEVEN_DIGITS : TEN_DIGITS;
  return nearestContext(reader, span, lexicon, 56, 32) === "for" ? span : undefined;
}
