/** Runs in a worker: the parts of ingestion that would block the serving thread (decoding, cleaning, chunking, tokenising, embedding). */
import type { Database as Connection } from "bun:sqlite";
import { ApiError } from "../../api-error.ts";
import { openReadOnly } from "../../database/open-connection.ts";
import { type Encoder, loadEncoder } from "../../encoder/encoder.ts";
import { answerQuestions } from "../../lib/worker-thread.ts";
import { CHARACTERS_PER_PAGE } from "../document.ts";
import { cleanPages } from "../extract/clean-pages.ts";
import { decodeText } from "../extract/decode-text.ts";
import type { Failure, Page } from "../extract/extraction.ts";
import { readChildOutput } from "../extract/read-child-output.ts";
import type { ChildOutput } from "../extract/run-extract-child.ts";
import { packVectors } from "../index/pack-vectors.ts";
import type { ChunkRow } from "../index/store.ts";
import { createTokenizer } from "../index/tokenize.ts";
import { chunkDocument, indexedText, type PagedChunk, toChunkRow } from "../prepare-chunks.ts";
import { parseUpload, type Upload, type UploadBody } from "../upload/read-upload.ts";
import { findSource } from "./source-store.ts";

/** Long texts are stored in pieces, so that no row is larger than this. */
const PIECE_CHARACTERS = 64_000;
/** How many chunked documents are kept in memory while their batches are requested. */
const REMEMBERED = 3;

/** Text as it is stored: all of it as UTF-8, with the position of each page. */
export type PackedText = {
  text: Uint8Array;
  pages: { page: number; from: number; to: number }[];
  pageCount: number;
  characterCount: number;
};
/** The text, or why there is none. */
export type TextAnswer = PackedText | Failure;
/** `vectors` as pack-vectors.ts makes them, of the local encoder. */
export type BatchAnswer = { chunkCount: number; rows: ChunkRow[]; vectors?: Uint8Array };

type Prepared = { filename: string; project: number; chunks: PagedChunk[] };

const tokenize = createTokenizer();
const prepared = new Map<number, Prepared>();
let connection: Connection | undefined;
let encoder: Encoder | undefined;

/** The upload, or the error for the caller. */
const upload = (body: UploadBody): Upload | { refused: Pick<ApiError, "type" | "message" | "options"> } => {
  try {
    return parseUpload(body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { type, message, options } = error;
    return { refused: { type, message, options } };
  }
};

const pieces = (text: string): Page[] => {
  const pages: Page[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + PIECE_CHARACTERS);
    if (end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end--;
    pages.push({ page: pages.length + 1, text: text.slice(at, end) });
    at = end;
  }
  return pages;
};

const pack = (pages: readonly Page[]): Pick<PackedText, "text" | "pages"> => {
  const encoder = new TextEncoder();
  const encoded = pages.map(({ text }) => encoder.encode(text));
  // Not Buffer.concat: a small buffer shares its memory with others, and this one is transferred.
  const text = new Uint8Array(encoded.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let from = 0;
  const spans = encoded.map((bytes, at) => {
    text.set(bytes, from);
    const span = { page: pages[at]!.page, from, to: from + bytes.byteLength };
    from = span.to;
    return span;
  });
  return { text, pages: spans };
};

const decode = (parts: readonly Uint8Array[]): TextAnswer => {
  const decoded = decodeText(Buffer.concat(parts));
  if ("reason" in decoded) return decoded;
  const { length } = decoded.text;
  const pageCount = Math.max(1, Math.ceil(length / CHARACTERS_PER_PAGE));
  return { ...pack(pieces(decoded.text)), pageCount, characterCount: length };
};

const readPdf = (said: ChildOutput): TextAnswer => {
  const extraction = readChildOutput(said);
  if ("reason" in extraction) return extraction;
  const pages = cleanPages(extraction.pages);
  return { ...pack(pages), pageCount: pages.length, characterCount: pages.reduce((sum, { text }) => sum + text.length, 0) };
};

const prepare = (path: string, documentNumber: number): Prepared => {
  const known = prepared.get(documentNumber);
  if (known !== undefined) return known;
  connection ??= openReadOnly(path);
  const found = findSource(connection, documentNumber);
  if (found === undefined) throw new Error("The document is gone.");
  const { pages, contentType, ...document } = found;
  const ready = { ...document, chunks: chunkDocument(pages, contentType) };
  if (prepared.size >= REMEMBERED) prepared.delete(prepared.keys().next().value!);
  prepared.set(documentNumber, ready);
  return ready;
};

type BatchQuestion = { path: string; documentNumber: number; firstIndex: number; size: number; withVectors: boolean };

const batch = async ({ path, documentNumber, firstIndex, size, withVectors }: BatchQuestion): Promise<BatchAnswer> => {
  const { filename, project, chunks } = prepare(path, documentNumber);
  const some = chunks.slice(firstIndex, firstIndex + size);
  const rows = some.map((chunk) => toChunkRow(tokenize, project, filename, chunk));
  if (firstIndex + size >= chunks.length) prepared.delete(documentNumber);
  const answer = { chunkCount: chunks.length, rows };
  return withVectors ? { ...answer, vectors: await embed(some.map((chunk) => indexedText(filename, chunk))) } : answer;
};

const embed = async (texts: readonly string[]): Promise<Uint8Array> => {
  encoder ??= await loadEncoder();
  return packVectors(texts.map(encoder.embed), encoder.dimensions);
};

const answers = { upload, decode, readPdf, batch, embed };
export type IngestAnswers = typeof answers;

answerQuestions(answers, (answer) => {
  if (answer instanceof Uint8Array) return [answer];
  if ("bytes" in answer) return [answer.bytes];
  if ("text" in answer) return [answer.text];
  return "vectors" in answer && answer.vectors !== undefined ? [answer.vectors] : [];
});
