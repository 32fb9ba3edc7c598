/** The postings of a query's terms out of the full-text index, as positions in a project's index. */
import type { QueryTerm } from "./index-terms.ts";
import { createWalker, type ProjectIndex } from "./project-index.ts";
import { countChunksWith, type IndexReader, listOccurrences } from "./read-store.ts";
import type { Posting } from "./score-lexical.ts";

/** Chunks that one query's terms may lie in. In a large project its commonest terms, which say least and cost most, are then left out. */
const POSTINGS_READ = 30_000;
/** The most that is remembered of one project. */
const FREQUENCIES_KEPT = 20_000;

/** Counting a common term costs as much as reading it, and common terms come in every query: what was counted is kept. */
const frequencyOf = (read: IndexReader, index: ProjectIndex, key: string): number => {
  const known = index.frequencies.get(key);
  if (known !== undefined) return known;
  const counted = countChunksWith(read, key);
  if (index.frequencies.size >= FREQUENCIES_KEPT) index.frequencies.clear();
  index.frequencies.set(key, counted);
  return counted;
};

/** Rarest first until the budget is spent; the rarest that occurs at all always stays. */
const affordableTerms = (read: IndexReader, index: ProjectIndex, terms: readonly QueryTerm[]): QueryTerm[] => {
  if (index.liveChunks * terms.length < POSTINGS_READ) return [...terms];
  const counted = terms.map((term) => ({ term, chunks: frequencyOf(read, index, term.key) }));
  let left = POSTINGS_READ;
  let taken = 0;
  return counted
    .toSorted((first, second) => first.chunks - second.chunks)
    .filter(({ chunks }) => {
      left -= chunks;
      if (left < 0 && taken > 0) return false;
      if (chunks > 0) taken++;
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
