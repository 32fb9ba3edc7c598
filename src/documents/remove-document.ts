/** Deletes a document: one commit ends its being listed, found and counted; what remains of a large one is deleted afterwards. */
import { notFound } from "../api-error.ts";
import type { Platform } from "../platform.ts";
import { deleteSomePages } from "./content-store.ts";
import { deleteSomeChunks } from "./index/store.ts";
import { REMOVE_REMAINS, type RemovePayload } from "./remove-remains.ts";
import { deleteDocument, listDocuments } from "./store.ts";

/** Chunks deleted in the commit itself. */
const CHUNKS_AT_ONCE = 100;
const PAGES_AT_ONCE = 100;

/** Throws 404 for an unknown document or one of another project. */
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

const DOCUMENTS_AT_ONCE = 20;

/** Deletes all documents of a deleted project. */
export const forgetDocuments = async (platform: Platform, projectId: string): Promise<void> => {
  for (;;) {
    const { documents } = await listDocuments(platform.db, projectId, { limit: DOCUMENTS_AT_ONCE, offset: 0 });
    if (documents.length === 0) return;
    for (const { id } of documents) await removeDocument(platform, projectId, id);
  }
};
