/**
 * Notices that the path of an open database names another file, or none: the folder was moved or deleted, or a backup put in its place while
 * the server ran. The open file is out of reach then: what is written to it is lost with the process, and a connection that is opened
 * anew would move the old write-ahead log into the other file, which spoils it.
 */

import { statSync } from "node:fs";
import { resolve } from "node:path";

/** The code with which SQLite refuses to write to such a file where it notices it by itself, which with a write-ahead log it does not. */
const MOVED = "SQLITE_READONLY_DBMOVED";

/**
 * Call it when the file and its write-ahead log were opened. The returned function throws from then on if either is no longer the one at its
 * path. The log has the same name for as long as anybody has the file open: SQLite empties it, and deletes it at the end only.
 */
export const keepToFile = (path: string): (() => void) => {
  // The program may be in another folder later.
  const opened = [path, `${path}-wal`].map((name) => ({ file: resolve(name), inode: inodeAt(name) }));
  return () => {
    for (const { file, inode } of opened) {
      if (inodeAt(file) !== inode) throw Object.assign(new Error(`${file} ${ADVICE}`), { code: MOVED });
    }
  };
};
const ADVICE = "was moved, replaced or deleted while it was in use. Put it back, or start the server again.";

/** Undefined if there is no file that we can see. */
const inodeAt = (path: string): number | undefined => {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
};
