/** Money arithmetic: token prices into one call's cost, exact to the nano-USD. */

import type { TokenPrices } from "./model.ts";

/** Token counts in classes that never overlap; a price exists for each. Their sum is what the provider bills. */
export type TokenUsage = {
  /** Prompt tokens that were neither read from nor written to a prompt cache. */
  input: number;
  /** Of these, tokens of sound, which may cost more (OpenAI and Google only). */
  inputAudio?: number;
  cacheRead: number;
  cacheWrite: number;
  /**
   * Of these, tokens cached for an hour, at a separate price (Anthropic only). Not part of sums, since each attempt is priced separately.
   */
  cacheWriteHour?: number;
  /** Visible output, tool-call arguments included. */
  output: number;
  /** Hidden thinking tokens, billed as output. */
  reasoning: number;
};

/**
 * Prices for a prompt cached for an hour: Anthropic, the only vendor with that option, charges twice the input's price instead of 1.25
 * times.
 */
export const forAnHour = (prices: TokenPrices): TokenPrices => ({
  ...prices,
  cacheWriteNanoUsd: (prices.cacheWriteNanoUsd * 2) / 1.25,
});

/** A price in USD per million tokens, as vendors print it, in nano-USD per token. Keeps three decimals (0.0375 USD → 37.5). */
export const nanoUsdPerToken = (usdPerMillion: number): number => Math.round(usdPerMillion * 1_000_000) / 1_000;

/**
 * Cost in integer nano-USD, rounded half up once at the end.
 * Summed in integer pico-USD, which stays exact below 9,007 USD a call.
 */
export function costOf(usage: TokenUsage, prices: TokenPrices): number {
  const hour = usage.cacheWriteHour ?? 0;
  const heard = prices.audioInputNanoUsd === undefined ? 0 : (usage.inputAudio ?? 0);
  const picoUsd =
    (usage.input - heard) * inPico(prices.inputNanoUsd) +
    (heard === 0 ? 0 : heard * inPico(prices.audioInputNanoUsd!)) +
    usage.cacheRead * inPico(prices.cacheReadNanoUsd) +
    (usage.cacheWrite - hour) * inPico(prices.cacheWriteNanoUsd) +
    (hour === 0 ? 0 : hour * inPico(forAnHour(prices).cacheWriteNanoUsd)) +
    (usage.output + usage.reasoning) * inPico(prices.outputNanoUsd);
  return Math.floor((picoUsd + 500) / 1_000);
}

/** The highest of all prices for each token class, used for unknown prices. Zero only for an empty list. */
export function dearest(all: readonly TokenPrices[]): TokenPrices {
  const highest: TokenPrices = { inputNanoUsd: 0, cacheReadNanoUsd: 0, cacheWriteNanoUsd: 0, outputNanoUsd: 0 };
  for (const prices of all) {
    highest.inputNanoUsd = Math.max(highest.inputNanoUsd, prices.inputNanoUsd);
    highest.cacheReadNanoUsd = Math.max(highest.cacheReadNanoUsd, prices.cacheReadNanoUsd);
    highest.cacheWriteNanoUsd = Math.max(highest.cacheWriteNanoUsd, prices.cacheWriteNanoUsd);
    highest.outputNanoUsd = Math.max(highest.outputNanoUsd, prices.outputNanoUsd);
  }
  return highest;
}

const inPico = (nanoUsd: number): number => Math.round(nanoUsd * 1_000);
