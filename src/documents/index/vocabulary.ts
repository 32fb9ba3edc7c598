/** The words of a project: in how many chunks each occurs, and which are like a word of a query that the project does not have. */
import type { ProjectIndex } from "./project-index.ts";
import { countChunksWith, type IndexReader, keyOf, listTerms } from "./read-store.ts";

/** Counts remembered of one project. */
const FREQUENCIES_KEPT = 20_000;

/** Counting a common term takes as long as reading it, and every query has some, so counts are kept. `key` may end in a `*`. */
export const frequencyOf = (read: IndexReader, index: ProjectIndex, key: string): number => {
  const known = index.frequencies.get(key);
  if (known !== undefined) return known;
  const counted = countChunksWith(read, key);
  if (index.frequencies.size >= FREQUENCIES_KEPT) index.frequencies.clear();
  index.frequencies.set(key, counted);
  return counted;
};

/** A lookup reads all words with the same beginning and the chunks of each, so their number is bounded; a large project allows none. */
const MOST_LOOKUPS = 6;
const MOST_WORDS_READ = 3_000;
const LARGEST_PROJECT = 50_000;

export type Vocabulary = {
  /** Whether the project has the word or, if a `*` stands at its end, any word that begins like it. */
  has(word: string): boolean;
  /** False once all lookups are spent. */
  mayLookUp(): boolean;
  /** The project's words that begin so. One lookup. */
  beginningWith(letters: string): string[];
};

export const openVocabulary = (read: IndexReader, index: ProjectIndex): Vocabulary => {
  const keyIn = (word: string): string => keyOf(index.projectNumber, word);
  const prefixLength = keyIn("").length;
  let left = index.liveChunks > LARGEST_PROJECT ? 0 : MOST_LOOKUPS;
  return {
    has: (word) => frequencyOf(read, index, keyIn(word)) > 0,
    mayLookUp: () => left > 0,
    beginningWith: (letters) => {
      left--;
      return listTerms(read, keyIn(`${letters}*`), MOST_WORDS_READ).map((key) => key.slice(prefixLength));
    },
  };
};
