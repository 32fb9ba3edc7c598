/** Dates of birth: a valid MM/DD/YYYY that no nearer word ties to something else. */

import { precedesBirth } from "./beside-birth.ts";
import { isDash, isOneOf } from "./characters.ts";
import { CALENDAR_DATE } from "./date-lexicon.ts";
import { nearestContext } from "./nearest-context.ts";
import {
  beforeBlank,
  codeAt,
  digitsEnd,
  endsClean,
  isAt,
  isBlankAt,
  isDigitAt,
  isLetterAt,
  numberAt,
  pastBlank,
  type Reader,
  type Span,
  startsFresh,
} from "./reader.ts";
import { wordRightBefore } from "./word-before.ts";

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const isCalendarDay = (month: number, day: number, year: number): boolean =>
  year >= 1850 && year <= 2099 && day >= 1 && day <= (DAYS[month - 1] ?? 0) && (month !== 2 || day < 29 || isLeap(year));

/** `04/08/2020, 10:30`, `04/08/2020T10:30`, or `04/08/2020:` where a line begins: such a date says when something happened. */
function isTimestamp(reader: Reader, start: number, end: number): boolean {
  if (isAt(reader, end, ":") && beginsLine(reader, start)) return true;
  const blank = isAt(reader, end, ",") ? end + 1 : end;
  if (!isBlankAt(reader, blank) && !isAt(reader, blank, "T")) return false;
  const hourEnd = digitsEnd(reader, blank + 1, 3);
  return hourEnd > blank + 1 && isAt(reader, hourEnd, ":") && isDigitAt(reader, hourEnd + 1);
}

const LEADS_TO = new Set("to thru through until till bis à au al a até do po до по".split(" "));
const LONGEST_LEAD = 8;

/** `01/01/2020 - 12/31/2020`, `01/01/2020 to 12/31/2020`: one end of a period. */
function isPeriod(reader: Reader, start: number, end: number): boolean {
  const right = pastBlank(reader, end);
  if (isDash(codeAt(reader, right)) && isDigitAt(reader, pastBlank(reader, right + 1))) return true;
  if (right > end && leadsToDate(reader, right)) return true;
  if (LEADS_TO.has(wordRightBefore(reader, start)?.toLowerCase() ?? "")) return true;
  const left = beforeBlank(reader, start);
  return isDash(codeAt(reader, left)) && isDigitAt(reader, beforeBlank(reader, left));
}

/** `to 09/30/2020` */
function leadsToDate(reader: Reader, from: number): boolean {
  let to = from;
  while (to - from < LONGEST_LEAD && isLetterAt(reader, to)) to++;
  return LEADS_TO.has(reader.text.slice(from, to).toLowerCase()) && isBlankAt(reader, to) && beginsDate(reader, to + 1);
}

function beginsDate(reader: Reader, start: number): boolean {
  const slash = digitsEnd(reader, start, 3);
  return slash > start && isAt(reader, slash, "/");
}

const isCellBorder = isOneOf("|\t");
/** Blanks beside a border that are looked at. */
const CELL_PADDING = 12;
const FOLLOWS_DATE_CELL = /\/\d{4}\p{Zs}{0,12}[|\t]\p{Zs}{0,12}$/u;

/** `| 12/29/2007 | 01/03/2009 |`: the cell beside it holds a date too, so the dates of the row are hardly all of births. */
function isInRowOfDates(reader: Reader, start: number, end: number): boolean {
  const border = pastPadding(reader, end);
  if (isCellBorder(codeAt(reader, border)) && beginsDate(reader, pastPadding(reader, border + 1))) return true;
  return FOLLOWS_DATE_CELL.test(reader.text.slice(Math.max(0, start - 30), start));
}

function pastPadding(reader: Reader, from: number): number {
  let to = from;
  while (to - from < CELL_PADDING && isBlankAt(reader, to)) to++;
  return to;
}

/** `## 2.4.1 (04/08/2014)`, `v2.4.1 - 04/08/2014`: the day of a release. */
const followsRelease = ({ text }: Reader, start: number): boolean =>
  /\d\.\d{1,6}\]? (?:\(|[-–—] )$/.test(text.slice(Math.max(0, start - 12), start));

/** Words that may stand before a date and do not say what it is. */
const SAYS_NOTHING = new Set(
  "is was are it its my your his her our the an and or not here see value text data string answer reply with".split(" "),
);
const RECENT_YEAR = 2018;

/**
 * Recent and future dates are more often of events than of births, so any word right before one is taken as the label of an event, and so is
 * one after it in an entry that begins with the date ("01/05/2024 Rent 900.00", "01/05/2024 - Launch").
 */
function isLabelledEvent(reader: Reader, { start, end }: Span, year: number): boolean {
  if (year < RECENT_YEAR) return false;
  const next = isDash(codeAt(reader, end + 1)) ? pastBlank(reader, end + 2) : end + 1;
  if (beginsLine(reader, start) && isBlankAt(reader, end) && isLetterAt(reader, next)) return true;
  const word = wordRightBefore(reader, start)?.toLowerCase();
  return word !== undefined && word.length > 1 && !SAYS_NOTHING.has(word);
}

const beginsLine = (reader: Reader, start: number): boolean => start === 0 || isAt(reader, start - 1, "\n");

/** `B-day: 04/08/1947`, `D.O.B. 04/08/1947`. */
const followsBirthday = ({ text }: Reader, start: number): boolean =>
  /\b(?:b(?:['’-]| )days?\b|d\. ?o\. ?b\b)\W{0,4}$/i.test(text.slice(Math.max(0, start - 14), start));

/** The index after a slash and the blanks beside it; `index` if there is none. */
const afterSlash = (reader: Reader, index: number): number => {
  const slash = pastBlank(reader, index);
  return isAt(reader, slash, "/") ? pastBlank(reader, slash + 1) : index;
};

/**
 * Gap: with no context at all a date is found, because the policy asked for it (decisions §7).
 * Months and days of one digit, and blanks beside a slash, are outside spec.md's shape and count only beside a word of birth.
 */
export function birthDateAt(reader: Reader, start: number): Span | undefined {
  const monthEnd = digitsEnd(reader, start, 3);
  const dayStart = afterSlash(reader, monthEnd);
  const dayEnd = digitsEnd(reader, dayStart, 3);
  const yearStart = afterSlash(reader, dayEnd);
  if (yearStart === dayEnd) return undefined;
  const end = digitsEnd(reader, yearStart, 5);
  if (end !== yearStart + 4 || !startsFresh(reader, start) || isAt(reader, start - 1, "/")) return undefined;
  if (!endsClean(reader, end) || isAt(reader, end, "/")) return undefined;
  const [month, day] = [numberAt(reader, start, monthEnd), numberAt(reader, dayStart, dayEnd)];
  const year = numberAt(reader, yearStart, end);
  if (!isCalendarDay(month, day, year)) return undefined;
  const context = nearestContext(reader, { start, end }, CALENDAR_DATE, 48, 32);
  const isPadded = /^\d\d\/\d\d\/\d{4}$/.test(reader.text.slice(start, end));
  const isEvent =
    isTimestamp(reader, start, end) ||
    followsRelease(reader, start) ||
    isPeriod(reader, start, end) ||
    isInRowOfDates(reader, start, end) ||
    isLabelledEvent(reader, { start, end }, year);
  return context === "for" ||
    followsBirthday(reader, start) ||
    (context === "none" && isPadded && !isEvent && !precedesBirth(reader, end))
    ? { start, end }
    : undefined;
}
