/** US social-security numbers, with dashes and without: a valid area, group and serial, and no context that says otherwise. */

import { DASHED_SSN, NINE_DIGITS } from "./context-lexicons.ts";
import { nearestContext } from "./nearest-context.ts";
import {
  codeAt,
  digitsEnd,
  endsClean,
  hasPrefix,
  isBlank,
  isDash,
  isDigit,
  isQuantitySign,
  isWordCode,
  numberAt,
  type Reader,
  type Span,
  startsFresh,
} from "./reader.ts";

const PLUS = 43;
/** Blanks, dashes, and the zero in brackets that is dialled at home. */
const isBetweenGroups = (code: number): boolean => isBlank(code) || isDash(code) || code === 40 || code === 41 || code === 48;

/** Area 001-665 or 667-899, group 01-99, serial 0001-9999. */
const isIssuable = (area: number, group: number, serial: number): boolean =>
  area > 0 && area !== 666 && area < 900 && group > 0 && serial > 0;

/** NNN-NN-NNNN; with blanks or dots instead of dashes only beside a word that asks for it. */
export function socialSecurityAt(reader: Reader, start: number): Span | undefined {
  const end = start + 11;
  const separator = codeAt(reader, start + 3);
  const dashed = isDash(separator);
  if (!dashed && !isBlank(separator) && separator !== 46) return undefined;
  if (digitsEnd(reader, start + 4, 3) !== start + 6 || codeAt(reader, start + 6) !== separator) return undefined;
  if (digitsEnd(reader, start + 7, 5) !== end || !startsFresh(reader, start) || !endsClean(reader, end)) return undefined;
  const valid = isIssuable(
    numberAt(reader, start, start + 3),
    numberAt(reader, start + 4, start + 6),
    numberAt(reader, start + 7, end),
  );
  if (!valid) return undefined;
  const context = nearestContext(reader, { start, end }, DASHED_SSN, dashed ? 28 : 40, 0);
  return context === "for" || (dashed && context === "none" && !hasPrefix(reader, start)) ? { start, end } : undefined;
}

/** `+33 612345678`, `(+48) 601234567`, `+49 (0)301234567`: the rest of a phone number of another country. */
function isBehindCountryCode(reader: Reader, start: number): boolean {
  let i = start - 1;
  while (start - i < 6 && isBetweenGroups(codeAt(reader, i))) i--;
  const codeEnd = i;
  while (codeEnd - i < 3 && isDigit(codeAt(reader, i))) i--;
  return i < codeEnd && codeAt(reader, i) === PLUS;
}

/** An amount, a share, a factor, a part of an address, or the index of `list[123456789]`. */
function isQuantity(reader: Reader, start: number, end: number): boolean {
  const before = codeAt(reader, start - 1);
  const after = codeAt(reader, end);
  const spaced = isBlank(before) ? codeAt(reader, start - 2) : before;
  const factor = isBlank(after) ? codeAt(reader, end + 1) : after;
  const isIndex = before === 91 && after === 93 && isWordCode(codeAt(reader, start - 2));
  const signed = before === PLUS || before === 64 || (before === 47 && codeAt(reader, start - 2) !== 58);
  return (
    signed ||
    isBehindCountryCode(reader, start) ||
    isIndex ||
    isQuantitySign(spaced) ||
    isQuantitySign(after) ||
    factor === 215 ||
    factor === 247 ||
    after === 64 ||
    (after === 44 && isDigit(codeAt(reader, end + 1)) && isDigit(codeAt(reader, end + 3)) && !isDigit(codeAt(reader, end + 4)))
  );
}

/**
 * Nine digits. Gap: with no context at all they are found, because the policy asked for them (decisions §7);
 * the nearest word that says what else they are, or a `#`, suppresses them.
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
  const numbered = codeAt(reader, start - 1) === 35 || hasPrefix(reader, start);
  return context === "for" || (context === "none" && !numbered) ? { start, end } : undefined;
}
