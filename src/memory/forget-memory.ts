/** Deletes what memory keeps of forgotten users (decisions §10) and of deleted projects, and the sessions whose time is over. */
import type { Db } from "../database/database.ts";
import { inSteps, inStepsUntilDrain } from "../database/in-steps.ts";
import type { Platform } from "../platform.ts";
import { deleteSomeMessagesOfUser } from "./message-store.ts";
import { deleteSomeExpiredSessions, deleteSomeSessionsOf } from "./store.ts";

export const forgetMemory = (db: Db, projectId: string, userId: string): Promise<void> =>
  inSteps(db, () => deleteSomeMessagesOfUser(db, projectId, userId));

/** Of a deleted project. */
export const forgetSessions = (platform: Platform, projectId: string): Promise<void> =>
  inStepsUntilDrain(platform, () => deleteSomeSessionsOf(platform.db, projectId));

export const sweepSessions = (platform: Platform): Promise<void> =>
  inStepsUntilDrain(platform, () => deleteSomeExpiredSessions(platform.db, platform.clock.now()));
