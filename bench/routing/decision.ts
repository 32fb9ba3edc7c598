/**
 * How long a whole routing decision takes on one thread: classify, count, score some 40 models with what was learned, choose, explain.
 * In a gateway the rest of each call fills the caches with other things; so the second table walks through other memory before each decision,
 * which gives what spans around the same calls measure in a running server.
 * bun bench/routing/decision.ts
 */

import { cpus, loadavg } from "node:os";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { choose } from "../../src/router/choose.ts";
import { classify } from "../../src/router/classify.ts";
import { countPrompt } from "../../src/router/count-prompt.ts";
import { decisionFactors, explainDecision } from "../../src/router/explain.ts";
import { explore } from "../../src/router/explore.ts";
import { MOST_PLACES } from "../../src/router/learning/places.ts";
import { joinPlace, learnedAbout, newLearning, observe } from "../../src/router/learning/project-learning.ts";
import { scoreCandidates } from "../../src/router/score-candidates.ts";

const ROUNDS = 3_000;
const WARM_UP = 1_000;
const CHARACTERS = 4_000;

const encoder = await loadEncoder();
const catalog = createCatalog({ overrides: [] });
const now = Date.now();

const SENTENCES = [
  "The committee met on Tuesday and looked at the figures of the third quarter, which had fallen by 4.2 percent.",
  "Our driver reported that the gate at the northern depot was locked, so the parcels went back to the hub in Leeds.",
  "function total(rows) { return rows.reduce((sum, row) => sum + row.amount, 0); }",
  "Please note that all invoices dated before 1 May must be settled within thirty days of receipt.",
  "She asked whether the pipeline could be restarted without losing the events of the last hour.",
];
const ASKS = [
  "Summarise the text below in three bullet points for the board.",
  "Extract all dates, amounts and names as JSON.",
  "Which of these statements contradict each other, and why?",
  "Write a polite reply that answers every point.",
  "Find the bug in the code and explain the fix.",
];
const promptOf = (seed: number): string => {
  let text = ASKS[seed % ASKS.length]!;
  for (let i = seed; text.length < CHARACTERS; i++)
    text += `${i % 4 === 0 ? "\n" : " "}${SENTENCES[(i * 7) % SENTENCES.length]} (${i})`;
  return text.slice(0, CHARACTERS);
};
const unit = (d: number): Float32Array => Float32Array.from({ length: encoder.dimensions }, (_, i) => Number(i === d));
const requests = Array.from({ length: 200 }, (_, i) => ({ messages: [{ role: "user" as const, content: promptOf(i) }] }));

const learning = newLearning();
/** As many places as there may be, and outcomes of every model. */
const teach = (): void => {
  for (let d = 0; d < MOST_PLACES - 6; d++) joinPlace(learning, unit(d));
  const models = catalog.chatModels();
  for (const [i, { messages }] of requests.entries()) {
    const found = classify(encoder, { messages, hasSchema: false });
    const place = joinPlace(learning, found.vector);
    for (let n = 0; n < 8; n++)
      observe(learning, { model: models[(i * 8 + n) % models.length]!, ...found, place, outcome: { passed: n % 7 > 0 } }, now);
  }
};

type Timing = { classify: number; choose: number; whole: number };

const decide = (i: number): Timing => {
  const request = requests[i % requests.length]!;
  const began = performance.now();
  const classification = classify(encoder, { messages: request.messages, hasSchema: false });
  const classified = performance.now();
  const input = {
    request,
    promptTokens: countPrompt(request),
    classification,
    qualityCost: 0.5,
    preferFaster: false,
    isConfigured: () => true,
    healthOf: () => "healthy" as const,
    learned: learnedAbout(learning, classification, now),
    now,
  };
  const decision = explore(choose(scoreCandidates(catalog, input), input)!, 0.02, `request-${i}`);
  decisionFactors(explainDecision(decision, classification), decision, classification, input);
  const ended = performance.now();
  return { classify: classified - began, choose: ended - classified, whole: ended - began };
};

/** Twice what a core keeps near itself, on many machines. */
const other = new Uint8Array(4 << 20);
const walkThroughOther = (): void => {
  for (let at = 0; at < other.length; at += 64) other[at]!++;
};

teach();
for (let i = 0; i < WARM_UP; i++) decide(i);
const all = Array.from({ length: ROUNDS }, (_, i) => decide(i));
const inPlace = Array.from({ length: ROUNDS }, (_, i) => {
  walkThroughOther();
  return decide(i);
});
/** Each prompt's quickest of several: what the decision itself takes where other programs use the machine too. */
const quickest = requests.map((_, prompt) => {
  const same = all.filter((_, i) => i % requests.length === prompt);
  const least = (step: keyof Timing) => Math.min(...same.map((timing) => timing[step]));
  return { classify: least("classify"), choose: least("choose"), whole: least("whole") };
});

const at = (timings: readonly Timing[], step: keyof Timing, share: number): string => {
  const sorted = timings.map((timing) => timing[step]).sort((a, b) => a - b);
  return `${(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]! * 1000).toFixed(0)} µs`;
};
const print = (title: string, timings: readonly Timing[]): void => {
  console.log(`\n${title}\n\n| step | p50 | p95 | p99 |\n|---|---|---|---|`);
  for (const step of ["classify", "choose", "whole"] as const)
    console.log(`| ${step} | ${at(timings, step, 0.5)} | ${at(timings, step, 0.95)} | ${at(timings, step, 0.99)} |`);
};
console.log(
  `Prompts of ${CHARACTERS} characters, ${catalog.chatModels().length} models, ${learning.places.length} places; load ${loadavg()[0]!.toFixed(1)} on ${cpus().length} cores`,
);
print(`As it came, ${ROUNDS} decisions`, all);
print(`After ${other.length >> 20} MB of other memory, ${ROUNDS} decisions`, inPlace);
print(`The quickest of ${ROUNDS / requests.length} for each of ${requests.length} prompts`, quickest);
