/** Migrates a file to this program's schema: numbered SQL files, all in one transaction, after making a copy. */

import type { Database as Connection } from "bun:sqlite";
import { placeFile } from "../lib/place-file.ts";
import { MIGRATIONS } from "./migrations/index.ts";

export class NewerDatabaseError extends Error {}

/** Returns the copy's path if one was made. Throws NewerDatabaseError if the file was written by a later version of Signalbox. */
export const migrate = (connection: Connection, path: string): string | undefined => {
  const latest = MIGRATIONS.at(-1)!.version;
  const current = schemaVersion(connection);
  if (current > latest) {
    throw new NewerDatabaseError(
      `${path} has schema ${current}, this Signalbox knows up to ${latest}. Start the newer version, or restore an older backup.`,
    );
  }
  if (current === latest) return undefined;
  const copy = current > 0 ? `${path}.before-${latest}` : undefined;
  if (copy) placeFile(copy, (partial) => connection.query("VACUUM INTO ?").run(partial));
  try {
    applyAll(connection);
  } catch (error) {
    throw unlikeItsNumber(error) ? misfit(path, current, error as Error) : error;
  }
  return copy;
};

/** The tables are not those of the schema that the file says it has, so that the migration's SQL does not fit them. */
const unlikeItsNumber = (error: unknown): boolean => (error as { code?: string }).code === "SQLITE_ERROR";

const misfit = (path: string, current: number, { message }: Error): Error =>
  new Error(
    `The database ${path} cannot be used: its tables are not those of its schema ${current} (${message}). It stays as it was.`,
  );

/** All or none: a half-migrated file would fit neither version, and the next start would copy it as the backup. */
const applyAll = (connection: Connection): void => {
  connection.run("BEGIN IMMEDIATE");
  try {
    for (const { version, sql } of MIGRATIONS) {
      // Another process may have migrated before we got the lock.
      if (schemaVersion(connection) >= version) continue;
      connection.run(sql);
      connection.run(`PRAGMA user_version = ${version}`);
    }
    connection.run("COMMIT");
  } catch (error) {
    // A full disk has rolled it back already.
    if (connection.inTransaction) connection.run("ROLLBACK");
    throw error;
  }
};

/** 0 for an empty file. */
export const schemaVersion = (connection: Connection): number =>
  (connection.query("PRAGMA user_version").get() as { user_version: number }).user_version;
