/** US phone numbers (North American Numbering Plan): a valid area and exchange, written as a phone number or beside a word that says so. */

import { ELEVEN_DIGITS, TEN_DIGITS, WRITTEN_PHONE } from "./context-lexicons.ts";
import { nearestContext } from "./nearest-context.ts";
import {
  codeAt,
  digitsEnd,
  isAsciiLetter,
  isBlank,
  isDash,
  isDigit,
  isQuantitySign,
  isWordCode,
  numberAt,
  type Reader,
  type Span,
} from "./reader.ts";

const PLUS = 43;
const OPEN = 40;
const CLOSE = 41;

/** Area codes are [2-9]XX but not N11; exchanges are [2-9]XX. */
const isAreaCode = (area: number): boolean => area >= 200 && area % 100 !== 11;
const isExchange = (exchange: number): boolean => exchange >= 200;

/** After a group of digits: nothing, one blank, dash or dot, or a dash between blanks. Returns the index of the next group. */
function afterSeparator(reader: Reader, index: number): number {
  const code = codeAt(reader, index);
  if (isDash(code) || code === 46) return index + 1;
  if (!isBlank(code)) return index;
  return isDash(codeAt(reader, index + 1)) && isBlank(codeAt(reader, index + 2)) ? index + 3 : index + 1;
}

const threeDigits = (reader: Reader, start: number): number =>
  digitsEnd(reader, start, 3) === start + 3 ? numberAt(reader, start, start + 3) : -1;

/** Reads area, exchange and line from `start`; `bare` means that separators do not show it to be a phone number. */
function readNational(reader: Reader, start: number): { end: number; bare: boolean } | undefined {
  const open = codeAt(reader, start) === OPEN;
  const areaStart = open ? start + 1 : start;
  if (!isAreaCode(threeDigits(reader, areaStart))) return undefined;
  if (open && codeAt(reader, areaStart + 3) !== CLOSE) return undefined;
  const areaEnd = areaStart + (open ? 4 : 3);
  const exchangeStart = afterSeparator(reader, areaEnd);
  if (!isExchange(threeDigits(reader, exchangeStart))) return undefined;
  const lineStart = afterSeparator(reader, exchangeStart + 3);
  const end = lineStart + 4;
  if (digitsEnd(reader, lineStart, 5) !== end) return undefined;
  const isWritten = open || (exchangeStart > areaEnd && lineStart > exchangeStart + 3);
  return { end, bare: !isWritten };
}

/** Whether digits or a foreign country code before `start` make this the tail of a longer number. */
function isTail(reader: Reader, start: number): boolean {
  const before = codeAt(reader, start - 1);
  if (isWordCode(before) || before === PLUS || isQuantitySign(before)) return true;
  if (before === 46 || isDash(before)) return isDigit(codeAt(reader, start - 2));
  let i = start - 1;
  for (let steps = 0; steps < 12; steps++, i--) {
    const code = codeAt(reader, i);
    if (code === PLUS) return true;
    if (!isDigit(code) && !isBlank(code) && code !== OPEN && code !== CLOSE && !isDash(code)) return false;
  }
  return false;
}

/** `x12`, `ext12`, `EXT. 12` */
function isExtension(reader: Reader, start: number): boolean {
  let end = start;
  while (end - start < 4 && isAsciiLetter(codeAt(reader, end))) end++;
  let digits = end;
  while (digits - end < 2 && (isBlank(codeAt(reader, digits)) || codeAt(reader, digits) === 46)) digits++;
  return /^(?:x|ext)$/i.test(reader.text.slice(start, end)) && isDigit(codeAt(reader, digits));
}

/** Whether more digits after `end` make this the head of a longer number; an extension does not. */
function isHead(reader: Reader, end: number): boolean {
  const after = codeAt(reader, end);
  if (isWordCode(after)) return !isExtension(reader, end);
  if (after === 64 || isQuantitySign(after)) return true;
  return (after === 46 || isDash(after)) && isDigit(codeAt(reader, end + 1));
}

/** `3 12 415 671 2345 77`: groups parted by blanks with more groups before or after are a row of numbers. */
function isInRow(reader: Reader, start: number, end: number): boolean {
  if (codeAt(reader, start) === OPEN) return false;
  const blanks = [5, 8, 9].some((back) => isBlank(codeAt(reader, end - back)));
  const before = isBlank(codeAt(reader, start - 1)) && isDigit(codeAt(reader, start - 2));
  const after = isBlank(codeAt(reader, end)) && isDigit(codeAt(reader, end + 1));
  return blanks && (before || after);
}

/** Index of the national number behind `+1` or `1`, `start` where there is no country code, -1 for another country's. */
function afterCountryCode(reader: Reader, start: number): number {
  const code = codeAt(reader, start);
  if (code === OPEN) return start;
  const digits = code === PLUS ? start + 1 : start;
  if (codeAt(reader, digits) !== 49) return code === PLUS ? -1 : start;
  return afterSeparator(reader, digits + 1);
}

export function phoneNumberAt(reader: Reader, start: number): Span | undefined {
  const plus = codeAt(reader, start) === PLUS;
  const nationalStart = afterCountryCode(reader, start);
  if (nationalStart === -1) return undefined;
  const national = readNational(reader, nationalStart);
  if (national === undefined || isTail(reader, start) || isHead(reader, national.end)) return undefined;
  const span = { start, end: national.end };
  if (plus) return span;
  if (isInRow(reader, start, span.end)) return undefined;
  if (!national.bare) return nearestContext(reader, span, WRITTEN_PHONE, 20, 0) === "against" ? undefined : span;
  const lexicon = nationalStart === start + 1 ? ELEVEN_DIGITS : TEN_DIGITS;
  return nearestContext(reader, span, lexicon, 56, 32) === "for" ? span : undefined;
}
