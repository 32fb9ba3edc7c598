/** Runs in a worker: reads, unpacks and formats exports over its own connection; the serving thread only passes bytes on. */

import type { Database as Connection } from "bun:sqlite";
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { openReadOnly } from "../../database/open-connection.ts";
import { createExportCursor } from "./export-cursor.ts";
import type { ExportReply, ExportRequest } from "./run-exports.ts";

declare const self: Worker;

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

let connection: Connection;
const cursors = new Map<number, () => Uint8Array | undefined>();

const answer = (request: ExportRequest): Uint8Array | undefined => {
  switch (request.do) {
    case "open":
      stepBack();
      connection = openReadOnly(request.path);
      return;
    case "start":
      cursors.set(request.cursor, createExportCursor(connection, request.order));
      return;
    case "next":
      return cursors.get(request.cursor)?.();
    case "end":
      cursors.delete(request.cursor);
      return;
    case "close":
      connection.close();
  }
};

self.onmessage = ({ data }: MessageEvent<ExportRequest>) => {
  const reply: ExportReply = { id: data.id };
  try {
    reply.bytes = answer(data);
  } catch (error) {
    reply.error = error instanceof Error ? error.message : String(error);
  }
  self.postMessage(reply, reply.bytes === undefined ? [] : [reply.bytes.buffer as ArrayBuffer]);
};
