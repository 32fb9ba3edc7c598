/** The serving thread's side of the export worker, which runs from the first export to the last. */

import { ApiError } from "../../api-error.ts";
import type { Db } from "../../database/database.ts";
import { workerUrl } from "../../lib/self.ts";
import { createWorkerThread } from "../../lib/worker-thread.ts";
import { createSlots } from "../../limits/slots.ts";
import type { ExportOrder } from "./export-cursor.ts";
import type { ExportAnswers } from "./export-worker.ts";

export type Exports = {
  /** Streams bytes as fast as they are read; a slow reader blocks nothing else. Throws 429 if too many exports of a project run at once. */
  start(order: ExportOrder): Promise<ReadableStream<Uint8Array>>;
};

/** Per project, so that exports that nobody reads only block their own project. */
const MOST_AT_ONCE = 8;

export const createExports = (pathToOpen: Db["pathToOpen"]): Exports => {
  const worker = createWorkerThread<ExportAnswers>(workerUrl("logs/export/export-worker.ts"));
  const running = createSlots();
  let nextCursor = 1;

  return {
    start: async (order) => {
      const { projectId } = order.filter;
      const path = pathToOpen();
      if (running.taken(projectId) >= MOST_AT_ONCE) {
        throw new ApiError("rate_limit_exceeded", `No more than ${MOST_AT_ONCE} exports may run at once.`, {
          retryAfterSeconds: 5,
        });
      }
      const leave = running.take(projectId);
      const cursor = nextCursor++;
      let ended = false;
      const end = (): void => {
        if (ended) return;
        ended = true;
        leave();
        if (running.takenByAll("") === 0) void worker.stop();
        else void worker.ask("end", cursor).catch(() => {});
      };
      const orEnd = <T>(answer: Promise<T>): Promise<T> =>
        answer.catch((error) => {
          end();
          throw error;
        });
      await orEnd(worker.ask("start", { cursor, path, order }));
      return new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            let bytes: Uint8Array | undefined;
            do bytes = await orEnd(worker.ask("next", cursor));
            while (bytes?.byteLength === 0 && !ended);
            if (bytes !== undefined) return controller.enqueue(bytes);
            end();
            controller.close();
          },
          cancel: end,
        },
        { highWaterMark: 0 },
      );
    },
  };
};
