/** The job that deletes chunks, pages and vectors of a deleted document, in steps too small to be noticed. */
import type { Job, JobContext } from "../background/background.ts";
import { deleteSomePages } from "./content-store.ts";
import type { DocumentEngine } from "./document-engine.ts";
import { LOG_BYTES_PER_CHUNK } from "./give-way.ts";
import { deleteSomeChunks, mergeTerms } from "./index/store.ts";

export const REMOVE_REMAINS = "document.remove";
export type RemovePayload = { documentNumber: number };

const CHUNKS_AT_ONCE = 200;
const PAGES_AT_ONCE = 20;

export const removeRemains = async (
  { db, giveWay }: DocumentEngine,
  job: Job,
  { signal, heartbeat }: JobContext,
): Promise<void> => {
  const { documentNumber } = job.payload as RemovePayload;
  while (!(await db.write((sql) => deleteSomeChunks(sql, documentNumber, CHUNKS_AT_ONCE)))) {
    signal.throwIfAborted();
    if (!(await heartbeat())) return;
    await db.write(mergeTerms);
    await giveWay(CHUNKS_AT_ONCE * LOG_BYTES_PER_CHUNK);
  }
  while (!(await db.write((sql) => deleteSomePages(sql, documentNumber, PAGES_AT_ONCE)))) signal.throwIfAborted();
};
