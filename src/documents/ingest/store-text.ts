/** The first step of ingestion: extracts the text and stores it by pages; from then on the file is not needed. */

import { Abandoned, type JobContext } from "../../background/background.ts";
import type { Db } from "../../database/database.ts";
import type { Platform } from "../../platform.ts";
import { findFilePart, insertPages, type PageBytes } from "../content-store.ts";
import type { Document } from "../document.ts";
import { FAILURES } from "../extract/extraction.ts";
import { markExtracted, markFailed } from "../store.ts";
import type { PackedText, TextAnswer } from "./ingest-worker.ts";

/** One commit's worth: a few milliseconds on the serving thread. */
const PAGES_BYTES = 256_000;

/** False if the document failed because it has no text. */
export const storeText = async (platform: Platform, document: Document, context: JobContext): Promise<boolean> => {
  const { db } = platform;
  const text = await extractText(platform, document, context.signal);
  await context.heartbeat();
  if ("reason" in text) {
    await db.write((sql) => markFailed(sql, document, FAILURES[text.reason]));
    return false;
  }
  await storePages(platform, document, text);
  if (!(await db.write((sql) => markExtracted(sql, document, text.pageCount, text.characterCount)))) throw new Abandoned();
  return true;
};

const extractText = async (platform: Platform, document: Document, signal: AbortSignal): Promise<TextAnswer> => {
  const { db, documents } = platform;
  const parts = await readFile(db, document.id);
  return document.contentType === "application/pdf"
    ? documents.ingest.readPdf(await documents.extractPdf(parts, signal))
    : documents.ingest.decode(parts);
};

const readFile = async (db: Db, documentId: string): Promise<Uint8Array[]> => {
  const parts: Uint8Array[] = [];
  for (let part = 0; ; part++) {
    const bytes = findFilePart(db, documentId, part);
    if (bytes === undefined) break;
    parts.push(bytes);
    // Lets other requests run between two megabytes.
    await new Promise(setImmediate);
  }
  return parts;
};

const storePages = async ({ db, documents }: Platform, document: Document, { text, pages }: PackedText): Promise<void> => {
  let pending: PageBytes[] = [];
  let bytes = 0;
  const flush = async () => {
    const some = pending;
    await documents.giveWay(bytes);
    pending = [];
    bytes = 0;
    if (!(await db.write((sql) => insertPages(sql, document.number, some)))) throw new Abandoned();
  };
  for (const { page, from, to } of pages) {
    pending.push({ page, text: text.subarray(from, to) });
    bytes += to - from;
    if (bytes >= PAGES_BYTES) await flush();
  }
  await flush();
};
