/** Deletes expired sessions, a few at a time. */
import { HOUR_MS } from "../lib/clock.ts";
import type { Platform } from "../platform.ts";
import { deleteSomeExpiredSessions } from "./store.ts";

/** Longer than any call: a session opened before that without a turn belongs to a call that failed. */
const OPENED_MS = HOUR_MS;

export const sweepSessions = async (platform: Platform): Promise<void> => {
  const now = platform.clock.now();
  while (await deleteSomeExpiredSessions(platform.db, now, now - OPENED_MS));
};
