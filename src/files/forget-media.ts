/** Deletes media, and the jobs that make them, of users who are forgotten (decisions §10) and of deleted projects. */

import type { Platform } from "../platform.ts";
import { sweepFiles } from "./keep-file.ts";
import { endMediaOf } from "./store.ts";

export const forgetMedia = async (platform: Platform, projectId: string, userId: string): Promise<void> => {
  await endMediaOf(platform.db, projectId, userId);
  await sweepFiles(platform);
};

/** Deletes all files and video jobs of a deleted project. A drain ends it early. */
export const forgetMediaOfProject = async (platform: Platform, projectId: string): Promise<void> => {
  await endMediaOf(platform.db, projectId);
  await sweepFiles(platform, () => platform.draining);
};
