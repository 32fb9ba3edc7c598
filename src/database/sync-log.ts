/** One sync of the write-ahead log, and what a failed sync requires of the next. */

import { fdatasync } from "node:fs";
import { promisify } from "node:util";
import { asSyncFailure } from "./unwritable.ts";

/**
 * After a failed sync the operating system may report as written what never reached the disk. A power cut would then end the log at that
 * place, whatever was synced behind it. So no sync succeeds any more until `emptyLog` has moved the whole log into the database file. If
 * that fails, or resolves to false because a reader still needs the log, the next sync tries it again.
 */
export const createLogSync = (
  file: number,
  emptyLog: () => Promise<boolean>,
  sync: (file: number) => Promise<void> = promisify(fdatasync),
): (() => Promise<void>) => {
  let hasFailed = false;
  return async () => {
    try {
      if (hasFailed && !(await emptyLog())) throw new Error("A reader still needs the write-ahead log.");
      await sync(file);
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      throw asSyncFailure(error as Error);
    }
  };
};
