/** Deletes media, and the jobs that make them, of users who are forgotten (decisions §10) and of deleted projects. */

import type { Sql } from "../database/database.ts";
import type { Platform } from "../platform.ts";
import { deleteMediaOfUser, deleteSomeMediaOfProject } from "./store.ts";

/** Runs within the transaction that forgets the user. */
export const forgetMedia = (sql: Sql, projectId: string, userId: string): void => deleteMediaOfUser(sql, projectId, userId);

const FILES_AT_ONCE = 5;

/** Deletes all files and video jobs of a deleted project. A drain ends it early. */
export const forgetMediaOfProject = async (platform: Platform, projectId: string): Promise<void> => {
  while (!platform.draining && (await deleteSomeMediaOfProject(platform.db, projectId, FILES_AT_ONCE)) > 0);
};
