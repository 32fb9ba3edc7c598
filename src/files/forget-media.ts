/** Deletes media, and the jobs that make them, of users who are forgotten (decisions §10) and of deleted projects. */

import type { Platform } from "../platform.ts";
import { deleteSomeExpiredFiles, endMediaOf } from "./store.ts";

export const forgetMedia = async ({ db, clock }: Platform, projectId: string, userId: string): Promise<void> => {
  await endMediaOf(db, projectId, userId);
  while (await deleteSomeExpiredFiles(db, clock.now()));
};

/** Deletes all files and video jobs of a deleted project. A drain ends it early. */
export const forgetMediaOfProject = async (platform: Platform, projectId: string): Promise<void> => {
  await endMediaOf(platform.db, projectId);
  while (!platform.draining && (await deleteSomeExpiredFiles(platform.db, platform.clock.now())));
};
