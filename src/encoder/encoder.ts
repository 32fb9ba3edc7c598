/**
 * The local text encoder: text → a vector of 256 numbers and unit length, from a table of token vectors that was distilled from a sentence
 * encoder. Routing and document search use it. A text has the same vector on every platform, because float32 is summed in one order.
 */

import { DIMENSIONS } from "./dimensions.ts";
import encoderPath from "./encoder.bin" with { type: "file" };
import { createFolding, type FoldedText, type FoldText } from "./fold-text.ts";
import { buildHeads, HEADS_ROOM, type Heads, headsFile } from "./heads.ts";
import { createKernel } from "./kernel.ts";
import { readTensorFile } from "./tensor-file.ts";
import { loadTokenTable, openTokenTable, type TokenTable } from "./token-table.ts";
import { buildWordPiece, LONGEST_WORD } from "./wordpiece.ts";

/** Text beyond this many tokens does not count: about 4,000 characters of English. */
const EMBED_TOKENS = 1024;

export type Encoder = {
  dimensions: 256;
  /** Changes whenever vectors change by more than rounding: stored vectors of another revision must be built anew. */
  revision: string;
  /** Unit length, never NaN; text without any known token gives one fixed unit vector. */
  embed(text: string): Float32Array;
  /** The text as `pool` and the hashing of words read it. */
  fold: FoldText;
  /** The mean direction of the text's first tokens (at most EMBED_TOKENS), written into `into` at `at`; all zero when there are none. */
  pool(text: FoldedText, tokens: number, into: Float32Array, at: number): void;
  /** What was learned on top of the vectors: routing and output checks. */
  heads: Heads;
  /** Closes the file if it is read as needed; afterwards texts with tokens that were not read yet cannot be encoded. */
  close(): void;
};

type LoadOptions = {
  /** Another file than the shipped one while heads are being trained. */
  headsPath?: string;
  /** Reads a token's vector when a text first has it, if the file allows that: for a process that meets few tokens. */
  asNeeded?: boolean;
};

export async function loadEncoder({ headsPath, asNeeded = false }: LoadOptions = {}): Promise<Encoder> {
  const kernel = createKernel(HEADS_ROOM);
  const [parts, learned] = await Promise.all([readParts(Bun.file(encoderPath), asNeeded), headsFile(headsPath).arrayBuffer()]);
  const heads = buildHeads(kernel, readTensorFile(learned));
  learned.transfer(0);
  return buildEncoder(parts, heads);
}

const PIECE_BYTES = 1 << 20;
/** More than the length of the header. */
const FIRST_BYTES = 1 << 16;

type Parts = { revision: string; vocabulary: string; table: TokenTable };

const readParts = async (file: Bun.BunFile, asNeeded: boolean): Promise<Parts> => {
  const head = readTensorFile(await file.slice(0, FIRST_BYTES).arrayBuffer());
  const bytesOf = (name: string): Promise<ArrayBuffer> => {
    const { offset, bytes } = head.placeOf(name);
    return file.slice(offset, offset + bytes).arrayBuffer();
  };
  const { offset } = head.placeOf("table");
  const options = { scales: new Float32Array(await bytesOf("scales")), mostIds: EMBED_TOKENS + LONGEST_WORD };
  return {
    revision: String(head.meta["revision"]),
    vocabulary: new TextDecoder().decode(await bytesOf("vocabulary")),
    table:
      (asNeeded ? openTokenTable(encoderPath, offset, options) : undefined) ??
      (await loadTokenTable(options, (rows) => readPieces(file, offset, rows))),
  };
};

/** Frees each piece at once; otherwise the process would keep the file's size in memory a second time. */
const readPieces = async (file: Bun.BunFile, offset: number, into: Int8Array): Promise<void> => {
  for (let at = 0; at < into.length; at += PIECE_BYTES) {
    const piece = await file.slice(offset + at, offset + Math.min(into.length, at + PIECE_BYTES)).arrayBuffer();
    into.set(new Int8Array(piece), at);
    piece.transfer(0);
  }
};

function buildEncoder({ revision, vocabulary, table }: Parts, heads: Heads): Encoder {
  const wordPiece = buildWordPiece(vocabulary);
  const ids = new Int32Array(EMBED_TOKENS + LONGEST_WORD);
  const fold = createFolding();

  const pool = (text: FoldedText, most: number, into: Float32Array, at: number): void => {
    const sum = table.sum(ids, wordPiece.tokenize(text, ids, most));
    let squares = 0;
    for (let d = 0; d < DIMENSIONS; d++) squares += sum[d]! * sum[d]!;
    const factor = squares > 1e-12 ? 1 / Math.sqrt(squares) : 0;
    for (let d = 0; d < DIMENSIONS; d++) into[at + d] = sum[d]! * factor;
  };

  const embed = (text: string): Float32Array => {
    const vector = new Float32Array(DIMENSIONS);
    pool(fold(text), EMBED_TOKENS, vector, 0);
    if (vector.every((value) => value === 0)) vector[0] = 1;
    return vector;
  };

  return {
    dimensions: DIMENSIONS,
    revision,
    embed,
    fold,
    pool,
    heads,
    close: table.close,
  };
}
