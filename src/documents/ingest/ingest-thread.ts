/** The serving thread's side of the ingest worker. */
import type { ApiError } from "../../api-error.ts";
import { workerUrl } from "../../lib/self.ts";
import { createWorkerThread } from "../../lib/worker-thread.ts";
import type { ChildOutput } from "../extract/run-extract-child.ts";
import type { ChunkRow } from "../index/store.ts";
import type { Upload, UploadBody } from "../upload/read-upload.ts";

export type IngestQuestion =
  | { do: "upload"; body: UploadBody }
  | { do: "decode"; parts: readonly Uint8Array[] }
  | { do: "pdf"; said: ChildOutput }
  | { do: "batch"; path: string; documentNumber: number; firstIndex: number; size: number; embed: boolean }
  | { do: "embed"; texts: string[] };

/** Text as it is stored: all of it as UTF-8, with the position of each page. */
export type PackedText = {
  text: Uint8Array;
  pages: { page: number; from: number; to: number }[];
  pageCount: number;
  characterCount: number;
};
/** The text, or why there is none. */
export type TextAnswer = PackedText | { message: string };
/** `vectors` as pack-vectors.ts makes them, of the local encoder. */
export type BatchAnswer = { chunkCount: number; rows: ChunkRow[]; vectors?: Uint8Array };
/** The upload, or the error for the caller. */
export type UploadAnswer = Upload | { refused: Pick<ApiError, "type" | "message" | "options"> };
export type IngestAnswer = UploadAnswer | TextAnswer | BatchAnswer | Uint8Array;

export type IngestThread = {
  /** The body's bytes are transferred, not copied. */
  parseUpload(body: UploadBody): Promise<UploadAnswer>;
  /** Decodes a text file in parts, which are transferred. */
  decode(parts: readonly Uint8Array[]): Promise<TextAnswer>;
  /** Parses the output of the extracting child, which is transferred. */
  readPdf(said: ChildOutput): Promise<TextAnswer>;
  /** The document's chunks from `firstIndex` on, at most `size`; the same each time. */
  batch(documentNumber: number, firstIndex: number, size: number, embed: boolean): Promise<BatchAnswer>;
  /** Packed vectors of the local encoder. */
  embed(texts: string[]): Promise<Uint8Array>;
  stop(): Promise<void>;
};

export const createIngestThread = (path: string): IngestThread => {
  const thread = createWorkerThread<IngestQuestion, IngestAnswer>(workerUrl("documents/ingest/ingest-worker.ts"));
  return {
    parseUpload: (body) => thread.ask({ do: "upload", body }, [body.bytes]) as Promise<UploadAnswer>,
    decode: (parts) => thread.ask({ do: "decode", parts }, parts) as Promise<TextAnswer>,
    readPdf: (said) => thread.ask({ do: "pdf", said }, "output" in said ? said.output : []) as Promise<TextAnswer>,
    batch: (documentNumber, firstIndex, size, embed) =>
      thread.ask({ do: "batch", path, documentNumber, firstIndex, size, embed }) as Promise<BatchAnswer>,
    embed: (texts) => thread.ask({ do: "embed", texts }) as Promise<Uint8Array>,
    stop: thread.stop,
  };
};
