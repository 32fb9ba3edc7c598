/** Runs in a worker: reads, unpacks and formats exports over its own connection; the serving thread only passes bytes on. */

import type { Database as Connection } from "bun:sqlite";
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { openReadOnly } from "../../database/open-connection.ts";
import { answerQuestions } from "../../lib/worker-thread.ts";
import { createExportCursor } from "./export-cursor.ts";
import type { ExportQuestion } from "./run-exports.ts";

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

const answer = (question: ExportQuestion): Uint8Array | undefined => {
  switch (question.do) {
    case "start":
      connection ??= openReadOnly(question.path);
      cursors.set(question.cursor, createExportCursor(connection, question.order));
      return undefined;
    case "next": {
      const next = cursors.get(question.cursor);
      if (next === undefined) throw new Error("The export's worker was started anew.");
      return next();
    }
    case "end":
      cursors.delete(question.cursor);
      return undefined;
  }
};

stepBack();
answerQuestions(answer, (bytes) => (bytes === undefined ? [] : [bytes]));
