/**
 * A stand-in for the complexity head, trained here on some subjects and asked about others: like it, a logistic regression on words and shapes.
 * The shipped head has seen every pair; a replay with it would be told the answers.
 */

import type { Encoder } from "../../src/encoder/encoder.ts";
import { BUCKETS } from "../../src/router/hash-words.ts";
import { DENSE, readFeatures } from "../../src/router/request-features.ts";
import { SHAPES } from "../../src/router/request-shapes.ts";

export type Example = { text: string; subject: string; weakFails: boolean };

/** The vectors before the shapes tell subjects apart, which is of no use for a subject never seen. */
const SHAPES_FROM = DENSE - SHAPES;
const FOLDS = 5;
const EPOCHS = 4;
const STEP = 0.05;
const DECAY = 1e-5;

type Features = { dense: Float32Array; buckets: number[] };

/** For each example the probability that the weak model fails, by a model that has seen none of its subject. Also its prompt's vector. */
export const predictUnseen = (encoder: Encoder, examples: Example[]): { complexity: number; vector: Float32Array }[] => {
  const features = examples.map(({ text }): Features => {
    const { dense, buckets, count } = readFeatures(encoder, [{ role: "user", content: text }], false);
    return { dense: dense.slice(), buckets: [...new Set(buckets.subarray(0, count))] };
  });
  const subjects = [...new Set(examples.map(({ subject }) => subject))].sort();
  const foldOf = new Map(subjects.map((subject, i) => [subject, i % FOLDS]));
  const out = features.map(({ dense }) => ({ complexity: 0, vector: dense.slice(0, encoder.dimensions) }));
  for (let fold = 0; fold < FOLDS; fold++) {
    const isHeldOut = examples.map(({ subject }) => foldOf.get(subject) === fold);
    const seen = examples.flatMap((_, i) => (isHeldOut[i] ? [] : [i]));
    const weights = train(features, examples, seen, fold);
    features.forEach((each, i) => {
      if (isHeldOut[i]) out[i]!.complexity = 1 / (1 + Math.exp(-score(weights, each)));
    });
  }
  return out;
};

type Weights = { values: Float64Array; squares: Float64Array };

const score = ({ values }: Weights, { dense, buckets }: Features): number => {
  let sum = values[DENSE + BUCKETS]!;
  for (let d = SHAPES_FROM; d < DENSE; d++) sum += values[d]! * dense[d]!;
  const each = 1 / Math.sqrt(Math.max(1, buckets.length));
  for (const bucket of buckets) sum += values[DENSE + bucket]! * each;
  return sum;
};

/** AdaGrad over the shuffled examples; the order follows from the fold. */
const train = (features: Features[], examples: Example[], seen: number[], fold: number): Weights => {
  const weights = { values: new Float64Array(DENSE + BUCKETS + 1), squares: new Float64Array(DENSE + BUCKETS + 1).fill(1e-3) };
  const random = randomFrom(fold + 1);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const i of shuffled(seen, random)) {
      const each = features[i]!;
      const error = 1 / (1 + Math.exp(-score(weights, each))) - Number(examples[i]!.weakFails);
      const move = (at: number, input: number) => {
        const gradient = error * input + DECAY * weights.values[at]!;
        weights.squares[at]! += gradient * gradient;
        weights.values[at]! -= (STEP * gradient) / Math.sqrt(weights.squares[at]!);
      };
      for (let d = SHAPES_FROM; d < DENSE; d++) if (each.dense[d] !== 0) move(d, each.dense[d]!);
      const input = 1 / Math.sqrt(Math.max(1, each.buckets.length));
      for (const bucket of each.buckets) move(DENSE + bucket, input);
      move(DENSE + BUCKETS, 1);
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

/** Chance that a failing example has the higher score. */
export const aucOf = (scores: readonly number[], fails: readonly boolean[]): number => {
  const order = scores.map((_, i) => i).sort((a, b) => scores[a]! - scores[b]!);
  let ranks = 0;
  let positives = 0;
  order.forEach((i, rank) => {
    if (fails[i]) {
      ranks += rank + 1;
      positives++;
    }
  });
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (fails.length - positives));
};
