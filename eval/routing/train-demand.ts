/**
 * Trains src/router/features/demand-weights.ts: how much an everyday request asks of a model, read from its words. The complexity head has learned
 * from exams, where every question is a question; this tells a greeting from a proof. Runs in seconds.
 * bun eval/routing/train-demand.ts
 */

import { loadEncoder } from "../../src/encoder/encoder.ts";
import { DEMAND_BUCKETS, shareOfBucket } from "../../src/router/features/demand.ts";
import { readFeatures } from "../../src/router/features/request-features.ts";
import { aucOf, type Features, predictLeftOut, readLines, train, writeWeights } from "./linear-model.ts";

const TRAINING = { size: DEMAND_BUCKETS + 1, epochs: 30, step: 0.1, decay: 1e-4, seed: 1 };
/** How much of its log-odds is added to the head's. */
const SHARE = 0.8;
/** The log-odds from which it counts: so that the average request of our sets, easier than these lines, comes out at 0.25. */
const NEUTRAL = -0.9;

const encoder = await loadEncoder();
const featuresOf = (text: string): Features => {
  const { buckets, asked } = readFeatures(encoder, { text }, false);
  const values = new Map([[DEMAND_BUCKETS, 1]]);
  for (const bucket of buckets.subarray(0, asked)) {
    const at = bucket & (DEMAND_BUCKETS - 1);
    values.set(at, (values.get(at) ?? 0) + shareOfBucket(asked));
  }
  return { at: [...values.keys()], values: [...values.values()] };
};

const lines = [...(await readLines("demand.txt")), ...(await readLines("frames/difficulty.txt", false))];
const examples = lines.map(({ text, ...line }) => ({ features: featuresOf(text), ...line }));
const weights = train(examples, TRAINING);
weights[DEMAND_BUCKETS]! -= NEUTRAL;
await writeWeights(
  "demand",
  weights.map((weight) => weight * SHARE),
);
const isHard = examples.map(({ share }) => share >= 0.5);
console.log(
  `${examples.length} lines; left out, a tenth at a time: AUC ${aucOf(predictLeftOut(examples, TRAINING), isHard).toFixed(3)}`,
);
