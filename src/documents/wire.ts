/** Documents on the wire (spec.md "Documents", decisions §8); queries are in query-wire.ts. */

import { type Static, Type } from "@sinclair/typebox";
import { toIso } from "../lib/clock.ts";
import { nullable, orNull } from "../lib/nullable.ts";
import { type Document, progressPercent } from "./document.ts";
import type { Collection } from "./store.ts";

/** In characters. */
export const LONGEST_COLLECTION_ID = 256;
const CollectionId = Type.String({ minLength: 1, maxLength: LONGEST_COLLECTION_ID });
export const Metadata = Type.Record(Type.String(), Type.Unknown());

export const DocumentUpload = Type.Object({
  filename: Type.String({ minLength: 1, maxLength: 1024 }),
  content: Type.String({ description: "base64, or the text itself if the file is no PDF" }),
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
  created_at: toIso(document.createdAtMs),
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

export const DeletedDocument = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });

export const CollectionList = Type.Object({
  collections: Type.Array(Type.Object({ id: Type.String(), document_count: Type.Integer(), created_at: Type.String() })),
});

export const toWireCollections = (collections: Collection[]): Static<typeof CollectionList> => ({
  collections: collections.map(({ id, documentCount, createdAtMs }) => ({
    id,
    document_count: documentCount,
    created_at: toIso(createdAtMs),
  })),
});
