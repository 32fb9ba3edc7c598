/** The learned weights of routing and output checks, as eval/routing/train.py wrote them, laid out for the kernel. */
import headsPath from "./heads.bin" with { type: "file" };
import { type Kernel, LANES, TOGETHER } from "./kernel.ts";
import type { TensorFile } from "./tensor-file.ts";

/** Tells lines that ask from lines that were pasted: a weight for each word bucket and each shape, and an intercept. */
type UnitModel = { words: Int8Array; wordScale: number; shapes: Float32Array; bias: number };

/** A linear map of hashed words (int8, one scale an output) added to a small network over dense features. */
export type Head = {
  outputs: number;
  /** The sums of its words' weights; overwritten by the next call of any head. */
  wordSums(buckets: Int32Array, count: number): Int32Array;
  wordScales: Float32Array;
  hidden: number;
  /** The hidden units for those inputs, before the rectifier; overwritten by the next call. */
  hiddenUnits(dense: Float32Array): Float32Array;
  weights2: Float32Array;
  bias2: Float32Array;
  opening?: Opening;
};

/**
 * A second look at the instruction's first words, for the last outputs: a wish for a picture stands there, however much text follows.
 * The buckets are folded to the table's size.
 */
export type Opening = { outputs: number; words: Int8Array; scales: Float32Array };

export type Heads = {
  revision: string;
  units: UnitModel;
  route: Head;
  complexity: Head;
  refusal: Head;
  calibration: Calibration;
  /** The inputs of a head are written here first. */
  inputs: Omit<Inputs, "count">;
};

/** One text as a head reads it: dense numbers, and so many buckets of its words. The next text overwrites them. */
export type Inputs = { dense: Float32Array; buckets: Int32Array; count: number };

/** A linear map of a few shapes. */
export type ShapeModel = { bias: number; weights: number[] };

export type Calibration = {
  taskTemperature: number;
  mediaTemperature: number;
  /** Added to the log-odds of each generating intent: a wrong trigger costs money, a missed one a sentence. */
  mediaCaution: number;
  complexity: { slope: number; intercept: number };
  /** Log-odds that a weak model fails at a word problem, from its length, commas and names. */
  wordProblem: ShapeModel;
  /** The same for a question with answers to choose from, from its `examShapes`. */
  exam: ShapeModel;
  refusal: { slope: number; intercept: number };
};

/** Bytes of a kernel that heads may take: a row of words for each of 65,536 buckets, and as much for all else. */
export const HEADS_ROOM = 2 * 65_536 * LANES;
/** Room for the numbers and the buckets of one text. */
const MOST_INPUTS = 1_024;
const MOST_BUCKETS = 2_048;

export const headsFile = (path: string = headsPath): Bun.BunFile => Bun.file(path);

/** Copies what it keeps, so that the file's bytes can be freed. */
export function buildHeads(kernel: Kernel, file: TensorFile): Heads {
  const rows = joinWords(kernel, file, ["route", "complexity", "refusal"]);
  const dense = new Float32Array(kernel.buffer, kernel.take(MOST_INPUTS * 4), MOST_INPUTS);
  const buckets = new Int32Array(kernel.buffer, kernel.take(MOST_BUCKETS * 4), MOST_BUCKETS);
  return {
    revision: String(file.meta["revision"]),
    units: {
      words: file.int8("units.words").slice(),
      wordScale: Number(file.meta["unitWordScale"]),
      shapes: file.float32("units.shapes").slice(),
      bias: Number(file.meta["unitBias"]),
    },
    route: { ...readHead(kernel, file, "route", rows), opening: readOpening(file) },
    complexity: readHead(kernel, file, "complexity", rows),
    refusal: readHead(kernel, file, "refusal", rows),
    calibration: file.meta["calibration"] as Calibration,
    inputs: { dense, buckets },
  };
}

function readHead(kernel: Kernel, file: TensorFile, name: string, words: JoinedWords): Head {
  const wordScales = file.float32(`${name}.wordScales`).slice();
  const bias1 = file.float32(`${name}.bias1`).slice();
  return {
    outputs: wordScales.length,
    wordSums: words(name),
    wordScales,
    hidden: bias1.length,
    hiddenUnits: layerOf(kernel, file.float32(`${name}.weights1`), bias1),
    weights2: file.float32(`${name}.weights2`).slice(),
    bias2: file.float32(`${name}.bias2`).slice(),
  };
}

function readOpening(file: TensorFile): Opening {
  const scales = file.float32("route.openingScales").slice();
  return { outputs: scales.length, words: file.int8("route.opening").slice(), scales };
}

type JoinedWords = (head: string) => Head["wordSums"];

/** All heads' weights of a word are in one row, so that each word costs one access to distant memory. */
function joinWords(kernel: Kernel, file: TensorFile, heads: string[]): JoinedWords {
  let lane = 0;
  const lanes = heads.map((name) => {
    const outputs = file.float32(`${name}.wordScales`).length;
    lane += outputs;
    return { name, outputs, words: file.int8(`${name}.words`), from: lane - outputs };
  });
  if (lane > LANES) throw new RangeError(`a row of words has ${LANES} lanes, not ${lane}`);
  const buckets = lanes[0]!.words.length / lanes[0]!.outputs;
  const table = new Int8Array(kernel.buffer, kernel.take(buckets * LANES), buckets * LANES);
  for (const { outputs, words, from } of lanes) {
    for (let word = 0, row = from; word < words.length; row += LANES) {
      for (let output = 0; output < outputs; output++) table[row + output] = words[word++]!;
    }
  }
  const sums = kernel.take(LANES * 4);
  return (head) => {
    const { from, outputs } = lanes.find(({ name }) => name === head)!;
    const own = new Int32Array(kernel.buffer, sums + from * 4, outputs);
    return ({ byteOffset }, count) => {
      kernel.addRows(table.byteOffset, byteOffset, byteOffset + count * 4, sums);
      return own;
    };
  };
}

/**
 * The weights of a layer as the kernel reads them: padded with units of zeros to a multiple of TOGETHER, and without the leading inputs
 * whose weights are all zero.
 */
function layerOf(kernel: Kernel, rows: Float32Array, bias: Float32Array): Head["hiddenUnits"] {
  const hidden = bias.length;
  const inputCount = rows.length / hidden;
  let first = 0;
  while (first < inputCount - 1 && bias.every((_, unit) => rows[unit * inputCount + first] === 0)) first++;
  const count = inputCount - first;
  const unitCount = Math.ceil(hidden / TOGETHER) * TOGETHER;
  const take = (floats: number) => new Float32Array(kernel.buffer, kernel.take(floats * 4), floats);
  const weights = take(count * unitCount);
  for (let unit = 0; unit < hidden; unit++) {
    const at = (unit - (unit % TOGETHER)) * count + (unit % TOGETHER);
    for (let i = 0; i < count; i++) weights[at + i * TOGETHER] = rows[unit * inputCount + first + i]!;
  }
  const units = take(unitCount);
  return ({ byteOffset }) => {
    units.set(bias);
    kernel.addProducts(weights.byteOffset, byteOffset + first * 4, byteOffset + inputCount * 4, units.byteOffset, unitCount);
    return units;
  };
}
