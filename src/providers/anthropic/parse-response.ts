/** Parses an Anthropic message. Blocks of server-side tools are ignored: only text, thinking and our tool calls count. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, textAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { finishWithCalls } from "../dialect/finish-with-calls.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import { firstCount } from "../dialect/token-counts.ts";
import { newToolCallId } from "../dialect/tool-call-ids.ts";
import type { ReadOptions } from "../dialect/wire-dialect.ts";
import { type ChatResult, type FinishReason, noUsage, type Thought, type TokenUsage, type ToolCall } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { ANSWER_TOOL, schemaBy } from "./build-request.ts";
import { mapAnthropicError } from "./map-error.ts";

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
  return {
    input,
    cacheRead,
    cacheWrite,
    ...(hour > 0 && { cacheWriteHour: Math.min(hour, cacheWrite) }),
    output: allOutput - reasoning,
    reasoning,
  };
};

export const hasUsage = (usage: unknown): usage is Record<string, unknown> =>
  isRecord(usage) && firstCount(usage, "input_tokens", "output_tokens") !== undefined;

const readToolCall = (block: Record<string, unknown>): ToolCall[] => {
  const name = textAt(block, "name");
  if (block["type"] !== "tool_use" || name === "") return [];
  return [{ id: textAt(block, "id") || newToolCallId(), name, arguments: argumentsText(block["input"]) }];
};

/** Thinking exactly as it came, so that it can be sent back. */
export const thoughtOf = (block: Record<string, unknown>): Thought | undefined => {
  const signature = textAt(block, "signature");
  if (block["type"] === "thinking" && signature) return { text: textAt(block, "thinking"), signature };
  const data = textAt(block, "data");
  return block["type"] === "redacted_thinking" && data ? { redacted: data } : undefined;
};

const thoughtsIn = (blocks: Record<string, unknown>[]): NonNullable<ChatResult["thoughts"]> => {
  let textBefore = 0;
  return blocks.flatMap((block) => {
    if (block["type"] === "text") textBefore += textAt(block, "text").length;
    const thought = thoughtOf(block);
    return thought === undefined ? [] : [{ thought, textBefore }];
  });
};

const join = (blocks: Record<string, unknown>[], type: string, field: string): string =>
  blocks.map((block) => (block["type"] === type ? textAt(block[field]) : "")).join("");

export const parseAnthropicResponse = (body: unknown, { provider, request, quirks }: ReadOptions): ChatResult => {
  const message = recordAt(body);
  if (message["type"] === "error" || message["error"]) throw mapAnthropicError({ provider, status: 0, body, accepted: true });
  if (!Array.isArray(message["content"])) throw brokenAnswer("server", provider);
  const blocks = message["content"].filter(isRecord);
  const calls = blocks.flatMap(readToolCall);
  const answer = schemaBy(request, quirks) === "forced_tool" ? calls.find(({ name }) => name === ANSWER_TOOL) : undefined;
  const toolCalls = answer ? [] : calls;
  const reasoning = join(blocks, "thinking", "thinking");
  const thoughts = thoughtsIn(blocks);
  const usage = hasUsage(message["usage"]) ? readUsage(message["usage"]) : undefined;
  const stopSequence = textAt(message, "stop_sequence");
  return {
    text: answer ? answer.arguments : join(blocks, "text", "text"),
    ...(reasoning && { reasoning }),
    ...(thoughts.length > 0 && { thoughts }),
    toolCalls,
    finishReason: finishReasonOf(message["stop_reason"], toolCalls.length > 0),
    ...(stopSequence && { stopSequence }),
    usage: usage ?? noUsage(),
    usageSource: usage ? "provider" : "none",
  };
};
