/**
 * Corrects mistyped words of a query to words of the project, one slip of the keyboard away («warrenty», «vaccum»; two in a long word).
 * Only for words that the project does not have, nor any with the same beginning, because an inflection is no slip.
 */
import type { SpellingCorrection } from "./index-terms.ts";
import type { ProjectIndex } from "./project-index.ts";
import { frequencyOf } from "./read-postings.ts";
import { type IndexReader, listTerms } from "./read-store.ts";

const LEAST_LETTERS = 5;
const LONG = 9;
/** Mistyped words usually begin correctly. */
const SAME_BEGINNING = 2;
const LETTERS = /^\p{L}+$/u;
/**
 * Each lookup reads the project's words with the same beginning, with the chunks of each; a query may need only this many, and a project
 * have only this many chunks.
 */
const MOST_LOOKS = 6;
const MOST_WORDS_SEEN = 3_000;
const LARGEST_PROJECT = 50_000;
const MOST_MEANT = 3;

export const correctionFor = (read: IndexReader, index: ProjectIndex): SpellingCorrection => {
  let looks = index.liveChunks > LARGEST_PROJECT ? 0 : MOST_LOOKS;
  return (word, keys) => {
    if (looks === 0 || word.length < LEAST_LETTERS || !LETTERS.test(word)) return [];
    if (keys.some((key) => frequencyOf(read, index, key) > 0)) return [];
    looks--;
    const prefix = keys[0]!.slice(0, -word.length);
    const known = listTerms(read, `${prefix}${word.slice(0, SAME_BEGINNING)}*`, MOST_WORDS_SEEN);
    return nearestOf(
      known.map((key) => key.slice(prefix.length)),
      word,
    );
  };
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

/** Edit distance (letters removed, added, changed or swapped with a neighbour); `most + 1` if it is more than `most`. */
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
