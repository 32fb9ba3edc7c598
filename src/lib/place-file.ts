/** Files that are under their name only once they are whole and on the disk, and at no moment for others to read. */

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** In place of what is at `path`. `fill` writes into the empty file it is given; where that throws, all stays as it was. */
export const placeFile = (path: string, fill: (partial: string) => void): void => {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  try {
    writeFileSync(partial, "", { mode: 0o600 });
    fill(partial);
    sync(partial, "r+");
    renameSync(partial, path);
    syncFolderOf(path);
  } finally {
    rmSync(partial, { force: true });
  }
};

/** A name that is new must be found again after a power cut: it is the folder's to keep. */
export const syncFolderOf = (path: string): void => {
  try {
    sync(dirname(path), "r");
  } catch {
    // Not every system syncs folders; those that do not keep names by themselves.
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
