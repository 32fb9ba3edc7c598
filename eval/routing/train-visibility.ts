/**
 * Trains src/router/features/visibility-weights.ts: whether a thing can be seen, read from its vector. Runs in seconds, after the encoder has changed.
 * bun eval/routing/train-visibility.ts
 */

import { loadEncoder } from "../../src/encoder/encoder.ts";
import { aucOf, predictLeftOut, readLines, train, writeWeights } from "./linear-model.ts";

const encoder = await loadEncoder();
const { dimensions } = encoder;
const TRAINING = { size: dimensions + 1, epochs: 60, step: 0.1, decay: 5e-4, seed: 1 };

const examples = (await readLines("visibility.txt")).map(({ text, share }) => {
  const values = [...encoder.embed(text), 1];
  return { features: { at: [...values.keys()], values }, share };
});
await writeWeights("visibility", train(examples, TRAINING), encoder.revision);
const isVisible = examples.map(({ share }) => share > 0.5);
console.log(
  `${examples.length} lines; left out, a tenth at a time: AUC ${aucOf(predictLeftOut(examples, TRAINING), isVisible).toFixed(3)}`,
);
