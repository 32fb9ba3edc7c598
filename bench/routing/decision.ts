/**
 * How long a whole routing decision takes on one thread: classify, count, score some 40 models with what was learned, choose, explain.
 * bun bench/routing/decision.ts
 */

import { createCatalog } from "../../src/catalog/catalog.ts";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { choose } from "../../src/router/choose.ts";
import { classify } from "../../src/router/classify.ts";
import { countPrompt } from "../../src/router/count-prompt.ts";
import { decisionFactors } from "../../src/router/explain.ts";
import { explore } from "../../src/router/explore.ts";
import { joinPlace, learnedAbout, newLearning, observe } from "../../src/router/project-learning.ts";
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
const requests = Array.from({ length: 200 }, (_, i) => ({ messages: [{ role: "user" as const, content: promptOf(i) }] }));

const learning = newLearning();
const teach = (): void => {
  const models = catalog.chatModels();
  for (const [i, { messages }] of requests.entries()) {
    const found = classify(encoder, { messages, hasSchema: false, hasTools: false });
    const place = joinPlace(learning, found.vector);
    for (let n = 0; n < 8; n++)
      observe(learning, { model: models[(i * 8 + n) % models.length]!, ...found, place, outcome: { passed: n % 7 > 0 } }, now);
  }
};

const steps = { classify: [] as number[], choose: [] as number[], whole: [] as number[] };
const decide = (i: number): void => {
  const request = requests[i % requests.length]!;
  const began = performance.now();
  const classification = classify(encoder, { messages: request.messages, hasSchema: false, hasTools: false });
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
  decisionFactors(decision, classification, input);
  const ended = performance.now();
  steps.classify.push(classified - began);
  steps.choose.push(ended - classified);
  steps.whole.push(ended - began);
};

teach();
for (let i = 0; i < WARM_UP; i++) decide(i);
for (const list of Object.values(steps)) list.length = 0;
for (let i = 0; i < ROUNDS; i++) decide(i);

const at = (sorted: number[], share: number): string =>
  `${(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]! * 1000).toFixed(0)} µs`;
console.log(
  `${ROUNDS} decisions on prompts of ${CHARACTERS} characters, ${catalog.chatModels().length} models, ${learning.places.length} places`,
);
console.log("| step | p50 | p95 | p99 |\n|---|---|---|---|");
for (const [name, list] of Object.entries(steps)) {
  const sorted = list.sort((a, b) => a - b);
  console.log(`| ${name} | ${at(sorted, 0.5)} | ${at(sorted, 0.95)} | ${at(sorted, 0.99)} |`);
}
