/** Opens the database for one command and closes it whatever happens. `now`: the program's time, in epoch milliseconds. */

import { existsSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { type Db, openDatabase } from "../database/database.ts";
import { whileOpen } from "../database/unusable-file.ts";
import { systemClock } from "../lib/clock.ts";
import { holdForMigration } from "./hold-for-migration.ts";

type Work<T> = (db: Db, now: number) => Promise<T>;

/** Throws if there is none: in the wrong folder, a new file would only say that nothing is there. */
export const withDatabase = <T>(config: Config, work: Work<T>): Promise<T> => {
  requireDatabase(config.databasePath);
  return withDatabaseOrNew(config, work);
};

/** Makes the file if there is none, for what may be done before the first start. */
export const withDatabaseOrNew = async <T>(config: Config, work: Work<T>): Promise<T> => {
  using _lock = holdForMigration(config.databasePath);
  const db = await openDatabase(config.databasePath, { durability: config.durability });
  try {
    return await whileOpen(db.path, () => work(db, systemClock(config.clockOffsetMs).now()));
  } finally {
    await db.close();
  }
};

export const requireDatabase = (path: string): void => {
  if (!existsSync(path)) throw new Error(noDatabase(path));
};

/** Whether there is something to list. If not, people are told why on stderr, and programs read an empty list. */
export const hasDatabase = ({ databasePath }: Config): boolean => {
  const isThere = existsSync(databasePath);
  if (!isThere) process.stderr.write(`signalbox: ${noDatabase(databasePath)}\n`);
  return isThere;
};

const noDatabase = (path: string): string => `There is no database at ${path}; name the server's with --db or SIGNALBOX_DB.`;
