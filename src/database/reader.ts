/**
 * The serving thread's side of the reader workers: heavy reads, checkpoints and backups by message. The second worker starts
 * when the first is busy, so that a long scan or backup does not delay short reads.
 */

import { workerUrl } from "../lib/self.ts";
import type { Value } from "./unit-sql.ts";

export type ReaderRequest =
  | { id: number; do: "open"; path: string }
  | { id: number; do: "all"; sql: string; params: Value[] }
  | { id: number; do: "ask"; question: string; input: unknown }
  | { id: number; do: "checkpoint" }
  | { id: number; do: "empty-wal" }
  | { id: number; do: "backup"; path: string }
  | { id: number; do: "close" };
export type ReaderReply = { id: number; value?: unknown; error?: string };

export type ReaderWorker = {
  all<Row>(sql: string, params: Value[]): Promise<Row[]>;
  ask<Answer>(question: string, input: unknown): Promise<Answer>;
  checkpoint(): Promise<void>;
  emptyWal(): Promise<boolean>;
  backup(path: string): Promise<void>;
  stop(): Promise<void>;
};

type Message = ReaderRequest extends infer R ? (R extends { id: number } ? Omit<R, "id"> : never) : never;

const MOST_THREADS = 2;

/** `onFailure`: no thread is left, so another reader has to be started. */
export const startReader = (path: string, onFailure: () => void): ReaderWorker => {
  const threads: Thread[] = [];
  const start = (): Thread => {
    const thread = startThread(path, () => {
      threads.splice(threads.indexOf(thread), 1);
      if (threads.length === 0) onFailure();
    });
    threads.push(thread);
    return thread;
  };
  const idlest = (): Thread => {
    const least = threads.toSorted((a, b) => a.underWay() - b.underWay())[0];
    return least !== undefined && (least.underWay() === 0 || threads.length === MOST_THREADS) ? least : start();
  };
  return {
    all: (sql, params) => idlest().all(sql, params),
    ask: (question, input) => idlest().ask(question, input),
    checkpoint: () => idlest().checkpoint(),
    emptyWal: () => idlest().emptyWal(),
    backup: (target) => idlest().backup(target),
    stop: async () => {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
};

type Thread = ReaderWorker & { underWay(): number };

/** `onFailure`: the thread ended, and its pending requests were rejected. */
const startThread = (path: string, onFailure: () => void): Thread => {
  const worker = new Worker(workerUrl("reader-worker.ts"));
  const pending = new Map<number, { resolve: (value: any) => void; reject: (error: Error) => void }>();
  let next = 1;
  worker.onmessage = ({ data }: MessageEvent<ReaderReply>) => {
    const waiter = pending.get(data.id);
    pending.delete(data.id);
    if (pending.size === 0) (worker as any).unref?.();
    if (data.error !== undefined) waiter?.reject(new Error(data.error));
    else waiter?.resolve(data.value);
  };
  let failure: Error | undefined;
  worker.onerror = (event) => {
    failure = new Error(`The reader worker failed: ${event.message}`);
    for (const waiter of pending.values()) waiter.reject(failure);
    pending.clear();
    onFailure();
  };
  const ask = <T>(message: Message): Promise<T> =>
    new Promise((resolve, reject) => {
      if (failure !== undefined) return reject(failure);
      const id = next++;
      pending.set(id, { resolve, reject });
      (worker as any).ref?.();
      worker.postMessage({ ...message, id });
    });
  const opened = ask<void>({ do: "open", path });
  /** Includes requests that wait for the file to be opened. */
  let underWay = 0;
  const askOpened = async <T>(message: Message): Promise<T> => {
    underWay++;
    try {
      await opened;
      return await ask<T>(message);
    } finally {
      underWay--;
    }
  };

  return {
    underWay: () => underWay,
    all: (sql, params) => askOpened({ do: "all", sql, params }),
    ask: (question, input) => askOpened({ do: "ask", question, input }),
    checkpoint: () => askOpened({ do: "checkpoint" }),
    emptyWal: () => askOpened({ do: "empty-wal" }),
    backup: (target) => askOpened({ do: "backup", path: target }),
    stop: async () => {
      await opened;
      await ask({ do: "close" });
      worker.terminate();
    },
  };
};
