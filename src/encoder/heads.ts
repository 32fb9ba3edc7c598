/** The learned weights of routing and output checks, as eval/routing/train.py wrote them, and the arithmetic that applies them. */
import headsPath from "./heads.bin" with { type: "file" };
import { readTensorFile, type TensorFile } from "./tensor-file.ts";

/** Tells lines that ask from lines that were pasted: one number a word bucket, one a shape, and an intercept. */
export type UnitModel = { words: Int8Array; wordScale: number; shapes: Float32Array; bias: number };

/** A linear map of hashed words (int8, one scale an output) added to a small network over dense features. */
export type Head = {
  outputs: number;
  words: Int8Array;
  wordScales: Float32Array;
  inputs: number;
  hidden: number;
  /** A row of `inputs` weights for each hidden unit; doubles, so that the sums need no conversion. */
  weights1: Float64Array;
  bias1: Float32Array;
  weights2: Float32Array;
  bias2: Float32Array;
};

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

/** `path` is another file than the shipped one while heads are being trained. */
export const loadHeads = async (path: string = headsPath): Promise<Heads> =>
  buildHeads(readTensorFile(await Bun.file(path).arrayBuffer()));

function buildHeads(file: TensorFile): Heads {
  const unitShapes = file.float32("units.shapes");
  return {
    revision: String(file.meta["revision"]),
    units: {
      words: file.int8("units.words"),
      wordScale: Number(file.meta["unitWordScale"]),
      shapes: unitShapes,
      bias: Number(file.meta["unitBias"]),
    },
    route: readHead(file, "route"),
    complexity: readHead(file, "complexity"),
    refusal: readHead(file, "refusal"),
    calibration: file.meta["calibration"] as Calibration,
  };
}

function readHead(file: TensorFile, name: string): Head {
  const wordScales = file.float32(`${name}.wordScales`);
  const bias1 = file.float32(`${name}.bias1`);
  const weights1 = file.float32(`${name}.weights1`);
  return {
    outputs: wordScales.length,
    words: file.int8(`${name}.words`),
    wordScales,
    inputs: weights1.length / bias1.length,
    hidden: bias1.length,
    weights1: Float64Array.from(weights1),
    bias1,
    weights2: file.float32(`${name}.weights2`),
    bias2: file.float32(`${name}.bias2`),
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
  const units = hiddenUnits(head, dense);
  for (let h = 0; h < hidden; h++) {
    const unit = units[h]!;
    if (unit <= 0) continue;
    for (let o = 0; o < outputs; o++) sums[o]! += unit * weights2[o * hidden + h]!;
  }
  return sums;
}

/** Before the rectifier. Four units at a time, so that no addition waits for the one before; their number is a multiple of four. */
function hiddenUnits({ hidden, inputs, weights1, bias1 }: Head, dense: Float32Array): Float64Array {
  const units = new Float64Array(hidden);
  for (let h = 0; h < hidden; h += 4) {
    let a = bias1[h]!;
    let b = bias1[h + 1]!;
    let c = bias1[h + 2]!;
    let d = bias1[h + 3]!;
    const row0 = h * inputs;
    const row1 = row0 + inputs;
    const row2 = row1 + inputs;
    const row3 = row2 + inputs;
    for (let i = 0; i < inputs; i++) {
      const input = dense[i]!;
      // No document, no system prompt: a third of the inputs each.
      if (input === 0) continue;
      a += weights1[row0 + i]! * input;
      b += weights1[row1 + i]! * input;
      c += weights1[row2 + i]! * input;
      d += weights1[row3 + i]! * input;
    }
    units[h] = a;
    units[h + 1] = b;
    units[h + 2] = c;
    units[h + 3] = d;
  }
  return units;
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
