/** Opens the file with the settings for durability and speed, and loads the vector extension if possible. */

import { Database as Connection } from "bun:sqlite";
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolderOf } from "../lib/make-folder.ts";
import { MOST_STATEMENTS } from "./unit-sql.ts";
import { refuseForeign } from "./unusable-file.ts";
import { loadVectorExtension } from "./vector-extension.ts";

// Bun caches 20 compiled statements per connection by default; the program has some hundreds, and compiling one again costs more than
// running it.
Connection.MAX_QUERY_CACHE_SIZE = MOST_STATEMENTS;

export const openConnection = (path: string): Connection => {
  makeFolderOf(path);
  const isNew = isAbsentOrEmpty(path);
  // Made closed: SQLite would make it readable, and who opens it before its mode changes goes on reading.
  if (isNew) closeSync(openSync(path, "a", 0o600));
  const connection = new Connection(path, { create: true, readwrite: true });
  if (isNew) {
    chmodSync(path, 0o600);
    // Both are fixed once a table exists: pages of this size suit small commits and long scans; incremental vacuum returns space after
    // deletions.
    connection.run("PRAGMA page_size = 8192");
    connection.run("PRAGMA auto_vacuum = INCREMENTAL");
  }
  connection.run("PRAGMA busy_timeout = 5000");
  refuseForeign(connection, path);
  connection.run("PRAGMA journal_mode = WAL");
  connection.run("PRAGMA synchronous = FULL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA cache_size = -65536");
  // Deleted data is overwritten (safety-notes T21). FAST would leave copies in freed pages, also of neighbouring data, in which a user
  // forgotten later would still be found.
  connection.run("PRAGMA secure_delete = ON");
  // The reader's worker checkpoints, so that no request waits for it; this is the safety net, at 49 MB.
  connection.run("PRAGMA wal_autocheckpoint = 6000");
  loadVectorExtension(connection, dirname(path));
  return connection;
};

/** Empty if a first start was killed right after creating it, or somebody created it for us. */
const isAbsentOrEmpty = (path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || (found.isFile() && found.size === 0);
};

export const openReadOnly = (path: string): Connection => {
  const connection = new Connection(path, { readwrite: true, create: false });
  connection.run("PRAGMA busy_timeout = 5000");
  connection.run("PRAGMA query_only = ON");
  // Each of two readers has one; every commit of the writer invalidates it, so a larger one would hardly help.
  connection.run("PRAGMA cache_size = -16384");
  loadVectorExtension(connection, dirname(path));
  return connection;
};
