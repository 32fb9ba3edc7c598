import { describe, expect, test } from "bun:test";
import type { TokenPrices } from "../../src/catalog/model.ts";
import { costOf, dearest, nanoUsdPerToken, type TokenUsage } from "../../src/catalog/price.ts";

const none: TokenUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
const prices = (input: number, cacheRead: number, cacheWrite: number, output: number): TokenPrices => ({
  inputNanoUsd: nanoUsdPerToken(input),
  cacheReadNanoUsd: nanoUsdPerToken(cacheRead),
  cacheWriteNanoUsd: nanoUsdPerToken(cacheWrite),
  outputNanoUsd: nanoUsdPerToken(output),
});

describe("costOf", () => {
  test("what a cache keeps for an hour costs twice the input, the rest of what is written one and a quarter", () => {
    const opus = prices(5, 0.5, 6.25, 25);
    expect(costOf({ ...none, cacheWrite: 1_000 }, opus)).toBe(1_000 * 6_250);
    expect(costOf({ ...none, cacheWrite: 1_000, cacheWriteHour: 400 }, opus)).toBe(600 * 6_250 + 400 * 10_000);
    const haiku = prices(0.1, 0.01, 0.125, 0.5);
    expect(costOf({ ...none, cacheWrite: 1_000_000, cacheWriteHour: 1_000_000 }, haiku)).toBe(200_000_000);
  });

  test("bills each token class at its own price", () => {
    const usage = { input: 1_000, cacheRead: 2_000, cacheWrite: 100, output: 500, reasoning: 0 };
    expect(costOf(usage, prices(2.5, 1.25, 3, 10))).toBe(1_000 * 2_500 + 2_000 * 1_250 + 100 * 3_000 + 500 * 10_000);
  });

  test("bills hidden reasoning as output", () => {
    expect(costOf({ ...none, reasoning: 7 }, prices(1, 1, 1, 5))).toBe(7 * 5_000);
  });

  test("rounds half a nano-USD up, once, over all classes together", () => {
    const halves = prices(0.0375, 0.0375, 0.0375, 0.0375);
    expect(costOf({ ...none, input: 1 }, halves)).toBe(38);
    expect(costOf({ ...none, input: 1, output: 1 }, halves)).toBe(75);
    expect(costOf({ ...none, cacheRead: 1 }, prices(0, 0.0028, 0, 0))).toBe(3);
    expect(costOf({ ...none, cacheRead: 1 }, prices(0, 0.0004, 0, 0))).toBe(0);
  });

  test("agrees with exact integer arithmetic for any usage and price", () => {
    let seed = 1;
    const next = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 2_000; round += 1) {
      const usage = {
        input: next(2_000_000),
        cacheRead: next(2_000_000),
        cacheWrite: next(500_000),
        output: next(200_000),
        reasoning: next(200_000),
      };
      const micro = [next(60_000_000), next(6_000_000), next(75_000_000), next(200_000_000)] as const;
      const [input, cacheRead, cacheWrite, output] = micro;
      const pico =
        BigInt(usage.input) * BigInt(input) +
        BigInt(usage.cacheRead) * BigInt(cacheRead) +
        BigInt(usage.cacheWrite) * BigInt(cacheWrite) +
        BigInt(usage.output + usage.reasoning) * BigInt(output);
      const usd = prices(input / 1e6, cacheRead / 1e6, cacheWrite / 1e6, output / 1e6);
      expect(costOf(usage, usd)).toBe(Number((pico + 500n) / 1000n));
    }
  });
});

describe("nanoUsdPerToken", () => {
  test("turns a vendor's printed price into nano-USD without float dust", () => {
    expect([0.1, 0.07, 0.075, 0.0375, 2.09, 12.5].map(nanoUsdPerToken)).toEqual([100, 70, 75, 37.5, 2090, 12_500]);
  });
});

describe("dearest", () => {
  test("takes the highest price of each class, from whichever model has it", () => {
    expect(dearest([prices(1, 9, 3, 4), prices(2, 1, 1, 8)])).toEqual(prices(2, 9, 3, 8));
  });
});
