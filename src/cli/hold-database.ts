/**
 * One process serves a file: it holds a lock of the operating system on a file beside it. The lock ends with the process, however
 * that ends, and is seen from other containers too; the file itself stays.
 */

import { Database } from "bun:sqlite";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { SettingError } from "../config/config.ts";

const PATIENCE_MS = 250;
/** Where SQLite's header keeps `user_version`. */
const VERSION_AT = 60;

/** Another process serves the file, or is bringing it to its schema. */
export class HeldError extends SettingError {}

/** Returns the release. Throws HeldError while another process has it, SettingError where there can be no lock. */
export const holdDatabase = (databasePath: string): (() => void) => {
  const path = `${databasePath}.lock`;
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, "a", 0o600));
  const lock = new Database(path, { create: true, readwrite: true });
  try {
    // SQLite takes the same locks on every system. Of several that start at once one gets it; the others let go in between.
    lock.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    // From here on the lock outlasts its transaction.
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
  return () => lock.close();
};

/**
 * The number may be that of another container's process. Read past the lock, which keeps SQLite itself out; for once it is refused only,
 * since a process that closes a file gives up all its locks on it.
 */
const holderOf = (path: string): number => {
  const header = readFileSync(path);
  return header.length > VERSION_AT ? header.readUInt32BE(VERSION_AT) : 0;
};
