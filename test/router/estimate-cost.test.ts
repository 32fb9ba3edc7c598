import { expect, test } from "bun:test";
import { affordableOutput } from "../../src/router/estimate-cost.ts";

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
