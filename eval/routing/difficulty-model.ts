/**
 * A stand-in for what the router makes of a prompt's difficulty, trained here on some subjects and asked about others: like it, a logistic
 * regression on the shapes of an exam, or else on words and shapes. The shipped one has seen every pair; a replay would be told the answers.
 */

import type { Encoder } from "../../src/encoder/encoder.ts";
import { BUCKETS } from "../../src/router/features/hash-words.ts";
import { DENSE, readFeatures } from "../../src/router/features/request-features.ts";
import { SHAPES } from "../../src/router/features/request-shapes.ts";

type Example = { text: string; subject: string; weakFails: boolean };

/** The vectors before the shapes tell subjects apart, which is of no use for a subject never seen. */
const SHAPES_FROM = DENSE - SHAPES;
const SIZE = SHAPES + BUCKETS + 1;
const FOLDS = 5;
const EPOCHS = 4;
const STEP = 0.05;
const DECAY = 1e-5;

/** What is not zero: where it stands, and how much it is. */
type Features = { at: number[]; values: number[] };
type Read = { vector: Float32Array; words: Features; exam: Features | undefined };

/** For each example the probability that the weak model fails, by a model that has seen none of its subject. Also its prompt's vector. */
export const predictUnseen = (encoder: Encoder, examples: Example[]): { complexity: number; vector: Float32Array }[] => {
  const read = examples.map(({ text }) => readExample(encoder, text));
  const subjects = [...new Set(examples.map(({ subject }) => subject))].sort();
  const foldOf = new Map(subjects.map((subject, i) => [subject, i % FOLDS]));
  const out = read.map(({ vector }) => ({ complexity: 0, vector }));
  for (let fold = 0; fold < FOLDS; fold++) {
    const isHeldOut = examples.map(({ subject }) => foldOf.get(subject) === fold);
    const seen = examples.flatMap((_, i) => (isHeldOut[i] ? [] : [i]));
    const words = train((i) => read[i]!.words, examples, seen, fold);
    const exams = seen.filter((i) => read[i]!.exam !== undefined);
    const shapes = train((i) => read[i]!.exam!, examples, exams, fold);
    read.forEach((each, i) => {
      if (!isHeldOut[i]) return;
      const logOdds = each.exam === undefined ? score(words, each.words) : score(shapes, each.exam);
      out[i]!.complexity = 1 / (1 + Math.exp(-logOdds));
    });
  }
  return out;
};

const readExample = (encoder: Encoder, text: string): Read => {
  const { dense, buckets, count, exam } = readFeatures(encoder, { text }, false);
  const words: Features = { at: [SIZE - 1], values: [1] };
  for (let d = SHAPES_FROM; d < DENSE; d++) {
    if (dense[d] === 0) continue;
    words.at.push(d - SHAPES_FROM);
    words.values.push(dense[d]!);
  }
  const met = new Set(buckets.subarray(0, count));
  for (const bucket of met) {
    words.at.push(SHAPES + bucket);
    words.values.push(1 / Math.sqrt(met.size));
  }
  return {
    vector: dense.slice(0, encoder.dimensions),
    words,
    exam: exam && { at: [SIZE - 1, ...exam.keys()], values: [1, ...exam] },
  };
};

type Weights = { values: Float64Array; squares: Float64Array };

const score = (weights: Weights, { at, values }: Features): number =>
  at.reduce((sum, where, i) => sum + weights.values[where]! * values[i]!, 0);

/** AdaGrad over the shuffled examples; the order follows from the fold. */
const train = (featuresOf: (i: number) => Features, examples: Example[], seen: number[], fold: number): Weights => {
  const weights = { values: new Float64Array(SIZE), squares: new Float64Array(SIZE).fill(1e-3) };
  const random = randomFrom(fold + 1);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const i of shuffled(seen, random)) {
      const features = featuresOf(i);
      const error = 1 / (1 + Math.exp(-score(weights, features))) - Number(examples[i]!.weakFails);
      features.at.forEach((where, k) => {
        const gradient = error * features.values[k]! + DECAY * weights.values[where]!;
        weights.squares[where]! += gradient * gradient;
        weights.values[where]! -= (STEP * gradient) / Math.sqrt(weights.squares[where]!);
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
