/** A command that is the first of a new version to open a file brings it to its schema: never under a server that still runs the old one. */

import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { MIGRATIONS } from "../database/migrations/index.ts";
import { openOrExplain } from "../database/unusable-file.ts";
import { holdDatabase } from "./hold-database.ts";

/** Returns the release. Throws SettingError where a process serves the file and its schema is not ours. */
export const holdForMigration = (databasePath: string): (() => void) =>
  existsSync(databasePath) && schemaOf(databasePath) < MIGRATIONS.at(-1)!.version ? holdDatabase(databasePath) : () => {};

const schemaOf = (path: string): number =>
  openOrExplain(path, () => {
    const database = new Database(path, { readonly: true });
    try {
      return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version;
    } finally {
      database.close();
    }
  });
