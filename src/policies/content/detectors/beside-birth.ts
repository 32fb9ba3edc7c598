/** Dates before one that is said to be of a birth: "booked 01/04/2014, born 02/05/1984" has one birth, whatever the other date is of. */

import { CALENDAR_DATE } from "./date-lexicon.ts";
import { isCalledSo } from "./nearest-context.ts";
import { codeAt, type Reader } from "./reader.ts";

/** In characters: to the next date, and from that one back to its label. */
const REACH = 80;
const LABEL_REACH = 40;
/** What is shorter, as between the dates of a row, holds no label. */
const SHORTEST_LABEL = 3;
/** The slashes of 1/2/2003 and of 01/02/2003. */
const DATE = /(?<![\d/])\d{1,2}\/\d{1,2}\/\d{4}(?![\d/])/;

function nextDate(reader: Reader, from: number): number | undefined {
  const ahead = reader.text.slice(from, from + REACH);
  const date = DATE.exec(ahead);
  // More text may bring a date, or more digits of the last one.
  if (date === null || date.index + date[0].length === ahead.length) codeAt(reader, from + REACH);
  return date === null ? undefined : from + date.index;
}

export function precedesBirth(reader: Reader, end: number): boolean {
  const next = nextDate(reader, end);
  if (next === undefined || next - end <= SHORTEST_LABEL) return false;
  // Layout is only known for the number that is read, so the other date's own words must do.
  const plain: Reader = { text: reader.text, touchedEnd: false };
  return isCalledSo(plain, CALENDAR_DATE, next, LABEL_REACH);
}
