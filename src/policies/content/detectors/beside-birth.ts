/** Dates beside one that is said to be of a birth: "booked 01/04/2014, born 02/05/1984" has one birth, whatever the other date is of. */

import { isLower, isUpper } from "./characters.ts";
import { CALENDAR_DATE } from "./date-lexicon.ts";
import { PERSONS } from "./label-words.ts";
import { isCalledSo } from "./nearest-context.ts";
import { codeAt, digitsEnd, isAt, isDigitAt, type Reader, type Span } from "./reader.ts";
import { wordRightBefore } from "./word-before.ts";

/** In characters; with the label of the other date this fits into LOOK_BEHIND. */
const REACH = 80;
const LABEL_REACH = 40;
/** What is shorter, as between the dates of a row, holds no label. */
const SHORTEST_LABEL = 3;
/** The slashes of 1/2/2003 and of 01/02/2003. */
const DATE = /(?<![\d/])\d{1,2}\/\d{1,2}\/\d{4}(?![\d/])/g;

const isBirth = (reader: Reader, start: number): boolean => {
  // Layout is only known for the number that is read, so the other date's own words must do.
  const plain: Reader = { text: reader.text, touchedEnd: false };
  return isCalledSo(plain, CALENDAR_DATE, start, LABEL_REACH);
};

function nextDate(reader: Reader, from: number): number | undefined {
  for (let i = from; i < from + REACH; i++) {
    if (codeAt(reader, i) === -1) return undefined;
    if (!isAt(reader, i, "/") || !isDigitAt(reader, i + 1)) continue;
    let start = i;
    while (isDigitAt(reader, start - 1)) start--;
    const second = digitsEnd(reader, i + 1, 3);
    return i > start && isAt(reader, second, "/") && digitsEnd(reader, second + 1, 5) === second + 5 ? start : undefined;
  }
  return undefined;
}

function previousDate({ text }: Reader, start: number): number | undefined {
  const from = Math.max(0, start - REACH);
  const last = [...text.slice(from, start).matchAll(DATE)].at(-1);
  return last && from + last.index;
}

/**
 * A birth that is named behind the date speaks against it. One before it does so only if a word in small letters, or of a script without
 * capitals, stands right before the date: a capitalised one may be the next name of a list ("Births: Ann 01/02/1984, Bo 03/04/1986"), and a
 * word for a person may be whose birth it is ("born 01/02/1984, her brother 03/04/1986").
 */
export function isBesideBirth(reader: Reader, { start, end }: Span): boolean {
  const next = nextDate(reader, end);
  if (next !== undefined && next - end > SHORTEST_LABEL && isBirth(reader, next)) return true;
  const word = wordRightBefore(reader, start);
  const first = word?.charCodeAt(0) ?? -1;
  if (word === undefined || PERSONS.has(word) || isUpper(first) || (first < 0x250 && !isLower(first))) return false;
  const previous = previousDate(reader, start);
  return previous !== undefined && isBirth(reader, previous);
}
