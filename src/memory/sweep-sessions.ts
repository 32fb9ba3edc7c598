/** Deletes expired sessions. A drain ends it early. */
import { inSteps } from "../database/in-steps.ts";
import type { Platform } from "../platform.ts";
import { deleteSomeExpiredSessions } from "./store.ts";

export const sweepSessions = (platform: Platform): Promise<void> =>
  inSteps(
    platform.db,
    () => deleteSomeExpiredSessions(platform.db, platform.clock.now()),
    () => platform.draining,
  );
