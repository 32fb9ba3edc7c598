/**
 * The first command to open a new file, or of a new version, migrates it: alone, and never under a server that still runs the old version.
 */

import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { schemaVersion } from "../database/migrate.ts";
import { MIGRATIONS } from "../database/migrations/index.ts";
import { openOrExplain } from "../database/unusable-file.ts";
import { HeldError, holdDatabase } from "./hold-database.ts";

const PATIENCE_MS = 5_000;

/**
 * The lock, if the file must be migrated. Another process may be doing it; waits for that, and throws HeldError if the lock is still taken
 * afterwards.
 */
export const holdForMigration = (databasePath: string, patienceMs = PATIENCE_MS): Disposable | undefined => {
  const deadline = performance.now() + patienceMs;
  while (schemaOf(databasePath) < MIGRATIONS.at(-1)!.version) {
    try {
      return holdDatabase(databasePath);
    } catch (error) {
      if (!(error instanceof HeldError) || performance.now() > deadline) throw error;
    }
  }
  return undefined;
};

/** 0 if there is no file yet. */
const schemaOf = (path: string): number =>
  existsSync(path)
    ? openOrExplain(path, () => {
        using database = new Database(path, { readonly: true });
        database.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
        return schemaVersion(database);
      })
    : 0;
