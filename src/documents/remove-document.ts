/**
 * Deletes a document. From one commit on it is no longer listed, found or counted; what remains of a large one is deleted by a job, in
 * steps so small that nothing waits for them.
 */
import { notFound } from "../api-error.ts";
import type { Job, JobContext } from "../background/background.ts";
import type { Author } from "../history/author.ts";
import { recordChange } from "../history/store.ts";
import type { Platform } from "../platform.ts";
import { deleteSomePages } from "./content-store.ts";
import { LOG_BYTES_PER_CHUNK } from "./give-way.ts";
import { deleteSomeChunks, mergeTerms } from "./index/store.ts";
import { deleteDocument, listDocuments } from "./store.ts";

export const REMOVE_REMAINS = "document.remove";
type RemovePayload = { documentNumber: number };

/** Deleted in the commit itself; most documents have no more. */
const FIRST_CHUNKS = 100;
const FIRST_PAGES = 100;
/** Deleted in each step of the job. */
const CHUNKS_AT_ONCE = 200;
const PAGES_AT_ONCE = 20;

/** Throws 404 for an unknown document or one of another project. `by` is null where its project is deleted, which the history tells already. */
export const removeDocument = async (
  { db, background }: Platform,
  by: Author | null,
  projectId: string,
  id: string,
): Promise<void> => {
  await db.write((sql) => {
    const document = deleteDocument(sql, projectId, id);
    if (document === undefined) throw notFound("The document");
    // Its name goes with it.
    if (by !== null) recordChange(sql, by, { action: "document.deleted", id, projectId });
    const done = deleteSomeChunks(sql, document.number, FIRST_CHUNKS) && deleteSomePages(sql, document.number, FIRST_PAGES);
    if (done) return;
    background.enqueue(sql, {
      kind: REMOVE_REMAINS,
      projectId,
      payload: { documentNumber: document.number } satisfies RemovePayload,
    });
  });
  background.wake();
};

/** The job that deletes the chunks, vectors and pages that are left. */
export const removeRemains = async ({ db, documents }: Platform, job: Job, { heartbeat }: JobContext): Promise<void> => {
  const { documentNumber } = job.payload as RemovePayload;
  while (!(await db.write((sql) => deleteSomeChunks(sql, documentNumber, CHUNKS_AT_ONCE)))) {
    await heartbeat();
    await db.write(mergeTerms);
    await documents.giveWay(CHUNKS_AT_ONCE * LOG_BYTES_PER_CHUNK);
  }
  while (!(await db.write((sql) => deleteSomePages(sql, documentNumber, PAGES_AT_ONCE)))) await heartbeat();
};

const DOCUMENTS_AT_ONCE = 20;

/** Deletes all documents of a deleted project. A drain ends it early. */
export const forgetDocuments = async (platform: Platform, projectId: string): Promise<void> => {
  while (!platform.draining) {
    const { documents } = listDocuments(platform.db, projectId, { limit: DOCUMENTS_AT_ONCE, offset: 0 });
    if (documents.length === 0) return;
    for (const { id } of documents) await removeDocument(platform, null, projectId, id);
  }
};
