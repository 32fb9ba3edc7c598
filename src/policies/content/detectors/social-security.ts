/** US social-security numbers, with dashes and without: a valid area, group and serial, and no context that says otherwise. */

import {
  isCurrencySign,
  isDash,
  isFactorSign,
  isLower,
  isNumberSign,
  isOneOf,
  isQuantitySign,
  isWordCode,
} from "./characters.ts";
import { DASHED_SSN, NINE_DIGITS, SPACED_SSN } from "./context-lexicons.ts";
import { nearestContext } from "./nearest-context.ts";
import {
  afterSeparator,
  beforeBlank,
  codeAt,
  digitsEnd,
  endsClean,
  followsPlus,
  hasPrefix,
  isAt,
  isBlankAt,
  isDigitAt,
  isPowerOfTwo,
  numberAt,
  pastBlank,
  type Reader,
  type Span,
  startsFresh,
} from "./reader.ts";

/** Area 001-665 or 667-899, group 01-99, serial 0001-9999. */
const isIssuable = (area: number, group: number, serial: number): boolean =>
  area > 0 && area !== 666 && area < 900 && group > 0 && serial > 0;

/** NNN-NN-NNNN; with other separators than a dash, only beside a word that says so. */
export function socialSecurityAt(reader: Reader, start: number): Span | undefined {
  const areaEnd = start + 3;
  const group = afterSeparator(reader, areaEnd);
  const groupEnd = group + 2;
  if (group === areaEnd || digitsEnd(reader, group, 3) !== groupEnd) return undefined;
  const serial = afterSeparator(reader, groupEnd);
  const end = serial + 4;
  if (serial === groupEnd || digitsEnd(reader, serial, 5) !== end) return undefined;
  if (!startsFresh(reader, start) || !endsClean(reader, end) || followsPlus(reader, start)) return undefined;
  const valid = isIssuable(numberAt(reader, start, areaEnd), numberAt(reader, group, groupEnd), numberAt(reader, serial, end));
  if (!valid) return undefined;
  const dashed = end - start === 11 && isDash(codeAt(reader, areaEnd)) && isDash(codeAt(reader, groupEnd));
  const context = nearestContext(reader, { start, end }, dashed ? DASHED_SSN : SPACED_SSN, dashed ? 28 : 40, 0);
  return context === "for" || (dashed && context === "none" && !hasPrefix(reader, start)) ? { start, end } : undefined;
}

/** `list[123456789]`. */
const isIndex = (reader: Reader, start: number, end: number): boolean =>
  isAt(reader, start - 1, "[") && isAt(reader, end, "]") && isWordCode(codeAt(reader, start - 2));

/** `301557623 + 412339080`, `2 ^ 301557623`: a term of a sum, a product or a power. */
const isOperand = (reader: Reader, start: number, end: number): boolean =>
  (isOperator(reader, end + 1) && isDigitAt(reader, end + 3)) || (isOperator(reader, start - 2) && isDigitAt(reader, start - 4));

/** Whether a sign of arithmetic stands there between blanks. */
const isOperator = (reader: Reader, index: number): boolean =>
  isBlankAt(reader, index - 1) && isArithmetic(codeAt(reader, index)) && isBlankAt(reader, index + 1);
const isArithmetic = isOneOf("+*^");

/** Whether the signs around nine digits make them an amount, a percentage, a factor, an index, or part of an address or a path. */
function isQuantity(reader: Reader, start: number, end: number): boolean {
  const after = codeAt(reader, end);
  return (
    isAt(reader, start - 1, "@") ||
    (isAt(reader, start - 1, "/") && !isAt(reader, start - 2, ":")) ||
    followsPlus(reader, start) ||
    isIndex(reader, start, end) ||
    isOperand(reader, start, end) ||
    isCurrencySign(codeAt(reader, beforeBlank(reader, start))) ||
    isQuantitySign(after) ||
    isFactorSign(codeAt(reader, pastBlank(reader, end))) ||
    isAt(reader, end, "@") ||
    (isAt(reader, end, ".") && isLower(codeAt(reader, end + 1)))
  );
}

/**
 * Nine digits without dashes. Gap: with no context at all they are found, because the policy asked for them (decisions §7). A word nearby
 * that says what else they are suppresses them, and so does a `#`, a prefix, a minus, or their being a power of two.
 */
export function bareSocialSecurityAt(reader: Reader, start: number): Span | undefined {
  const end = start + 9;
  if (!startsFresh(reader, start) || !endsClean(reader, end) || isQuantity(reader, start, end)) return undefined;
  const valid = isIssuable(
    numberAt(reader, start, start + 3),
    numberAt(reader, start + 3, start + 5),
    numberAt(reader, start + 5, end),
  );
  if (!valid) return undefined;
  const context = nearestContext(reader, { start, end }, NINE_DIGITS, 56, 32);
  const before = codeAt(reader, start - 1);
  const numbered = isNumberSign(before) || isDash(before) || isPowerOfTwo(numberAt(reader, start, end));
  return context === "for" || (context === "none" && !numbered) ? { start, end } : undefined;
}
