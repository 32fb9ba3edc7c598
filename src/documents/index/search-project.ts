/** One query over one project: lexical and dense scores of its chunks, fused, filtered, cut at the threshold, best first. */

import { functionWords } from "./function-words.ts";
import { type Dense, fusionFor, localEncoderReads } from "./fuse-scores.ts";
import { queryTerms } from "./index-terms.ts";
import { cosineAt } from "./nearest-chunks.ts";
import type { ProjectIndex } from "./project-index.ts";
import { readPostings } from "./read-postings.ts";
import type { IndexReader } from "./read-store.ts";
import { type LexicalScores, scoreLexical } from "./score-lexical.ts";
import type { Tokenizer } from "./tokenize.ts";

export type SearchQuery = {
  text: string;
  /** Of unit length, in the index's space; absent where the query's embedder could not be reached. */
  vector?: Float32Array;
  dense?: Dense;
  /** Only chunks of these documents. */
  documents?: ReadonlySet<number>;
  topK: number;
  /** Least score; 0 takes everything that has anything to do with the query. */
  threshold: number;
};

export type Hit = { chunkId: number; documentNumber: number; score: number };

/** True when `left` comes before `right`: by score, then by age of document and place in it, so that results are the same each time. */
const precedes = (left: Hit, right: Hit): boolean => {
  if (left.score !== right.score) return left.score > right.score;
  if (left.documentNumber !== right.documentNumber) return left.documentNumber < right.documentNumber;
  return left.chunkId < right.chunkId;
};

const keepBest = (best: Hit[], hit: Hit, topK: number): void => {
  const last = best[best.length - 1];
  if (best.length === topK && last !== undefined && !precedes(hit, last)) return;
  let at = best.length;
  while (at > 0 && precedes(hit, best[at - 1]!)) at--;
  best.splice(at, 0, hit);
  if (best.length > topK) best.pop();
};

const lexicalScores = (read: IndexReader, tokenize: Tokenizer, index: ProjectIndex, text: string): LexicalScores => {
  const terms = queryTerms(tokenize, index.projectNumber, text, functionWords(tokenize));
  const average = index.liveChunks > 0 ? Math.max(1, index.liveTerms / index.liveChunks) : 1;
  const lengths = { of: index.lengths, average, chunkCount: index.liveChunks };
  return scoreLexical(readPostings(read, index, terms), lengths, index.size);
};

/** The least score that can still come among the best: that of the k-th among the chunks that hold most of the query's words. */
const floorOf = (
  { scores, found }: LexicalScores,
  topK: number,
  isAllowed: (position: number) => boolean,
  scoreAt: (position: number) => number,
): number => {
  const leaders: Hit[] = [];
  let last = 0;
  for (const position of found) {
    const score = scores[position]!;
    if (score < last || !isAllowed(position)) continue;
    keepBest(leaders, { chunkId: position, documentNumber: 0, score }, topK);
    if (leaders.length === topK) last = leaders[topK - 1]!.score;
  }
  return leaders.length < topK ? 0 : Math.min(...leaders.map(({ chunkId }) => scoreAt(chunkId)));
};

export const searchProject = (read: IndexReader, tokenize: Tokenizer, index: ProjectIndex, query: SearchQuery): Hit[] => {
  const lexical = lexicalScores(read, tokenize, index, query.text);
  const readable = query.dense?.kind === "remote" || localEncoderReads(query.text);
  const vector = readable && query.dense !== undefined ? query.vector : undefined;
  const fuse = fusionFor(query.text, vector && query.dense);
  const allowed = index.documents.map((number, ordinal) => index.alive[ordinal]! && (query.documents?.has(number) ?? true));
  const isAllowed = (position: number) => allowed[index.documentOf[position]!]!;
  const scoreAt = (position: number) => fuse(lexical.scores[position]!, vector ? cosineAt(index, vector, position) : 0);
  const least = Math.max(query.threshold, floorOf(lexical, query.topK, isAllowed, scoreAt));
  const best: Hit[] = [];
  const consider = (position: number) => {
    // What would not do with the best of cosines needs none worked out: most chunks of a large project, most of the time.
    if (fuse(lexical.scores[position]!, vector ? 1 : 0) < least || !isAllowed(position)) return;
    const score = scoreAt(position);
    if (score <= 0 || score < least) return;
    const chunkId = index.chunkIds[position]!;
    keepBest(best, { chunkId, documentNumber: index.documents[index.documentOf[position]!]!, score }, query.topK);
  };
  if (vector === undefined || fuse(0, 1) < least) lexical.found.forEach(consider);
  else for (let position = 0; position < index.size; position++) consider(position);
  return best;
};
