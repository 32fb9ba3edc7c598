/** What documents keep running: the search thread, the ingest thread, and PDF extraction. Part of the platform. */
import type { Catalog } from "../catalog/catalog.ts";
import type { Config } from "../config/config.ts";
import type { Db } from "../database/database.ts";
import type { Encoder } from "../encoder/encoder.ts";
import type { Clock } from "../lib/clock.ts";
import type { ActivePoliciesOf } from "../policies/active-policies.ts";
import type { ProcessLog } from "../process-log.ts";
import type { Providers } from "../providers/registry.ts";
import { createPdfExtractor, type PdfExtractor } from "./extract/extract-file.ts";
import { type AttachedReader, createAttachedReader } from "./extract/read-attached.ts";
import { createGiveWay, type GiveWay } from "./give-way.ts";
import { createSearchThread, type SearchThread } from "./index/search-thread.ts";
import { createTokenizer, type Tokenizer } from "./index/tokenize.ts";
import { createIngestThread, type IngestThread } from "./ingest/ingest-thread.ts";

type EngineParts = {
  db: Db;
  clock: Clock;
  log: ProcessLog;
  config: Config;
  encoder: Encoder;
  catalog: Catalog;
  providers: Providers;
  policies: ActivePoliciesOf;
};

export type DocumentEngine = EngineParts & {
  searchThread: SearchThread;
  ingest: IngestThread;
  extractPdf: PdfExtractor;
  readAttached: AttachedReader;
  giveWay: GiveWay;
  tokenize: Tokenizer;
  /** Call it after `background.stop()`, and before the database is closed: the threads read it. */
  stop(): Promise<void>;
};

export const createDocumentEngine = (parts: EngineParts): DocumentEngine => {
  const searchThread = createSearchThread(parts.db.path);
  const ingest = createIngestThread(parts.db.path);
  return {
    ...parts,
    searchThread,
    ingest,
    extractPdf: createPdfExtractor(),
    readAttached: createAttachedReader(),
    giveWay: createGiveWay(parts.db),
    tokenize: createTokenizer(),
    stop: async () => {
      await Promise.all([searchThread.stop(), ingest.stop()]);
    },
  };
};
