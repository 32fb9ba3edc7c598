/** Runs in a reader's thread: answers its messages over a separate connection, so that no request waits for a scan. */

import { Database as Connection } from "bun:sqlite";
import { placeFile } from "../lib/place-file.ts";
import { answerQuestions } from "../lib/worker-thread.ts";
import { openReadOnly } from "./open-connection.ts";
import type { Value } from "./unit-sql.ts";

/** `path`: the database. */
type ToFile = { path: string };
/** Answers a question that SQL alone is slow at, reading from one snapshot. */
export type ReaderAnswerer = (connection: Connection, input: any) => unknown;

const answersOf = (answerers: Readonly<Record<string, ReaderAnswerer>>) => {
  let opened: Connection | undefined;
  const reading = (path: string): Connection => (opened ??= openReadOnly(path));
  return {
    scan: ({ path, sql, params }: ToFile & { sql: string; params: Value[] }): unknown[] =>
      reading(path)
        .query(sql)
        .all(...params),
    ask: ({ path, question, input }: ToFile & { question: string; input: unknown }): unknown => {
      const connection = reading(path);
      return atOneMoment(connection, () => answerers[question]!(connection, input));
    },
    checkpoint: ({ path }: ToFile): void => onWritable(path, moveLog),
    emptyWal: ({ path }: ToFile): boolean => onWritable(path, emptyWal),
    // SQLite counts a copy as a write.
    backup: ({ path, target }: ToFile & { target: string }): void =>
      onWritable(path, (writable) => placeFile(target, (partial) => writable.query("VACUUM INTO ?").run(partial))),
  };
};
export type ReaderAnswers = ReturnType<typeof answersOf>;

export const serveReader = (answerers: Readonly<Record<string, ReaderAnswerer>>): void => answerQuestions(answersOf(answerers));

const atOneMoment = <T>(connection: Connection, work: () => T): T => {
  connection.run("BEGIN");
  try {
    return work();
  } finally {
    connection.run("COMMIT");
  }
};

/** From this size on (in pages of 8 KB) it is worth blocking the writer for a moment so that the log starts over. */
const LONG_LOG_PAGES = 2_000;
/** Many short attempts, so that one meets a gap between two commits without making writers wait. */
const MOST_TRIES = 50;
const SHORT_WAIT_MS = 2;

/**
 * Checkpoints while others keep writing. Meanwhile the log only grows: it starts over once everything in it has been checkpointed at one
 * moment. So for a long log that no reader needs, the remainder is checkpointed while writes are blocked.
 */
const moveLog = (writable: Connection): void => {
  const move = (how: "PASSIVE" | "FULL") =>
    writable.query(`PRAGMA wal_checkpoint(${how})`).get() as { busy: number; log: number; checkpointed: number };
  // By the second pass little has been added, so the final step is short.
  for (let pass = 0; pass < 2; pass++) {
    const { log, checkpointed } = move("PASSIVE");
    if (log < LONG_LOG_PAGES || checkpointed < log) return;
  }
  writable.run(`PRAGMA busy_timeout = ${SHORT_WAIT_MS}`);
  for (let tries = 0; tries < MOST_TRIES; tries++) if (move("FULL").busy === 0) return;
};

/** Most is checkpointed while others write; only the rest, and the truncation, need the writer's lock for a moment. */
const emptyWal = (writable: Connection): boolean => {
  writable.run("PRAGMA wal_checkpoint(PASSIVE)");
  return (writable.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number }).busy === 0;
};

const onWritable = <T>(path: string, work: (writable: Connection) => T): T => {
  using writable = new Connection(path, { readwrite: true });
  writable.run("PRAGMA busy_timeout = 1000");
  return work(writable);
};
