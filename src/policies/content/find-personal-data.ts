/**
 * Finds personal data in one pass. Each detector starts at a rare character (`@`, a run of digits, `+`, `(`)
 * and looks a bounded distance both ways, so the time is linear whatever the text is.
 */

import { birthDateAt } from "./detectors/birth-date.ts";
import { isDigit } from "./detectors/characters.ts";
import { creditCardAt } from "./detectors/credit-card.ts";
import { emailAddressAt, localPartStart } from "./detectors/email-address.ts";
import { ipAddressAt } from "./detectors/ip-address.ts";
import { continueLayout, type Layout, type Place, placeOf, startLayout } from "./detectors/layout.ts";
import { phoneNumberAt } from "./detectors/phone-number.ts";
import { digitsEnd, isAt, type Reader, type Span } from "./detectors/reader.ts";
import { bareSocialSecurityAt, socialSecurityAt } from "./detectors/social-security.ts";
import { PERSONAL_DATA_TYPES, type PersonalDataType } from "./personal-data-type.ts";
import { plainForms } from "./plain-forms.ts";
import { visibleText } from "./visible-text.ts";
import { withoutEmphasis } from "./without-emphasis.ts";

type Detect = (reader: Reader, anchor: number) => Span | undefined;

/**
 * What finds each type, and the lengths of a run of digits at whose beginning it is looked for. `scanVisible` looks for the other signs; a
 * type that begins before its sign must be held back there while its sign may still come, as an address is.
 */
const FOUND_BY: Record<PersonalDataType, { detect: Detect; runs: readonly number[] }> = {
  ssn: { detect: socialSecurityAt, runs: [3] },
  ssn_no_dash: { detect: bareSocialSecurityAt, runs: [9] },
  credit_card: { detect: creditCardAt, runs: [4, 6, 8, 13, 14, 15, 16, 17, 18, 19] },
  email: { detect: emailAddressAt, runs: [] },
  phone_us: { detect: phoneNumberAt, runs: [1, 3, 4, 10, 11] },
  ip_address: { detect: ipAddressAt, runs: [1, 2, 3] },
  date_of_birth: { detect: birthDateAt, runs: [1, 2] },
};

/** Without a digit or an `@`, also in other forms of them, a text holds no personal data. */
const SIGN = /[\p{Nd}@\uff20\ufe6b]|&commat;/iu;
export const mayHoldPersonalData = (text: string): boolean => SIGN.test(text);

/** A set of types, or a map by type. */
type Wanted = Pick<ReadonlySet<PersonalDataType>, "has" | "size">;

const DETECTORS = PERSONAL_DATA_TYPES.map((type, order) => ({ type, order, ...FOUND_BY[type] }));
type Detector = (typeof DETECTORS)[number];
const detectorOf = (type: PersonalDataType): Detector => DETECTORS[PERSONAL_DATA_TYPES.indexOf(type)]!;
const [PHONE, EMAIL] = [detectorOf("phone_us"), detectorOf("email")];

const LONGEST_RUN = 20;

/** Which detectors can match at the beginning of a run of so many digits. */
const AT_RUN_OF = Array.from({ length: LONGEST_RUN + 1 }, (_, length) => DETECTORS.filter(({ runs }) => runs.includes(length)));

type Scan = {
  /** In order of detection; spans of different types may overlap. */
  found: (Span & { type: PersonalDataType })[];
  /** Where the first span starts that more text could still complete or change; the text's length if none. */
  openFrom: number;
};

/**
 * Finds what starts at or after `from`; the text before is context only. `layout` is that of everything before `from`, which `text` may
 * not hold, or null if layout says nothing here. Everything before `openFrom` is final, whatever follows; if the text has ended, all of
 * `found` is.
 */
export function scanPersonalData(
  text: string,
  from: number,
  wanted: Wanted,
  layout: Layout | null = continueLayout(startLayout(), text.slice(0, from)),
): Scan {
  const visible = visibleText(withoutEmphasis(plainForms(text)));
  let at = from;
  let now = layout;
  const placeAt = (start: number): Place | undefined => {
    if (now === null) return undefined;
    const reached = visible.outward(start);
    if (reached > at) now = continueLayout(now, text.slice(at, reached));
    at = Math.max(at, reached);
    const place = placeOf(now);
    return place && { ...place, label: visibleText(plainForms(place.label)).text };
  };
  const { found, openFrom } = scanVisible({ text: visible.text, touchedEnd: false, placeAt }, visible.inward(from), wanted);
  if (visible.text === text) return { found, openFrom };
  return {
    found: found.map(({ type, start, end }) => ({ type, start: visible.outward(start), end: visible.outward(end - 1) + 1 })),
    openFrom: visible.outward(openFrom),
  };
}

function scanVisible(reader: Reader, from: number, wanted: Wanted): Scan {
  const { text } = reader;
  const scan: Scan = { found: [], openFrom: text.length };
  // Where each type may start next; types that are not wanted may start nowhere.
  const freeFrom = DETECTORS.map(({ type }) => (wanted.has(type) ? from : Number.POSITIVE_INFINITY));
  const attempt = ({ type, order, detect }: Detector, first: number, anchor: number) => {
    if (first < freeFrom[order]!) return;
    reader.touchedEnd = false;
    const span = detect(reader, anchor);
    if (reader.touchedEnd) scan.openFrom = Math.min(scan.openFrom, first);
    if (span === undefined || span.start < from) return;
    freeFrom[order] = span.end;
    scan.found.push({ type, start: span.start, end: span.end });
  };
  const wantsNumbers = wanted.size > (wanted.has("email") ? 1 : 0);
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Most characters of a text are letters and blanks: of what counts here, "(" is the first and "@" the last.
    if (code > 64 || code < 40) continue;
    if (isDigit(code)) {
      if (i > 0 && isDigit(text.charCodeAt(i - 1))) continue;
      reader.touchedEnd = false;
      const length = digitsEnd(reader, i, LONGEST_RUN) - i;
      if (reader.touchedEnd && wantsNumbers) scan.openFrom = Math.min(scan.openFrom, i);
      for (const each of AT_RUN_OF[length]!) attempt(each, i, i);
    } else if (isAt(reader, i, "+") || isAt(reader, i, "(")) attempt(PHONE, i, i);
    else if (isAt(reader, i, "@")) attempt(EMAIL, localPartStart(reader, i), i);
  }
  if (wanted.has("email")) scan.openFrom = Math.min(scan.openFrom, Math.max(from, localPartStart(reader, text.length)));
  return scan;
}
