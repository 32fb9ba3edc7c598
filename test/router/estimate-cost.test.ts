import { expect, test } from "bun:test";
import { CHAT_MODELS } from "../../src/catalog/chat-models.ts";
import { affordableOutput, costBound, expectedOutput, leastOutput } from "../../src/router/estimate-cost.ts";

const prices = (inputNanoUsd: number, outputNanoUsd: number) => ({
  inputNanoUsd,
  outputNanoUsd,
  cacheReadNanoUsd: 0,
  cacheWriteNanoUsd: 0,
});

test("a ceiling of nothing leaves a free model all its output, and a priced one none", () => {
  expect(affordableOutput(prices(0, 0), 1_000, 0)).toBe(Number.MAX_SAFE_INTEGER);
  expect(affordableOutput(prices(0, 5), 1_000, 0)).toBe(0);
  expect(affordableOutput(prices(1, 0), 1_000, 0)).toBe(0);
});

test("a ceiling holds though the prompt is a quarter longer than estimated and is written to the provider's cache", () => {
  const ceiling = 10_000_000;
  for (const cacheWriteNanoUsd of [0, 1_000, 3_750]) {
    const asked = { ...prices(3_000, 15_000), cacheWriteNanoUsd };
    const atMost = (output: number) => 1_250 * Math.max(3_000, cacheWriteNanoUsd) + output * 15_000;
    const output = affordableOutput(asked, 1_000, ceiling);
    expect(atMost(output)).toBeLessThanOrEqual(ceiling);
    // And no more is kept back than the prompt's own overhead.
    expect(atMost(output + 17)).toBeGreaterThan(ceiling);
    expect(costBound(asked, 1_000, leastOutput())).toBeGreaterThanOrEqual(atMost(16));
    expect(costBound(asked, 1_000, leastOutput(5))).toBeLessThan(atMost(16));
    for (const tokens of [1, 16, 500]) {
      const bound = costBound(asked, 1_000, tokens);
      expect([affordableOutput(asked, 1_000, bound), affordableOutput(asked, 1_000, bound - 1)]).toEqual([tokens, tokens - 1]);
    }
  }
});

test("a longer answer is expected of harder prompts, as far as the complexity says that they are harder", () => {
  const lengths = [0, 0.02, 0.5, 0.9, 0.95, 1].map((complexity) =>
    expectedOutput(CHAT_MODELS[0]!, "code", complexity, undefined),
  );
  const [easiest, easy, middling, hard, harder, hardest] = lengths as [number, number, number, number, number, number];
  expect([easy, harder, hardest]).toEqual([easiest, hard, hard]);
  expect(easiest < middling && middling < hard).toBe(true);
});
