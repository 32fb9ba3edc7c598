/** One sync of the write-ahead log, and what a failed sync requires of the next. */

import { fdatasync } from "node:fs";
import { asSyncFailure } from "./unwritable.ts";

type Done = (error?: Error | null) => void;

/**
 * After a failed sync the operating system may report as written what never reached the disk. A power cut would then end the log at that
 * place, whatever was synced behind it. So no sync succeeds any more until `emptyLog` has moved the whole log into the database file. If
 * that fails, or resolves to false because a reader still needs the log, the next sync tries it again.
 */
export const createLogSync = (
  file: number,
  emptyLog: () => Promise<boolean>,
  sync: typeof fdatasync = fdatasync,
): ((done: Done) => void) => {
  let hasFailed = false;
  const run = (done: Done): void =>
    sync(file, (error) => {
      hasFailed = Boolean(error);
      done(error && asSyncFailure(error));
    });
  return (done) => {
    if (!hasFailed) return run(done);
    emptyLog().then(
      (isEmpty) => (isEmpty ? run(done) : done(asSyncFailure(new Error("A reader still needs the write-ahead log.")))),
      (error) => done(asSyncFailure(error)),
    );
  };
};
