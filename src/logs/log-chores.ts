/** What the log does by itself: lets go of what is older than the project's tier keeps, in small batches, and gives the space back. */

import type { Project } from "../accounts/project.ts";
import { listProjects } from "../accounts/store.ts";
import { TIER_LIMITS } from "../limits/tiers.ts";
import type { Platform } from "../platform.ts";
import { deleteOldCalls, deleteOldSums, shrinkFile } from "./forget-store.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Between two batches: streams come first. */
const PAUSE_MS = 5;
/** Then the reader's worker moves the write-ahead log into the file: grown too long, the next commit would have to. */
const BATCHES_A_CHECKPOINT = 20;
/** The longest range a metric can ask for, and the one before it. */
const HOURLY_SUMS_KEPT_MS = 2 * 91 * DAY_MS;
const DAILY_SUMS_KEPT_MS = 3 * 366 * DAY_MS;

export const startLogChores = (platform: Platform): void => {
  platform.background.every(HOUR_MS, "log retention", () => applyRetention(platform));
  platform.background.soon("log retention", () => applyRetention(platform));
};

/** The project's own setting counts where it is shorter than the tier's. */
export const retentionDays = ({ tier, settings }: Project): number => {
  const byTier = TIER_LIMITS[tier].logRetentionDays;
  const wanted = settings.logRetentionDays;
  return wanted === undefined || wanted < 1 ? byTier : Math.min(wanted, byTier);
};

/** Returns how many calls went. */
export const applyRetention = async (platform: Platform): Promise<number> => {
  const now = platform.clock.now();
  let deleted = 0;
  for (const project of await listProjects(platform.db)) {
    const beforeMs = now - retentionDays(project) * DAY_MS;
    for (let batches = 1; ; batches++) {
      const count = await deleteOldCalls(platform.db, project.id, beforeMs);
      deleted += count;
      if (count === 0 || platform.draining) break;
      await (batches % BATCHES_A_CHECKPOINT === 0 ? platform.db.checkpoint() : Bun.sleep(PAUSE_MS));
    }
  }
  await deleteOldSums(platform.db, now - DAILY_SUMS_KEPT_MS, now - HOURLY_SUMS_KEPT_MS);
  while (!platform.draining && (await shrinkFile(platform.db))) await Bun.sleep(PAUSE_MS);
  if (deleted > 0) platform.log.info("Deleted calls whose time in the log is over", { calls: deleted });
  return deleted;
};
