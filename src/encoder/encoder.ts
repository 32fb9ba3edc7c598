/**
 * The local text encoder: text → 256 numbers of unit length, by a table of token vectors distilled from a sentence encoder.
 * It serves routing and document search. The same text gives the same vector on every platform: float32, summed in one order.
 */

import { DIMENSIONS } from "./dimensions.ts";
import encoderPath from "./encoder.bin" with { type: "file" };
import { createFolding, type FoldedText, type FoldText } from "./fold-text.ts";
import { buildHeads, HEADS_ROOM, type Heads, headsFile } from "./heads.ts";
import { createKernel, type Kernel } from "./kernel.ts";
import { readTensorFile, type TensorFile } from "./tensor-file.ts";
import { openTokenTable, type TokenTable } from "./token-table.ts";
import { buildWordPiece, LONGEST_WORD } from "./wordpiece.ts";

/** Text beyond this many tokens does not count: about 4,000 characters of English. */
const EMBED_TOKENS = 1024;

export type Encoder = {
  dimensions: 256;
  /** Changes whenever vectors change by more than rounding: stored vectors of another revision must be built anew. */
  revision: string;
  /** Unit length, never NaN; text without any known token gives one fixed unit vector. */
  embed(text: string): Float32Array;
  embedMany(texts: string[]): Float32Array[];
  /** The text as `pool` and the hashing of words read it. */
  fold: FoldText;
  /** The mean direction of the text's first tokens (at most EMBED_TOKENS), written into `into` at `at`; all zero when there are none. */
  pool(text: FoldedText, tokens: number, into: Float32Array, at: number): void;
  /** What was learned on top of the vectors: routing and output checks. */
  heads: Heads;
  /** Gives back the file that is read as needed; texts with words not met before cannot be encoded any more. */
  close(): void;
};

type LoadOptions = {
  /** Another file than the shipped one while heads are being trained. */
  headsPath?: string;
  /** Each token's numbers are read when a text first has it, where that can be: for a process that meets few of them. */
  asNeeded?: boolean;
};

export async function loadEncoder({ headsPath, asNeeded = false }: LoadOptions = {}): Promise<Encoder> {
  const file = Bun.file(encoderPath);
  const kernel = createKernel(file.size + HEADS_ROOM + (EMBED_TOKENS + LONGEST_WORD + DIMENSIONS) * 4 + 4096);
  const [{ tensors, table }, learned] = await Promise.all([readInto(kernel, file, asNeeded), headsFile(headsPath).arrayBuffer()]);
  const heads = buildHeads(kernel, readTensorFile(learned));
  learned.transfer(0);
  return buildEncoder(kernel, tensors, heads, table);
}

const PIECE_BYTES = 1 << 20;
/** The header stands in it. */
const FIRST_BYTES = 1 << 16;

type Loaded = { tensors: TensorFile; table: TokenTable | undefined };

/** Piece by piece into the memory the loops work in; each is given back at once, or the process would keep as much again. */
const readInto = async (kernel: Kernel, file: Bun.BunFile, asNeeded: boolean): Promise<Loaded> => {
  const from = kernel.take(file.size);
  const bytes = new Uint8Array(kernel.buffer, from, file.size);
  const fill = async (begin: number, end: number): Promise<void> => {
    for (let at = begin; at < end; at += PIECE_BYTES) {
      const piece = await file.slice(at, Math.min(end, at + PIECE_BYTES)).arrayBuffer();
      bytes.set(new Uint8Array(piece), at);
      piece.transfer(0);
    }
  };
  await fill(0, FIRST_BYTES);
  const tensors = readTensorFile(kernel.buffer, from);
  const place = tensors.placeOf("table");
  const table = asNeeded ? openTokenTable(encoderPath, tensors.int8("table"), place.offset) : undefined;
  await fill(FIRST_BYTES, table === undefined ? file.size : place.offset);
  if (table !== undefined) await fill(place.offset + place.bytes, file.size);
  return { tensors, table };
};

function buildEncoder(kernel: Kernel, file: TensorFile, heads: Heads, tokens: TokenTable | undefined): Encoder {
  const wordPiece = buildWordPiece(file.text("vocabulary"));
  const table = file.int8("table").byteOffset;
  const scales = file.float32("scales").byteOffset;
  const room = EMBED_TOKENS + LONGEST_WORD;
  const ids = new Int32Array(kernel.buffer, kernel.take(room * 4), room);
  const sum = new Float32Array(kernel.buffer, kernel.take(DIMENSIONS * 4), DIMENSIONS);
  const fold = createFolding();

  const pool = (text: FoldedText, most: number, into: Float32Array, at: number): void => {
    const count = wordPiece.tokenize(text, ids, most);
    tokens?.need(ids, count);
    kernel.pool(table, scales, ids.byteOffset, ids.byteOffset + count * 4, sum.byteOffset);
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
    revision: String(file.meta["revision"]),
    embed,
    embedMany: (texts) => texts.map(embed),
    fold,
    pool,
    heads,
    close: () => tokens?.close(),
  };
}
