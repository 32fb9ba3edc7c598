/** The postings of a query's terms out of the full-text index, as positions in a project's index. */
import type { QueryTerm } from "./index-terms.ts";
import { createWalker, type ProjectIndex } from "./project-index.ts";
import { countOccurrences, type IndexReader, listOccurrences } from "./read-store.ts";
import type { Posting } from "./score-lexical.ts";

/** Most occurrences that one query reads. In a large project its commonest terms, which say least and cost most, are then left out. */
const OCCURRENCES_READ = 40_000;

/** Rarest first until the budget is spent; the rarest that occurs at all always stays. */
const affordableTerms = (read: IndexReader, index: ProjectIndex, terms: readonly QueryTerm[]): QueryTerm[] => {
  if (index.liveTerms < OCCURRENCES_READ) return [...terms];
  const counted = terms.map((term) => ({ term, occurrences: countOccurrences(read, term.key) }));
  let left = OCCURRENCES_READ;
  let taken = 0;
  return counted
    .toSorted((first, second) => first.occurrences - second.occurrences)
    .filter(({ occurrences }) => {
      left -= occurrences;
      if (left < 0 && taken > 0) return false;
      if (occurrences > 0) taken++;
      return true;
    })
    .map(({ term }) => term);
};

const readPosting = (read: IndexReader, index: ProjectIndex, { key, weight }: QueryTerm): Posting => {
  const rows = listOccurrences(read, key);
  const positions = new Int32Array(rows.length);
  const frequencies = new Int32Array(rows.length);
  const walk = createWalker(index);
  let count = 0;
  let last = -1;
  for (const [chunkId] of rows) {
    if (chunkId === last) {
      frequencies[count - 1]!++;
      continue;
    }
    const position = walk(chunkId);
    if (position < 0) continue;
    last = chunkId;
    positions[count] = position;
    frequencies[count++] = 1;
  }
  return { weight, positions, frequencies, count };
};

export const readPostings = (read: IndexReader, index: ProjectIndex, terms: readonly QueryTerm[]): Posting[] =>
  affordableTerms(read, index, terms).map((term) => readPosting(read, index, term));
