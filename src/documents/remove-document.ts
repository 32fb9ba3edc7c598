/** Deletion: from one commit on nothing of the document is listed, found or counted; what a large one leaves is dropped behind it. */
import { notFound } from "../api-error.ts";
import type { Platform } from "../platform.ts";
import { deleteSomePages } from "./content-store.ts";
import { deleteSomeChunks } from "./index/store.ts";
import { REMOVE_REMAINS, type RemovePayload } from "./remove-remains.ts";
import { deleteDocument } from "./store.ts";

/** So much goes in the commit itself. */
const CHUNKS_AT_ONCE = 100;
const PAGES_AT_ONCE = 100;

/** Throws 404 for a document that is not there or not the project's. */
export const removeDocument = async ({ db, background }: Platform, projectId: string, id: string): Promise<void> => {
  await db.write((sql) => {
    const document = deleteDocument(sql, projectId, id);
    if (document === undefined) throw notFound("The document");
    const done = deleteSomeChunks(sql, document.number, CHUNKS_AT_ONCE) && deleteSomePages(sql, document.number, PAGES_AT_ONCE);
    if (done) return;
    background.enqueue(sql, {
      kind: REMOVE_REMAINS,
      projectId,
      payload: { documentNumber: document.number } satisfies RemovePayload,
    });
  });
  background.wake();
};
