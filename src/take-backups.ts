/** Backups at regular times, where the settings ask for them: the newest are kept in a folder. */

import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { Platform } from "./platform.ts";

type Backup = { file: string; atMs: number };
/** What is still being written, or was when the process was killed, has this behind its name (`lib/place-file.ts`). */
const PARTIAL = ".partial";

/** `signalbox-2026-11-23T03-00-00.db`: UTC, in a form that every file system takes. */
const nameOf = (stem: string, atMs: number): string =>
  `${stem}-${new Date(atMs).toISOString().slice(0, 19).replaceAll(":", "-")}.db`;

const stemOf = (databasePath: string): string => basename(databasePath, extname(databasePath));

/** Of this database, oldest first; other files of the folder are none of ours. */
const backupsIn = (folder: string, stem: string, ending = ""): Backup[] =>
  readdirSync(folder)
    .flatMap((name): Backup[] => {
      const [, day, time] = /(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)\.db/.exec(name) ?? [];
      const atMs = Date.parse(`${day}T${time?.replaceAll("-", ":")}Z`);
      return Number.isNaN(atMs) || name !== nameOf(stem, atMs) + ending ? [] : [{ file: join(folder, name), atMs }];
    })
    .sort((one, other) => one.atMs - other.atMs);

/** When the newest was made; undefined if there is none. */
export const newestBackup = (folder: string, databasePath: string): number | undefined =>
  existsSync(folder) ? backupsIn(folder, stemOf(databasePath)).at(-1)?.atMs : undefined;

/**
 * Makes one if there is none of this turn yet. Turns go by the clock, a day's begins at midnight UTC, so that restarts neither skip nor repeat
 * any. Deletes the oldest ones only after that.
 */
export const takeBackup = async ({ config, db, clock, log }: Platform): Promise<void> => {
  if (config.backups === undefined) return;
  const { folder, everyMs, keep } = config.backups;
  const now = clock.now();
  const stem = stemOf(db.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const turnOf = (atMs: number): number => Math.floor(atMs / everyMs);
  if (backupsIn(folder, stem).some(({ atMs }) => turnOf(atMs) === turnOf(now))) return;
  for (const abandoned of backupsIn(folder, stem, PARTIAL)) await rm(abandoned.file);
  const file = join(folder, nameOf(stem, now));
  await db.backup(file);
  log.info("A backup was made", { file });
  for (const old of backupsIn(folder, stem).slice(0, -keep)) await rm(old.file);
};
