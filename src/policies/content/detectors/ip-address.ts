/** IPv4 addresses in dotted form, but not versions, section numbers, object identifiers and numbers of five parts. */

import { isBlank, isCurrencySign, isDash, isDigit, isOneOf, isQuantitySign, isWordCode } from "./characters.ts";
import { DOTTED_QUAD } from "./context-lexicons.ts";
import { nearestContext } from "./nearest-context.ts";
import { beforeBlank, codeAt, digitsEnd, isAt, isDigitAt, numberAt, pastBlank, type Reader, type Span } from "./reader.ts";

/** Signs of version ranges and of sections. */
const isVersionSign = isOneOf("^~§");
const isBeforeSection = isOneOf("#§");
const isLetterV = isOneOf("vV");
/** What makes an equals sign an operator: `==`, `>=`, `<=`, `~=`, `!=`. */
const isBeforeEqualsSign = isOneOf("=<>~!");

/** The end of an octet (0-255; leading zeros only if all four are padded to three digits), or -1 if there is none. */
function octetEnd(reader: Reader, start: number, mayPad: boolean): number {
  const end = digitsEnd(reader, start, 4);
  const length = end - start;
  if (length === 0 || numberAt(reader, start, end) > 255) return -1;
  const hasLeadingZero = length > 1 && numberAt(reader, start, start + 1) === 0;
  return hasLeadingZero && !(mayPad && length === 3) ? -1 : end;
}

function quadEnd(reader: Reader, start: number): number {
  let end = octetEnd(reader, start, true);
  for (let octet = 1; octet < 4 && end !== -1; octet++)
    end = isAt(reader, end, ".") ? octetEnd(reader, end + 1, end - start === octet * 4 - 1) : -1;
  return end;
}

/** `10.0.0.1-10.0.0.9`, `8.8.8.8/8.8.4.4`: whether another address ends before the sign at `sign`. */
const followsAddress = ({ text }: Reader, sign: number): boolean =>
  /(?<![\d.])\d{0,3}(?:\.\d{0,3}){3}$/.test(text.slice(Math.max(0, sign - LONGEST_ADDRESS - 1), sign));
const LONGEST_ADDRESS = 15;

/** Whether a letter (`v1.2.3.4`), a package's name, a product's slash or a heading's `#` stands right before. */
function isTail(reader: Reader, start: number, end: number): boolean {
  const before = codeAt(reader, start - 1);
  const second = codeAt(reader, start - 2);
  // Two tildes are Markdown's strike-through.
  if (isWordCode(before) || (isVersionSign(before) && second !== before)) return true;
  if (isDash(before)) return isWordCode(second) && !followsAddress(reader, start - 1);
  if (isAt(reader, start - 1, "/")) return isWordCode(second) && !hasPort(reader, end) && !followsAddress(reader, start - 1);
  if (!isBlank(before)) return false;
  return isBeforeSection(second) || (isLetterV(second) && !isWordCode(codeAt(reader, start - 3)));
}

/** `10.0.0.1:8080`, and `host/10.0.0.1:8080` as Java writes it. */
const hasPort = (reader: Reader, end: number): boolean => isAt(reader, end, ":") && isDigitAt(reader, end + 1);

/** `12.100.200.250 €`. */
const isAmount = (reader: Reader, start: number, end: number): boolean =>
  isCurrencySign(codeAt(reader, beforeBlank(reader, start))) || isQuantitySign(codeAt(reader, pastBlank(reader, end)));

/** Whether a fifth part or the suffix of a version follows: `1.2.3.4-beta`, `1.2.3.4+cu118`, `1.2.3.4rc1`. */
function isHead(reader: Reader, end: number): boolean {
  const after = codeAt(reader, end);
  if (isWordCode(after)) return true;
  if (isAt(reader, end, ".")) return isDigitAt(reader, end + 1);
  if (!isDash(after) && !isAt(reader, end, "+")) return false;
  const next = codeAt(reader, end + 1);
  return isWordCode(next) && !isDigit(next);
}

/** 172.16.0.0/12 and 192.168.0.0/16 are addresses whatever software is named before them (`docker0 172.17.0.1`): no version is so high. */
function isPrivate(reader: Reader, start: number): boolean {
  const first = numberAt(reader, start, start + 3);
  const second = numberAt(reader, start + 4, digitsEnd(reader, start + 4, 3));
  return isAt(reader, start + 3, ".") && ((first === 172 && second >= 16 && second < 32) || (first === 192 && second === 168));
}

/** `ruby >= 1.2.3.4`, but `ip.src == 10.1.2.3` too. */
function followsOperator(reader: Reader, start: number): boolean {
  const sign = beforeBlank(reader, start);
  return isAt(reader, sign, "=") && isBeforeEqualsSign(codeAt(reader, sign - 1));
}

/** `1.2.3.4-2`: the revision of a package. The other end of a range (`10.0.0.5-20`) would be higher than the last octet. */
function hasRevision(reader: Reader, end: number): boolean {
  const revisionEnd = digitsEnd(reader, end + 1, 4);
  if (!isDash(codeAt(reader, end)) || revisionEnd === end + 1 || isAt(reader, revisionEnd, ".")) return false;
  let octet = end;
  while (isDigitAt(reader, octet - 1)) octet--;
  return numberAt(reader, end + 1, revisionEnd) <= numberAt(reader, octet, end);
}

/** `0.12.2.1`: no host has an address that begins with a zero; `0.0.0.0` and masks do. */
const startsWithZero = (reader: Reader, start: number): boolean =>
  isAt(reader, start, "0") && isAt(reader, start + 1, ".") && !isAt(reader, start + 2, "0");

/** `v2.10.4.1 mends what 2.10.4.0 broke`: four numbers that begin like a version before them are another one. */
function followsVersion(reader: Reader, start: number): boolean {
  const { text } = reader;
  const prefix = /^\d{1,3}\.\d{1,3}\./.exec(text.slice(start, start + 8))?.[0];
  const from = Math.max(0, start - VERSION_REACH);
  const other = prefix === undefined ? -1 : from + text.slice(from, start).lastIndexOf(prefix);
  if (other < from || isDigitAt(reader, other - 1)) return false;
  const end = quadEnd(reader, other);
  // In a row of addresses no word stands between them.
  if (end === -1 || start - end <= SHORTEST_WORDS) return false;
  return isTail(reader, other, end) || nearestContext(reader, { start: other, end }, DOTTED_QUAD, NEAR, 0) === "against";
}
const VERSION_REACH = 80;
const SHORTEST_WORDS = 6;
const NEAR = 32;

export function ipAddressAt(reader: Reader, start: number): Span | undefined {
  if (isAt(reader, start - 1, ".") && isWordCode(codeAt(reader, start - 2))) return undefined;
  const end = quadEnd(reader, start);
  if (end === -1 || isHead(reader, end) || isTail(reader, start, end)) return undefined;
  if (isAmount(reader, start, end)) return undefined;
  const isAddressed = hasPort(reader, end) || (isAt(reader, start - 1, "/") && isAt(reader, start - 2, "/"));
  if (isAddressed || isPrivate(reader, start)) return { start, end };
  // Versions hardly have a first part of three digits, so only a word close by makes one of it.
  const isHigh = digitsEnd(reader, start, 3) === start + 3;
  const reach = isHigh ? 12 : NEAR;
  const context = nearestContext(reader, { start, end }, DOTTED_QUAD, reach, 0);
  const isVersion = followsOperator(reader, start) || hasRevision(reader, end) || startsWithZero(reader, start);
  return context === "for" || (context === "none" && !isVersion && (isHigh || !followsVersion(reader, start)))
    ? { start, end }
    : undefined;
}
