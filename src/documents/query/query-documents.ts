/** The story of one search: the query's vector, if an embedder can be reached, then the hits, then their passages. */

import type { Platform } from "../../platform.ts";
import { type FoundChunk, listChunks } from "../content-store.ts";
import { type Asker, embedQuery } from "../embedding/embed-query.ts";
import type { Embedded } from "../embedding/embed-texts.ts";
import { isLocal } from "../embedding/space.ts";
import { liveSpace } from "../embedding/store.ts";
import type { DocumentFilter } from "../index/matching-documents.ts";

export type QueryOrder = {
  text: string;
  topK: number;
  /** Least score, 0-1. */
  threshold: number;
  filter: DocumentFilter;
};

export type Passage = { chunk: FoundChunk; score: number };

export type QueryAnswer = {
  text: string;
  /** Best first. */
  passages: Passage[];
  ranking: "hybrid" | "lexical";
  embedded?: Embedded;
  latencyMs: number;
};

/** Rounded down, so that the score which an answer tells is a threshold that keeps its passage. */
const toldScore = (score: number): number => Math.floor(score * 10_000) / 10_000;

export const queryDocuments = async (platform: Platform, asker: Asker, order: QueryOrder): Promise<QueryAnswer> => {
  const { db, documents } = platform;
  const { projectId } = asker;
  const startedAt = performance.now();
  const space = liveSpace(db);
  const { vector, embedded } = await embedQuery(platform, space, asker, order.text);
  const hits = await documents.searchThread.search({
    ...order,
    projectId,
    ...(space.dimensions !== null && {
      space: { id: space.id, dimensions: space.dimensions, kind: isLocal(space) ? ("local" as const) : ("remote" as const) },
    }),
    ...(vector && { vector }),
  });
  const chunkIds = hits.map(({ chunkId }) => chunkId);
  const chunks = new Map(listChunks(db, projectId, chunkIds).map((chunk) => [chunk.id, chunk]));
  return {
    text: order.text,
    passages: hits.flatMap(({ chunkId, score }) => {
      const chunk = chunks.get(chunkId);
      return chunk === undefined ? [] : [{ chunk, score: toldScore(score) }];
    }),
    ranking: vector === undefined ? "lexical" : "hybrid",
    ...(embedded && { embedded }),
    latencyMs: Math.round(performance.now() - startedAt),
  };
};
