/** Opens the database for one command and closes it whatever happens. */

import type { Config } from "../config/config.ts";
import { type Db, openDatabase } from "../database/database.ts";
import { holdForMigration } from "./hold-for-migration.ts";

export const withDatabase = async <T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> => {
  const release = holdForMigration(config.databasePath);
  try {
    const db = await openDatabase(config.databasePath, { durability: config.durability });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  } finally {
    release();
  }
};
