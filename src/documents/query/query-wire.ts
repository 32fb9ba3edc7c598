/** `POST /v1/documents/query` on the wire. */

import { type Static, Type } from "@sinclair/typebox";
import { toUsd } from "../../lib/money.ts";
import { nullable } from "../../lib/nullable.ts";
import { chunkIdOf } from "../document.ts";
import { Metadata } from "../wire.ts";
import type { QueryAnswer, QueryOrder } from "./query-documents.ts";

const USUAL_TOP_K = 5;
const USUAL_THRESHOLD = 0.3;

export const DocumentQuery = Type.Object({
  query: Type.String({ minLength: 1, maxLength: 20_000 }),
  collection_id: nullable(Type.String()),
  top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: USUAL_TOP_K })),
  threshold: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: USUAL_THRESHOLD,
      description: "least score of a result; 0 leaves nothing out",
    }),
  ),
  metadata: Type.Optional(
    Type.Object({
      filter: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "equality on custom metadata" })),
    }),
  ),
});

export const toQueryOrder = (body: Static<typeof DocumentQuery>): QueryOrder => ({
  text: body.query,
  topK: body.top_k ?? USUAL_TOP_K,
  threshold: body.threshold ?? USUAL_THRESHOLD,
  filter: {
    ...(body.collection_id && { collectionId: body.collection_id }),
    ...(body.metadata?.filter && { metadata: body.metadata.filter }),
  },
});

export const DocumentQueryResult = Type.Object({
  query: Type.String(),
  results: Type.Array(
    Type.Object({
      chunk_id: Type.String(),
      document_id: Type.String(),
      filename: Type.String(),
      content: Type.String(),
      score: Type.Number({ minimum: 0, maximum: 1 }),
      chunk_index: Type.Integer(),
      page: Type.Integer({ description: "where it begins; for text and Markdown, 3,000 characters are a page" }),
      headings: Type.Array(Type.String()),
      metadata: Metadata,
    }),
  ),
  metadata: Type.Object({
    latency_ms: Type.Integer(),
    cost_usd: Type.Number(),
    ranking: Type.Union([Type.Literal("hybrid"), Type.Literal("lexical")], {
      description: "lexical: the configured embedder could not be reached, or has no say in this query",
    }),
  }),
});

export const toWireQuery = (answer: QueryAnswer): Static<typeof DocumentQueryResult> => ({
  query: answer.text,
  results: answer.passages.map(({ chunk, score }) => ({
    chunk_id: chunkIdOf(chunk.documentId, chunk.chunkIndex),
    document_id: chunk.documentId,
    filename: chunk.filename,
    content: chunk.content,
    score,
    chunk_index: chunk.chunkIndex,
    page: chunk.pageFrom,
    headings: chunk.headings,
    metadata: chunk.metadata,
  })),
  metadata: { latency_ms: answer.latencyMs, cost_usd: toUsd(answer.embedded?.costNanoUsd ?? 0), ranking: answer.ranking },
});
