/** Deletes calls and sums that are older than the project keeps, in small batches, and returns the space. */

import type { Project } from "../../accounts/project.ts";
import { listProjects } from "../../accounts/store.ts";
import { inStepsUntilDrain } from "../../database/in-steps.ts";
import { DAY_MS } from "../../lib/clock.ts";
import { TIER_LIMITS, TIERS } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import { deleteInBatches } from "./delete-in-batches.ts";
import { callsBefore, deleteOldSums, shrinkFile } from "./forget-store.ts";

/** Pause between two batches, so that streams come first. */
const PAUSE_MS = 5;
/** The longest range of a metric, and the period before it for comparison. */
const METRICS_KEPT_MS = 2 * 91 * DAY_MS;
/** A year longer than any tier keeps its calls, because summaries of the log use daily sums. */
const SUMS_OF_LOG_KEPT_MS = (366 + Math.max(...TIERS.map((tier) => TIER_LIMITS[tier].logRetentionDays))) * DAY_MS;

/** The project's own setting applies if it is shorter than the tier's. */
export const retentionDays = ({ tier, settings }: Project): number => {
  const byTier = TIER_LIMITS[tier].logRetentionDays;
  const wanted = settings.logRetentionDays;
  return wanted === undefined || wanted < 1 ? byTier : Math.min(wanted, byTier);
};

/** Returns the number of deleted calls. */
export const applyRetention = async (platform: Platform): Promise<number> => {
  const now = platform.clock.now();
  let deleted = 0;
  for (const project of await listProjects(platform.db)) {
    deleted += await deleteCallsBefore(platform, project.id, now - retentionDays(project) * DAY_MS);
    await deleteSumsBefore(platform, project.id, now - SUMS_OF_LOG_KEPT_MS, now - METRICS_KEPT_MS);
  }
  while (!platform.draining && (await shrinkFile(platform.db))) await Bun.sleep(PAUSE_MS);
  if (deleted > 0) platform.log.info("Deleted calls whose time in the log is over", { calls: deleted });
  return deleted;
};

/** Deletes all calls of a deleted project and their sums. A drain ends it early. */
export const forgetCalls = async (platform: Platform, projectId: string): Promise<void> => {
  await deleteCallsBefore(platform, projectId, Number.MAX_SAFE_INTEGER);
  await deleteSumsBefore(platform, projectId, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
};

const deleteSumsBefore = (platform: Platform, projectId: string, logBeforeMs: number, metricsBeforeMs: number): Promise<void> =>
  inStepsUntilDrain(platform, () => deleteOldSums(platform.db, projectId, logBeforeMs, metricsBeforeMs));

const deleteCallsBefore = (platform: Platform, projectId: string, beforeMs: number): Promise<number> =>
  deleteInBatches(platform.db, {
    find: (most) => callsBefore(platform.db, projectId, beforeMs, most),
    before: () => Bun.sleep(PAUSE_MS),
    isOver: () => platform.draining,
  });
