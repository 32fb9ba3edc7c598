/** What a request is billed, also when a provider reports no usage or too little. Log, price and caller all use the same figures. */

import type { ChatModel } from "../../catalog/model.ts";
import { costOf } from "../../catalog/price.ts";
import { estimateTokens } from "../../lib/estimate-tokens.ts";
import type { Platform } from "../../platform.ts";
import { type ChatResult, noUsage, promptTokens, type TokenUsage, type UsageSource } from "../../providers/provider.ts";
import type { UpstreamError } from "../../providers/upstream-error.ts";

/** What a request was sent with. `mostOutputTokens`: the output bound that the ceiling left, and the provider was given. */
export type Sent = { promptTokens: number; mostOutputTokens: number };

/** In nano-USD. */
export const costWith = ({ catalog }: Platform, model: ChatModel, usage: TokenUsage): number =>
  costOf(usage, catalog.pricesOf(model, promptTokens(usage)));

/** Estimates what the provider did not count, its thinking included. */
export const counted = (result: ChatResult, sent: Sent): ChatResult => {
  if (result.usageSource !== "none") return result;
  const texts = [result.reasoning ?? "", result.text, ...result.toolCalls.flatMap(({ name, arguments: given }) => [name, given])];
  const output = withinCeiling(
    texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    sent,
  );
  return { ...result, usage: { ...result.usage, input: sent.promptTokens, output }, usageSource: "estimated" };
};

/** An estimate must not claim that the ceiling was exceeded. */
export const withinCeiling = (tokens: number, { mostOutputTokens }: Sent): number => Math.min(tokens, mostOutputTokens);

/** A failed attempt is billed for what the provider reported or, once it had accepted the prompt, for the prompt. */
export const usedInVain = (
  { usage, accepted }: UpstreamError["details"],
  input: number,
): { usage: TokenUsage; usageSource: UsageSource } => {
  if (usage !== undefined) return { usage, usageSource: "provider" };
  return accepted ? { usage: { ...noUsage(), input }, usageSource: "estimated" } : { usage: noUsage(), usageSource: "none" };
};
