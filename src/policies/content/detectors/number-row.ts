/** Plain rows of numbers: "536904399, 219099998 and 401227788", `["536904399","219099998"]`, or one on each line. */

import { isLetter, isOneOf } from "./characters.ts";
import { codeAt, type Reader, type Span } from "./reader.ts";

/** In characters; with what is looked at before the first number of a row, they fit into LOOK_BEHIND. */
const LONGEST_ROW = 180;
const LONGEST_NUMBER = 20;
const LONGEST_WORD = 4;
const MOST_SEPARATORS = 6;

const isSeparator = isOneOf(" \r\n,;\"'[]()*-•&");
const JOINS_ROW = new Set("and or to und oder bis et ou à y e o a en tot i do и или до ve".split(" "));

const startOf = (reader: Reader, end: number, most: number, belongs: (code: number) => boolean): number => {
  let start = end;
  while (end - start < most && belongs(codeAt(reader, start - 1))) start--;
  return start;
};

const isInNumber = isOneOf("0123456789.-/");

/** Bare numbers are alike if they are equally long, others if their signs are the same: `01/05/2024` and `11/5/2024`. */
const shapeOf = (number: string): string => (/^\d+$/.test(number) ? "0".repeat(number.length) : number.replaceAll(/\d+/g, "0"));

/** Blanks as between the columns of a table. */
const COLUMN_GAP = /^ {2,}$/;

/** The number before the one at `start`, if nothing but separators and an "and" or a "to" stands between them. */
function numberBefore(reader: Reader, start: number): Span | undefined {
  const wordEnd = startOf(reader, start, MOST_SEPARATORS, isSeparator);
  const word = startOf(reader, wordEnd, LONGEST_WORD, isLetter);
  const end = word === wordEnd ? wordEnd : startOf(reader, word, MOST_SEPARATORS, isSeparator);
  if (end === start || COLUMN_GAP.test(reader.text.slice(end, start))) return undefined;
  if (word < wordEnd && !JOINS_ROW.has(reader.text.slice(word, wordEnd))) return undefined;
  const first = startOf(reader, end, LONGEST_NUMBER, isInNumber);
  return first === end ? undefined : { start: first, end };
}

/**
 * The start of the first number in the row that ends with `span`, because the words before a row are about all of its numbers. If the row is
 * longer than LONGEST_ROW, `span.start`: a stream does not keep enough text to look back further.
 */
export function rowStart(reader: Reader, span: Span): number {
  const shape = shapeOf(reader.text.slice(span.start, span.end));
  const known = reader.row;
  let first = span.start;
  for (let before = numberBefore(reader, first); before !== undefined; before = numberBefore(reader, first)) {
    if (shapeOf(reader.text.slice(before.start, before.end)) !== shape) break;
    const isKnown = known?.last.start === before.start && known.last.end === before.end;
    first = isKnown ? known.first : before.start;
    if (isKnown || span.start - first > LONGEST_ROW) break;
  }
  reader.row = { last: span, first };
  return span.start - first > LONGEST_ROW ? span.start : first;
}
