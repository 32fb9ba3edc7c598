/** `/v1/documents` and `/v1/collections` (spec.md "Documents"). */
import { Elysia } from "elysia";
import { invalidRequest, notFound } from "../api-error.ts";
import { authorOf } from "../history/author.ts";
import { describe } from "../http/describe.ts";
import { type GuardRule, guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { readQuery } from "../http/read-query.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";
import { DocumentQuery, DocumentQueryResult, toQueryOrder, toWireQuery } from "./query/query-wire.ts";
import { serveQuery } from "./query/serve-query.ts";
import { removeDocument } from "./remove-document.ts";
import { findDocument, listCollections, listDocuments } from "./store.ts";
import { acceptDocument } from "./upload/accept-document.ts";
import { receiveUpload } from "./upload/receive-upload.ts";
import {
  CollectionList,
  DeletedDocument,
  DocumentForm,
  DocumentList,
  DocumentListQuery,
  DocumentUpload,
  toWireCollections,
  toWireDocument,
  WireDocument,
} from "./wire.ts";

const GUARD: GuardRule = { scope: "documents", group: "documents", feature: "Documents" };

export const documentRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .post(
      "/v1/documents",
      async ({ caller, request, set }) => {
        const document = await acceptDocument(platform, caller, await receiveUpload(platform.documents.ingest, request));
        set.status = 201;
        return toWireDocument(document);
      },
      {
        guard: { ...GUARD, maxBytes: BOUNDS.documentJsonBodyBytes },
        detail: describe({
          summary: "Upload a document",
          body: DocumentUpload,
          multipart: DocumentForm,
          response: WireDocument,
          status: 201,
        }),
      },
    )
    .post(
      "/v1/documents/query",
      async ({ caller, request }) => {
        const order = toQueryOrder(await readJson(request, DocumentQuery));
        if (order.text.trim() === "") throw invalidRequest("`query` must not be blank.", "query");
        return toWireQuery(await serveQuery(platform, caller, order));
      },
      {
        guard: GUARD,
        detail: describe({ summary: "Search the project's documents", body: DocumentQuery, response: DocumentQueryResult }),
      },
    )
    .get(
      "/v1/documents",
      ({ caller, request }) => {
        const { collection_id: collectionId, limit, offset } = readQuery(request, DocumentListQuery);
        const { documents, total } = listDocuments(platform.db, caller.project.id, {
          ...(collectionId && { collectionId }),
          limit,
          offset,
        });
        return { documents: documents.map(toWireDocument), total, limit, offset };
      },
      {
        guard: GUARD,
        detail: describe({ summary: "List documents, newest first", query: DocumentListQuery, response: DocumentList }),
      },
    )
    .get(
      "/v1/documents/:documentId",
      ({ caller, params }) => {
        const document = findDocument(platform.db, caller.project.id, params.documentId);
        if (document === undefined) throw notFound("The document");
        return toWireDocument(document);
      },
      {
        guard: GUARD,
        detail: describe({ summary: "One document and how far it is", response: WireDocument }),
      },
    )
    .delete(
      "/v1/documents/:documentId",
      async ({ caller, params }) => {
        await removeDocument(platform, authorOf(caller, platform.clock.now()), caller.project.id, params.documentId);
        return { id: params.documentId, deleted: true as const };
      },
      {
        guard: GUARD,
        detail: describe({ summary: "Delete a document", response: DeletedDocument }),
      },
    )
    .get("/v1/collections", ({ caller }) => toWireCollections(listCollections(platform.db, caller.project.id)), {
      guard: GUARD,
      detail: describe({ summary: "List collections", tags: ["documents"], response: CollectionList }),
    });
