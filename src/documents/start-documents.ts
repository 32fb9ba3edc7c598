/** At the start: registers the document jobs, cleans up what a crash left of uploads, and prepares the configured embedding space. */

import { deleteOrphanFiles } from "./content-store.ts";
import type { DocumentEngine } from "./document-engine.ts";
import { CHANGE_EMBEDDER, changeEmbedder, prepareSpaces, wantedSpace } from "./embedding/change-embedder.ts";
import { giveUpDocument, INGEST, ingestDocument } from "./ingest/ingest-document.ts";
import { REMOVE_REMAINS, removeRemains } from "./remove-remains.ts";

const MOST_ATTEMPTS = 3;
/** Two, so that a large document does not hold up a small one. */
const DOCUMENTS_AT_ONCE = 2;
const CHORE_ATTEMPTS = 100;

const handleJobs = (engine: DocumentEngine): void => {
  const { background, log } = engine;
  background.handle(INGEST, {
    concurrency: DOCUMENTS_AT_ONCE,
    // Extraction may take a minute without writing anything.
    leaseMs: 120_000,
    maxAttempts: MOST_ATTEMPTS,
    run: (job, context) => ingestDocument(engine, job, context),
    exhausted: (job) => giveUpDocument(engine, job),
  });
  const logGivenUp = async () => log.error("A chore of documents was given up", {});
  background.handle(REMOVE_REMAINS, {
    maxAttempts: CHORE_ATTEMPTS,
    run: (job, context) => removeRemains(engine, job, context),
    exhausted: logGivenUp,
  });
  background.handle(CHANGE_EMBEDDER, {
    maxAttempts: CHORE_ATTEMPTS,
    run: (job, context) => changeEmbedder(engine, job, context),
    exhausted: logGivenUp,
  });
};

/** Call it before `background.start()`. */
export const startDocuments = async (engine: DocumentEngine): Promise<void> => {
  const { db, clock, background, encoder } = engine;
  handleJobs(engine);
  await deleteOrphanFiles(db);
  await db.write((sql) => {
    const changing = prepareSpaces(sql, wantedSpace(engine), encoder.dimensions, clock.now());
    if (changing) background.enqueue(sql, { kind: CHANGE_EMBEDDER, projectId: null, payload: {} });
  });
};
