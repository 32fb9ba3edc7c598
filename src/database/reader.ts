/**
 * The serving thread's side of the reader workers: heavy reads, checkpoints and backups. The second worker starts when the first is busy, so
 * that a long scan or backup does not delay short reads.
 */

import { workerUrl } from "../lib/self.ts";
import { createWorkerThread } from "../lib/worker-thread.ts";
import type { Value } from "./unit-sql.ts";

type Question =
  | { do: "all"; sql: string; params: Value[] }
  | { do: "ask"; question: string; input: unknown }
  | { do: "checkpoint" }
  | { do: "empty-wal" }
  | { do: "backup"; target: string };
/** `path`: the database. */
export type ReaderQuestion = Question & { path: string };

type Reader = {
  ask<Answer>(question: Question): Promise<Answer>;
  /** Resolves when what is under way has been answered and all connections are closed. */
  stop(): Promise<void>;
};

const MOST_THREADS = 2;

export const createReader = (path: string): Reader => {
  const threads = Array.from({ length: MOST_THREADS }, () => ({
    thread: createWorkerThread<ReaderQuestion, any>(workerUrl("reader-worker.ts")),
    underWay: new Set<Promise<unknown>>(),
  }));
  let isStopped = false;
  return {
    ask: async (question) => {
      if (isStopped) throw new Error("The database is closed.");
      const { thread, underWay } = threads.toSorted((a, b) => a.underWay.size - b.underWay.size)[0]!;
      const answer = thread.ask({ ...question, path });
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    stop: async () => {
      isStopped = true;
      await Promise.allSettled(threads.flatMap(({ underWay }) => [...underWay]));
      await Promise.all(threads.map(({ thread }) => thread.stop()));
    },
  };
};
