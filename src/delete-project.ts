/**
 * Deletes a project. Its keys are refused at once and its name is free; its calls, documents, sessions, files and whatever else it owned
 * are then deleted by a background job, in steps too small to be noticed.
 */

import { deleteSomeSpendingOfUsers, deleteSpendingOfDeletedKeys } from "./accounts/spending-store.ts";
import { deleteProjectRow, hasOtherProject } from "./accounts/store.ts";
import { conflict } from "./api-error.ts";
import type { JobHandler } from "./background/background.ts";
import { emptyWal } from "./database/empty-wal.ts";
import { inStepsUntilDrain } from "./database/in-steps.ts";
import { forgetDocuments } from "./documents/remove-document.ts";
import { forgetMediaOfProject } from "./files/forget-media.ts";
import type { Author } from "./history/author.ts";
import { deleteSomeAnswersOf } from "./http/idempotency/store.ts";
import { HOUR_MS, MINUTE_MS } from "./lib/clock.ts";
import { deleteCountersOf } from "./limits/store.ts";
import { forgetCalls } from "./logs/forget/apply-retention.ts";
import { forgetSessions } from "./memory/forget-memory.ts";
import type { Platform } from "./platform.ts";

const FORGET_PROJECT = "project.forget";
type Payload = { projectId: string; deletedAtMs: number };

/**
 * Throws 409 for the only project. A process that deletes a project need not be the one that serves the file: the job waits for that, or
 * for its next start.
 */
export const deleteProject = async (platform: Platform, by: Author, projectId: string): Promise<void> => {
  const { db, clock, accounts, background } = platform;
  await db.write((sql) => {
    if (!hasOtherProject(sql, projectId)) throw conflict("The only project cannot be deleted. Create another one first.");
    deleteProjectRow(sql, by, projectId);
    const payload: Payload = { projectId, deletedAtMs: clock.now() };
    background.enqueue(sql, { kind: FORGET_PROJECT, projectId: null, payload });
  });
  accounts.forget();
  background.wake();
};

/** Calls that were running when their project was deleted are recorded later, so the job looks once more after this time. */
const LAST_LOOK_MS = 30 * MINUTE_MS;
const MOST_ATTEMPTS = 100;

/** Register it before the background work starts. */
export const forgetDeletedProjects = (platform: Platform): void => {
  const handler: JobHandler = {
    leaseMs: HOUR_MS,
    maxAttempts: MOST_ATTEMPTS,
    run: async ({ payload }) => {
      const { projectId, deletedAtMs } = payload as Payload;
      await forgetProject(platform, projectId);
      // A drain ends the work early; it goes on after the next start.
      if (platform.draining) return { againInMs: MINUTE_MS };
      if (platform.clock.now() < deletedAtMs + LAST_LOOK_MS) return { againInMs: LAST_LOOK_MS };
    },
    exhausted: async ({ payload }) => platform.log.error("What a deleted project owned could not be deleted", payload),
  };
  platform.background.handle(FORGET_PROJECT, handler);
};

const forgetProject = async (platform: Platform, projectId: string): Promise<void> => {
  const { db, learning } = platform;
  await forgetCalls(platform, projectId);
  await forgetDocuments(platform, projectId);
  await forgetMediaOfProject(platform, projectId);
  await forgetSessions(platform, projectId);
  await inStepsUntilDrain(platform, () => deleteSomeAnswersOf(db, projectId));
  await deleteCountersOf(db, projectId);
  await inStepsUntilDrain(platform, () => deleteSomeSpendingOfUsers(db, projectId));
  await deleteSpendingOfDeletedKeys(db);
  for (const mode of ["live", "test"] as const) await learning.reset(null, projectId, mode);
  await emptyWal(platform);
};
