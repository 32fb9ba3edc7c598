/** The serving thread's side of the ingest worker. */
import { workerUrl } from "../../lib/self.ts";
import type { Page } from "../extract/extraction.ts";
import type { ChunkRow } from "../index/store.ts";
import { createWorkerThread } from "../worker-thread.ts";

export type IngestQuestion =
  | { do: "decode"; bytes: Uint8Array }
  | { do: "clean"; pages: Page[] }
  | { do: "batch"; path: string; documentNumber: number; firstIndex: number; size: number; embed: boolean }
  | { do: "embed"; texts: string[] };

/** Text as it is stored, or why there is none. */
export type TextAnswer = { pages: Page[]; pageCount: number; characterCount: number } | { message: string };
/** `vectors` as pack-vectors.ts makes them, of the local encoder. */
export type BatchAnswer = { chunkCount: number; rows: ChunkRow[]; vectors?: Uint8Array };
export type IngestAnswer = TextAnswer | BatchAnswer | Uint8Array;

export type IngestThread = {
  decode(bytes: Uint8Array): Promise<TextAnswer>;
  clean(pages: Page[]): Promise<TextAnswer>;
  /** The document's chunks from `firstIndex` on, at most `size`; the same each time it is asked. */
  batch(documentNumber: number, firstIndex: number, size: number, embed: boolean): Promise<BatchAnswer>;
  /** Packed vectors of the local encoder. */
  embed(texts: string[]): Promise<Uint8Array>;
  stop(): void;
};

export const createIngestThread = (path: string): IngestThread => {
  const thread = createWorkerThread<IngestQuestion, IngestAnswer>(workerUrl("documents/ingest/ingest-worker.ts"));
  return {
    decode: (bytes) => thread.ask({ do: "decode", bytes }) as Promise<TextAnswer>,
    clean: (pages) => thread.ask({ do: "clean", pages }) as Promise<TextAnswer>,
    batch: (documentNumber, firstIndex, size, embed) =>
      thread.ask({ do: "batch", path, documentNumber, firstIndex, size, embed }) as Promise<BatchAnswer>,
    embed: (texts) => thread.ask({ do: "embed", texts }) as Promise<Uint8Array>,
    stop: thread.stop,
  };
};
