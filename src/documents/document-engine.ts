/** What documents keep running: the search thread, the ingest thread, the one PDF extraction, and the jobs. Hangs on the platform. */
import type { Background } from "../background/background.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Config } from "../config/config.ts";
import type { Db } from "../database/database.ts";
import type { Encoder } from "../encoder/encoder.ts";
import type { Clock } from "../lib/clock.ts";
import type { ActivePoliciesOf } from "../policies/active-policies.ts";
import type { ProcessLog } from "../process-log.ts";
import type { Providers } from "../providers/registry.ts";
import { CHANGE_EMBEDDER, changeEmbedder, prepareSpaces, wantedSpace } from "./embedding/change-embedder.ts";
import { createPdfExtractor, type PdfExtractor } from "./extract/extract-file.ts";
import { createGiveWay, type GiveWay } from "./give-way.ts";
import { createSearchThread, type SearchThread } from "./index/search-thread.ts";
import { createTokenizer, type Tokenizer } from "./index/tokenize.ts";
import { giveUpDocument, INGEST, ingestDocument } from "./ingest/ingest-document.ts";
import { createIngestThread, type IngestThread } from "./ingest/ingest-thread.ts";
import { REMOVE_REMAINS, removeRemains } from "./remove-remains.ts";
import { deleteOrphanFiles } from "./store.ts";

type EngineParts = {
  db: Db;
  clock: Clock;
  log: ProcessLog;
  config: Config;
  background: Background;
  encoder: Encoder;
  catalog: Catalog;
  providers: Providers;
  policies: ActivePoliciesOf;
};

export type DocumentEngine = EngineParts & {
  searchThread: SearchThread;
  ingest: IngestThread;
  extractPdf: PdfExtractor;
  giveWay: GiveWay;
  tokenize: Tokenizer;
  /** Prepares the embedding space and clears what a crash left; before `background.start()`. */
  start(): Promise<void>;
  /** After `background.stop()`. */
  stop(): void;
};

const MOST_ATTEMPTS = 3;
/** Two, so that a large document does not hold up a small one. */
const DOCUMENTS_AT_ONCE = 2;
const EMBEDDER_ATTEMPTS = 100;

const registerJobs = (engine: DocumentEngine): void => {
  const { background, log } = engine;
  background.handle(INGEST, {
    concurrency: DOCUMENTS_AT_ONCE,
    // Extraction alone may take a minute, during which nothing is written.
    leaseMs: 120_000,
    maxAttempts: MOST_ATTEMPTS,
    run: (job, context) => ingestDocument(engine, job, context),
    exhausted: (job) => giveUpDocument(engine, job),
  });
  const neverGivenUp = async () => log.error("A chore of documents was given up", {});
  background.handle(REMOVE_REMAINS, {
    maxAttempts: EMBEDDER_ATTEMPTS,
    run: (job, context) => removeRemains(engine, job, context),
    exhausted: neverGivenUp,
  });
  background.handle(CHANGE_EMBEDDER, {
    maxAttempts: EMBEDDER_ATTEMPTS,
    run: (job, context) => changeEmbedder(engine, job, context),
    exhausted: neverGivenUp,
  });
};

export const createDocumentEngine = (parts: EngineParts): DocumentEngine => {
  const { db, clock, background, encoder } = parts;
  const engine: DocumentEngine = {
    ...parts,
    searchThread: createSearchThread(db.path),
    ingest: createIngestThread(db.path),
    extractPdf: createPdfExtractor(),
    giveWay: createGiveWay(db),
    tokenize: createTokenizer(),
    start: async () => {
      await deleteOrphanFiles(db);
      await db.write((sql) => {
        const changing = prepareSpaces(sql, wantedSpace(parts), encoder.dimensions, clock.now());
        if (changing) background.enqueue(sql, { kind: CHANGE_EMBEDDER, projectId: null, payload: {} });
      });
    },
    stop: () => {
      engine.searchThread.stop();
      engine.ingest.stop();
    },
  };
  registerJobs(engine);
  return engine;
};
