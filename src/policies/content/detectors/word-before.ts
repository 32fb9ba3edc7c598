/** Finds the words before a number: across sentences, other numbers and the parts of names in camel case. */

import { isForeignFullStop, isLower, isOneOf, isUpper } from "./characters.ts";
import { codeAt, isAt, isDigitAt, isLetterAt, type Reader } from "./reader.ts";

/** Extra distance, in characters, for what separates a word from the number: another number, or the end of a sentence or line. */
export const BARRIER = 14;
export const MAX_WORD = 40;

/** Where a word begins within a name in camel case: `orderId` is `order` and `id`. */
export const isHump = (left: number, right: number): boolean => isLower(left) && isUpper(right);

export const isSentenceMark = isOneOf(".!?؟");
const isBlankOrLineEnd = isOneOf(" \n");

/** Whether a sentence or a line ends with the character at `index`; one behind an abbreviation goes on. */
export function endsSentence(reader: Reader, index: number): boolean {
  const code = codeAt(reader, index);
  const ends = isSentenceMark(code) ? isBlankOrLineEnd(codeAt(reader, index + 1)) : isForeignFullStop(code);
  return (ends || isAt(reader, index, "\n")) && !isAbbreviation(reader, index);
}

/** `no. 12`: whether an abbreviation ends before `index`. */
export function isAbbreviation(reader: Reader, index: number): boolean {
  let start = index;
  while (index - start < 4 && isLetterAt(reader, start - 1)) start--;
  return ABBREVIATIONS.has(reader.text.slice(start, index).toLowerCase());
}
const ABBREVIATIONS = new Set("no nr num núm nbr art ref réf reg lic cert pol conf inv acct ser ord dwg doc".split(" "));

export type Word = {
  start: number;
  end: number;
  /** Ends of sentences and lines between the word and where the search for it started. */
  breaks: number;
  /** Other numbers between them. */
  numbers: number;
  /** Whether a sentence or a paragraph ends between them. */
  ended: boolean;
};

const isLineEnd = isOneOf("\r\n");
const joinsDigits = isOneOf(".-/");

/** Whether the digit before `index` is the last of its number; a full stop after it may end the sentence. */
const endsNumber = (reader: Reader, index: number): boolean =>
  !isDigitAt(reader, index) && !(joinsDigits(codeAt(reader, index)) && isDigitAt(reader, index + 1));

/**
 * The nearest whole word that ends at or before `end`; undefined if none begins at or after `stop`. Each barrier, including the `barriers`
 * met before, shortens the search by its cost.
 */
export function wordBefore(reader: Reader, end: number, stop: number, barriers: number): Word | undefined {
  let i = end;
  let last = stop + barriers * BARRIER;
  let breaks = 0;
  let numbers = 0;
  let ended = false;
  for (; i > 0 && i > last && !isLetterAt(reader, i - 1); i--) {
    if (endsSentence(reader, i - 1)) {
      ended ||= !isAt(reader, i - 1, "\n") || isLineEnd(codeAt(reader, i));
      if (breaks > 0) continue;
      breaks = 1;
    } else if (isDigitAt(reader, i - 1) && endsNumber(reader, i)) numbers++;
    else continue;
    last += BARRIER;
  }
  const wordEnd = i;
  while (i > stop && wordEnd - i < MAX_WORD && isLetterAt(reader, i - 1)) {
    if (i < wordEnd && isHump(codeAt(reader, i - 1), codeAt(reader, i))) break;
    i--;
  }
  const isCut = i === stop && isLetterAt(reader, i - 1);
  return i === wordEnd || isCut ? undefined : { start: i, end: wordEnd, breaks, numbers, ended };
}

/** The word right before the number, with no more than a sign and blanks between them. */
export function wordRightBefore(reader: Reader, start: number): string | undefined {
  let end = start;
  while (start - end < 4 && end > 0 && !isLetterAt(reader, end - 1) && !isDigitAt(reader, end - 1)) end--;
  const word = wordBefore(reader, end, end - MAX_WORD, 0);
  return word?.end === end && !isAt(reader, end, "\n") ? reader.text.slice(word.start, end) : undefined;
}
