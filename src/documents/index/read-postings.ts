/** The postings of a query's terms out of the full-text index, as positions in a project's index. */
import type { QueryTerm } from "./index-terms.ts";
import { createWalker, type ProjectIndex } from "./project-index.ts";
import { countChunksWith, type IndexReader, listOccurrences } from "./read-store.ts";
import type { Occurrences, Posting } from "./score-lexical.ts";

/** Chunks that one query's terms may lie in. In a large project its commonest terms, which say least and cost most, are then left out. */
const POSTINGS_READ = 30_000;
/** The most that is remembered of one project: 20,000 counts, and occurrences of 30 MB. */
const FREQUENCIES_KEPT = 20_000;
const OCCURRENCES_KEPT = 6_000_000;
/** What a term that occurs nowhere takes, in occurrences. */
const ENTRY = 50;

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

const readOccurrences = (read: IndexReader, index: ProjectIndex, key: string): Occurrences => {
  const times = new Uint8Array(index.size);
  const positions: number[] = [];
  let walk = createWalker(index);
  let last = 0;
  let isAscending = true;
  for (const [chunkId] of listOccurrences(read, key)) {
    if (chunkId < last) walk = createWalker(index);
    last = chunkId;
    const position = walk(chunkId);
    if (position < 0) continue;
    if (times[position] === 0) {
      if (position < positions[positions.length - 1]!) isAscending = false;
      positions.push(position);
    }
    if (times[position]! < 255) times[position]!++;
  }
  const found = Int32Array.from(positions);
  if (!isAscending) found.sort();
  return { positions: found, frequencies: Uint8Array.from(found, (position) => times[position]!) };
};

const keep = (index: ProjectIndex, key: string, read: Occurrences): void => {
  index.occurrences.set(key, read);
  index.occurrencesKept += ENTRY + read.positions.length;
  for (const [oldest, { positions }] of index.occurrences) {
    if (index.occurrencesKept <= OCCURRENCES_KEPT || oldest === key) return;
    index.occurrences.delete(oldest);
    index.occurrencesKept -= ENTRY + positions.length;
  }
};

/** Reading a term costs more than all else in a search: what was read is kept until the project changes, the latest used longest. */
const occurrencesOf = (read: IndexReader, index: ProjectIndex, key: string): Occurrences => {
  const known = index.occurrences.get(key);
  if (known === undefined) {
    const occurrences = readOccurrences(read, index, key);
    keep(index, key, occurrences);
    return occurrences;
  }
  index.occurrences.delete(key);
  index.occurrences.set(key, known);
  return known;
};

export const readPostings = (read: IndexReader, index: ProjectIndex, terms: readonly QueryTerm[]): Posting[] =>
  affordableTerms(read, index, terms).map(({ key, weight }) => ({ weight, ...occurrencesOf(read, index, key) }));
