/** Deletes media, and the jobs that make them, of users who are forgotten (decisions §10) and of deleted projects. */

import type { Db, Sql } from "../database/database.ts";
import { deleteMediaOfUser, deleteSomeMediaOfProject } from "./store.ts";

/** Runs within the transaction that forgets the user. */
export const forgetMedia = (sql: Sql, projectId: string, userId: string): void => deleteMediaOfUser(sql, projectId, userId);

const FILES_AT_ONCE = 5;

export const forgetMediaOfProject = async (db: Db, projectId: string): Promise<void> => {
  while ((await deleteSomeMediaOfProject(db, projectId, FILES_AT_ONCE)) > 0);
};
