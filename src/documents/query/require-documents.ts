/** The documents that a chat names, each once, or the refusal of the first that cannot be used. */
import { ApiError, invalidRequest } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import { type Document, secondsUntilReady } from "../document.ts";
import { findDocument } from "../store.ts";

/** `param`: the request field that named it. Decisions §4 demand `document_id`; in a list, its place is named. */
export type NamedDocument = { id: string; param: string };
type Found = { document: Document; param: string };

/** Throws 400 for an unknown or failed document, 409 while one is processing. */
export const requireDocuments = ({ db, clock }: Platform, projectId: string, named: readonly NamedDocument[]): Document[] => {
  const once = named.filter(({ id }, at) => named.findIndex((other) => other.id === id) === at);
  const found = once.map(({ id, param }): Found => {
    const document = findDocument(db, projectId, id);
    if (document === undefined) throw invalidRequest(`The document \`${id.slice(0, 128)}\` was not found.`, param);
    return { document, param };
  });
  requireReady(found, clock.now());
  return found.map(({ document }) => document);
};

/** Reports documents that can never be used before those that are only not ready yet. */
const requireReady = (found: readonly Found[], nowMs: number): void => {
  const failed = found.find(({ document }) => document.status === "failed");
  if (failed !== undefined) {
    const { id, errorMessage } = failed.document;
    throw invalidRequest(`The document \`${id}\` could not be processed: ${errorMessage}`, failed.param);
  }
  const processing = found.filter(({ document }) => document.status === "processing");
  const [first] = processing;
  if (first === undefined) return;
  throw new ApiError("document_processing", `The document \`${first.document.id}\` is still being processed.`, {
    param: first.param,
    retryAfterSeconds: Math.max(...processing.map(({ document }) => secondsUntilReady(document, nowMs))),
  });
};
