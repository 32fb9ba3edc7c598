/** Deletes ended video jobs after the retention of the project's log, since their prompts are no different from those of other calls. */

import { listProjects } from "../accounts/store.ts";
import { DAY_MS } from "../lib/clock.ts";
import { retentionDays } from "../logs/forget/apply-retention.ts";
import type { Platform } from "../platform.ts";
import { deleteOldVideoJobs } from "./store.ts";

export const sweepVideos = async (platform: Platform): Promise<void> => {
  for (const project of await listProjects(platform.db)) {
    await deleteOldVideoJobs(platform.db, project.id, platform.clock.now() - retentionDays(project) * DAY_MS);
  }
};
