/** Deletes what memory keeps of users who are forgotten (decisions §10) and of projects that are deleted. */
import type { Sql } from "../database/database.ts";
import type { Platform } from "../platform.ts";
import { deleteMessagesOfUser } from "./message-store.ts";
import { deleteSomeSessions } from "./store.ts";

/** Runs within the transaction that forgets the user. */
export const forgetMemory = (sql: Sql, projectId: string, userId: string): void => deleteMessagesOfUser(sql, projectId, userId);

const SESSIONS_AT_ONCE = 20;

/** Deletes all sessions of a deleted project. A drain ends it early. */
export const forgetSessions = async (platform: Platform, projectId: string): Promise<void> => {
  while (!platform.draining && (await deleteSomeSessions(platform.db, projectId, SESSIONS_AT_ONCE)) > 0);
};
