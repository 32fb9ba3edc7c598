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
  weights1: Float32Array;
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
    weights1,
    bias1,
    weights2: file.float32(`${name}.weights2`),
    bias2: file.float32(`${name}.bias2`),
  };
}

/** The head's outputs (logits). Sums run in a fixed order, so they are the same everywhere. */
export function applyHead(head: Head, dense: Float32Array, buckets: number[]): Float64Array {
  const { outputs, hidden, inputs } = head;
  const sums = new Float64Array(outputs);
  for (let i = 0; i < buckets.length; i++) {
    const row = buckets[i]! * outputs;
    for (let o = 0; o < outputs; o++) sums[o]! += head.words[row + o]!;
  }
  const share = 1 / Math.sqrt(buckets.length + 1);
  for (let o = 0; o < outputs; o++) sums[o] = sums[o]! * head.wordScales[o]! * share + head.bias2[o]!;
  for (let h = 0; h < hidden; h++) {
    let sum = head.bias1[h]!;
    const row = h * inputs;
    for (let i = 0; i < inputs; i++) sum += head.weights1[row + i]! * dense[i]!;
    if (sum <= 0) continue;
    for (let o = 0; o < outputs; o++) sums[o]! += sum * head.weights2[o * hidden + h]!;
  }
  return sums;
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export function softmax(logits: Float64Array, temperature: number): number[] {
  const top = Math.max(...logits);
  const powers = Array.from(logits, (logit) => Math.exp((logit - top) / temperature));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
