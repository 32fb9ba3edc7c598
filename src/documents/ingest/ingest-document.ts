/**
 * The job that makes a document searchable: text out, chunks in, vectors, ready. Every step is a commit that also moves a cursor,
 * and writes only where the cursor still stands: a kill loses nothing, a second worker doubles nothing, a deletion ends it.
 */

import type { Job, JobContext, JobHandler } from "../../background/background.ts";
import { DAY_MS } from "../../lib/clock.ts";
import { UpstreamError } from "../../providers/provider.ts";
import { findFilePart, insertPages, type PageBytes } from "../content-store.ts";
import { type Document, progressPercent } from "../document.ts";
import type { DocumentEngine } from "../document-engine.ts";
import { fillSpace } from "../embedding/fill-space.ts";
import { listKept } from "../embedding/may-leave.ts";
import { isLocal } from "../embedding/space.ts";
import { findSpace, listMissing } from "../embedding/store.ts";
import { FAILURES } from "../extract/extraction.ts";
import { LOG_BYTES_PER_CHUNK } from "../give-way.ts";
import { insertBatch, insertVectors, mergeTerms } from "../index/store.ts";
import { advanceChunks, findDocument, markExtracted, markFailed, markReady } from "../store.ts";
import type { BatchAnswer, TextAnswer } from "./ingest-thread.ts";

type JobOutcome = Awaited<ReturnType<JobHandler["run"]>>;

export const INGEST = "document.ingest";
export type IngestPayload = { projectId: string; documentId: string };

/** One commit's worth: a few milliseconds on the serving thread. */
const BATCH_CHUNKS = 16;
const PAGES_BYTES = 256_000;
/** How long an embedding endpoint may be away before its documents fail. */
const PATIENCE_MS = DAY_MS;
const AGAIN_MS = 30_000;
const HEARTBEAT_MS = 5_000;

/** Not ours any more: the document was deleted, or another worker has it. */
class Abandoned extends Error {}

const beat = async ({ heartbeat, signal }: JobContext): Promise<void> => {
  signal.throwIfAborted();
  if (!(await heartbeat())) throw new Abandoned();
};

/** The same job, its lease extended at most every few seconds: a heartbeat is a commit. */
const unhurried = (context: JobContext): JobContext => {
  let last = performance.now();
  return {
    ...context,
    heartbeat: async () => {
      if (performance.now() - last < HEARTBEAT_MS) return true;
      last = performance.now();
      return context.heartbeat();
    },
  };
};

const readFile = async ({ db }: DocumentEngine, documentId: string): Promise<Uint8Array[]> => {
  const parts: Uint8Array[] = [];
  for (let part = 0; ; part++) {
    const bytes = await findFilePart(db, documentId, part);
    if (bytes === undefined) break;
    parts.push(bytes);
    // Other requests get their turn between two megabytes.
    await new Promise(setImmediate);
  }
  return parts;
};

const extractText = async (engine: DocumentEngine, document: Document, signal: AbortSignal): Promise<TextAnswer> => {
  const parts = await readFile(engine, document.id);
  return document.contentType === "application/pdf"
    ? engine.ingest.readPdf(await engine.extractPdf(parts, signal))
    : engine.ingest.decode(parts);
};

const storeText = async (engine: DocumentEngine, document: Document, context: JobContext): Promise<boolean> => {
  const text = await extractText(engine, document, context.signal);
  await beat(context);
  if ("message" in text) {
    await engine.db.write((sql) => markFailed(sql, document, text.message));
    return false;
  }
  let pending: PageBytes[] = [];
  let bytes = 0;
  const flush = async () => {
    const pages = pending;
    await engine.giveWay(bytes);
    pending = [];
    bytes = 0;
    if (!(await engine.db.write((sql) => insertPages(sql, document.number, pages)))) throw new Abandoned();
  };
  for (const { page, from, to } of text.pages) {
    pending.push({ page, text: text.text.subarray(from, to) });
    bytes += to - from;
    if (bytes >= PAGES_BYTES) await flush();
  }
  await flush();
  if (!(await engine.db.write((sql) => markExtracted(sql, document, text.pageCount, text.characterCount)))) throw new Abandoned();
  return true;
};

const storeBatch = (
  engine: DocumentEngine,
  document: Document,
  context: JobContext,
  firstIndex: number,
  batch: BatchAnswer,
): Promise<boolean> =>
  engine.db.write((sql) => {
    const chunks = batch.rows;
    if (!advanceChunks(sql, document.number, firstIndex, chunks.length, batch.chunkCount)) return false;
    if (chunks.length === 0) return true;
    // However often the process ends, a document that gets further each time is not given up.
    context.progressed(sql);
    insertBatch(sql, { projectId: document.projectId, documentNumber: document.number, firstIndex, chunks });
    // Which space is live is looked up inside the commit: it may have changed since the batch was made.
    const space = findSpace(sql, "live");
    if (batch.vectors !== undefined && space !== undefined && isLocal(space)) {
      insertVectors(sql, space.id, document.number, firstIndex, batch.vectors);
    }
    return true;
  });

const storeChunks = async (engine: DocumentEngine, document: Document, context: JobContext): Promise<void> => {
  const embed = isLocal(findSpace(engine.db, "live")!);
  const ask = (firstIndex: number) => engine.ingest.batch(document.number, firstIndex, BATCH_CHUNKS, embed);
  let done = document.chunksDone;
  for (let next: Promise<BatchAnswer> | undefined = ask(done); next !== undefined; ) {
    const batch: BatchAnswer = await next;
    const after = done + batch.rows.length;
    // The worker makes the next batch while this one is written.
    next = after < batch.chunkCount ? ask(after) : undefined;
    next?.catch(() => {});
    await beat(context);
    if (!(await storeBatch(engine, document, context, done, batch))) throw new Abandoned();
    await engine.db.write(mergeTerms);
    await engine.giveWay(batch.rows.length * LOG_BYTES_PER_CHUNK);
    done = after;
  }
};

/** True when every chunk that should have a vector in the live space has one. */
const embedChunks = async (engine: DocumentEngine, document: Document, context: JobContext): Promise<void> => {
  const space = findSpace(engine.db, "live")!;
  await fillSpace(engine, space, document, () => beat(context), context.signal);
};

const finish = async (engine: DocumentEngine, document: Document, context: JobContext): Promise<void> => {
  for (;;) {
    await embedChunks(engine, document, context);
    const kept = await listKept(engine, findSpace(engine.db, "live")!, document.projectId);
    const finished = await engine.db.write((sql) => {
      // A space that became live since the last look may still lack vectors of this document.
      const missing = listMissing(sql, findSpace(sql, "live")!, kept, document.number, 1);
      return missing.length > 0 ? "again" : markReady(sql, document) ? "ready" : "gone";
    });
    if (finished !== "again") return;
  }
};

const ingest = async (engine: DocumentEngine, document: Document, context: JobContext): Promise<void> => {
  if (document.pageCount === null && !(await storeText(engine, document, context))) return;
  if (document.chunkCount === null || document.chunksDone < document.chunkCount) await storeChunks(engine, document, context);
  await finish(engine, document, context);
};

/** The job. Goes on where an earlier run stopped; throws for what another try may mend, and comes back later where an embedder is down. */
export const ingestDocument = async (engine: DocumentEngine, job: Job, context: JobContext): Promise<JobOutcome> => {
  const { projectId, documentId } = job.payload as IngestPayload;
  const document = await findDocument(engine.db, projectId, documentId);
  if (document === undefined || document.status !== "processing") return;
  try {
    await ingest(engine, document, unhurried(context));
  } catch (error) {
    if (error instanceof Abandoned) return;
    if (!(error instanceof UpstreamError)) throw error;
    engine.log.warn("The embedding endpoint failed", {
      document: documentId,
      progress: progressPercent(document),
      detail: error.message,
    });
    // The endpoint being away is a pause and not the document's fault.
    if (engine.clock.now() - document.createdAtMs < PATIENCE_MS) return { againInMs: AGAIN_MS };
    await engine.db.write((sql) =>
      markFailed(sql, document, "The embedding service could not be reached for 24 hours. Upload the document again."),
    );
  }
};

/** Tried too often: most likely the file ends the process. */
export const giveUpDocument = async (engine: DocumentEngine, job: Job): Promise<void> => {
  const { projectId, documentId } = job.payload as IngestPayload;
  const document = await findDocument(engine.db, projectId, documentId);
  if (document === undefined) return;
  await engine.db.write((sql) =>
    markFailed(
      sql,
      document,
      document.contentType === "application/pdf" ? FAILURES.crashed : "This document could not be processed. Upload it again.",
    ),
  );
};
