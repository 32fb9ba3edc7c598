/**
 * `signalbox backup` and `restore`: the whole state is one file. Neither changes what it copies, not even its schema; the history of a
 * restored file tells of that.
 */

import { Database } from "bun:sqlite";
import { existsSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { type Environment, readConfig } from "../../config/config.ts";
import { sqlOf } from "../../database/database.ts";
import { schemaVersion } from "../../database/migrate.ts";
import { MIGRATIONS } from "../../database/migrations/index.ts";
import { explained, findDamage, openOrExplain } from "../../database/unusable-file.ts";
import { type Author, byCommand } from "../../history/author.ts";
import { recordChange } from "../../history/store.ts";
import { systemClock } from "../../lib/clock.ts";
import { leaveToOwner } from "../../lib/leave-to-owner.ts";
import { makeFolderOf } from "../../lib/make-folder.ts";
import { placeFile, syncFolderOf } from "../../lib/place-file.ts";
import { keyFileOf } from "../../lib/seal.ts";
import { type Given, tell } from "../command.ts";
import { holdDatabase } from "../hold-database.ts";
import { requireDatabase } from "../with-database.ts";

/** Throws if there is nothing to copy, or the target exists. */
export const backup = async (given: Given, environment: Environment): Promise<number> => {
  const target = given.positionals[0]!;
  const { databasePath } = readConfig(environment, given.values);
  requireDatabase(databasePath);
  if (existsSync(target)) throw new Error(`${target} exists already; a backup never overwrites.`);
  copyWhole(databasePath, target);
  const bytes = Bun.file(target).size;
  const keyFile = keyFileOf(databasePath);
  const reminder = existsSync(keyFile) ? ` Keep the key file (${keyFile}) with it.` : "";
  return tell(given, { file: target, bytes }, `${target}: ${bytes} bytes.${reminder}`);
};

/** Throws if the server is running, the backup is damaged, or what an earlier restore set aside would be lost without `--force`. */
export const restore = async (given: Given, environment: Environment): Promise<number> => {
  const source = given.positionals[0]!;
  requireSound(source);
  const config = readConfig(environment, given.values);
  const { databasePath: target } = config;
  using _lock = holdDatabase(target);
  const kept = `${target}.replaced`;
  if (existsSync(target) && existsSync(kept) && !given.values.force)
    throw new Error(`${kept}, which an earlier restore kept, would be lost; --force gives it up.`);
  const arriving = `${target}.restoring`;
  try {
    copyWhole(source, arriving);
    recordRestore(arriving, byCommand(systemClock(config.clockOffsetMs).now()), basename(source));
    openOrExplain(target, () => {
      leaveToOwner(arriving, target);
      setAside(target);
      renameSync(arriving, target);
    });
  } finally {
    rmSync(arriving, { force: true });
  }
  syncFolderOf(target);
  return tell(given, { file: target, restored_from: source }, `${target} is restored from ${source}.`);
};

/** Copies the file including its write-ahead log. */
const copyWhole = (source: string, target: string): void => {
  makeFolderOf(target);
  placeFile(target, (partial) => {
    try {
      using database = new Database(source, { readonly: true });
      database.run("PRAGMA busy_timeout = 5000");
      // SQLite writes into an existing empty file and keeps its mode.
      database.query("VACUUM INTO ?").run(partial);
    } catch (error) {
      throw explained(isWriteError(error) ? target : source, error);
    }
  });
};

/** In the history of what is restored, so that a gap in it is explained. A backup with an earlier schema stays as it is. */
const recordRestore = (path: string, by: Author, name: string): void => {
  using database = new Database(path, { readwrite: true, create: false });
  if (schemaVersion(database) === LATEST_SCHEMA) recordChange(sqlOf(database), by, { action: "backup.restored", name });
};
const LATEST_SCHEMA = MIGRATIONS.at(-1)!.version;

/** Only the copy is written. */
const isWriteError = (error: unknown): boolean => /^SQLITE_(FULL|IOERR_WRITE)$/.test((error as { code?: string }).code ?? "");

/**
 * Renames the file to `….replaced`, and its write-ahead log with it: after a crash the log contains answered calls, and SQLite would apply
 * it to the new file. If an earlier restore was interrupted, the file was set aside then and stays as it is.
 */
const setAside = (path: string): void => {
  const isThere = existsSync(path);
  if (isThere) emptyLog(path);
  for (const suffix of ["", "-wal", "-shm"]) {
    if (isThere) rmSync(`${path}.replaced${suffix}`, { force: true });
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${path}.replaced${suffix}`);
  }
};

/** Moves the log's content into the file, so that a single rename sets everything aside. */
const emptyLog = (path: string): void => {
  try {
    using database = new Database(path, { readwrite: true, create: false });
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The file is damaged; its log is renamed after it.
  }
};

/** Throws unless the file is an intact Signalbox database of this version or an earlier one. */
const requireSound = (path: string): void => {
  if (!existsSync(path)) throw new Error(`${path} does not exist.`);
  let version: number;
  try {
    using database = new Database(path, { readonly: true });
    version = schemaVersion(database);
    const damage = findDamage(sqlOf(database));
    database.query("SELECT 1 FROM projects, api_keys, key_spend LIMIT 1").get();
    if (damage !== undefined) throw new Error(damage);
  } catch (error) {
    throw new Error(`${path} is not a sound Signalbox database: ${(error as Error).message}`);
  }
  if (version > LATEST_SCHEMA) throw new Error(`${path} was written by a later Signalbox (schema ${version}).`);
};
