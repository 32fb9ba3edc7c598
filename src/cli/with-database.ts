/** Opens the database for one command and closes it whatever happens. `now`: the program's time, in epoch milliseconds. */

import type { Config } from "../config/config.ts";
import { type Db, openDatabase } from "../database/database.ts";
import { systemClock } from "../lib/clock.ts";
import { holdForMigration } from "./hold-for-migration.ts";

export const withDatabase = async <T>(config: Config, work: (db: Db, now: number) => Promise<T>): Promise<T> => {
  using _lock = holdForMigration(config.databasePath);
  const db = await openDatabase(config.databasePath, { durability: config.durability });
  try {
    return await work(db, systemClock(config.clockOffsetMs).now());
  } finally {
    await db.close();
  }
};
