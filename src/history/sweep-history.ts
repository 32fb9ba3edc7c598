/** Deletes what the history keeps no longer: the old, and of each kind of object what is beyond its share. */

import { inStepsUntilDrain } from "../database/in-steps.ts";
import { DAY_MS } from "../lib/clock.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";
import { KINDS } from "./change.ts";
import { deleteSomeChangesBefore, deleteSomeChangesOver } from "./store.ts";

export const sweepHistory = async (platform: Platform): Promise<void> => {
  const { db, clock } = platform;
  const beforeMs = clock.now() - BOUNDS.historyDays * DAY_MS;
  await inStepsUntilDrain(platform, () => deleteSomeChangesBefore(db, beforeMs));
  for (const kind of KINDS) await inStepsUntilDrain(platform, () => deleteSomeChangesOver(db, kind, BOUNDS.historyOfKind));
};
