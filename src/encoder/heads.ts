/** The learned weights of routing and output checks, as eval/routing/train.py wrote them, and the arithmetic that applies them. */
import headsPath from "./heads.bin" with { type: "file" };
import type { Kernel } from "./kernel.ts";
import type { TensorFile } from "./tensor-file.ts";

/** Tells lines that ask from lines that were pasted: one number a word bucket, one a shape, and an intercept. */
export type UnitModel = { words: Int8Array; wordScale: number; shapes: Float32Array; bias: number };

/** A linear map of hashed words (int8, one scale an output) added to a small network over dense features. */
export type Head = {
  outputs: number;
  words: Int8Array;
  wordScales: Float32Array;
  hidden: number;
  /** The hidden units for those inputs, before the rectifier; overwritten by the next call. */
  hiddenUnits(dense: Float32Array): Float64Array;
  weights2: Float32Array;
  bias2: Float32Array;
  opening?: Opening;
};

/**
 * A second look at the instruction's first words, for the last outputs: a wish for a picture stands there, however much text follows.
 * The buckets are folded to the table's size.
 */
type Opening = { outputs: number; words: Int8Array; scales: Float32Array };

/** So many of a request's buckets are its opening: some five words. */
const OPENING_LENGTH = 40;

export type Heads = {
  revision: string;
  units: UnitModel;
  route: Head;
  complexity: Head;
  refusal: Head;
  calibration: Calibration;
};

export type Calibration = {
  taskTemperature: number;
  mediaTemperature: number;
  /** Added to the log-odds of each generating intent: a wrong trigger costs money, a missed one a sentence. */
  mediaCaution: number;
  complexity: { slope: number; intercept: number };
  /** Log-odds that a weak model fails at a word problem, from its length, commas and names. */
  wordProblem: { bias: number; weights: number[] };
  refusal: { slope: number; intercept: number };
};

export const headsFile = (path: string = headsPath): Bun.BunFile => Bun.file(path);
/** With the weights as doubles, heads take up to so many times the room of their file. */
export const WEIGHTS_ROOM = 4;

export function buildHeads(kernel: Kernel, file: TensorFile): Heads {
  const unitShapes = file.float32("units.shapes");
  return {
    revision: String(file.meta["revision"]),
    units: {
      words: file.int8("units.words"),
      wordScale: Number(file.meta["unitWordScale"]),
      shapes: unitShapes,
      bias: Number(file.meta["unitBias"]),
    },
    route: { ...readHead(kernel, file, "route"), opening: readOpening(file, "route") },
    complexity: readHead(kernel, file, "complexity"),
    refusal: readHead(kernel, file, "refusal"),
    calibration: file.meta["calibration"] as Calibration,
  };
}

function readHead(kernel: Kernel, file: TensorFile, name: string): Head {
  const wordScales = file.float32(`${name}.wordScales`);
  const bias1 = file.float32(`${name}.bias1`);
  return {
    outputs: wordScales.length,
    words: file.int8(`${name}.words`),
    wordScales,
    hidden: bias1.length,
    hiddenUnits: layerOf(kernel, file.float32(`${name}.weights1`), bias1),
    weights2: file.float32(`${name}.weights2`),
    bias2: file.float32(`${name}.bias2`),
  };
}

function readOpening(file: TensorFile, name: string): Opening {
  const scales = file.float32(`${name}.openingScales`);
  return { outputs: scales.length, words: file.int8(`${name}.opening`), scales };
}

/** The units of a layer go through the kernel eight at a time; what the last eight lack are units of nothing. */
const TOGETHER = 8;

function layerOf(kernel: Kernel, rows: Float32Array, bias: Float32Array): Head["hiddenUnits"] {
  const hidden = bias.length;
  const inputCount = rows.length / hidden;
  const unitCount = Math.ceil(hidden / TOGETHER) * TOGETHER;
  const takeDoubles = (count: number) => new Float64Array(kernel.buffer, kernel.take(count * 8), count);
  const weights = takeDoubles(inputCount * unitCount);
  for (let unit = 0; unit < hidden; unit++) {
    const first = (unit - (unit % TOGETHER)) * inputCount + (unit % TOGETHER);
    for (let i = 0; i < inputCount; i++) weights[first + i * TOGETHER] = rows[unit * inputCount + i]!;
  }
  const inputs = takeDoubles(inputCount);
  const units = takeDoubles(unitCount);
  return (dense) => {
    inputs.set(dense);
    units.set(bias);
    kernel.addProducts(weights.byteOffset, inputs.byteOffset, inputs.byteOffset + inputCount * 8, units.byteOffset, unitCount);
    return units;
  };
}

/** The head's outputs (logits). Sums run in a fixed order, so they are the same everywhere. */
export function applyHead(head: Head, dense: Float32Array, buckets: number[]): Float64Array {
  const { outputs, words, wordScales, bias2, weights2, hidden } = head;
  const sums = new Float64Array(outputs);
  for (let i = 0; i < buckets.length; i++) {
    const row = buckets[i]! * outputs;
    for (let o = 0; o < outputs; o++) sums[o]! += words[row + o]!;
  }
  const share = 1 / Math.sqrt(buckets.length + 1);
  for (let o = 0; o < outputs; o++) sums[o] = sums[o]! * wordScales[o]! * share + bias2[o]!;
  if (head.opening !== undefined) addOpening(head.opening, buckets, sums);
  const units = head.hiddenUnits(dense);
  for (let h = 0; h < hidden; h++) {
    const unit = units[h]!;
    if (unit <= 0) continue;
    for (let o = 0; o < outputs; o++) sums[o]! += unit * weights2[o * hidden + h]!;
  }
  return sums;
}

function addOpening({ outputs, words, scales }: Opening, buckets: number[], sums: Float64Array): void {
  const length = Math.min(OPENING_LENGTH, buckets.length);
  const lastBucket = words.length / outputs - 1;
  const share = 1 / Math.sqrt(length + 1);
  for (let o = 0; o < outputs; o++) {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += words[(buckets[i]! & lastBucket) * outputs + o]!;
    sums[sums.length - outputs + o]! += sum * scales[o]! * share;
  }
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export function softmax(logits: Float64Array, temperature: number): number[] {
  const top = Math.max(...logits);
  const powers: number[] = [];
  let total = 0;
  for (let i = 0; i < logits.length; i++) total += powers[i] = Math.exp((logits[i]! - top) / temperature);
  for (let i = 0; i < powers.length; i++) powers[i]! /= total;
  return powers;
}
