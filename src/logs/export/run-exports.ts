/** The serving thread's side of the export worker: starts it for the first export, ends it after the last. */

import { ApiError } from "../../api-error.ts";
import { workerUrl } from "../../lib/self.ts";
import type { ExportOrder } from "./export-cursor.ts";

type Message =
  | { do: "open"; path: string }
  | { do: "start"; cursor: number; order: ExportOrder }
  | { do: "next"; cursor: number }
  | { do: "end"; cursor: number }
  | { do: "close" };
export type ExportRequest = Message & { id: number };
export type ExportReply = { id: number; bytes?: Uint8Array | undefined; error?: string };

export type Exports = {
  /** Streams bytes as fast as they are read; a slow reader blocks nothing else. Throws 429 if too many exports of a project run at once. */
  start(order: ExportOrder): Promise<ReadableStream<Uint8Array>>;
};

/** Per project, so that exports that nobody reads only block their own project. */
const MOST_AT_ONCE = 8;

export const createExports = (databasePath: string): Exports => {
  let worker: ExportWorker | undefined;
  const running = new Map<string, number>();
  let nextCursor = 1;

  const enter = (projectId: string): void => {
    const count = running.get(projectId) ?? 0;
    if (count >= MOST_AT_ONCE) {
      throw new ApiError("rate_limit_exceeded", `No more than ${MOST_AT_ONCE} exports may run at once.`, {
        retryAfterSeconds: 5,
      });
    }
    running.set(projectId, count + 1);
  };
  const leave = (projectId: string): void => {
    const left = running.get(projectId)! - 1;
    if (left > 0) running.set(projectId, left);
    else running.delete(projectId);
  };

  return {
    start: async (order) => {
      enter(order.projectId);
      worker ??= startWorker(databasePath);
      const mine = worker;
      const cursor = nextCursor++;
      let ended = false;
      const end = async () => {
        if (ended) return;
        ended = true;
        leave(order.projectId);
        if (running.size > 0 && !mine.hasFailed()) return void (await mine.ask({ do: "end", cursor }));
        if (worker === mine) worker = undefined;
        await mine.stop();
      };
      const orEnd = async <T>(work: Promise<T>): Promise<T> => {
        try {
          return await work;
        } catch (error) {
          await end();
          throw error;
        }
      };
      await orEnd(mine.ask({ do: "start", cursor, order }));
      return new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            const bytes = await orEnd(mine.ask({ do: "next", cursor }));
            if (bytes !== undefined) return controller.enqueue(bytes);
            await end();
            controller.close();
          },
          cancel: end,
        },
        { highWaterMark: 0 },
      );
    },
  };
};

type ExportWorker = {
  ask(message: Message): Promise<Uint8Array | undefined>;
  /** It could not open the file, or its thread ended: another one has to be started. */
  hasFailed(): boolean;
  stop(): Promise<void>;
};

const startWorker = (path: string): ExportWorker => {
  const worker = new Worker(workerUrl("logs/export/export-worker.ts"));
  const pending = new Map<number, { resolve: (bytes: Uint8Array | undefined) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  let failure: Error | undefined;
  worker.onmessage = ({ data }: MessageEvent<ExportReply>) => {
    const waiter = pending.get(data.id);
    pending.delete(data.id);
    if (data.error === undefined) waiter?.resolve(data.bytes);
    else waiter?.reject(new Error(data.error));
  };
  worker.onerror = (event) => {
    failure = new Error(`The export worker failed: ${event.message}`);
    for (const waiter of pending.values()) waiter.reject(failure);
    pending.clear();
  };
  const post = (message: Message): Promise<Uint8Array | undefined> =>
    new Promise((resolve, reject) => {
      if (failure !== undefined) return reject(failure);
      const id = nextId++;
      pending.set(id, { resolve, reject });
      worker.postMessage({ ...message, id });
    });
  const opened = post({ do: "open", path }).catch((error: Error) => {
    failure = error;
  });
  return {
    ask: async (message) => {
      await opened;
      return post(message);
    },
    hasFailed: () => failure !== undefined,
    stop: async () => {
      await opened;
      if (failure === undefined) await post({ do: "close" });
      worker.terminate();
    },
  };
};
