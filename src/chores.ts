/** Regular chores, besides answering requests. */

import { deletingUserSpendingBefore } from "./accounts/spending-store.ts";
import { sweepCopies } from "./dashboard/download-copy.ts";
import { inStepsUntilDrain } from "./database/in-steps.ts";
import { forgetDeletedProjects } from "./delete-project.ts";
import { sweepFiles } from "./files/keep-file.ts";
import { sweepHistory } from "./history/sweep-history.ts";
import { deleteSomeOldAnswers } from "./http/idempotency/store.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, utcDay, utcMonth } from "./lib/clock.ts";
import { deleteCountersBefore } from "./limits/store.ts";
import { startLogChores } from "./logs/log-chores.ts";
import { sweepSessions } from "./memory/forget-memory.ts";
import type { Platform } from "./platform.ts";
import { takeBackup } from "./take-backups.ts";
import { sweepVideos } from "./video/sweep-videos.ts";
import { refreshDiscovery } from "./watch-settings.ts";

/** Counts of past days and months limit nothing any more; the last month's are kept for looking into complaints. */
const COUNTS_KEPT_MS = 31 * DAY_MS;

/** Call it before the background work starts. */
export const startChores = (platform: Platform): void => {
  const { background, db, clock } = platform;
  forgetDeletedProjects(platform);
  startLogChores(platform);
  background.every(MINUTE_MS, "last use of keys", () => platform.accounts.flushLastUsed());
  background.soon("abandoned copies", () => sweepCopies(platform));
  background.every(10 * MINUTE_MS, "backup", () => takeBackup(platform));
  background.every(MINUTE_MS, "local servers", () => refreshDiscovery(platform));
  background.every(MINUTE_MS, "expired files", () => sweepFiles(platform, () => platform.draining));
  background.every(HOUR_MS, "old video jobs", () => sweepVideos(platform));
  background.every(10 * MINUTE_MS, "expired memory", () => sweepSessions(platform));
  background.every(10 * MINUTE_MS, "idempotency keys", () =>
    inStepsUntilDrain(platform, () => deleteSomeOldAnswers(db, clock.now())),
  );
  background.every(DAY_MS, "old history", () => sweepHistory(platform));
  background.every(DAY_MS, "old counts", () => deleteCountersBefore(db, utcMonth(clock.now() - COUNTS_KEPT_MS)));
  background.every(DAY_MS, "old spending of users", () =>
    inStepsUntilDrain(platform, deletingUserSpendingBefore(db, utcDay(clock.now() - COUNTS_KEPT_MS))),
  );
};
