/** Deletes what memory keeps of users who are forgotten (decisions §10) and of projects that are deleted, a few sessions at a time. */
import type { Db } from "../database/database.ts";
import type { Platform } from "../platform.ts";
import { deleteSomeMessagesOfUser } from "./message-store.ts";
import { deleteSomeSessionsOf } from "./store.ts";

export const forgetMemory = async (db: Db, projectId: string, userId: string): Promise<void> => {
  while (await deleteSomeMessagesOfUser(db, projectId, userId));
};

/** Deletes all sessions of a deleted project. A drain ends it early. */
export const forgetSessions = async (platform: Platform, projectId: string): Promise<void> => {
  while (!platform.draining && (await deleteSomeSessionsOf(platform.db, projectId)));
};
