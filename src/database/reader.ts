/**
 * The serving thread's side of the reader workers: heavy reads, checkpoints and backups. The second worker starts when the first is busy, so
 * that a long scan or backup does not delay short reads.
 */

import { workerUrl } from "../lib/self.ts";
import { createWorkerThread, type WorkerThread } from "../lib/worker-thread.ts";
import type { ReaderAnswers } from "./serve-reader.ts";
import type { Value } from "./unit-sql.ts";

const MOST_THREADS = 2;

/** `requireSameFile` throws if `path` no longer names the file that is served. */
export const createReader = (path: string, requireSameFile: () => void) => {
  const threads = Array.from({ length: MOST_THREADS }, () => ({
    thread: createWorkerThread<ReaderAnswers>(workerUrl("reader-worker.ts")),
    underWay: new Set<Promise<unknown>>(),
  }));
  let isStopped = false;
  const onIdler = async <T>(ask: (thread: WorkerThread<ReaderAnswers>) => Promise<T>): Promise<T> => {
    if (isStopped) throw new Error("The database is closed.");
    requireSameFile();
    const { thread, underWay } = threads.toSorted((a, b) => a.underWay.size - b.underWay.size)[0]!;
    const answer = ask(thread);
    underWay.add(answer);
    try {
      return await answer;
    } finally {
      underWay.delete(answer);
    }
  };
  return {
    scan: (sql: string, params: Value[]) => onIdler((thread) => thread.ask("scan", { path, sql, params })),
    ask: (question: string, input: unknown) => onIdler((thread) => thread.ask("ask", { path, question, input })),
    checkpoint: () => onIdler((thread) => thread.ask("checkpoint", { path })),
    emptyWal: () => onIdler((thread) => thread.ask("emptyWal", { path })),
    backup: (target: string) => onIdler((thread) => thread.ask("backup", { path, target })),
    /** Resolves when what is under way has been answered and all connections are closed. */
    stop: async (): Promise<void> => {
      isStopped = true;
      await Promise.allSettled(threads.flatMap(({ underWay }) => [...underWay]));
      await Promise.all(threads.map(({ thread }) => thread.stop()));
    },
  };
};
