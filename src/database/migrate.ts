/** Brings a file to this program's schema: numbered SQL files, each in one transaction, with a copy made before the first. */

import type { Database as Connection } from "bun:sqlite";
import { chmodSync, rmSync } from "node:fs";
import { MIGRATIONS } from "./migrations/index.ts";

export class NewerDatabaseError extends Error {}

/** Throws NewerDatabaseError when the file was written by a later version of Signalbox. */
export const migrate = (connection: Connection, path: string): void => {
  const latest = MIGRATIONS.at(-1)!.version;
  const current = userVersion(connection);
  if (current > latest) {
    throw new NewerDatabaseError(
      `${path} has schema ${current}, this Signalbox knows up to ${latest}. Start the newer version, or restore an older backup.`,
    );
  }
  if (current === latest) return;
  if (current > 0) copyBefore(connection, `${path}.before-${latest}`);
  for (const { version, sql } of MIGRATIONS) if (version > current) apply(connection, version, sql);
};

const apply = (connection: Connection, version: number, sql: string): void => {
  connection.run("BEGIN IMMEDIATE");
  try {
    // Another process may have migrated between our look and our lock.
    if (userVersion(connection) < version) {
      connection.run(sql);
      connection.run(`PRAGMA user_version = ${version}`);
    }
    connection.run("COMMIT");
  } catch (error) {
    connection.run("ROLLBACK");
    throw error;
  }
};

const copyBefore = (connection: Connection, target: string): void => {
  rmSync(target, { force: true });
  connection.query("VACUUM INTO ?").run(target);
  chmodSync(target, 0o600);
};

const userVersion = (connection: Connection): number =>
  (connection.query("PRAGMA user_version").get() as { user_version: number }).user_version;
