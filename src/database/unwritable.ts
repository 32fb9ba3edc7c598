/** Errors of the database file that are an outage, not the caller's fault: disk full or failing, file locked or read-only. */

const UNWRITABLE = /^SQLITE_(FULL|BUSY|IOERR|READONLY|CANTOPEN)/;

export const isUnwritable = (error: unknown): boolean => UNWRITABLE.test((error as { code?: string } | null)?.code ?? "");

/** Gives the error of a sync that we made ourselves the code that SQLite uses for a failed sync. */
export const asSyncFailure = (error: Error): Error => Object.assign(error, { code: "SQLITE_IOERR_FSYNC" });
