/** The story of one search: the query's vector where an embedder can be reached, the hits, the passages they stand for. */

import type { Mode } from "../../accounts/api-key.ts";
import { toFourDecimals } from "../../lib/round.ts";
import { type FoundChunk, listChunks } from "../content-store.ts";
import type { DocumentEngine } from "../document-engine.ts";
import { embedRemotely, priceOf } from "../embedding/embed-texts.ts";
import { mayLeave } from "../embedding/may-leave.ts";
import { isLocal, type Space } from "../embedding/space.ts";
import { findSpace } from "../embedding/store.ts";
import { localEncoderReads } from "../index/fuse-scores.ts";
import type { DocumentFilter, MetadataValue } from "../index/matching-documents.ts";

export type QueryOrder = {
  text: string;
  topK: number;
  /** Least score, 0-1. */
  threshold: number;
  collectionId?: string;
  metadata?: Record<string, MetadataValue>;
  documentNumbers?: number[];
};

export type Passage = { chunk: FoundChunk; score: number };

export type QueryAnswer = {
  text: string;
  /** Best first. */
  passages: Passage[];
  ranking: "hybrid" | "lexical";
  costNanoUsd: number;
  latencyMs: number;
};

/** A search does not wait longer than this for an embedder; words alone answer then. */
const EMBED_TIMEOUT_MS = 3_000;

type QueryVector = { vector?: Float32Array; costNanoUsd: number };

const vectorOf = async (
  engine: DocumentEngine,
  space: Space,
  projectId: string,
  mode: Mode,
  text: string,
): Promise<QueryVector> => {
  if (isLocal(space))
    return localEncoderReads(text) ? { vector: engine.encoder.embed(text), costNanoUsd: 0 } : { costNanoUsd: 0 };
  // A test key's text never leaves the machine; and nothing is embedded yet where dimensions are unknown.
  if (mode === "test" || space.dimensions === null || !(await mayLeave(engine, space, projectId))) return { costNanoUsd: 0 };
  try {
    const { vectors, inputTokens } = await embedRemotely(engine, space, [text], { timeoutMs: EMBED_TIMEOUT_MS });
    const costNanoUsd = Math.round(inputTokens * priceOf(engine, space));
    const vector = vectors[0]!;
    return vector.length === space.dimensions ? { vector, costNanoUsd } : { costNanoUsd };
  } catch (error) {
    engine.log.warn("A document search went on without its embedder", {
      detail: error instanceof Error ? error.message : String(error),
    });
    return { costNanoUsd: 0 };
  }
};

const filterOf = ({ collectionId, metadata, documentNumbers }: QueryOrder): DocumentFilter | undefined =>
  collectionId === undefined && metadata === undefined && documentNumbers === undefined
    ? undefined
    : {
        ...(collectionId !== undefined && { collectionId }),
        ...(metadata && { metadata }),
        ...(documentNumbers && { documentNumbers }),
      };

export const queryDocuments = async (
  engine: DocumentEngine,
  projectId: string,
  mode: Mode,
  order: QueryOrder,
): Promise<QueryAnswer> => {
  const startedAt = performance.now();
  const space = findSpace(engine.db, "live")!;
  const { vector, costNanoUsd } = await vectorOf(engine, space, projectId, mode, order.text);
  const filter = filterOf(order);
  const hits = await engine.searchThread.search({
    projectId,
    text: order.text,
    topK: order.topK,
    threshold: order.threshold,
    ...(space.dimensions !== null && {
      space: { id: space.id, dimensions: space.dimensions, kind: isLocal(space) ? ("local" as const) : ("remote" as const) },
    }),
    ...(vector && { vector }),
    ...(filter && { filter }),
  });
  const chunkIds = hits.map(({ chunkId }) => chunkId);
  const chunks = new Map((await listChunks(engine.db, projectId, chunkIds)).map((chunk) => [chunk.id, chunk]));
  return {
    text: order.text,
    passages: hits.flatMap(({ chunkId, score }) => {
      const chunk = chunks.get(chunkId);
      return chunk === undefined ? [] : [{ chunk, score: toFourDecimals(score) }];
    }),
    ranking: vector === undefined ? "lexical" : "hybrid",
    costNanoUsd,
    latencyMs: Math.round(performance.now() - startedAt),
  };
};
