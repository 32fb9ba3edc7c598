/**
 * Notices that the path of an open database names another file, or none: the folder was moved or deleted, or a backup put in its place while
 * the server ran. The open file is out of reach then: what is written to it is lost with the process, and a connection that is opened
 * anew would move the old write-ahead log into the other file, which spoils it.
 */

import { statSync } from "node:fs";

/** The code with which SQLite refuses to write to such a file where it notices it by itself, which with a write-ahead log it does not. */
const MOVED = "SQLITE_READONLY_DBMOVED";

/** Call it when the file was opened. The returned function throws from then on if it is no longer the file at `path`. */
export const keepToFile = (path: string): (() => void) => {
  const opened = inodeAt(path);
  return () => {
    if (inodeAt(path) === opened) return;
    throw Object.assign(
      new Error(`${path} was moved, replaced or deleted while it was in use. Put it back, or start the server again.`),
      { code: MOVED },
    );
  };
};

/** Undefined if there is no file that we can see. */
const inodeAt = (path: string): number | undefined => {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
};
