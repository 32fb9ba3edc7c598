/** What documents keep running: the search thread, the ingest thread, and PDF extraction. Part of the platform. */
import type { Db } from "../database/database.ts";
import { createPdfExtractor, type PdfExtractor } from "./extract/extract-file.ts";
import { type AttachedReader, createAttachedReader } from "./extract/read-attached.ts";
import { createGiveWay, type GiveWay } from "./give-way.ts";
import { createSearchThread, type SearchThread } from "./index/search-thread.ts";
import { createTokenizer, type Tokenizer } from "./index/tokenize.ts";
import { createIngestThread, type IngestThread } from "./ingest/ingest-thread.ts";

export type DocumentEngine = {
  searchThread: SearchThread;
  ingest: IngestThread;
  extractPdf: PdfExtractor;
  readAttached: AttachedReader;
  giveWay: GiveWay;
  tokenize: Tokenizer;
  /** Call it after `background.stop()`, and before the database is closed: the threads read it. */
  stop(): Promise<void>;
};

export const createDocumentEngine = (db: Db): DocumentEngine => {
  const searchThread = createSearchThread(db.pathToOpen);
  const ingest = createIngestThread(db.pathToOpen);
  return {
    searchThread,
    ingest,
    extractPdf: createPdfExtractor(),
    readAttached: createAttachedReader(),
    giveWay: createGiveWay(db),
    tokenize: createTokenizer(),
    stop: async () => {
      await Promise.all([searchThread.stop(), ingest.stop()]);
    },
  };
};
