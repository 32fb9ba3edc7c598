/**
 * Trains src/router/features/demand-weights.ts: how much an everyday request asks of a model, read from its vector. The complexity head has learned
 * from exams, where every question is a question; this tells a greeting from a proof. Runs in seconds, after the encoder has changed.
 * bun eval/routing/train-demand.ts
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Encoder, loadEncoder } from "../../src/encoder/encoder.ts";
import { readFeatures } from "../../src/router/features/request-features.ts";
import { aucOf, predictUnseen, randomFrom, shuffled } from "./difficulty-model.ts";

const PAIRS = join(import.meta.dir, "../../../shared/data/routing/pairs.jsonl");
const TARGET = join(import.meta.dir, "../../src/router/features/demand-weights.ts");
const EPOCHS = 60;
const STEP = 0.1;
const L2 = 5e-4;
/** How much of its log-odds is added to the head's, and from which it counts: so that everyday requests come out as hard, on average, as estimated. */
const SHARE = 0.8;
const NEUTRAL = -1.2;

type Row = { text: string; share: number; weight: number };

/** `{a|b}` stands for each of its parts in turn. */
const expand = (line: string): string[] => {
  const slot = /\{([^{}]*)\}/.exec(line);
  if (slot === null) return [line];
  return slot[1]!
    .split("|")
    .flatMap((part) => expand(line.slice(0, slot.index) + part + line.slice(slot.index + slot[0].length)));
};

/** A line with many expansions counts as some, not as many. */
const readFrames = async (name: string): Promise<Row[]> => {
  let share = 0;
  return (await Bun.file(join(import.meta.dir, name)).text()).split("\n").flatMap((line) => {
    if (line.startsWith("@")) share = Number(line.split(" ")[1]);
    if (line === "" || line.startsWith("@") || line.startsWith("#")) return [];
    const texts = name === "demand.txt" ? expand(line) : [line];
    return texts.map((text) => ({ text, share, weight: texts.length ** -0.5 }));
  });
};

const vectorOf = (encoder: Encoder, text: string): Float32Array =>
  readFeatures(encoder, { text }, false).dense.slice(0, encoder.dimensions);

const score = (weights: Float64Array, vector: Float32Array): number =>
  vector.reduce((sum, value, d) => sum + value * weights[d]!, weights.at(-1)!);

const train = (rows: readonly Row[], vectors: readonly Float32Array[]): Float64Array => {
  const size = vectors[0]!.length;
  const weights = new Float64Array(size + 1);
  const squares = new Float64Array(size + 1).fill(1e-3);
  const random = randomFrom(1);
  const order = rows.map((_, i) => i);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const i of shuffled(order, random)) {
      const error = (1 / (1 + Math.exp(-score(weights, vectors[i]!))) - rows[i]!.share) * rows[i]!.weight;
      for (let d = 0; d <= size; d++) {
        const gradient = d < size ? error * vectors[i]![d]! + L2 * weights[d]! : error;
        squares[d]! += gradient * gradient;
        weights[d]! -= (STEP * gradient) / Math.sqrt(squares[d]!);
      }
    }
  }
  return weights;
};

const encoder = await loadEncoder();
const rows = [...(await readFrames("demand.txt")), ...(await readFrames("frames/difficulty.txt"))];
const weights = train(
  rows,
  rows.map(({ text }) => vectorOf(encoder, text)),
);
const scaled = weights.slice(0, -1).map((weight) => weight * SHARE);
const scale = scaled.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
const bytes = Int8Array.from(scaled, (weight) => Math.round(weight / scale));
await Bun.write(
  TARGET,
  `/** Made by eval/routing/train-demand.ts from frames of our own (CC0-1.0); not edited by hand. */

/** The encoder whose vectors these weights read. */
export const DEMAND_REVISION = ${JSON.stringify(encoder.revision)};
export const DEMAND_SCALE = ${scale};
export const DEMAND_BIAS = ${(weights.at(-1)! - NEUTRAL) * SHARE};
/** One signed byte a dimension, base64. */
export const DEMAND_WEIGHTS =
  "${Buffer.from(bytes.buffer).toString("base64")}";
`,
);
console.log(`${rows.length} rows → src/router/features/demand-weights.ts`);

if (existsSync(PAIRS)) {
  const pairs = (await Bun.file(PAIRS).text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { text: string; subject: string; weak_correct: boolean });
  const fails = pairs.map(({ weak_correct }) => !weak_correct);
  const unseen = predictUnseen(
    encoder,
    pairs.map(({ text, subject }, i) => ({ text, subject, weakFails: fails[i]! })),
  );
  const head = unseen.map(({ complexity }) => Math.log(complexity / (1 - complexity)));
  const both = head.map((logOdds, i) => logOdds + SHARE * (score(weights, unseen[i]!.vector) - NEUTRAL));
  for (const [name, scores] of [
    ["a head that saw other subjects", head],
    ["with demand", both],
  ] as const)
    console.log(
      `${name}: AUC ${aucOf(scores, fails).toFixed(4)}, calibration error ${calibrationError(scores, fails).toFixed(4)}`,
    );
}

/** Mean distance between what is said and what happens, over ten bands of equal size. */
function calibrationError(logOdds: readonly number[], fails: readonly boolean[]): number {
  const order = logOdds.map((_, i) => i).sort((a, b) => logOdds[a]! - logOdds[b]!);
  let error = 0;
  for (let band = 0; band < 10; band++) {
    const part = order.slice((band * order.length) / 10, ((band + 1) * order.length) / 10);
    const said = part.reduce((sum, i) => sum + 1 / (1 + Math.exp(-logOdds[i]!)), 0) / part.length;
    const happened = part.reduce((sum, i) => sum + Number(fails[i]), 0) / part.length;
    error += Math.abs(said - happened) / 10;
  }
  return error;
}
