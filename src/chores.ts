/** Regular chores, besides answering requests. */

import { sweepCopies } from "./dashboard/download-copy.ts";
import { forgetDeletedProjects } from "./delete-project.ts";
import { sweepFiles } from "./files/keep-file.ts";
import { deleteOldIdempotencyKeys } from "./http/idempotency/store.ts";
import { DAY_MS, MINUTE_MS, utcMonth } from "./lib/clock.ts";
import { deleteCountersBefore } from "./limits/store.ts";
import { startLogChores } from "./logs/log-chores.ts";
import { sweepSessions } from "./memory/sweep-sessions.ts";
import type { Platform } from "./platform.ts";
import { sweepVideos } from "./video/sweep-videos.ts";
import { refreshDiscovery } from "./watch-settings.ts";

/** Counts of past days and months limit nothing any more; the last month's are kept for looking into complaints. */
const COUNTS_KEPT_MS = 31 * DAY_MS;

/** Call it before the background work starts. */
export const startChores = (platform: Platform): void => {
  const { background } = platform;
  forgetDeletedProjects(platform);
  background.every(MINUTE_MS, "last use of keys", () => platform.accounts.flushLastUsed());
  startLogChores(platform);
  const sweep = (everyMs: number, name: string, work: () => Promise<void>) => {
    // Runs at once for what expired while the program was off.
    background.soon(name, work);
    background.every(everyMs, name, work);
  };
  sweep(MINUTE_MS, "expired files", () => sweepFiles(platform));
  sweep(60 * MINUTE_MS, "old video jobs", () => sweepVideos(platform));
  sweep(10 * MINUTE_MS, "expired memory", () => sweepSessions(platform));
  sweep(10 * MINUTE_MS, "idempotency keys", async () => {
    while ((await deleteOldIdempotencyKeys(platform.db, platform.clock.now())) > 0);
  });
  sweep(DAY_MS, "old counts", async () => {
    await deleteCountersBefore(platform.db, utcMonth(platform.clock.now() - COUNTS_KEPT_MS));
  });
  background.soon("abandoned copies", () => sweepCopies(platform));
  background.soon("local servers", () => refreshDiscovery(platform));
  background.every(MINUTE_MS, "local servers", () => refreshDiscovery(platform));
};
