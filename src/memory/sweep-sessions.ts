/** Deletes expired sessions, a batch at a time so that no commit is long. */
import { HOUR_MS } from "../lib/clock.ts";
import type { Platform } from "../platform.ts";
import { deleteExpiredSessions } from "./store.ts";

const BATCH = 50;
/** Longer than any call: a session opened before that without a turn belongs to a call that failed. */
const OPENED_MS = HOUR_MS;

export const sweepSessions = async (platform: Platform): Promise<void> => {
  const now = platform.clock.now();
  while ((await deleteExpiredSessions(platform.db, now, now - OPENED_MS, BATCH)) > 0);
};
