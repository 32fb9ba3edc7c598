/** Runs in a worker: reads, unpacks and formats exports over a connection of its own; the serving thread only passes bytes on. */

import type { Database as Connection } from "bun:sqlite";
import { openReadOnly } from "../../database/open-connection.ts";
import { createExportCursor } from "./export-cursor.ts";
import type { ExportReply, ExportRequest } from "./run-exports.ts";

declare const self: Worker;

let connection: Connection;
const cursors = new Map<number, () => Uint8Array | undefined>();

const answer = (request: ExportRequest): Uint8Array | undefined => {
  switch (request.do) {
    case "open":
      connection = openReadOnly(request.path);
      return;
    case "start":
      cursors.set(
        request.cursor,
        createExportCursor((sql, params) => connection.query(sql).all(...params) as any[], request.order),
      );
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
