/** Deletes calls and sums that are older than the project keeps, in small batches, and returns the space. */

import type { Project } from "../../accounts/project.ts";
import { listProjects } from "../../accounts/store.ts";
import { inSteps } from "../../database/in-steps.ts";
import { DAY_MS } from "../../lib/clock.ts";
import { TIER_LIMITS, TIERS } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import { callsBefore, deleteCalls, deleteOldSums, shrinkFile } from "./forget-store.ts";

/** Pause between two batches, so that streams come first. */
const PAUSE_MS = 5;
/** How long one batch may block the serving thread. */
const HOLD_MS = 4;
/** Calls in the first batch, few because each touches a separate page of the users' index. */
export const FIRST_BATCH = 50;
const SMALLEST_BATCH = 5;
const LARGEST_BATCH = 200;
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

/** The size of the next batch, after one of `size` blocked the serving thread for `heldMs`: slow or busy machines get smaller batches. */
export const batchAfter = (size: number, heldMs: number): number => {
  const fitting = (size * HOLD_MS) / Math.max(heldMs, 0.1);
  return Math.round(Math.min(LARGEST_BATCH, 2 * size, Math.max(SMALLEST_BATCH, fitting)));
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

const deleteSumsBefore = async (
  platform: Platform,
  projectId: string,
  logBeforeMs: number,
  metricsBeforeMs: number,
): Promise<void> => {
  const someOldSums = () => deleteOldSums(platform.db, projectId, logBeforeMs, metricsBeforeMs);
  while (!platform.draining && (await someOldSums())) await Bun.sleep(PAUSE_MS);
};

const deleteCallsBefore = async (platform: Platform, projectId: string, beforeMs: number): Promise<number> => {
  const { db } = platform;
  let deleted = 0;
  let size = FIRST_BATCH;
  const deleteSome = async (): Promise<boolean> => {
    const calls = callsBefore(db, projectId, beforeMs, size);
    if (calls.length === 0) return false;
    const batch = await deleteCalls(db, calls);
    deleted += batch.deleted;
    size = batchAfter(size, batch.heldMs);
    await Bun.sleep(PAUSE_MS);
    return true;
  };
  await inSteps(db, deleteSome, () => platform.draining);
  return deleted;
};
