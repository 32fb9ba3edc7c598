/** One query over one project: scores its chunks by words and by vectors, fuses the scores, and returns the best above the threshold. */
import { bestCandidates, type Candidate, type Meaning, otherCandidates } from "./best-candidates.ts";
import { BEST_HITS, type Calibration, calibrationFor } from "./calibrate-scores.ts";
import { functionWords } from "./function-words.ts";
import { type Dense, likenessOf, localEncoderReads, rankedBy, tellingOf } from "./fuse-scores.ts";
import { integerVector, nearnessOfSome } from "./nearest-chunks.ts";
import type { ProjectIndex } from "./project-index.ts";
import { type QueryTerm, queryTerms } from "./query-terms.ts";
import { readPostings } from "./read-postings.ts";
import type { IndexReader } from "./read-store.ts";
import { type LexicalScores, scoreLexical } from "./score-lexical.ts";
import type { Tokenizer } from "./tokenize.ts";
import { openVocabulary } from "./vocabulary.ts";

export type SearchQuery = {
  text: string;
  /** Of unit length, in the index's space; absent if the query's embedder could not be reached. */
  vector?: Float32Array;
  dense?: Dense;
  /** Only chunks of these documents. */
  documents?: ReadonlySet<number>;
  topK: number;
  /** Least score; with 0, chunks unrelated to the query fill up to `topK`. */
  threshold: number;
};

/** The threshold for all chunks that have anything to do with a query, and no others. */
export const ANY_RELATION = Number.MIN_VALUE;

export type Hit = { chunkId: number; documentNumber: number; score: number };

const averageLengthOf = ({ liveChunks, liveTerms }: ProjectIndex): number =>
  liveChunks > 0 ? Math.max(1, liveTerms / liveChunks) : 1;

const lexicalScores = (read: IndexReader, index: ProjectIndex, terms: QueryTerm[]): LexicalScores => {
  const lengths = { of: index.lengths, average: averageLengthOf(index), chunkCount: index.liveChunks };
  return scoreLexical(readPostings(read, index, terms), lengths, index.size);
};

/** The query's vector, if it is informative. */
const meaningOf = ({ text, vector, dense }: SearchQuery): Meaning | undefined => {
  if (vector === undefined || dense === undefined) return undefined;
  return dense.kind === "remote" || localEncoderReads(text) ? { vector: integerVector(vector), dense } : undefined;
};

const calibrationOf = (
  index: ProjectIndex,
  { sharedIdf }: LexicalScores,
  meaning: Meaning | undefined,
  text: string,
  best: readonly Candidate[],
): Calibration => {
  if (best.length === 0) return (fused) => fused;
  const nearest = (dense: Dense, vector: Int16Array): number => {
    const cosineOf = nearnessOfSome(index, vector);
    return Math.max(...best.slice(0, BEST_HITS).map(({ position }) => likenessOf(cosineOf(position), dense)));
  };
  return calibrationFor({
    best: best[0]!.score,
    ...(index.liveChunks >= BEST_HITS && { last: best[BEST_HITS - 1]?.score ?? 0 }),
    sharedIdf: sharedIdf(best[0]!.position),
    nearest: meaning === undefined ? 0 : nearest(meaning.dense, meaning.vector),
    chunkCount: index.liveChunks,
    averageLength: averageLengthOf(index),
    rankedBy: rankedBy(text, meaning?.dense),
    telling: meaning === undefined ? 0 : tellingOf(meaning.dense),
  });
};

type ProjectSearch = (read: IndexReader, index: ProjectIndex, query: SearchQuery) => Hit[];

export const createProjectSearch = (tokenize: Tokenizer): ProjectSearch => {
  const lesser = functionWords(tokenize);
  return (read, index, query) => {
    const { text, documents, topK, threshold } = query;
    const vocabularies = { correcting: openVocabulary(read, index), splitting: openVocabulary(read, index) };
    const terms = queryTerms(tokenize, index.projectNumber, text, lesser, vocabularies);
    const lexical = lexicalScores(read, index, terms);
    const meaning = meaningOf(query);
    // The score of a hit depends neither on how many are asked for nor on the threshold.
    const count = Math.max(topK, BEST_HITS);
    const best = bestCandidates(index, lexical, { text, count, ...(documents && { documents }), ...(meaning && { meaning }) });
    const calibrate = calibrationOf(index, lexical, meaning, text, best);
    const others = threshold > 0 || best.length >= topK ? [] : otherCandidates(index, best, documents, topK - best.length);
    return [...best.slice(0, topK), ...others]
      .map(({ chunkId, documentNumber, score }) => ({ chunkId, documentNumber, score: calibrate(score) }))
      .filter(({ score }) => score >= threshold);
  };
};
