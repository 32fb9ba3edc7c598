/** The second step of ingestion: stores the chunks, one batch per commit, with vectors if the built-in encoder makes them. */

import { Abandoned, type JobContext } from "../../background/background.ts";
import type { Platform } from "../../platform.ts";
import type { Document } from "../document.ts";
import { isLocal } from "../embedding/space.ts";
import { liveSpace } from "../embedding/store.ts";
import { LOG_BYTES_PER_CHUNK } from "../give-way.ts";
import { insertBatch, insertVectors, mergeTerms } from "../index/store.ts";
import { advanceChunks } from "../store.ts";
import type { BatchAnswer } from "./ingest-worker.ts";

/** One commit's worth: a few milliseconds on the serving thread. */
const BATCH_CHUNKS = 16;

export const storeChunks = async (platform: Platform, document: Document, context: JobContext): Promise<void> => {
  const { db, documents } = platform;
  const embed = isLocal(liveSpace(db));
  const ask = (firstIndex: number) => documents.ingest.batch(document.number, firstIndex, BATCH_CHUNKS, embed);
  let done = document.chunksDone;
  for (let next: Promise<BatchAnswer> | undefined = ask(done); next !== undefined; ) {
    const batch: BatchAnswer = await next;
    const after = done + batch.rows.length;
    // The worker prepares the next batch while this one is written.
    next = after < batch.chunkCount ? ask(after) : undefined;
    next?.catch(() => {});
    await context.heartbeat();
    if (!(await storeBatch(platform, document, context, done, batch))) throw new Abandoned();
    await db.write(mergeTerms);
    await documents.giveWay(batch.rows.length * LOG_BYTES_PER_CHUNK);
    done = after;
  }
};

/** False if the job does not own the document any more. */
const storeBatch = (
  { db }: Platform,
  document: Document,
  context: JobContext,
  firstIndex: number,
  batch: BatchAnswer,
): Promise<boolean> =>
  db.write((sql) => {
    const chunks = batch.rows;
    if (!advanceChunks(sql, document.number, firstIndex, chunks.length, batch.chunkCount)) return false;
    if (chunks.length === 0) return true;
    // A document that gets further each time is not given up, however often the process ends.
    context.progressed(sql);
    insertBatch(sql, { projectId: document.projectId, documentNumber: document.number, firstIndex, chunks });
    // Looked up inside the commit, because another space may have become live since the batch was made.
    const space = liveSpace(sql);
    if (batch.vectors !== undefined && isLocal(space)) insertVectors(sql, space.id, document.number, firstIndex, batch.vectors);
    return true;
  });
