/** The serving thread's side of the ingest worker. What is large is transferred to it, not copied, and is empty here from then on. */
import type { Db } from "../../database/database.ts";
import { workerUrl } from "../../lib/self.ts";
import { createWorkerThread } from "../../lib/worker-thread.ts";
import type { ChildOutput } from "../extract/run-extract-child.ts";
import type { UploadBody } from "../upload/read-upload.ts";
import type { IngestAnswers } from "./ingest-worker.ts";

export type IngestThread = ReturnType<typeof createIngestThread>;

export const createIngestThread = (pathToOpen: Db["pathToOpen"]) => {
  const thread = createWorkerThread<IngestAnswers>(workerUrl("documents/ingest/ingest-worker.ts"));
  return {
    parseUpload: (body: UploadBody) => thread.ask("upload", body, [body.bytes]),
    /** Decodes a text file in parts. */
    decode: (parts: readonly Uint8Array[]) => thread.ask("decode", parts, parts),
    /** Parses the output of the extracting child. */
    readPdf: (said: ChildOutput) => thread.ask("readPdf", said, "output" in said ? said.output : []),
    /** The document's chunks from `firstIndex` on, at most `size`; the same each time. */
    batch: async (documentNumber: number, firstIndex: number, size: number, withVectors: boolean) =>
      thread.ask("batch", { path: pathToOpen(), documentNumber, firstIndex, size, withVectors }),
    /** Packed vectors of the local encoder. */
    embed: (texts: string[]) => thread.ask("embed", texts),
    stop: thread.stop,
  };
};
