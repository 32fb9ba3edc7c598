/** Reads the postings of a query's terms from the full-text index, as positions in a project's index. */
import { createWalker, type ProjectIndex } from "./project-index.ts";
import type { QueryTerm } from "./query-terms.ts";
import { type IndexReader, listOccurrences } from "./read-store.ts";
import type { Occurrences, Posting } from "./score-lexical.ts";
import { frequencyOf } from "./vocabulary.ts";

/**
 * How many postings one query may read. In a large project its most common terms, which say least and cost most, are left out beyond that.
 * With three postings for ten chunks SciFact's nDCG@10 falls from 0.718 to 0.707, with three for a hundred to 0.636.
 */
const LEAST_POSTINGS = 30_000;
const MOST_POSTINGS = 300_000;
const POSTINGS_PER_CHUNK = 0.3;

/** The most that is remembered of one project: occurrences of 30 MB, or in a large one of 100 bytes a chunk. */
const OCCURRENCES_KEPT = 6_000_000;
const OCCURRENCES_PER_CHUNK = 20;
/** Memory of a term without occurrences, counted in occurrences. */
const ENTRY = 50;

/** The rarest terms for which the budget suffices; the rarest that occurs at all always stays. */
const affordableTerms = (read: IndexReader, index: ProjectIndex, terms: readonly QueryTerm[]): QueryTerm[] => {
  const affordable = Math.min(MOST_POSTINGS, Math.max(LEAST_POSTINGS, index.liveChunks * POSTINGS_PER_CHUNK));
  if (index.liveChunks * terms.length < affordable) return [...terms];
  const counted = terms.map((term) => ({
    term,
    chunks: term.keys.reduce((sum, key) => sum + frequencyOf(read, index, key), 0),
  }));
  let left = affordable;
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
  const rows = listOccurrences(read, key);
  const found = new Int32Array(rows.length);
  const times = new Uint8Array(index.size);
  let walk = createWalker(index);
  let last = 0;
  let count = 0;
  let isAscending = true;
  for (const [chunkId] of rows) {
    if (chunkId < last) walk = createWalker(index);
    last = chunkId;
    const position = walk(chunkId);
    if (position < 0) continue;
    if (times[position] === 0) {
      if (count > 0 && position < found[count - 1]!) isAscending = false;
      found[count++] = position;
    }
    if (times[position]! < 255) times[position]!++;
  }
  const positions = found.slice(0, count);
  if (!isAscending) positions.sort();
  const frequencies = new Uint8Array(count);
  for (let at = 0; at < count; at++) frequencies[at] = times[positions[at]!]!;
  return { positions, frequencies };
};

const keep = (index: ProjectIndex, key: string, read: Occurrences): void => {
  index.occurrences.set(key, read);
  index.occurrencesKept += ENTRY + read.positions.length;
  const most = Math.max(OCCURRENCES_KEPT, index.liveChunks * OCCURRENCES_PER_CHUNK);
  for (const [oldest, { positions }] of index.occurrences) {
    if (index.occurrencesKept <= most || oldest === key) return;
    index.occurrences.delete(oldest);
    index.occurrencesKept -= ENTRY + positions.length;
  }
};

/**
 * Reading a term takes longer than everything else in a search, so it is kept until the project changes. The map's last is the last used.
 */
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

/** The occurrences of any of the keys: a chunk counts with the key that it holds most often. */
const occurrencesOfAny = (read: IndexReader, index: ProjectIndex, keys: readonly string[]): Occurrences => {
  const [first, ...others] = keys
    .map((key) => occurrencesOf(read, index, key))
    .filter(({ positions }, at) => at === 0 || positions.length > 0);
  return others.reduce(unite, first!);
};

const unite = (left: Occurrences, right: Occurrences): Occurrences => {
  const most = left.positions.length + right.positions.length;
  const [positions, frequencies] = [new Int32Array(most), new Uint8Array(most)];
  let count = 0;
  for (let l = 0, r = 0; l < left.positions.length || r < right.positions.length; count++) {
    const [ours, theirs] = [left.positions[l] ?? Number.POSITIVE_INFINITY, right.positions[r] ?? Number.POSITIVE_INFINITY];
    positions[count] = Math.min(ours, theirs);
    frequencies[count] = Math.max(ours <= theirs ? left.frequencies[l]! : 0, theirs <= ours ? right.frequencies[r]! : 0);
    if (ours <= theirs) l++;
    if (theirs <= ours) r++;
  }
  return { positions: positions.slice(0, count), frequencies: frequencies.slice(0, count) };
};

export const readPostings = (read: IndexReader, index: ProjectIndex, terms: readonly QueryTerm[]): Posting[] =>
  affordableTerms(read, index, terms).flatMap(({ keys, weight, optional, instead }) => {
    const occurrences = occurrencesOfAny(read, index, keys);
    if (occurrences.positions.length > 0) return [{ weight, ...occurrences }];
    if (instead !== undefined) {
      const others = readPostings(read, index, instead);
      if (others.some(({ positions }) => positions.length > 0)) return others;
    }
    return optional ? [] : [{ weight, ...occurrences }];
  });
