/** One sync of the write-ahead log, and what a failed one asks for. */

import { fdatasync } from "node:fs";
import { asSyncFailure } from "./unwritable.ts";

type Done = (error?: Error | null) => void;

/**
 * After a failure the system may take for written what never reached the disk, and after a power cut the log would end there, whatever
 * was synced behind it. So nothing more is vouched for until `beginAnew` has moved the log into the file; where it throws, that is
 * tried again with the next.
 */
export const createLogSync = (
  file: number,
  beginAnew: () => void,
  sync: typeof fdatasync = fdatasync,
): ((done: Done) => void) => {
  let hasFailed = false;
  return (done) => {
    try {
      if (hasFailed) beginAnew();
      hasFailed = false;
    } catch (error) {
      return done(error as Error);
    }
    sync(file, (error) => {
      hasFailed = Boolean(error);
      done(error && asSyncFailure(error));
    });
  };
};
