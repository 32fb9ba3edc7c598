/** One query over one project: lexical and dense scores of its chunks, fused, filtered, cut at the threshold, best first. */

import { functionWords } from "./function-words.ts";
import { type Dense, fusionFor, localEncoderReads } from "./fuse-scores.ts";
import { queryTerms } from "./index-terms.ts";
import { nearestChunks } from "./nearest-chunks.ts";
import type { ProjectIndex } from "./project-index.ts";
import { readPostings } from "./read-postings.ts";
import type { IndexReader } from "./read-store.ts";
import { scoreLexical } from "./score-lexical.ts";
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

const lexicalScores = (read: IndexReader, tokenize: Tokenizer, index: ProjectIndex, text: string): Float64Array => {
  const terms = queryTerms(tokenize, index.projectNumber, text, functionWords(tokenize));
  const average = index.liveChunks > 0 ? Math.max(1, index.liveTerms / index.liveChunks) : 1;
  const lengths = { of: index.lengths, average, chunkCount: index.liveChunks };
  return scoreLexical(readPostings(read, index, terms), lengths, index.size);
};

export const searchProject = (read: IndexReader, tokenize: Tokenizer, index: ProjectIndex, query: SearchQuery): Hit[] => {
  const lexical = lexicalScores(read, tokenize, index, query.text);
  const usesDense =
    query.vector !== undefined && query.dense !== undefined && (query.dense.kind === "remote" || localEncoderReads(query.text));
  const dense = usesDense ? query.dense : undefined;
  const cosines = usesDense ? nearestChunks(index, query.vector!) : undefined;
  const allowed = index.documents.map((number, ordinal) => index.alive[ordinal]! && (query.documents?.has(number) ?? true));
  const fuse = fusionFor(query.text, dense);
  const best: Hit[] = [];
  for (let position = 0; position < index.size; position++) {
    const ordinal = index.documentOf[position]!;
    if (!allowed[ordinal]) continue;
    const score = fuse(lexical[position]!, cosines?.[position] ?? 0);
    if (score <= 0 || score < query.threshold) continue;
    keepBest(best, { chunkId: index.chunkIds[position]!, documentNumber: index.documents[ordinal]!, score }, query.topK);
  }
  return best;
};
