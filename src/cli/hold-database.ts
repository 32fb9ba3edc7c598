/**
 * Only one process serves a file: it holds a lock of the operating system on another file beside it. The lock ends with the process,
 * however that ends, and is visible to other containers; the lock file stays.
 */

import { Database } from "bun:sqlite";
import { closeSync, openSync, readFileSync } from "node:fs";
import { SettingError } from "../config/config.ts";
import { openOrExplain } from "../database/unusable-file.ts";
import { makeFolderOf } from "../lib/make-folder.ts";

const PATIENCE_MS = 250;
/** Where SQLite's header keeps `user_version`. */
const VERSION_AT = 60;

/** Another process serves the file, or is migrating it. */
export class HeldError extends SettingError {}

/** The lock, which leaving the scope of a `using` releases. Throws HeldError while another process has it, SettingError if locking is impossible. */
export const holdDatabase = (databasePath: string): Disposable => {
  const path = `${databasePath}.lock`;
  const lock = openOrExplain(databasePath, () => {
    makeFolderOf(path);
    closeSync(openSync(path, "a", 0o600));
    return new Database(path, { create: true, readwrite: true });
  });
  try {
    // Uses SQLite's own locks, which work alike on every system. Of several processes that start at once, one gets it.
    lock.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    // From here on the lock outlives its transaction.
    lock.run("PRAGMA locking_mode = EXCLUSIVE");
    lock.run(`PRAGMA user_version = ${process.pid}`);
    lock.run("COMMIT");
  } catch (error) {
    lock.close();
    const { code, message } = error as { code?: string; message: string };
    if (code === "SQLITE_BUSY")
      throw new HeldError(
        `${databasePath} is served by process ${holderOf(path)} already. Stop it, or name another file with --db.`,
      );
    throw new SettingError(
      `The lock ${path} cannot be taken: ${message}.${code === "SQLITE_NOTADB" ? " Delete it if no Signalbox serves the database." : ""}`,
    );
  }
  return { [Symbol.dispose]: () => lock.close() };
};

/**
 * The number may belong to a process in another container. Read directly, because the lock keeps SQLite out; and only when refused, because
 * closing a file releases all of a process's locks on it.
 */
const holderOf = (path: string): number => {
  const header = readFileSync(path);
  return header.length > VERSION_AT ? header.readUInt32BE(VERSION_AT) : 0;
};
