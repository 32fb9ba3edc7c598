/**
 * The local text encoder: text → 256 numbers of unit length, by a table of token vectors distilled from a sentence encoder.
 * It serves routing and document search. The same text gives the same vector on every platform: doubles, summed in one order.
 */

import { DIMENSIONS } from "./dimensions.ts";
import encoderPath from "./encoder.bin" with { type: "file" };
import { buildHeads, type Heads, headsFile, WEIGHTS_ROOM } from "./heads.ts";
import { createKernel, type Kernel } from "./kernel.ts";
import { readTensorFile, type TensorFile } from "./tensor-file.ts";
import { buildWordPiece } from "./wordpiece.ts";

/** Text beyond this many tokens does not count: about 4,000 characters of English. */
const EMBED_TOKENS = 1024;

export type Encoder = {
  dimensions: 256;
  /** Changes whenever vectors change: stored vectors of another revision must be built anew. */
  revision: string;
  /** Unit length, never NaN; text without any known token gives one fixed unit vector. */
  embed(text: string): Float32Array;
  embedMany(texts: string[]): Float32Array[];
  /** Token ids of the text, at most `limit`. */
  tokenize(text: string, limit?: number): number[];
  /** The mean direction of some tokens (at most 4,096), written into `into` at `at`; all zero when there are none. */
  pool(ids: number[], into: Float32Array, at: number): void;
  /** What was learned on top of the vectors: routing and output checks. */
  heads: Heads;
};

const MOST_IDS = 4096;

/** `headsPath` is another file than the shipped one while heads are being trained. */
export async function loadEncoder(headsPath?: string): Promise<Encoder> {
  const table = Bun.file(encoderPath);
  const heads = headsFile(headsPath);
  const kernel = createKernel(table.size + heads.size * WEIGHTS_ROOM + MOST_IDS * 4 + DIMENSIONS * 8 + 4096);
  const [tensors, learned] = await Promise.all([readInto(kernel, table), readInto(kernel, heads)]);
  return buildEncoder(kernel, tensors, buildHeads(kernel, learned));
}

const PIECE_BYTES = 1 << 20;

/** Piece by piece into the memory the loops work in; each is given back at once, or the process would keep as much again. */
const readInto = async (kernel: Kernel, file: Bun.BunFile): Promise<TensorFile> => {
  const from = kernel.take(file.size);
  const bytes = new Uint8Array(kernel.buffer, from, file.size);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const piece = await file.slice(at, at + PIECE_BYTES).arrayBuffer();
    bytes.set(new Uint8Array(piece), at);
    piece.transfer(0);
  }
  return readTensorFile(kernel.buffer, from);
};

function buildEncoder(kernel: Kernel, file: TensorFile, heads: Heads): Encoder {
  const wordPiece = buildWordPiece(file.text("vocabulary"));
  const table = file.int8("table").byteOffset;
  const scales = file.float32("scales").byteOffset;
  const ids = new Int32Array(kernel.buffer, kernel.take(MOST_IDS * 4), MOST_IDS);
  const sum = new Float64Array(kernel.buffer, kernel.take(DIMENSIONS * 8), DIMENSIONS);

  const pool = (tokens: number[], into: Float32Array, at: number): void => {
    ids.set(tokens);
    kernel.pool(table, scales, ids.byteOffset, ids.byteOffset + tokens.length * 4, sum.byteOffset);
    let squares = 0;
    for (let d = 0; d < DIMENSIONS; d++) squares += sum[d]! * sum[d]!;
    const factor = squares > 1e-12 ? 1 / Math.sqrt(squares) : 0;
    for (let d = 0; d < DIMENSIONS; d++) into[at + d] = sum[d]! * factor;
  };

  const embed = (text: string): Float32Array => {
    const vector = new Float32Array(DIMENSIONS);
    pool(wordPiece.tokenize(text, EMBED_TOKENS), vector, 0);
    if (vector.every((value) => value === 0)) vector[0] = 1;
    return vector;
  };

  return {
    dimensions: DIMENSIONS,
    revision: String(file.meta["revision"]),
    embed,
    embedMany: (texts) => texts.map(embed),
    tokenize: wordPiece.tokenize,
    pool,
    heads,
  };
}
