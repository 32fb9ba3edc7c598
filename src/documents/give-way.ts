/**
 * Throttles bulk writes: after this many bytes of write-ahead log they wait until a worker has checkpointed it. A log that grows faster
 * than that would in the end be checkpointed by a commit on the serving thread, and stall every stream.
 */
import type { Db } from "../database/database.ts";

/** `logBytes`: roughly what is about to be written. Usually resolves at once. */
export type GiveWay = (logBytes: number) => Promise<void>;

/** A third of what the log may grow to before a commit has to move it (database/open-connection.ts). */
const MOST_BYTES = 16_000_000;

/** Log bytes of a chunk: its text, terms and vector, and their share of the index's merging (measured). */
export const LOG_BYTES_PER_CHUNK = 40_000;

export const createGiveWay = (db: Pick<Db, "checkpoint">): GiveWay => {
  let written = 0;
  let moving: Promise<void> | undefined;
  return async (logBytes) => {
    written += logBytes;
    if (written > MOST_BYTES && moving === undefined) {
      written = 0;
      // A failed checkpoint is retried later; a full disk shows in the commit itself.
      moving = db
        .checkpoint()
        .catch(() => {})
        .finally(() => {
          moving = undefined;
        });
    }
    // All bulk work waits together, so that the checkpoint meets a quiet log and finishes.
    await moving;
  };
};
