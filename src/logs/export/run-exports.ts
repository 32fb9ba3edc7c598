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
  /** Bytes as fast as they are read: a slow reader holds nothing but its place. Throws 429 when too many run at once. */
  start(order: ExportOrder): Promise<ReadableStream<Uint8Array>>;
};

const MOST_AT_ONCE = 8;

export const createExports = (databasePath: string): Exports => {
  let worker: ReturnType<typeof startWorker> | undefined;
  let running = 0;
  let nextCursor = 1;
  return {
    start: async (order) => {
      if (running >= MOST_AT_ONCE) {
        throw new ApiError("rate_limit_exceeded", `No more than ${MOST_AT_ONCE} exports may run at once.`, {
          retryAfterSeconds: 5,
        });
      }
      running++;
      worker ??= startWorker(databasePath);
      const { ask, stop } = worker;
      const cursor = nextCursor++;
      let ended = false;
      const end = async () => {
        if (ended) return;
        ended = true;
        running--;
        if (running === 0) {
          worker = undefined;
          await stop();
        } else await ask({ do: "end", cursor });
      };
      await ask({ do: "start", cursor, order });
      return new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            try {
              const bytes = await ask({ do: "next", cursor });
              if (bytes !== undefined) return controller.enqueue(bytes);
              await end();
              controller.close();
            } catch (error) {
              await end();
              controller.error(error);
            }
          },
          cancel: end,
        },
        { highWaterMark: 0 },
      );
    },
  };
};

const startWorker = (path: string) => {
  const worker = new Worker(workerUrl("logs/export/export-worker.ts"));
  const pending = new Map<number, { resolve: (bytes: Uint8Array | undefined) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  worker.onmessage = ({ data }: MessageEvent<ExportReply>) => {
    const waiter = pending.get(data.id);
    pending.delete(data.id);
    if (data.error === undefined) waiter?.resolve(data.bytes);
    else waiter?.reject(new Error(data.error));
  };
  worker.onerror = (event) => {
    for (const waiter of pending.values()) waiter.reject(new Error(`The export worker failed: ${event.message}`));
    pending.clear();
  };
  const ask = (message: Message): Promise<Uint8Array | undefined> =>
    new Promise((resolve, reject) => {
      const id = nextId++;
      pending.set(id, { resolve, reject });
      worker.postMessage({ ...message, id });
    });
  const opened = ask({ do: "open", path });
  return {
    ask: async (message: Message) => {
      await opened;
      return ask(message);
    },
    stop: async () => {
      await opened;
      await ask({ do: "close" });
      worker.terminate();
    },
  };
};
