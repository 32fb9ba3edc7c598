/** At the start: registers the document jobs, cleans up what a crash left of uploads, and prepares the configured embedding space. */

import type { Platform } from "../platform.ts";
import { deleteOrphanFiles } from "./content-store.ts";
import { CHANGE_EMBEDDER, changeEmbedder, prepareSpaces, wantedSpace } from "./embedding/change-embedder.ts";
import { giveUpDocument, INGEST, ingestDocument } from "./ingest/ingest-document.ts";
import { REMOVE_REMAINS, removeRemains } from "./remove-document.ts";

const MOST_ATTEMPTS = 3;
/** Two, so that a large document does not hold up a small one. */
const DOCUMENTS_AT_ONCE = 2;
const CHORE_ATTEMPTS = 100;

const handleJobs = (platform: Platform): void => {
  const { background, log } = platform;
  background.handle(INGEST, {
    concurrency: DOCUMENTS_AT_ONCE,
    // Extraction may take a minute without writing anything.
    leaseMs: 120_000,
    maxAttempts: MOST_ATTEMPTS,
    run: (job, context) => ingestDocument(platform, job, context),
    exhausted: (job) => giveUpDocument(platform, job),
  });
  const logGivenUp = async () => log.error("A chore of documents was given up", {});
  background.handle(REMOVE_REMAINS, {
    maxAttempts: CHORE_ATTEMPTS,
    run: (job, context) => removeRemains(platform, job, context),
    exhausted: logGivenUp,
  });
  background.handle(CHANGE_EMBEDDER, {
    maxAttempts: CHORE_ATTEMPTS,
    run: (job, context) => changeEmbedder(platform, job, context),
    exhausted: logGivenUp,
  });
};

/** Call it before `background.start()`. */
export const startDocuments = async (platform: Platform): Promise<void> => {
  const { db, clock, background, encoder } = platform;
  handleJobs(platform);
  await deleteOrphanFiles(db);
  await db.write((sql) => {
    const changing = prepareSpaces(sql, wantedSpace(platform), encoder.dimensions, clock.now());
    if (changing) background.enqueue(sql, { kind: CHANGE_EMBEDDER, projectId: null, payload: {} });
  });
};
