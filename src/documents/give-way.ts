/**
 * Bulk writing gives way: after so many bytes of the write-ahead log it waits until a worker has moved them into the file. A log that
 * grows faster than it is moved would in the end be moved by a commit on the serving thread, and every stream would wait for that.
 */
import type { Db } from "../database/database.ts";

/** Rough bytes of the log: what was about to be written. Resolves at once most of the time. */
export type GiveWay = (logBytes: number) => Promise<void>;

/** A third of what the log may grow to before a commit has to move it (database/open-connection.ts). */
const MOST_BYTES = 16_000_000;

/** What a chunk takes of the log, its text, terms and vector and their share of the index's merging (measured). */
export const LOG_BYTES_PER_CHUNK = 40_000;

export const createGiveWay = (db: Pick<Db, "checkpoint">): GiveWay => {
  let written = 0;
  let moving: Promise<void> | undefined;
  return async (logBytes) => {
    written += logBytes;
    if (written > MOST_BYTES && moving === undefined) {
      written = 0;
      // A log that cannot be moved now is moved later; a disk that is full shows in the commit itself.
      moving = db
        .checkpoint()
        .catch(() => {})
        .finally(() => {
          moving = undefined;
        });
    }
    // All bulk work waits together, so that the move meets a quiet log and finds its end.
    await moving;
  };
};
