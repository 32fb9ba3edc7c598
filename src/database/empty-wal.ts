/** What is deleted stays in the write-ahead log until that is emptied. */

import type { Platform } from "../platform.ts";

const TRIES = 20;
const PAUSE_MS = 50;

/** Call it after deleting texts. A heavy read may hold an old snapshot for a moment. */
export const emptyWal = async ({ db, log }: Platform): Promise<void> => {
  for (let tried = 0; tried < TRIES; tried++) {
    if (await db.emptyWal()) return;
    await Bun.sleep(PAUSE_MS);
  }
  log.warn("A reader kept the write-ahead log from being emptied; it still holds what was deleted until the next checkpoint");
};
