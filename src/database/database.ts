/**
 * The one SQLite file. All writes of the process go through `write`, which gathers what is waiting into one transaction
 * (group commit). A resolved write survives `kill -9` and a power cut (decisions §10): it is what `synchronous=FULL` does,
 * with the sync of the write-ahead log, which can take a hundred milliseconds, on a thread of the runtime's own.
 */

import { closeSync, fdatasync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { migrate } from "./migrate.ts";
import { openConnection } from "./open-connection.ts";
import { type ReaderWorker, startReader } from "./reader.ts";
import { runGroup, stepsOf, type Waiting } from "./run-group.ts";
import { shareSyncs } from "./share-syncs.ts";
import { type Sql, sqlOf, type Value } from "./unit-sql.ts";
import { openOrExplain } from "./unusable-file.ts";

export { type Sql, sqlOf, type Value } from "./unit-sql.ts";

export type Db = {
  path: string;
  /** Short, indexed reads on the serving thread. */
  get<Row>(sql: string, ...params: Value[]): Row | undefined;
  all<Row>(sql: string, ...params: Value[]): Row[];
  /**
   * Joins the next group commit. Resolves once durable; a throw inside rolls back this work alone and rejects. With `undo`, which takes
   * back what `work` did elsewhere than in the file, it may be done twice: that is cheaper, for units after it need no savepoint.
   */
  write<T>(work: (sql: Sql) => T, undo?: () => void): Promise<T>;
  /** Runs inside every group commit before it is sealed: for counters that many requests touch. */
  onCommit(hook: (sql: Sql) => void): void;
  /** Heavy reads, in a worker with its own read-only connection. */
  scan<Row>(sql: string, params?: Value[]): Promise<Row[]>;
  /** The same, in pieces of `size` rows: constant memory. */
  scanPages<Row>(sql: string, params: Value[], size: number): AsyncGenerator<Row[]>;
  /** A question of those in src/reader-worker.ts, answered in that worker: for what SQL alone is slow at. */
  ask<Answer>(question: string, input: unknown): Promise<Answer>;
  /** Changes whenever another process has written to the file. */
  foreignVersion(): number;
  /** A consistent copy of the file at `path`. */
  backup(path: string): Promise<void>;
  /** Bytes in the write-ahead log that are not yet in the file. */
  walBytes(): number;
  /** Moves what can be moved of the write-ahead log into the file, on the reader's thread; nobody waits for it. */
  checkpoint(): Promise<void>;
  /** Moves the whole log into the file and cuts it to nothing, so that deleted text is in neither; false while a reader still needs it. */
  emptyWal(): Promise<boolean>;
  close(): Promise<void>;
};

type DatabaseOptions = {
  durability?: "full" | "normal";
  /** How long a write waits for another process that holds the file; 5 s unless said. The serving thread does not wait with it. */
  patienceMs?: number;
  /** Called when a group commit fails as a whole (disk full, file locked). */
  onCommitFailure?: (error: unknown) => void;
};

/** No more than this many units of work share one transaction, so that one commit never holds the serving thread long. */
const LARGEST_GROUP = 64;
const LEAST_MS_BETWEEN_COMMITS = 5;
const CROWD = 3;
const CHECKPOINT_EVERY_MS = 2_000;
const PATIENCE_MS = 5_000;
const LONGEST_BLOCK_MS = 5;
const LOOK_AGAIN_MS = 10;

export const openDatabase = async (path: string, options: DatabaseOptions = {}): Promise<Db> => {
  const durability = options.durability ?? "full";
  const connection = openOrExplain(path, () => openConnection(path, durability));
  migrate(connection, path);
  // A commit leaves the sync of the log to us; what a checkpoint needs, SQLite goes on syncing itself.
  connection.run("PRAGMA synchronous = NORMAL");
  const logFile = openLog(path);
  const log = shareSyncs((done) => (durability === "full" ? fdatasync(logFile, done) : done()));
  // From here on nothing may hold up the serving thread: a file that is held is tried again later.
  connection.run(`PRAGMA busy_timeout = ${LONGEST_BLOCK_MS}`);
  let patienceMs = options.patienceMs ?? PATIENCE_MS;
  const sql = sqlOf(connection);
  const hooks: ((sql: Sql) => void)[] = [];
  const waiting: Waiting[] = [];
  const steps = stepsOf(connection);
  let scheduled = false;
  let committedAt = 0;
  /** The last commit carried several: more are likely to come together. */
  let isCrowded = false;
  let reader: ReaderWorker | undefined;
  const theReader = () => {
    reader ??= startReader(path, () => {
      reader = undefined;
    });
    return reader;
  };

  const refuse = (group: Waiting[], error: unknown) => {
    options.onCommitFailure?.(error);
    for (const item of group) item.reject(error);
  };
  /** False where another process holds the file: the group then waits for its next turn, or has waited long enough. */
  const begin = (group: Waiting[]): boolean => {
    try {
      steps.begin.run();
      return true;
    } catch (error) {
      if (isBusy(error) && performance.now() - group[0]!.since < patienceMs) {
        waiting.unshift(...group);
        scheduled = true;
        setTimeout(flush, LOOK_AGAIN_MS);
      } else refuse(group, error);
      return false;
    }
  };
  const flush = () => {
    scheduled = false;
    const group = waiting.splice(0, LARGEST_GROUP);
    if (group.length === 0 || !begin(group)) return;
    if (waiting.length > 0) schedule();
    let outcomes: (() => void)[];
    try {
      outcomes = runGroup(connection, steps, sql, group);
      sql.settle();
      sql.keep();
      for (const hook of hooks) hook(sql);
      steps.commit.run();
    } catch (error) {
      sql.forget();
      if (connection.inTransaction) connection.run("ROLLBACK");
      refuse(group, error);
      return;
    }
    committedAt = performance.now();
    isCrowded = group.length >= CROWD;
    void settleOnceDurable(group, outcomes);
  };
  const settleOnceDurable = async (group: Waiting[], outcomes: (() => void)[]) => {
    try {
      await log.sync();
      for (const settle of outcomes) settle();
    } catch (error) {
      refuse(group, error);
    }
    if (waiting.length > 0) schedule();
  };
  /** Writes that come one by one commit at once; where several come together, more share a commit and its fsync. */
  const schedule = () => {
    // The next sync waits for the one that runs: what comes meanwhile may as well share its commit.
    if (scheduled || (log.isBusy() && waiting.length < LARGEST_GROUP)) return;
    scheduled = true;
    const pause = committedAt + LEAST_MS_BETWEEN_COMMITS - performance.now();
    if (!isCrowded || pause <= 0 || waiting.length >= LARGEST_GROUP) setImmediate(flush);
    else setTimeout(flush, pause);
  };

  const checkpointing = setInterval(() => {
    if (walBytes(path) > 1 << 20) theReader().checkpoint();
  }, CHECKPOINT_EVERY_MS);
  checkpointing.unref();

  return {
    path,
    get: sql.get,
    all: sql.all,
    write: (work, undo) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, undo, since: performance.now(), resolve, reject });
        schedule();
      }),
    onCommit: (hook) => void hooks.push(hook),
    scan: (text, params = []) => theReader().all(text, params),
    scanPages: (text, params, size) => theReader().pages(text, params, size),
    ask: (question, input) => theReader().ask(question, input),
    foreignVersion: () => sql.get<{ data_version: number }>("PRAGMA data_version")!.data_version,
    backup: (target) => theReader().backup(target),
    walBytes: () => walBytes(path),
    checkpoint: () => theReader().checkpoint(),
    emptyWal: () => theReader().emptyWal(),
    close: async () => {
      clearInterval(checkpointing);
      connection.run(`PRAGMA busy_timeout = ${patienceMs}`);
      patienceMs = 0;
      while (waiting.length > 0) flush();
      await log.sync();
      await reader?.stop();
      try {
        connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
      } finally {
        closeSync(logFile);
        connection.close();
      }
    },
  };
};

/** The write-ahead log. It is there as long as a connection is, and no lock of SQLite's is on it that closing it could release. */
const openLog = (path: string): number => {
  const file = openSync(`${path}-wal`, "r+");
  try {
    // A log that was made anew must be found again after a power cut: its name is the folder's to keep.
    const folder = openSync(dirname(path), "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Not every system syncs folders; those that do not keep names by themselves.
  }
  return file;
};

const isBusy = (error: unknown): boolean => String((error as { code?: string }).code ?? "").startsWith("SQLITE_BUSY");

const walBytes = (path: string): number => {
  const file = Bun.file(`${path}-wal`);
  return file.size;
};
