/** Opens the file with the settings that its durability and speed rest on, and loads the vector extension where it can be. */

import { Database as Connection } from "bun:sqlite";
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { MOST_STATEMENTS } from "./unit-sql.ts";
import { refuseForeign } from "./unusable-file.ts";
import { loadVectorExtension } from "./vector-extension.ts";

// Bun keeps 20 compiled statements per connection by default; the program has some hundreds, and compiling one again costs more than running it.
Connection.MAX_QUERY_CACHE_SIZE = MOST_STATEMENTS;

export const openConnection = (path: string, durability: "full" | "normal"): Connection => {
  mkdirSync(dirname(path), { recursive: true });
  const isNew = isAbsentOrEmpty(path);
  const connection = new Connection(path, { create: true, readwrite: true });
  if (isNew) {
    chmodSync(path, 0o600);
    // Both are fixed by the first table: pages of this size suit small commits and long scans alike; incremental vacuum lets retention give space back.
    connection.run("PRAGMA page_size = 8192");
    connection.run("PRAGMA auto_vacuum = INCREMENTAL");
  }
  connection.run("PRAGMA busy_timeout = 5000");
  refuseForeign(connection, path);
  connection.run("PRAGMA journal_mode = WAL");
  connection.run(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA cache_size = -65536");
  // What is deleted is overwritten (safety-notes T21). FAST would leave copies in pages that become free, also of what stood beside it: a user who is
  // forgotten later would be found in them.
  connection.run("PRAGMA secure_delete = ON");
  // The reader's worker moves the log into the file, so that no request waits for it; this is the safety net, at 49 MB.
  connection.run("PRAGMA wal_autocheckpoint = 6000");
  loadVectorExtension(connection, dirname(path));
  return connection;
};

/** Empty: where a first start was killed as soon as it had the file, or somebody made one for us. */
const isAbsentOrEmpty = (path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || (found.isFile() && found.size === 0);
};

export const openReadOnly = (path: string): Connection => {
  const connection = new Connection(path, { readwrite: true, create: false });
  connection.run("PRAGMA busy_timeout = 5000");
  connection.run("PRAGMA query_only = ON");
  // Two readers hold one each; every commit of the writer empties it, so a larger one would hardly be of use.
  connection.run("PRAGMA cache_size = -16384");
  loadVectorExtension(connection, dirname(path));
  return connection;
};
