/** Deletes expired sessions. */
import { inSteps } from "../database/in-steps.ts";
import type { Platform } from "../platform.ts";
import { deleteSomeExpiredSessions } from "./store.ts";

export const sweepSessions = ({ db, clock }: Platform): Promise<void> =>
  inSteps(db, () => deleteSomeExpiredSessions(db, clock.now()));
