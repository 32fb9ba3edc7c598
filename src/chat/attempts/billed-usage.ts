/** What is paid for where a provider did not say what it used: the caller, the price and the log know the same. */

import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { type ChatResult, noUsage, type TokenUsage, type UsageSource } from "../../providers/provider.ts";
import type { UpstreamError } from "../../providers/upstream-error.ts";

/** Of a request. `mostOutputTokens`: what the ceiling left room for, to which the provider was held. */
export type Sent = { promptTokens: number; mostOutputTokens?: number };

/** What the provider did not count is estimated, what it thought included. */
export const counted = (result: ChatResult, sent: Sent): ChatResult => {
  if (result.usageSource !== "none") return result;
  const texts = [result.reasoning ?? "", result.text, ...result.toolCalls.flatMap(({ name, arguments: given }) => [name, given])];
  const output = withinCeiling(
    texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    sent,
  );
  return { ...result, usage: { ...result.usage, input: sent.promptTokens, output }, usageSource: "estimated" };
};

/** An estimate is no reason to say that the ceiling was exceeded. */
export const withinCeiling = (tokens: number, { mostOutputTokens = Number.POSITIVE_INFINITY }: Sent): number =>
  Math.min(tokens, mostOutputTokens);

/** A call that failed is billed for what the provider said it used, or, once it had accepted the prompt, for the prompt. */
export const usedInVain = (
  { usage, accepted }: UpstreamError["details"],
  promptTokens: number,
): { usage: TokenUsage; usageSource: UsageSource } => {
  if (usage !== undefined) return { usage, usageSource: "provider" };
  return accepted
    ? { usage: { ...noUsage(), input: promptTokens }, usageSource: "estimated" }
    : { usage: noUsage(), usageSource: "none" };
};
