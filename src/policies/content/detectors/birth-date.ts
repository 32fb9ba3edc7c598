/** Dates of birth: a valid MM/DD/YYYY that no nearer word ties to something else. */

import { CALENDAR_DATE } from "./context-lexicons.ts";
import { nearestContext, wordRightBefore } from "./nearest-context.ts";
import {
  codeAt,
  digitsEnd,
  endsClean,
  isBlank,
  isDash,
  isDigit,
  isLetter,
  numberAt,
  type Reader,
  type Span,
  startsFresh,
} from "./reader.ts";

const SLASH = 47;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const isCalendarDay = (month: number, day: number, year: number): boolean =>
  year >= 1850 && year <= 2099 && day >= 1 && day <= (DAYS[month - 1] ?? 0) && (month !== 2 || day < 29 || isLeap(year));

/** A time of day behind it makes it the stamp of an event. */
function isTimestamp(reader: Reader, end: number): boolean {
  const comma = codeAt(reader, end) === 44 ? end + 1 : end;
  if (!isBlank(codeAt(reader, comma)) && codeAt(reader, comma) !== 84) return false;
  const hour = digitsEnd(reader, comma + 1, 3);
  return hour > comma + 1 && codeAt(reader, hour) === 58 && isDigit(codeAt(reader, hour + 1));
}

const LEADS_TO = new Set("to thru through until till bis à au al a até do po до по".split(" "));
const LONGEST_LEAD = 8;

/** `01/01/2020 - 12/31/2020`, `01/01/2020 to 12/31/2020`: one end of a period. */
function isPeriod(reader: Reader, start: number, end: number): boolean {
  const right = isBlank(codeAt(reader, end)) ? end + 1 : end;
  if (isDash(codeAt(reader, right)) && isDigit(codeAt(reader, right + (isBlank(codeAt(reader, right + 1)) ? 2 : 1)))) return true;
  if (right > end && leadsToDate(reader, right)) return true;
  const left = isBlank(codeAt(reader, start - 1)) ? start - 2 : start - 1;
  return isDash(codeAt(reader, left)) && isDigit(codeAt(reader, left - (isBlank(codeAt(reader, left - 1)) ? 2 : 1)));
}

/** `to 09/30/2020` */
function leadsToDate(reader: Reader, from: number): boolean {
  let to = from;
  while (to - from < LONGEST_LEAD && isLetter(codeAt(reader, to))) to++;
  return LEADS_TO.has(reader.text.slice(from, to).toLowerCase()) && isBlank(codeAt(reader, to)) && beginsDate(reader, to + 1);
}

function beginsDate(reader: Reader, start: number): boolean {
  const slash = digitsEnd(reader, start, 3);
  return slash > start && codeAt(reader, slash) === SLASH;
}

const isCellBorder = (code: number): boolean => code === 124 || code === 9;
const CELL_PADDING = 12;

/** `| 12/29/2007 | 01/03/2009 |`: the cell beside it holds a date as well, so that the row is one of dates. */
function isInRowOfDates(reader: Reader, start: number, end: number): boolean {
  let right = end;
  while (right - end < CELL_PADDING && isBlank(codeAt(reader, right))) right++;
  if (isCellBorder(codeAt(reader, right))) {
    right++;
    while (right - end < 2 * CELL_PADDING && isBlank(codeAt(reader, right))) right++;
    if (beginsDate(reader, right)) return true;
  }
  let left = start - 1;
  while (start - left < CELL_PADDING && isBlank(codeAt(reader, left))) left--;
  if (!isCellBorder(codeAt(reader, left))) return false;
  left--;
  while (start - left < 2 * CELL_PADDING && isBlank(codeAt(reader, left))) left--;
  return isDigit(codeAt(reader, left)) && codeAt(reader, left - 4) === SLASH;
}

/** Words that can stand before a date without saying what it is. */
const SAYS_NOTHING = new Set(
  "is was are it its my your his her our the an and or not here see value text data string answer reply with".split(" "),
);
const RECENT_YEAR = 2018;

/** Dates of the last years, and to come, are of events more often than of births: any word right before them is taken for a label. */
function isLabelledEvent(reader: Reader, start: number, year: number): boolean {
  if (year < RECENT_YEAR) return false;
  const word = wordRightBefore(reader, start)?.toLowerCase();
  return word !== undefined && word.length > 1 && !SAYS_NOTHING.has(word);
}

/**
 * Gap: with no context at all a date is found, because the policy asked for it (decisions §7).
 * Months and days of one digit are outside spec.md's shape and count only beside a word of birth.
 */
export function birthDateAt(reader: Reader, start: number): Span | undefined {
  const monthEnd = digitsEnd(reader, start, 3);
  if (codeAt(reader, monthEnd) !== SLASH) return undefined;
  const dayEnd = digitsEnd(reader, monthEnd + 1, 3);
  if (dayEnd === monthEnd + 1 || codeAt(reader, dayEnd) !== SLASH) return undefined;
  const end = digitsEnd(reader, dayEnd + 1, 5);
  if (end !== dayEnd + 5 || !startsFresh(reader, start) || codeAt(reader, start - 1) === SLASH) return undefined;
  if (!endsClean(reader, end) || codeAt(reader, end) === SLASH) return undefined;
  const [month, day] = [numberAt(reader, start, monthEnd), numberAt(reader, monthEnd + 1, dayEnd)];
  const year = numberAt(reader, dayEnd + 1, end);
  if (monthEnd - start > 2 || dayEnd - monthEnd > 3 || !isCalendarDay(month, day, year)) return undefined;
  const context = nearestContext(reader, { start, end }, CALENDAR_DATE, 48, 32);
  const padded = end - start === 10;
  const isOneOfMany = isPeriod(reader, start, end) || isInRowOfDates(reader, start, end);
  const isEvent = isTimestamp(reader, end) || isOneOfMany || isLabelledEvent(reader, start, year);
  const plain = context === "none" && padded && !isEvent;
  return context === "for" || plain ? { start, end } : undefined;
}
