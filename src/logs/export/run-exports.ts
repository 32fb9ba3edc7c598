/** The serving thread's side of the export worker, which runs from the first export to the last. */

import { ApiError } from "../../api-error.ts";
import type { Db } from "../../database/database.ts";
import { workerUrl } from "../../lib/self.ts";
import { createWorkerThread } from "../../lib/worker-thread.ts";
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
  /** The number of exports by project. */
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
      const { projectId } = order.filter;
      const path = pathToOpen();
      enter(projectId);
      const cursor = nextCursor++;
      let ended = false;
      const end = (): void => {
        if (ended) return;
        ended = true;
        leave(projectId);
        if (running.size === 0) void worker.stop();
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
