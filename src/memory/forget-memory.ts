/** Deletes what memory keeps of users who are forgotten (decisions §10) and of projects that are deleted. */
import type { Db } from "../database/database.ts";
import { inSteps } from "../database/in-steps.ts";
import type { Platform } from "../platform.ts";
import { deleteSomeMessagesOfUser } from "./message-store.ts";
import { deleteSomeSessionsOf } from "./store.ts";

export const forgetMemory = (db: Db, projectId: string, userId: string): Promise<void> =>
  inSteps(db, () => deleteSomeMessagesOfUser(db, projectId, userId));

/** Deletes all sessions of a deleted project. A drain ends it early. */
export const forgetSessions = (platform: Platform, projectId: string): Promise<void> =>
  inSteps(
    platform.db,
    () => deleteSomeSessionsOf(platform.db, projectId),
    () => platform.draining,
  );
