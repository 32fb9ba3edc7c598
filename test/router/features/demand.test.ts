/** Whether a proof is told from a greeting: complexity of requests that no training frame holds. */

import { expect, test } from "bun:test";
import { loadEncoder } from "../../../src/encoder/encoder.ts";
import { classify } from "../../../src/router/classify.ts";
import { demandOf } from "../../../src/router/features/demand.ts";
import { DEMAND } from "../../../src/router/features/demand-weights.ts";
import { type Level, ROUTING_PROMPTS } from "../../fixtures/routing-prompts.ts";

const encoder = await loadEncoder();
const complexityOf = (content: string) =>
  classify(encoder, { messages: [{ role: "user", content }], hasSchema: false }).complexity;

test("the weights were made for the encoder at hand (eval/routing/train-demand.ts makes them anew)", () => {
  expect(DEMAND.revision).toBe(encoder.revision);
  expect(demandOf({ ...encoder, revision: "another" }, encoder.embed("Prove it."))).toBe(0);
  expect(demandOf(encoder, new Float32Array(256))).toBe(0);
});

test("of an easy and a hard request the hard one is seen as harder, nearly always", () => {
  const of = (level: Level) => ROUTING_PROMPTS.filter((prompt) => prompt[1] === level).map((prompt) => complexityOf(prompt[2]));
  const easy = of("easy");
  const hard = of("hard");
  const wins = easy.reduce((sum, low) => sum + hard.filter((high) => high > low).length, 0);
  expect(wins / (easy.length * hard.length)).toBeGreaterThan(0.92);
});

test.each([
  [
    "What is the capital of Norway?",
    "Prove that every group of order 15 is cyclic and say for which other orders the argument works.",
  ],
  [
    "Thanks, that's all!",
    "Design a geo-replicated lock service, argue its safety under clock drift, and implement it with tests.",
  ],
  [
    "Write a function that doubles a number.",
    "Implement a concurrent skip list in Rust without locks and prove that it is linearizable.",
  ],
])("%s is easier than %s", (easy, hard) => {
  expect(complexityOf(hard)).toBeGreaterThan(complexityOf(easy) + 0.15);
});
