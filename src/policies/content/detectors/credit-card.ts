/** Card numbers: 13 to 19 digits that pass Luhn, in groups as cards are printed, of a known issuer or beside a word that says so. */

import { isDash, isDigit, isOneOf, isWordCode } from "./characters.ts";
import { CARD, PRINTED_CARD } from "./context-lexicons.ts";
import { nearestContext } from "./nearest-context.ts";
import {
  afterSeparator,
  codeAt,
  digitsEnd,
  hasPrefix,
  isAt,
  isBlankAt,
  isDigitAt,
  isLetterAt,
  pastBlank,
  pastLineBreak,
  type Reader,
  type Span,
  startsFresh,
} from "./reader.ts";

function passesLuhn(digits: readonly number[]): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits[digits.length - 1 - i]!;
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * The prefixes of card numbers, by the ranges of ISO/IEC 7812 that the networks publish, and their lengths. Those of Visa and Mastercard count
 * at any length that spec.md names.
 */
const ISSUERS = (
  [
    ["4 50-61 63-64 66-69", [13, 14, 15, 16, 17, 18, 19]],
    ["62 65 81-82 2200-2205 3528-3589", [16, 17, 18, 19]],
    ["36", [14, 15, 16, 17, 18, 19]],
    ["38-39", [14, 16, 17, 18, 19]],
    ["300-305 3095", [14, 16, 19]],
    ["34 37 1800 2131", [15]],
    ["2221-2720 9792", [16]],
  ] as const
).flatMap(([prefixes, lengths]) =>
  prefixes.split(" ").map((range) => {
    const [first = "", last = first] = range.split("-");
    return { first: Number(first), last: Number(last), size: first.length, lengths: new Set<number>(lengths) };
  }),
);

function hasIssuer(digits: readonly number[]): boolean {
  const head = digits.slice(0, 4).join("");
  return ISSUERS.some(({ first, last, size, lengths }) => {
    const prefix = Number(head.slice(0, size));
    return prefix >= first && prefix <= last && lengths.has(digits.length);
  });
}

/** Unix time in milliseconds or nanoseconds, of dates from 2001 to 2033. */
const isEpoch = (digits: readonly number[]): boolean => (digits.length === 13 || digits.length === 19) && digits[0] === 1;

/** 13 digits that are also a valid EAN-13 are more often a bar code than one of Visa's old short numbers. */
function isBarcode(digits: readonly number[]): boolean {
  if (digits.length !== 13) return false;
  const sum = digits.reduce((total, digit, i) => total + (i % 2 === 1 ? digit * 3 : digit), 0);
  return sum % 10 === 0;
}

/** How cards are printed: one block, blocks of four with a rest (behind sixteen digits only one of three), 4-6-5, 4-6-4, or two blocks. */
function isPrintedLike(groups: readonly number[]): boolean {
  const [first = 0, second = 0, third = 0] = groups;
  if (groups.length === 1) return true;
  if (groups.length === 2) return (first === 8 && second === 8) || (first === 6 && second >= 7) || (first === 4 && second >= 9);
  if (groups.length === 3 && first === 4 && second === 6) return third === 5 || third === 4;
  return groups.every((size, i) => size === 4 || (i === groups.length - 1 && (size === 3 || (size < 3 && i < 4))));
}

/** `1024 5325 6525 2700 7350`: a group of four before it makes it a part of a row of numbers. */
const isInRow = (reader: Reader, start: number): boolean =>
  isBlankAt(reader, start - 1) && digitsEnd(reader, start - 5, 5) === start - 1 && isBlankAt(reader, start - 6);

/** `https://example.com/posts/5390364397928448`: what ends the path of a URL names a page. */
const endsPath = ({ text }: Reader, start: number): boolean =>
  /:\/\/[^\s?#]*\/$/.test(text.slice(Math.max(0, start - LONGEST_PATH), start));
const LONGEST_PATH = 160;

const LABEL_REACH = 40;
const beginsClause = isOneOf(',.;\n|<{"');

/** What is said of cards before another clause ("card declined, order 12") makes no card of what that is about. */
function isLabelledInClause(reader: Reader, span: Span): boolean {
  let i = span.start - 1;
  const far = span.start - LABEL_REACH;
  while (i > far && !isLetterAt(reader, i)) i--;
  while (i > far && !beginsClause(codeAt(reader, i))) i--;
  return i > far && nearestContext(reader, span, PRINTED_CARD, span.start - i - 1, 0) === "against";
}

/** `isUniform`: the same single sign stands between all groups; otherwise only a word before makes it a card. */
function isCard(reader: Reader, span: Span, digits: readonly number[], groups: readonly number[], isUniform: boolean): boolean {
  if (
    digits.length < 13 ||
    !isPrintedLike(groups) ||
    isEpoch(digits) ||
    digits.every((digit) => digit === 0) ||
    !passesLuhn(digits)
  )
    return false;
  if (nearestContext(reader, span, CARD, 40, 0) === "for") return true;
  const isLabelled =
    hasPrefix(reader, span.start) ||
    nearestContext(reader, span, PRINTED_CARD, LABEL_REACH, 0) === "against" ||
    isLabelledInClause(reader, span);
  const written = groups.length > 1 || !isLabelled;
  const isElse = isBarcode(digits) || (groups.length > 1 && isInRow(reader, span.start)) || endsPath(reader, span.start);
  return isUniform && written && hasIssuer(digits) && !isElse;
}

/** `DE89 3704 0044 …`: whether the groups before are the beginning of an IBAN. */
const followsIban = ({ text }: Reader, start: number): boolean =>
  /(?<![\p{L}\d_])[A-Z]{2}\d{2}(?:\p{Zs}[\p{L}\d_]{4}){0,5}\p{Zs}$/u.test(text.slice(Math.max(0, start - LONGEST_IBAN), start));
const LONGEST_IBAN = 40;

/** The start of the next group of digits after a separator, two blanks or a line break; `index` if there is none. */
function nextGroup(reader: Reader, index: number): number {
  const broken = pastLineBreak(reader, index);
  const after = broken > index ? broken : afterSeparator(reader, index);
  const start = after === index + 1 ? pastBlank(reader, after) : after;
  return isDigitAt(reader, start) ? start : index;
}

/** Reads one group after the other. Of several ends at which what was read is a card, the last counts. */
export function creditCardAt(reader: Reader, start: number): Span | undefined {
  if (!startsFresh(reader, start) || isAt(reader, start - 1, "+")) return undefined;
  const digits: number[] = [];
  const groups = [0];
  let separator = "";
  let isUniform = true;
  let isBroken = false;
  let end: number | undefined;
  for (let i = start; digits.length < 20; i++) {
    const code = codeAt(reader, i);
    if (isDigit(code)) {
      digits.push(code - 48);
      groups[groups.length - 1]!++;
      continue;
    }
    if (isWordCode(code) || groups[0]! < 4) break;
    const goesOn = (isAt(reader, i, ".") || isDash(code)) && isDigitAt(reader, i + 1);
    const isDecimal = groups.length === 2 && separator === ".";
    if (!goesOn && isCard(reader, { start, end: i }, digits, groups, isUniform && !isDecimal)) end = i;
    const next = nextGroup(reader, i);
    if (next === i) break;
    const between = reader.text.slice(i, next);
    isUniform &&= !between.includes("\n") && (groups.length === 1 ? between.length === 1 : between === separator);
    // A column of numbers has more than one line break.
    if ((end !== undefined && !isUniform) || (between.includes("\n") && isBroken)) break;
    isBroken ||= between.includes("\n");
    separator = between;
    groups.push(0);
    i = next - 1;
  }
  return end === undefined || followsIban(reader, start) ? undefined : { start, end };
}
