/** The postings of a query's terms out of the full-text index, as positions in a project's index. */
import type { QueryTerm } from "./index-terms.ts";
import { createWalker, type IndexReader, type ProjectIndex } from "./project-index.ts";
import type { Posting } from "./score-lexical.ts";

/** In a project of some size, a term in more than this share of the chunks says nothing and costs most: it is left out. */
const COMMON = 0.3;
const SOME_SIZE = 1_000;

const frequencyOf = (read: IndexReader, key: string): number => (read("SELECT doc FROM chunk_frequencies WHERE term = ?", key)[0]?.[0] as number) ?? 0;

/** At least one term stays, however common all of them are. */
const tellingTerms = (read: IndexReader, index: ProjectIndex, terms: readonly QueryTerm[]): QueryTerm[] => {
  if (index.liveChunks < SOME_SIZE) return [...terms];
  const known = terms.map((term) => ({ term, frequency: frequencyOf(read, term.key) }));
  const telling = known.filter(({ frequency }) => frequency <= COMMON * index.liveChunks);
  const rarest = known.toSorted((left, right) => left.frequency - right.frequency).slice(0, 4);
  return (telling.some(({ frequency }) => frequency > 0) ? telling : rarest).map(({ term }) => term);
};

const readPosting = (read: IndexReader, index: ProjectIndex, { key, weight }: QueryTerm): Posting => {
  // One row an occurrence, ascending by chunk.
  const rows = read("SELECT doc FROM chunk_postings WHERE term = ?", key);
  const positions = new Int32Array(rows.length);
  const frequencies = new Int32Array(rows.length);
  const walk = createWalker(index);
  let count = 0;
  let last = -1;
  for (const row of rows) {
    const chunkId = row[0] as number;
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
  tellingTerms(read, index, terms).map((term) => readPosting(read, index, term));
