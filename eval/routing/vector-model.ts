/** Trains a linear function of a text's vector by logistic regression, and writes it as `src/router/features/vector-model.ts` reads it. */

import { join } from "node:path";
import { randomFrom, shuffled } from "./difficulty-model.ts";

const FEATURES = join(import.meta.dir, "../../src/router/features");
const EPOCHS = 60;
const STEP = 0.1;
const L2 = 5e-4;

/** `share`: what the model should say of the text, 0-1. */
export type Row = { text: string; share: number; weight: number };

/** `{a|b}` stands for each of its parts in turn. */
const expand = (line: string): string[] => {
  const slot = /\{([^{}]*)\}/.exec(line);
  if (slot === null) return [line];
  return slot[1]!
    .split("|")
    .flatMap((part) => expand(line.slice(0, slot.index) + part + line.slice(slot.index + slot[0].length)));
};

/** "@ share" opens a section of the file. A line with many expansions counts as some, not as many. */
export const readRows = async (name: string, expands = true): Promise<Row[]> => {
  let share = 0;
  return (await Bun.file(join(import.meta.dir, name)).text()).split("\n").flatMap((line) => {
    if (line.startsWith("@")) share = Number(line.split(" ")[1]);
    if (line === "" || line.startsWith("@") || line.startsWith("#")) return [];
    const texts = expands ? expand(line) : [line];
    return texts.map((text) => ({ text, share, weight: texts.length ** -0.5 }));
  });
};

/** A weight for each dimension, then the bias. */
export type Weights = Float64Array;

export const logOddsOf = (weights: Weights, vector: Float32Array): number =>
  vector.reduce((sum, value, d) => sum + value * weights[d]!, weights.at(-1)!);

export const train = (rows: readonly Row[], vectors: readonly Float32Array[]): Weights => {
  const size = vectors[0]!.length;
  const weights = new Float64Array(size + 1);
  const squares = new Float64Array(size + 1).fill(1e-3);
  const random = randomFrom(1);
  const order = rows.map((_, i) => i);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const i of shuffled(order, random)) {
      const error = (1 / (1 + Math.exp(-logOddsOf(weights, vectors[i]!))) - rows[i]!.share) * rows[i]!.weight;
      for (let d = 0; d <= size; d++) {
        const gradient = d < size ? error * vectors[i]![d]! + L2 * weights[d]! : error;
        squares[d]! += gradient * gradient;
        weights[d]! -= (STEP * gradient) / Math.sqrt(squares[d]!);
      }
    }
  }
  return weights;
};

/** Writes `src/router/features/<name>-weights.ts`. */
export const writeModel = async (name: string, revision: string, weights: Weights): Promise<void> => {
  const slopes = weights.slice(0, -1);
  const scale = slopes.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Int8Array.from(slopes, (weight) => Math.round(weight / scale));
  const target = join(FEATURES, `${name}-weights.ts`);
  await Bun.write(
    target,
    `/** Made by eval/routing/train-${name}.ts from lines of our own (CC0-1.0); not edited by hand. */
import type { StoredVectorModel } from "./vector-model.ts";

export const ${name.toUpperCase()}: StoredVectorModel = {
  revision: ${JSON.stringify(revision)},
  scale: ${scale},
  bias: ${weights.at(-1)},
  weights:
    "${Buffer.from(bytes.buffer).toString("base64")}",
};
`,
  );
  console.log(`wrote ${target}`);
};
