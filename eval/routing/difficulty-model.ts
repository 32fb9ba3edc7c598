/**
 * A stand-in for what the router makes of a prompt's difficulty, trained here on some subjects and asked about others: like it, a logistic
 * regression on the shapes of an exam, or else on words and shapes. The shipped one has seen every pair; a replay would be told the answers.
 */

import type { Encoder } from "../../src/encoder/encoder.ts";
import { BUCKETS } from "../../src/router/features/hash-words.ts";
import { DENSE, readFeatures } from "../../src/router/features/request-features.ts";
import { SHAPES } from "../../src/router/features/request-shapes.ts";
import { type Features, logOddsOf, train } from "./linear-model.ts";

type Example = { text: string; subject: string; weakFails: boolean };

/** The vectors before the shapes tell subjects apart, which is of no use for a subject never seen. */
const SHAPES_FROM = DENSE - SHAPES;
const SIZE = SHAPES + BUCKETS + 1;
const FOLDS = 5;
const TRAINING = { size: SIZE, epochs: 4, step: 0.05, decay: 1e-5 };

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
    const learn = (from: number[], featuresOf: (each: Read) => Features) =>
      train(
        from.map((i) => ({ features: featuresOf(read[i]!), share: Number(examples[i]!.weakFails) })),
        { ...TRAINING, seed: fold + 1 },
      );
    const words = learn(seen, (each) => each.words);
    const exams = seen.filter((i) => read[i]!.exam !== undefined);
    const shapes = learn(exams, (each) => each.exam!);
    read.forEach((each, i) => {
      if (!isHeldOut[i]) return;
      const logOdds = each.exam === undefined ? logOddsOf(words, each.words) : logOddsOf(shapes, each.exam);
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
