/** Deletes what memory keeps of users who are forgotten (decisions §10) and of projects that are deleted. */
import type { Db, Sql } from "../database/database.ts";
import { deleteMessagesOfUser } from "./message-store.ts";
import { deleteSomeSessions } from "./store.ts";

/** Runs within the transaction that forgets the user. */
export const forgetMemory = (sql: Sql, projectId: string, userId: string): void => deleteMessagesOfUser(sql, projectId, userId);

const SESSIONS_AT_ONCE = 20;

/** Deletes all sessions of a project. */
export const forgetSessions = async (db: Db, projectId: string): Promise<void> => {
  while ((await deleteSomeSessions(db, projectId, SESSIONS_AT_ONCE)) > 0);
};
