/** A file that cannot be opened as a database, reported in one line that names it and says why. */

import type { Database } from "bun:sqlite";
import { asThisUser } from "../lib/this-user.ts";
import type { Sql } from "./unit-sql.ts";
import { isUnwritable } from "./unwritable.ts";

class UnusableFileError extends Error {}

const REASONS: Record<string, string> = {
  SQLITE_NOTADB: "it is not a SQLite database",
  SQLITE_CORRUPT: "it is damaged; restore a backup",
  SQLITE_BUSY: "another program holds it locked",
  SQLITE_READONLY: "it may not be written",
  SQLITE_READONLY_DIRECTORY: `its folder may not be written${asThisUser}`,
  SQLITE_CANTOPEN: `it cannot be created or read there${asThisUser}`,
  SQLITE_CANTOPEN_ISDIR: "it is a folder",
  SQLITE_IOERR_READ: "it is a folder, or the disk cannot be read",
  SQLITE_FULL: "the disk is full",
  EACCES: `its folder may not be written${asThisUser}`,
  EROFS: "its folder may not be written",
  EBUSY: "it is mounted by itself; mount its folder instead, where the write-ahead log lies as well",
  ENOENT: "its folder cannot be made",
  ENOTDIR: "its folder is a file",
  EEXIST: "its folder is a file",
};

/** Runs `open`; what SQLite or the file system refuse is thrown as UnusableFileError. */
export const openOrExplain = <T>(path: string, open: () => T): T => {
  try {
    return open();
  } catch (error) {
    throw explained(path, error);
  }
};

/** The same for work on a file that is open: it may fail for reasons of its own, which stay as they are. */
export const whileOpen = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw isUnwritable(error) ? explained(path, error) : error;
  }
};

/** What SQLite or the file system refused as UnusableFileError; any other error as it is. */
export const explained = (path: string, error: unknown): unknown => {
  const code = (error as { code?: string }).code ?? "";
  const reason =
    REASONS[code] ?? (code.startsWith("SQLITE_IOERR") ? "the disk is full, or cannot be read or written" : undefined);
  return reason === undefined ? error : new UnusableFileError(`The database ${path} cannot be used: ${reason}.`);
};

/** What is wrong with the file's content, in one line; undefined if it is intact. Reads the whole file. */
export const findDamage = (sql: Pick<Sql, "get">): string | undefined => {
  const { integrity_check: verdict } = sql.get<{ integrity_check: string }>("PRAGMA integrity_check(1)")!;
  return verdict === "ok" ? undefined : verdict.replace(/^\*{3}.*\*{3}\n/, "").split("\n")[0];
};

/** Tables that every version of our schema has. */
const OURS = ["projects", "api_keys", "key_spend"];

/** Throws if the file is another program's database; nothing is written to it. A replicator's tables do not count (`_litestream_seq`). */
export const refuseForeign = (database: Database, path: string): void => {
  const tables = database
    .query(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND substr(name, 1, 1) <> '_'",
    )
    .values()
    .flat();
  if (tables.length > 0 && !OURS.every((table) => tables.includes(table)))
    throw new UnusableFileError(`The database ${path} cannot be used: it belongs to another program.`);
};
