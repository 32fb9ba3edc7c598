/**
 * The job that makes a document searchable: text, chunks, vectors, ready. Every step is a commit that moves a cursor, and writes only if
 * the cursor has not moved: a crash loses nothing, a second worker duplicates nothing, a deletion ends it.
 */

import type { Job, JobContext, JobOutcome } from "../../background/background.ts";
import { DAY_MS } from "../../lib/clock.ts";
import type { Platform } from "../../platform.ts";
import { UpstreamError } from "../../providers/upstream-error.ts";
import { type Document, progressPercent } from "../document.ts";
import { fillSpace } from "../embedding/fill-space.ts";
import { listKept } from "../embedding/may-leave.ts";
import { OPERATOR, type Payer } from "../embedding/record-embedding.ts";
import { listMissing, liveSpace } from "../embedding/store.ts";
import { FAILURES } from "../extract/extraction.ts";
import { findDocument, markFailed, markReady } from "../store.ts";
import { storeChunks } from "./store-chunks.ts";
import { storeText } from "./store-text.ts";

export const INGEST = "document.ingest";
export type IngestPayload = { projectId: string; documentId: string; payer?: Payer };

/** How long an embedding endpoint may be unreachable before its documents fail. */
const PATIENCE_MS = DAY_MS;
const AGAIN_MS = 30_000;

/** Each step resumes where an earlier run stopped. */
const ingest = async (platform: Platform, document: Document, payer: Payer, context: JobContext): Promise<void> => {
  if (document.pageCount === null && !(await storeText(platform, document, context))) return;
  if (document.chunkCount === null || document.chunksDone < document.chunkCount) await storeChunks(platform, document, context);
  await finish(platform, document, payer, context);
};

const finish = async (platform: Platform, document: Document, payer: Payer, context: JobContext): Promise<void> => {
  const { db } = platform;
  for (let isDone = false; !isDone; ) {
    await fillSpace(platform, { space: liveSpace(db), document, payer, context });
    const kept = await listKept(platform, liveSpace(db), document.projectId);
    isDone = await db.write((sql) => {
      // A space that has become live meanwhile may still lack vectors of this document.
      const missing = listMissing(sql, liveSpace(sql), kept, document.number, 1);
      if (missing.length === 0) markReady(sql, document);
      return missing.length === 0;
    });
  }
};

/**
 * The job: resumes where an earlier run stopped; throws for failures that another try may mend, and comes back later if an embedder is
 * down.
 */
export const ingestDocument = async (platform: Platform, job: Job, context: JobContext): Promise<JobOutcome> => {
  const { db, log, clock } = platform;
  const { projectId, documentId, payer = OPERATOR } = job.payload as IngestPayload;
  const document = findDocument(db, projectId, documentId);
  if (document === undefined || document.status !== "processing") return;
  try {
    await ingest(platform, document, payer, context);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    log.warn("The embedding endpoint failed", {
      document: documentId,
      progress: progressPercent(document),
      detail: error.message,
    });
    // An unreachable endpoint is not the document's fault.
    if (clock.now() - document.createdAtMs < PATIENCE_MS) return { againInMs: AGAIN_MS };
    await db.write((sql) =>
      markFailed(sql, document, "The embedding service could not be reached for 24 hours. Upload the document again."),
    );
  }
};

/** Tried too often: most likely the file crashes the process. */
export const giveUpDocument = async ({ db }: Platform, job: Job): Promise<void> => {
  const { projectId, documentId } = job.payload as IngestPayload;
  const document = findDocument(db, projectId, documentId);
  if (document === undefined) return;
  await db.write((sql) =>
    markFailed(
      sql,
      document,
      document.contentType === "application/pdf" ? FAILURES.crashed : "This document could not be processed. Upload it again.",
    ),
  );
};
