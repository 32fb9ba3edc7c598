/**
 * The SQLite file: one writing connection with group commit, and reader threads for heavy queries. A resolved write survives `kill -9` and
 * a power cut (decisions §10), as with `synchronous=FULL`, but the sync of the write-ahead log, which can take a hundred milliseconds, runs
 * on one of the runtime's own threads.
 */

import type { Database as Connection } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { syncFolderOf } from "../lib/place-file.ts";
import { createGroupCommit, LONGEST_BLOCK_MS } from "./group-commit.ts";
import { migrate } from "./migrate.ts";
import { openConnection } from "./open-connection.ts";
import { createReader } from "./reader.ts";
import type { Committed, Hook } from "./run-group.ts";
import { keepToFile } from "./same-file.ts";
import type { ReaderAnswerer } from "./serve-reader.ts";
import { shareSyncs } from "./share-syncs.ts";
import { createLogSync } from "./sync-log.ts";
import { type Sql, sqlOf, type Value } from "./unit-sql.ts";
import { openOrExplain } from "./unusable-file.ts";

export { type Sql, sqlOf, type Value } from "./unit-sql.ts";

export type Db = {
  path: string;
  /** The same, for a connection of one's own. Throws if the path no longer names the file that is served. */
  pathToOpen(): string;
  /** Short, indexed reads on the serving thread. */
  get<Row>(sql: string, ...params: Value[]): Row | undefined;
  all<Row>(sql: string, ...params: Value[]): Row[];
  /**
   * Joins the next group commit. Resolves once durable; a throw inside rolls back this work alone and rejects. If work of the same commit
   * throws, the transaction begins again: so `work` may run twice, and what it changes outside the file, it changes by `sql.afterCommit`.
   */
  write<T>(work: (sql: Sql) => T): Promise<T>;
  /**
   * The same for callers with something to do while the disk syncs: resolves once committed. Await `durable` before reporting it as
   * written.
   */
  commit<T>(work: (sql: Sql) => T): Promise<Committed<T>>;
  /** For counters that many requests change: the hook runs inside every group commit. */
  onCommit(hook: Hook): void;
  /** Heavy reads, in a worker with its own read-only connection. */
  scan<Row>(sql: string, params?: Value[]): Promise<Row[]>;
  /**
   * Asks one of the questions in src/reader-worker.ts in that worker: for queries that SQL alone is slow at. `Answerer` is the type of the
   * function that answers it.
   */
  ask<Answerer extends ReaderAnswerer>(question: string, input: Parameters<Answerer>[1]): Promise<ReturnType<Answerer>>;
  /** Changes whenever another process has written to the file: see `SEEN_WITHIN_MS`. */
  foreignVersion(): number;
  /** Writes a consistent copy of the file to `path`. */
  backup(path: string): Promise<void>;
  /** The size of the write-ahead log in bytes. */
  walBytes(): number;
  /** Checkpoints what can be checkpointed, on the reader's thread, without blocking anybody. */
  checkpoint(): Promise<void>;
  /** Checkpoints the whole log and truncates it, so that deleted text is in neither; false while a reader still needs it. */
  emptyWal(): Promise<boolean>;
  close(): Promise<void>;
};

/** Commands may write to a running server's file; the server relies on cached data for at most this long. */
export const SEEN_WITHIN_MS = 250;

type DatabaseOptions = {
  durability?: "full" | "normal";
  /** How long a write waits for another process that holds the file; 5 s by default. The serving thread is not blocked meanwhile. */
  patienceMs?: number;
  /** Called when a group commit fails as a whole (disk full, file locked). */
  onCommitFailure?: (error: unknown) => void;
  /** Called when an older file was migrated, with the path of the copy that was made before. */
  onMigrated?: (copy: string) => void;
};

const CHECKPOINT_EVERY_MS = 2_000;
const WORTH_A_CHECKPOINT_BYTES = 1 << 20;
const PATIENCE_MS = 5_000;
const AGAIN_MS = 10;

export const openDatabase = async (path: string, options: DatabaseOptions = {}): Promise<Db> => {
  const { durability = "full", patienceMs = PATIENCE_MS, onCommitFailure, onMigrated } = options;
  const connection = openOrExplain(path, () => {
    const opened = openConnection(path);
    const copy = migrate(opened, path);
    if (copy) onMigrated?.(copy);
    return opened;
  });
  // We sync the log after commits ourselves; SQLite still syncs for checkpoints.
  connection.run("PRAGMA synchronous = NORMAL");
  const logFile = openLog(path);
  const requireSameFile = keepToFile(path);
  const reader = createReader(path, requireSameFile);
  /** The end of a checkpoint blocks writers while the disk syncs, and a slow disk may take longer than their patience. */
  let checkpoints = 0;
  const counted = <T>(running: Promise<T>): Promise<T> => {
    checkpoints++;
    return running.finally(() => checkpoints--);
  };
  const checkpoint = () => counted(reader.checkpoint());
  const emptyWal = () => counted(reader.emptyWal());
  const log = shareSyncs(durability === "full" ? createLogSync(logFile, emptyWal) : async () => {});
  // From here on nothing may block the serving thread: a locked file is tried again later.
  connection.run(`PRAGMA busy_timeout = ${LONGEST_BLOCK_MS}`);
  const sql = sqlOf(connection);
  const isOwnHold = () => checkpoints > 0;
  const commits = createGroupCommit(connection, sql, log, {
    patienceMs,
    isOwnHold,
    requireSameFile,
    ...(onCommitFailure && { onFailure: onCommitFailure }),
  });
  const checkpointing = setInterval(() => {
    if (walBytes(path) > WORTH_A_CHECKPOINT_BYTES) void checkpoint().catch(onCommitFailure);
  }, CHECKPOINT_EVERY_MS);
  checkpointing.unref();

  return {
    path,
    pathToOpen: () => {
      requireSameFile();
      return path;
    },
    get: sql.get,
    all: sql.all,
    commit: commits.commit,
    write: async (work) => {
      const { value, durable } = await commits.commit(work);
      await durable;
      return value;
    },
    onCommit: commits.onCommit,
    scan: <Row>(text: string, params: Value[] = []) => reader.scan(text, params) as Promise<Row[]>,
    ask: <Answerer extends ReaderAnswerer>(question: string, input: Parameters<Answerer>[1]) =>
      reader.ask(question, input) as Promise<ReturnType<Answerer>>,
    foreignVersion: () => sql.get<{ data_version: number }>("PRAGMA data_version")!.data_version,
    backup: reader.backup,
    walBytes: () => walBytes(path),
    checkpoint,
    emptyWal,
    close: async () => {
      clearInterval(checkpointing);
      connection.run(`PRAGMA busy_timeout = ${patienceMs}`);
      try {
        await commits.drain();
      } finally {
        await reader.stop();
        try {
          await emptyLog(connection, patienceMs);
        } finally {
          closeSync(logFile);
          connection.close();
        }
      }
    },
  };
};

/** Moves the whole log into the database file. SQLite waits for readers, but not for another connection's checkpoint: it is tried again. */
const emptyLog = async (connection: Connection, patienceMs: number): Promise<void> => {
  const startedAt = performance.now();
  const isBusy = () => connection.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()!.busy !== 0;
  while (isBusy() && performance.now() - startedAt < patienceMs) await Bun.sleep(AGAIN_MS);
};

/** The write-ahead log exists as long as a connection does, and SQLite holds no lock on it that closing could release. */
const openLog = (path: string): number => {
  const file = openSync(`${path}-wal`, "r+");
  syncFolderOf(path);
  return file;
};

const walBytes = (path: string): number => Bun.file(`${path}-wal`).size;
