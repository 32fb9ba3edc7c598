/**
 * The local text encoder: text → 256 numbers of unit length, by a table of token vectors distilled from a sentence encoder.
 * It serves routing and document search. The same text gives the same vector on every platform: doubles, summed in one order.
 */
import encoderPath from "./encoder.bin" with { type: "file" };
import { type Heads, loadHeads } from "./heads.ts";
import { readTensorFile, type TensorFile } from "./tensor-file.ts";
import { buildWordPiece } from "./wordpiece.ts";

export const DIMENSIONS = 256;
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
  /** The mean direction of some tokens, written into `into` at `at`; all zero when there are none. */
  pool(ids: number[], into: Float32Array, at: number): void;
  /** What was learned on top of the vectors: routing and output checks. */
  heads: Heads;
};

export async function loadEncoder(headsPath?: string): Promise<Encoder> {
  const [bytes, heads] = await Promise.all([Bun.file(encoderPath).arrayBuffer(), loadHeads(headsPath)]);
  return buildEncoder(readTensorFile(bytes), heads);
}

function buildEncoder(file: TensorFile, heads: Heads): Encoder {
  const wordPiece = buildWordPiece(file.text("vocabulary"));
  const table = file.int8("table");
  const scales = file.float32("scales");
  const sum = new Float64Array(DIMENSIONS);

  const pool = (ids: number[], into: Float32Array, at: number): void => {
    sum.fill(0);
    let i = 0;
    // Four rows a pass read and write the sums a quarter as often; they are added in the same order as one by one.
    for (; i + 4 <= ids.length; i += 4) {
      const row0 = ids[i]! * DIMENSIONS;
      const row1 = ids[i + 1]! * DIMENSIONS;
      const row2 = ids[i + 2]! * DIMENSIONS;
      const row3 = ids[i + 3]! * DIMENSIONS;
      const scale0 = scales[ids[i]!]!;
      const scale1 = scales[ids[i + 1]!]!;
      const scale2 = scales[ids[i + 2]!]!;
      const scale3 = scales[ids[i + 3]!]!;
      for (let d = 0; d < DIMENSIONS; d++) {
        sum[d] =
          sum[d]! + table[row0 + d]! * scale0 + table[row1 + d]! * scale1 + table[row2 + d]! * scale2 + table[row3 + d]! * scale3;
      }
    }
    for (; i < ids.length; i++) {
      const row = ids[i]! * DIMENSIONS;
      const scale = scales[ids[i]!]!;
      for (let d = 0; d < DIMENSIONS; d++) sum[d]! += table[row + d]! * scale;
    }
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
