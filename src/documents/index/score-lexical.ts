/**
 * Exact BM25 and coverage over one project's own frequencies, as a score of 0 to 1 against the best that the query could reach.
 * Min-max or rank-based scores would give the best hit of any nonsense a 1 (retrieval-notes §4.4).
 */
import { lastUpTo } from "../../lib/last-up-to.ts";

const K1 = 1.2;
const B = 0.75;
/** The share of the score that depends only on which terms of the query were found, not on how often. */
const COVERAGE = 0.15;

/** Positions of the chunks that hold a term, ascending, and how often each holds it, at most 255 times. */
export type Occurrences = { positions: Int32Array; frequencies: Uint8Array };

export type Posting = Occurrences & { weight: number };

type Lengths = { of: Int32Array; average: number; chunkCount: number };

/**
 * So many chunks without any of the terms are added in thought to every project. Otherwise each word of a project of three chunks would
 * count as common, each unknown word of a question as rare, and nothing would reach the threshold. In a large project they do not matter.
 */
const IMAGINED_CHUNKS = 30;

const idfOf = (chunkCount: number, withTerm: number): number => Math.log(1 + (chunkCount - withTerm + 0.5) / (withTerm + 0.5));

export type LexicalScores = {
  /** By position, 0 for a chunk without any term of the query. */
  scores: Float64Array;
  /** Positions of the others, in no order. */
  found: Int32Array;
  /** The idf of all words that a chunk shares with the query. */
  sharedIdf(position: number): number;
};

const holds = (positions: Int32Array, wanted: number): boolean => positions[lastUpTo(positions, wanted)] === wanted;

/** A term that the project does not have counts in the sum with the highest idf, so that a question about unknown things scores low. */
export const scoreLexical = (postings: readonly Posting[], lengths: Lengths, size: number): LexicalScores => {
  const scores = new Float64Array(size);
  const idfs = postings.map(({ weight, positions }) => weight * idfOf(lengths.chunkCount + IMAGINED_CHUNKS, positions.length));
  const best = idfs.reduce((sum, idf) => sum + idf, 0);
  const most = postings.reduce((sum, { positions }) => sum + positions.length, 0);
  const found = new Int32Array(Math.min(size, most));
  let count = 0;
  postings.forEach(({ positions, frequencies }, term) => {
    const share = idfs[term]! / best;
    for (let at = 0; at < positions.length; at++) {
      const position = positions[at]!;
      const frequency = frequencies[at]!;
      if (scores[position] === 0) found[count++] = position;
      const saturation = frequency / (frequency + K1 * (1 - B + (B * lengths.of[position]!) / lengths.average));
      scores[position]! += share * ((1 - COVERAGE) * saturation + COVERAGE);
    }
  });
  const sharedIdf = (position: number) =>
    postings.reduce((sum, { positions }, term) => (holds(positions, position) ? sum + idfs[term]! : sum), 0);
  return { scores, found: found.subarray(0, count), sharedIdf };
};
