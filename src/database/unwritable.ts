/** Disk full or failing, file held by another process, read-only: an outage that passes, and no mistake of whoever wanted to write. */

const UNWRITABLE = /^SQLITE_(FULL|BUSY|IOERR|READONLY|CANTOPEN)/;

export const isUnwritable = (error: unknown): boolean => UNWRITABLE.test((error as { code?: string } | null)?.code ?? "");

/** A failed sync of our own, by the name that it has in SQLite. */
export const asSyncFailure = (error: Error): Error => Object.assign(error, { code: "SQLITE_IOERR_FSYNC" });
