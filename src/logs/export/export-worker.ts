/** Runs in a worker: reads, unpacks and formats exports over its own connection; the serving thread only passes bytes on. */

import type { Database as Connection } from "bun:sqlite";
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { openReadOnly } from "../../database/open-connection.ts";
import { answerQuestions } from "../../lib/worker-thread.ts";
import { createExportCursor, type ExportOrder } from "./export-cursor.ts";

const BEHIND_THE_OTHERS = 5;

/** An export may use a whole core, so its thread gets a lower priority than the serving thread. Only Linux has priorities of threads. */
const stepBack = (): void => {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), BEHIND_THE_OTHERS);
  } catch {
    // Without /proc it keeps its priority.
  }
};

let connection: Connection | undefined;
const cursors = new Map<number, () => Uint8Array | undefined>();

const answers = {
  start: ({ cursor, path, order }: { cursor: number; path: string; order: ExportOrder }): undefined => {
    connection ??= openReadOnly(path);
    cursors.set(cursor, createExportCursor(connection, order));
  },
  next: (cursor: number): Uint8Array | undefined => {
    const next = cursors.get(cursor);
    if (next === undefined) throw new Error("The export's worker was started anew.");
    return next();
  },
  end: (cursor: number): undefined => void cursors.delete(cursor),
};
export type ExportAnswers = typeof answers;

stepBack();
answerQuestions(answers, (bytes) => (bytes === undefined ? [] : [bytes]));
