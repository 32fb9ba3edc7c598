/** What parts of an Anthropic message mean: stop reasons and usage. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, textAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { finishWithCalls } from "../dialect/finish-with-calls.ts";
import { firstCount } from "../dialect/token-counts.ts";
import { type FinishReason, noUsage, type TokenUsage } from "../provider.ts";

const FINISH: Record<string, FinishReason> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** After `tool_use` there may be no call for the caller: the tool carried the answer, or ran at the provider. */
export const finishReasonOf = (reason: unknown, sawToolCall: boolean): FinishReason =>
  finishWithCalls(ownValue(FINISH, textAt(reason)) ?? "stop", sawToolCall);

type PromptUsage = Pick<TokenUsage, "input" | "cacheRead" | "cacheWrite">;

/** Zeros alone say nothing: some servers count the prompt only at the stream's beginning, and send zeros at its end. */
const readPrompt = (usage: Record<string, unknown>, before: PromptUsage): PromptUsage => {
  const input = firstCount(usage, "input_tokens");
  const cacheRead = firstCount(usage, "cache_read_input_tokens");
  const cacheWrite = firstCount(usage, "cache_creation_input_tokens");
  if (!input && !cacheRead && !cacheWrite) return before;
  return {
    input: input ?? before.input,
    cacheRead: cacheRead ?? before.cacheRead,
    cacheWrite: cacheWrite ?? before.cacheWrite,
  };
};

/** `input_tokens` excludes both kinds of cached tokens. Later reports are cumulative; what they leave out keeps its value. */
export const readUsage = (usage: Record<string, unknown>, before: TokenUsage = noUsage()): TokenUsage => {
  const allOutput = firstCount(usage, "output_tokens") ?? before.output + before.reasoning;
  const reasoning = Math.min(
    firstCount(recordAt(usage, "output_tokens_details"), "thinking_tokens") ?? before.reasoning,
    allOutput,
  );
  const { input, cacheRead, cacheWrite } = readPrompt(usage, before);
  const hour = firstCount(recordAt(usage, "cache_creation"), "ephemeral_1h_input_tokens") ?? before.cacheWriteHour ?? 0;
  const cacheWriteHour = Math.min(hour, cacheWrite);
  return {
    input,
    cacheRead,
    cacheWrite,
    ...(cacheWriteHour > 0 && { cacheWriteHour }),
    output: allOutput - reasoning,
    reasoning,
  };
};

export const hasUsage = (usage: unknown): usage is Record<string, unknown> =>
  isRecord(usage) && firstCount(usage, "input_tokens", "output_tokens") !== undefined;
