/** Which calls ask the same. */

import { expect, test } from "bun:test";
import { questionOf } from "../../../src/chat/cache/question.ts";

const asked = ({
  request = {},
  input = {},
  named = {},
  key = {},
  project = {},
  mode = "live",
  stamp = "",
  found,
}: any = {}): string =>
  questionOf(
    {
      caller: { project: { id: "p1", settings: {}, ...project }, mode, key: { models: null, ...key } },
      input: { schemaStrict: false, ...input },
      named: { pinned: undefined, all: [], isExclusive: false, ...named },
      contentEvaluation: found,
    } as never,
    { request: { messages: [{ role: "user", content: "Why?" }], ...request }, policies: { stamp } } as never,
  );

test.each([
  ["an end user", { request: { user: "ann" } }],
  ["a key for the provider's cache", { request: { cacheKey: "k" } }],
  ["marks for the provider's cache", { request: { cachePrompt: { longest: "5m" } } }],
  ["a first line about the client", { request: { forAnthropic: { attribution: "client 1.2" } } }],
  ["thinking of which nothing is said", { request: { thinking: { mode: "default" } } }],
  ["the path", { input: { route: "/v1/messages" } }],
  ["metadata", { input: { custom: { order: "7" }, userId: "ann" } }],
])("%s makes no other question", (_, changes) => {
  expect(asked(changes)).toBe(asked());
});

test("the order in which a request's members were read makes no other question", () => {
  expect(asked({ request: { seed: 1, temperature: 0 } })).toBe(asked({ request: { temperature: 0, seed: 1 } }));
});

test.each([
  ["another project", { project: { id: "p2" } }],
  ["a test key", { mode: "test" }],
  ["a key for other models", { key: { models: ["gpt-4o"] } }],
  ["other policies", { stamp: "policy_1 2" }],
  ["another text", { request: { messages: [{ role: "user", content: "Why not?" }] } }],
  ["a temperature", { request: { temperature: 0 } }],
  ["a seed", { request: { seed: 1 } }],
  ["a bound on the output", { request: { maxOutputTokens: 10 } }],
  ["tools", { request: { tools: [{ name: "look" }] } }],
  ["an output format", { request: { outputFormat: { type: "json" } } }],
  ["strictness", { input: { schemaStrict: true } }],
  ["thinking", { request: { thinking: { mode: "adaptive" } } }],
  ["an effort", { request: { reasoningEffort: "high" } }],
  ["features of Anthropic's", { request: { forAnthropic: { betas: ["context-1m"] } } }],
  ["a pinned model", { named: { pinned: { id: "gpt-4o" }, all: [{ id: "gpt-4o" }], isExclusive: true } }],
  ["models to choose among", { named: { all: [{ id: "gpt-4o" }, { id: "gpt-4o-mini" }], isExclusive: true } }],
  ["something found in the prompt", { found: { pii_count: 1 } }],
  ["a ceiling", { input: { ceilingNanoUsd: 1_000 } }],
  ["a wish for quality", { input: { qualityCost: 0 } }],
  ["the project's balance", { project: { settings: { qualityCost: 0.9 } } }],
])("%s makes another question", (_, changes) => {
  expect(asked(changes)).not.toBe(asked());
});
