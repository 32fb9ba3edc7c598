/** IPv4 addresses in dotted form. Versions, section numbers, object identifiers and numbers of five parts are none. */

import { DOTTED_QUAD } from "./context-lexicons.ts";
import { nearestContext } from "./nearest-context.ts";
import {
  codeAt,
  digitsEnd,
  isBlank,
  isDash,
  isDigit,
  isQuantitySign,
  isWordCode,
  numberAt,
  type Reader,
  type Span,
} from "./reader.ts";

const DOT = 46;
const SLASH = 47;

/** The end of an octet (0-255, with leading zeros only where all four are padded to three digits), -1 where there is none. */
function octetEnd(reader: Reader, start: number, mayPad: boolean): number {
  const end = digitsEnd(reader, start, 4);
  const padded = codeAt(reader, start) === 48 && end - start > 1;
  return end === start || end - start > 3 || (padded && !(mayPad && end - start === 3)) || numberAt(reader, start, end) > 255
    ? -1
    : end;
}

function quadEnd(reader: Reader, start: number): number {
  let end = octetEnd(reader, start, true);
  for (let octet = 1; octet < 4 && end !== -1; octet++)
    end = codeAt(reader, end) === DOT ? octetEnd(reader, end + 1, end - start === octet * 4 - 1) : -1;
  return end;
}

/** `10.0.0.1-10.0.0.9`, `8.8.8.8/8.8.4.4`: what parts it from the address before. */
function endsRange(reader: Reader, dash: number): boolean {
  let dots = 0;
  let i = dash - 1;
  for (; dash - i <= 15 && (isDigit(codeAt(reader, i)) || codeAt(reader, i) === DOT); i--) if (codeAt(reader, i) === DOT) dots++;
  return dots === 3;
}

/** What stands right before: a letter (`v1.2.3.4`), a package name, a product's slash, a version operator or a heading's `#`. */
function isTail(reader: Reader, start: number, end: number): boolean {
  const before = codeAt(reader, start - 1);
  const second = codeAt(reader, start - 2);
  if (isWordCode(before) || before === 94 || before === 126 || before === 0xa7) return true;
  if (isDash(before)) return isWordCode(second) && !endsRange(reader, start - 1);
  if (before === SLASH) return isWordCode(second) && !hasPort(reader, end) && !endsRange(reader, start - 1);
  if (before === 61) return second === 61 || second === 62 || second === 60 || second === 126;
  if (!isBlank(before)) return false;
  return second === 35 || second === 0xa7 || ((second | 32) === 118 && !isWordCode(codeAt(reader, start - 3)));
}

/** `10.0.0.1:8080`, also as Java writes it: `host/10.0.0.1:8080`. */
const hasPort = (reader: Reader, end: number): boolean => codeAt(reader, end) === 58 && isDigit(codeAt(reader, end + 1));

/** `1.000.000.000 €`. */
function isAmount(reader: Reader, start: number, end: number): boolean {
  const before = isBlank(codeAt(reader, start - 1)) ? start - 2 : start - 1;
  const after = isBlank(codeAt(reader, end)) ? end + 1 : end;
  return isQuantitySign(codeAt(reader, before)) || isQuantitySign(codeAt(reader, after));
}

/** A fifth part, or a suffix as versions have: `1.2.3.4-beta`, `1.2.3.4+cu118`, `1.2.3.4rc1`. */
function isHead(reader: Reader, end: number): boolean {
  const after = codeAt(reader, end);
  if (isWordCode(after)) return true;
  const joins = isDash(after) || after === 43;
  const next = after === DOT || joins ? codeAt(reader, end + 1) : -1;
  return after === DOT ? isDigit(next) : joins && isWordCode(next) && !isDigit(next);
}

/** 172.16.0.0/12, 192.168.0.0/16: no version goes that high, whatever software is named before it (`docker0 172.17.0.1`). */
function isPrivate(reader: Reader, start: number): boolean {
  const first = numberAt(reader, start, start + 3);
  const second = numberAt(reader, start + 4, digitsEnd(reader, start + 4, 3));
  return (
    codeAt(reader, start + 3) === DOT && ((first === 172 && second >= 16 && second < 32) || (first === 192 && second === 168))
  );
}

export function ipAddressAt(reader: Reader, start: number): Span | undefined {
  if (codeAt(reader, start - 1) === DOT && isWordCode(codeAt(reader, start - 2))) return undefined;
  const end = quadEnd(reader, start);
  if (end === -1 || isHead(reader, end) || isTail(reader, start, end)) return undefined;
  if (isAmount(reader, start, end)) return undefined;
  const isAddressed = hasPort(reader, end) || (codeAt(reader, start - 1) === SLASH && codeAt(reader, start - 2) === SLASH);
  const named =
    !isAddressed && !isPrivate(reader, start) && nearestContext(reader, { start, end }, DOTTED_QUAD, 32, 0) === "against";
  return named ? undefined : { start, end };
}
