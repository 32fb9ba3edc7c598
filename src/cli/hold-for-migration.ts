/**
 * A command that is the first to open a file, or the first of a new version, brings it to its schema: alone, and never under a server that
 * still runs the old one.
 */

import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { MIGRATIONS } from "../database/migrations/index.ts";
import { openOrExplain } from "../database/unusable-file.ts";
import { HeldError, holdDatabase } from "./hold-database.ts";

const PATIENCE_MS = 5_000;

/**
 * Returns the release. Whoever holds the file may be bringing it to this schema; waits for that, and throws HeldError where it is
 * not ours after all that time.
 */
export const holdForMigration = (databasePath: string, patienceMs = PATIENCE_MS): (() => void) => {
  const deadline = performance.now() + patienceMs;
  while (schemaOf(databasePath) < MIGRATIONS.at(-1)!.version) {
    try {
      return openOrExplain(databasePath, () => holdDatabase(databasePath));
    } catch (error) {
      if (!(error instanceof HeldError) || performance.now() > deadline) throw error;
    }
  }
  return () => {};
};

/** 0 where there is no file yet. */
const schemaOf = (path: string): number =>
  existsSync(path)
    ? openOrExplain(path, () => {
        const database = new Database(path, { readonly: true });
        try {
          database.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
          return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version;
        } finally {
          database.close();
        }
      })
    : 0;
