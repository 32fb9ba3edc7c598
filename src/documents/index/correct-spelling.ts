/**
 * Corrects a mistyped word of a query to a word of the project («warrenty», «vaccum»): one slip of the keyboard, or two in a long word. A
 * word that the project has is not corrected, nor is one whose beginning it has, because an inflection is not a slip.
 */
import type { Vocabulary } from "./vocabulary.ts";

const LEAST_LETTERS = 5;
/** In words of so many letters two slips are corrected. */
const LONG = 9;
/** Mistyped words usually begin correctly, so only words with the same first letters are considered. */
const SAME_BEGINNING = 2;
const LETTERS = /^\p{L}+$/u;
const MOST_MEANT = 3;

/** The words that may be meant; `spellings` are the word's own, as `Vocabulary.has` takes them. Empty if one is known or none is near. */
export const correctSpelling = (word: string, spellings: readonly string[], vocabulary: Vocabulary): string[] => {
  if (!vocabulary.mayLookUp() || word.length < LEAST_LETTERS || !LETTERS.test(word)) return [];
  if (spellings.some(vocabulary.has)) return [];
  return nearestOf(vocabulary.beginningWith(word.slice(0, SAME_BEGINNING)), word);
};

const nearestOf = (known: readonly string[], word: string): string[] => {
  const most = word.length >= LONG ? 2 : 1;
  const near = known.map((each) => ({ each, slips: slipsBetween(each, word, most) })).filter(({ slips }) => slips <= most);
  const least = Math.min(...near.map(({ slips }) => slips));
  return near
    .filter(({ slips }) => slips === least)
    .slice(0, MOST_MEANT)
    .map(({ each }) => each);
};

/** The edit distance (letters removed, added, changed or swapped with a neighbour), or `most + 1` if it is larger than `most`. */
const slipsBetween = (left: string, right: string, most: number): number => {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let l = 1; l <= left.length; l++) {
    const row = [l];
    for (let r = 1; r <= right.length; r++) {
      const changed = left[l - 1] === right[r - 1] ? 0 : 1;
      const swapped = left[l - 1] === right[r - 2] && left[l - 2] === right[r - 1] ? beforeLast[r - 2]! + 1 : most + 1;
      row.push(Math.min(last[r]! + 1, row[r - 1]! + 1, last[r - 1]! + changed, swapped));
    }
    if (Math.min(...row) > most) return most + 1;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[right.length]!, most + 1);
};
