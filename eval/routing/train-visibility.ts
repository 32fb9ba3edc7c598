/**
 * Trains src/router/features/visibility-weights.ts: whether a thing can be seen. Runs in seconds, after the encoder has changed.
 * bun eval/routing/train-visibility.ts
 */

import { loadEncoder } from "../../src/encoder/encoder.ts";
import { aucOf } from "./difficulty-model.ts";
import { logOddsOf, readRows, train, writeModel } from "./vector-model.ts";

const FOLDS = 10;

const encoder = await loadEncoder();
const rows = await readRows("visibility.txt");
const vectors = rows.map(({ text }) => encoder.embed(text));
await writeModel("visibility", encoder.revision, train(rows, vectors));

const unseen = rows.map(() => 0);
for (let fold = 0; fold < FOLDS; fold++) {
  const learned = rows.flatMap((_, i) => (i % FOLDS === fold ? [] : [i]));
  const weights = train(
    learned.map((i) => rows[i]!),
    learned.map((i) => vectors[i]!),
  );
  for (let i = fold; i < rows.length; i += FOLDS) unseen[i] = logOddsOf(weights, vectors[i]!);
}
const truth = rows.map(({ share }) => share > 0.5);
const right = unseen.filter((logOdds, i) => logOdds > 0 === truth[i]).length;
console.log(`${rows.length} lines; left out, a tenth at a time: AUC ${aucOf(unseen, truth).toFixed(3)}, right ${right}`);
