/** Documents on the wire (spec.md "Documents", decisions §8). */

import { type Static, Type } from "@sinclair/typebox";
import { toUsd } from "../lib/money.ts";
import { nullable, orNull } from "../lib/nullable.ts";
import { chunkIdOf, type Document, progressPercent } from "./document.ts";
import type { QueryAnswer, QueryOrder } from "./query-documents.ts";
import type { Collection, DocumentPage } from "./store.ts";

const CollectionId = Type.String({ minLength: 1, maxLength: 256 });
const Metadata = Type.Record(Type.String(), Type.Unknown());

export const DocumentUpload = Type.Object({
  filename: Type.String({ minLength: 1, maxLength: 1024 }),
  content: Type.String({ description: "base64, or plain text for .txt and .md" }),
  content_type: Type.Optional(Type.String()),
  encoding: Type.Optional(Type.Union([Type.Literal("base64"), Type.Literal("utf8")])),
  collection_id: nullable(CollectionId),
  metadata: nullable(Metadata),
});

/** The multipart form, for the OpenAPI document. */
export const DocumentForm = Type.Object({
  file: Type.String({ format: "binary", description: "PDF, TXT or Markdown, at most 20 MB" }),
  collection_id: Type.Optional(CollectionId),
  metadata: Type.Optional(Type.String({ description: "a JSON object" })),
});

export const WireDocument = Type.Object({
  id: Type.String(),
  filename: Type.String(),
  content_type: Type.String(),
  status: Type.Union([Type.Literal("processing"), Type.Literal("ready"), Type.Literal("failed")]),
  file_size_bytes: Type.Integer(),
  collection_id: orNull(Type.String()),
  created_at: Type.String(),
  error_message: Type.Optional(Type.String()),
  metadata: Metadata,
  page_count: orNull(Type.Integer()),
  chunk_count: orNull(Type.Integer()),
  progress_percent: Type.Integer({ minimum: 0, maximum: 100 }),
});

export const toWireDocument = (document: Document): Static<typeof WireDocument> => ({
  id: document.id,
  filename: document.filename,
  content_type: document.contentType,
  status: document.status,
  file_size_bytes: document.sizeBytes,
  collection_id: document.collectionId,
  created_at: new Date(document.createdAtMs).toISOString(),
  ...(document.status === "failed" && { error_message: document.errorMessage ?? "The document could not be processed." }),
  metadata: document.metadata,
  page_count: document.pageCount,
  chunk_count: document.chunkCount,
  progress_percent: progressPercent(document),
});

export const DocumentListQuery = Type.Object({
  collection_id: Type.Optional(Type.String()),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 50 }),
  offset: Type.Integer({ minimum: 0, default: 0 }),
});

export const DocumentList = Type.Object({
  documents: Type.Array(WireDocument),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
});

export const toWireDocumentList = (
  { documents, total }: DocumentPage,
  limit: number,
  offset: number,
): Static<typeof DocumentList> => ({
  documents: documents.map(toWireDocument),
  total,
  limit,
  offset,
});

export const DeletedDocument = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });

export const CollectionList = Type.Object({
  collections: Type.Array(Type.Object({ id: Type.String(), document_count: Type.Integer(), created_at: Type.String() })),
});

export const toWireCollections = (collections: Collection[]): Static<typeof CollectionList> => ({
  collections: collections.map(({ id, documentCount, createdAtMs }) => ({
    id,
    document_count: documentCount,
    created_at: new Date(createdAtMs).toISOString(),
  })),
});

const MetadataValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

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
      filter: Type.Optional(Type.Record(Type.String(), MetadataValue, { description: "equality on custom metadata" })),
    }),
  ),
});

export const toQueryOrder = (body: Static<typeof DocumentQuery>): QueryOrder => ({
  text: body.query,
  topK: body.top_k ?? USUAL_TOP_K,
  threshold: body.threshold ?? USUAL_THRESHOLD,
  ...(body.collection_id != null && { collectionId: body.collection_id }),
  ...(body.metadata?.filter && { metadata: body.metadata.filter }),
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
  metadata: { latency_ms: answer.latencyMs, cost_usd: toUsd(answer.costNanoUsd), ranking: answer.ranking },
});
