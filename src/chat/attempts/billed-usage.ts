/** What a request is billed, also when a provider reports no usage or too little. Log, price and caller all use the same figures. */

import type { ChatModel } from "../../catalog/model.ts";
import { costOf } from "../../catalog/price.ts";
import { estimateTokens } from "../../lib/estimate-tokens.ts";
import type { Platform } from "../../platform.ts";
import { type ChatResult, noUsage, promptTokens, type TokenUsage, type UsageSource } from "../../providers/provider.ts";
import type { UpstreamError } from "../../providers/upstream-error.ts";
import { isMoreThanText } from "../output/is-incomplete.ts";

/** What a request was sent with. `mostOutputTokens`: the output bound that the ceiling left, and the provider was given. */
export type Sent = { promptTokens: number; mostOutputTokens: number };

/** In nano-USD. */
export const costWith = ({ catalog }: Platform, model: ChatModel, usage: TokenUsage): number =>
  costOf(usage, catalog.pricesOf(model, promptTokens(usage)));

/** Estimates what the provider did not count, its thinking included. */
export const counted = (result: ChatResult, sent: Sent): ChatResult => {
  if (result.usageSource === "none") {
    const output = withinCeiling(tokensIn(result), sent);
    return { ...result, usage: { ...result.usage, input: sent.promptTokens, output }, usageSource: "estimated" };
  }
  if (!isMoreThanText(result) && !/\S/.test(result.text)) return result;
  const usage = withoutZeros(result.usage, sent, () => tokensIn(result));
  return usage === result.usage ? result : { ...result, usage, usageSource: "estimated" };
};

/** As Gemini counts one of a megapixel. */
export const TOKENS_OF_PICTURE = 1_290;

const tokensIn = ({ reasoning = "", text, toolCalls, pictures = [] }: ChatResult): number =>
  [reasoning, text, ...toolCalls.flatMap(({ name, arguments: given }) => [name, given])].reduce(
    (sum, each) => sum + estimateTokens(each),
    pictures.length * TOKENS_OF_PICTURE,
  );

/**
 * The usage of an answer that is not empty. Nothing comes of no tokens: servers and relays that do not count report zeros, which would make
 * the call free.
 */
export const withoutZeros = (reported: TokenUsage, sent: Sent, writtenTokens: () => number): TokenUsage => {
  const hasPrompt = promptTokens(reported) > 0;
  const hasAnswer = reported.output + reported.reasoning > 0;
  if (hasPrompt && hasAnswer) return reported;
  return {
    ...reported,
    ...(!hasPrompt && { input: sent.promptTokens }),
    ...(!hasAnswer && { output: withinCeiling(writtenTokens(), sent) }),
  };
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
