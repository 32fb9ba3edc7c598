/** Linear models of sparse features, trained by logistic regression, and the files in which `src/router/features/` has them. */

import { join } from "node:path";

const FEATURES = join(import.meta.dir, "../../src/router/features");

/** What is not zero: where it stands, and how much it is. */
export type Features = { at: number[]; values: number[] };
/** `share`: what the model should say, 0-1. `group`: is left out together. */
export type Example = { features: Features; share: number; weight?: number; group?: number };
type Training = { size: number; epochs: number; step: number; decay: number; seed: number };

export const logOddsOf = (weights: Float64Array, { at, values }: Features): number =>
  at.reduce((sum, where, i) => sum + weights[where]! * values[i]!, 0);

/** AdaGrad over the shuffled examples. */
export const train = (examples: readonly Example[], { size, epochs, step, decay, seed }: Training): Float64Array => {
  const weights = new Float64Array(size);
  const squares = new Float64Array(size).fill(1e-3);
  const random = randomFrom(seed);
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const { features, share, weight = 1 } of shuffled(examples, random)) {
      const error = (1 / (1 + Math.exp(-logOddsOf(weights, features))) - share) * weight;
      features.at.forEach((where, k) => {
        const gradient = error * features.values[k]! + decay * weights[where]!;
        squares[where]! += gradient * gradient;
        weights[where]! -= (step * gradient) / Math.sqrt(squares[where]!);
      });
    }
  }
  return weights;
};

/** Numbers in [0, 1) that follow from `seed` (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] => {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
};

/** For each example the log-odds by a model that has not seen its group; a tenth of the groups is left out at a time. */
export const predictLeftOut = (examples: readonly Example[], training: Training): number[] => {
  const foldOf = ({ group }: Example, i: number): number => (group ?? i) % 10;
  const models = Array.from({ length: 10 }, (_, fold) =>
    train(
      examples.filter((example, i) => foldOf(example, i) !== fold),
      training,
    ),
  );
  return examples.map((example, i) => logOddsOf(models[foldOf(example, i)]!, example.features));
};

/** Chance that an example for which `isTrue` has the higher score. */
export const aucOf = (scores: readonly number[], isTrue: readonly boolean[]): number => {
  const order = scores.map((_, i) => i).sort((a, b) => scores[a]! - scores[b]!);
  let ranks = 0;
  let positives = 0;
  order.forEach((i, rank) => {
    if (isTrue[i]) {
      ranks += rank + 1;
      positives++;
    }
  });
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (isTrue.length - positives));
};

type Line = { text: string; share: number; weight: number; group: number };

/** Lines of text; "@ share" opens a section. With `expands`, `{a|b}` stands for each of its parts in turn, and all together count as some lines. */
export const readLines = async (name: string, expands = true): Promise<Line[]> => {
  let share = 0;
  return (await Bun.file(join(import.meta.dir, name)).text()).split("\n").flatMap((line, group) => {
    if (line.startsWith("@")) share = Number(line.split(" ")[1]);
    if (line === "" || line.startsWith("@") || line.startsWith("#")) return [];
    const texts = expands ? expand(line) : [line];
    return texts.map((text) => ({ text, share, weight: texts.length ** -0.5, group }));
  });
};

const expand = (line: string): string[] => {
  const slot = /\{([^{}]*)\}/.exec(line);
  if (slot === null) return [line];
  return slot[1]!
    .split("|")
    .flatMap((part) => expand(line.slice(0, slot.index) + part + line.slice(slot.index + slot[0].length)));
};

/** Writes the file of weights named `name` to `src/router/features/`. The last weight is the bias. `revision`: of the encoder whose vectors they read. */
export const writeWeights = async (name: string, weights: Float64Array, revision?: string): Promise<void> => {
  const slopes = weights.slice(0, -1);
  const scale = slopes.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Int8Array.from(slopes, (weight) => Math.round(weight / scale));
  await Bun.write(
    join(FEATURES, `${name}-weights.ts`),
    `/** Made by eval/routing/train-${name}.ts from lines of our own (CC0-1.0); not edited by hand. */
import type { StoredWeights } from "./stored-weights.ts";

export const ${name.toUpperCase()}: StoredWeights = {
${revision === undefined ? "" : `  revision: ${JSON.stringify(revision)},\n`}  scale: ${scale},
  bias: ${weights.at(-1)},
  weights:
    "${Buffer.from(bytes.buffer).toString("base64")}",
};
`,
  );
};
