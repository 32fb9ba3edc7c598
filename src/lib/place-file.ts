/** Writes files that get their name only when they are complete and synced, and that nobody else can read at any time. */

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Replaces the file at `path`. `fill` writes into the empty file it is given; if it throws, everything stays as it was. */
export const placeFile = (path: string, fill: (partial: string) => void): void => {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  try {
    // Refuses a file or link that somebody put there meanwhile.
    writeFileSync(partial, "", { mode: 0o600, flag: "wx" });
    fill(partial);
    sync(partial, "r+");
    renameSync(partial, path);
    syncFolderOf(path);
  } finally {
    rmSync(partial, { force: true });
  }
};

/** Syncs a folder, so that a new name in it survives a power cut. */
export const syncFolderOf = (path: string): void => {
  try {
    sync(dirname(path), "r");
  } catch {
    // Not every system can sync folders; those that cannot keep names by themselves.
  }
};

const sync = (path: string, flags: string): void => {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};
