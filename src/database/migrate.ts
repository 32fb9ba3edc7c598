/** Brings a file to this program's schema: numbered SQL files, all in one transaction, with a copy made before. */

import type { Database as Connection } from "bun:sqlite";
import { placeFile } from "../lib/place-file.ts";
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
  if (current > 0) placeFile(`${path}.before-${latest}`, (partial) => connection.query("VACUUM INTO ?").run(partial));
  applyAll(connection);
};

/** All or none: halfway the file would be neither the earlier program's nor ours, and the next start would take that for what to copy. */
const applyAll = (connection: Connection): void => {
  connection.run("BEGIN IMMEDIATE");
  try {
    for (const { version, sql } of MIGRATIONS) {
      // Another process may have migrated between our look and our lock.
      if (userVersion(connection) >= version) continue;
      connection.run(sql);
      connection.run(`PRAGMA user_version = ${version}`);
    }
    connection.run("COMMIT");
  } catch (error) {
    // A disk that is full has ended it already.
    if (connection.inTransaction) connection.run("ROLLBACK");
    throw error;
  }
};

const userVersion = (connection: Connection): number =>
  (connection.query("PRAGMA user_version").get() as { user_version: number }).user_version;
