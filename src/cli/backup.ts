/** `signalbox backup` and `restore`: the whole state is one file. */

import { Database } from "bun:sqlite";
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "../config/config.ts";
import type { Db } from "../database/database.ts";
import { MIGRATIONS } from "../database/migrations/index.ts";
import { configFor, printJson, readWords, UsageError } from "./command.ts";
import { holdDatabase } from "./hold-database.ts";
import { withDatabase } from "./with-database.ts";

export const backup = async (words: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = readWords(words, {}, 1);
  const [target] = positionals;
  if (target === undefined) throw new UsageError("Name the copy: backup FILE.");
  const config = configFor(environment, values);
  if (!existsSync(config.databasePath)) throw new Error(`There is no database at ${config.databasePath}.`);
  if (existsSync(target)) throw new Error(`${target} exists already; a backup never overwrites.`);
  mkdirSync(dirname(target), { recursive: true });
  await withDatabase(config, (db) => copyWhole(db, target));
  const bytes = Bun.file(target).size;
  if (values.json) printJson({ file: target, bytes });
  else
    process.stdout.write(`${target}: ${bytes} bytes. Keep the key file (${config.databasePath}.key) with it, if there is one.\n`);
  return 0;
};

/** Under its name only once it is whole. */
const copyWhole = async (db: Db, target: string): Promise<void> => {
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  try {
    await db.backup(partial);
    renameSync(partial, target);
  } finally {
    rmSync(partial, { force: true });
  }
};

export const restore = async (words: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = readWords(words, { force: { type: "boolean" } }, 1);
  const [source] = positionals;
  if (source === undefined) throw new UsageError("Name the backup: restore FILE.");
  requireSound(source);
  const config = configFor(environment, values);
  const target = config.databasePath;
  const release = holdDatabase(target);
  try {
    if (existsSync(target)) {
      if (!values.force) throw new Error(`${target} exists; --force replaces it (and keeps it as ${target}.replaced).`);
      renameSync(target, `${target}.replaced`);
    }
    // A log of the old database beside the new file would be played into it.
    for (const suffix of ["-wal", "-shm"]) rmSync(`${target}${suffix}`, { force: true });
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, `${target}.restoring`);
    chmodSync(`${target}.restoring`, 0o600);
    renameSync(`${target}.restoring`, target);
  } finally {
    release();
  }
  if (values.json) printJson({ file: target, restored_from: source });
  else process.stdout.write(`${target} is restored from ${source}.\n`);
  return 0;
};

/** Throws unless the file is a whole Signalbox database of this version or an earlier one. */
const requireSound = (path: string): void => {
  if (!existsSync(path)) throw new Error(`${path} does not exist.`);
  let version: number;
  try {
    const database = new Database(path, { readonly: true });
    version = (database.query("PRAGMA user_version").get() as { user_version: number }).user_version;
    const verdict = (database.query("PRAGMA integrity_check").get() as { integrity_check: string }).integrity_check;
    database.query("SELECT count(*) FROM projects").get();
    database.close();
    if (verdict !== "ok") throw new Error(verdict);
  } catch (error) {
    throw new Error(`${path} is not a sound Signalbox database: ${(error as Error).message}`);
  }
  if (version > MIGRATIONS.at(-1)!.version) throw new Error(`${path} was written by a later Signalbox (schema ${version}).`);
};
