/**
 * Trains src/router/features/demand-weights.ts: how much an everyday request asks of a model, read from its vector. The complexity head has learned
 * from exams, where every question is a question; this tells a greeting from a proof. Runs in seconds, after the encoder has changed.
 * bun eval/routing/train-demand.ts
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { readFeatures } from "../../src/router/features/request-features.ts";
import { aucOf, predictUnseen } from "./difficulty-model.ts";
import { logOddsOf, readRows, train, writeModel } from "./vector-model.ts";

const PAIRS = join(import.meta.dir, "../../../shared/data/routing/pairs.jsonl");
/** How much of its log-odds is added to the head's, and from which it counts: so that everyday requests come out as hard, on average, as estimated. */
const SHARE = 0.8;
const NEUTRAL = -1.2;

const encoder = await loadEncoder();
const rows = [...(await readRows("demand.txt")), ...(await readRows("frames/difficulty.txt", false))];
const trained = train(
  rows,
  rows.map(({ text }) => readFeatures(encoder, { text }, false).dense.slice(0, encoder.dimensions)),
);
trained[trained.length - 1]! -= NEUTRAL;
const weights = trained.map((weight) => weight * SHARE);
await writeModel("demand", encoder.revision, weights);

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
  const both = head.map((logOdds, i) => logOdds + logOddsOf(weights, unseen[i]!.vector));
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
