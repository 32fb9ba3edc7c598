/** What parts of a chat completion mean: text in every form that vendors use, tool calls, usage, finish reason. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { finishWithCalls } from "../dialect/finish-with-calls.ts";
import { countOf, disjoint, firstCount } from "../dialect/token-counts.ts";
import type { ChatRequest, FinishReason, TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";

const FINISH: Record<string, FinishReason> = {
  stop: "stop",
  length: "length",
  model_length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_context_window_exceeded: "length",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  content_filter: "content_filter",
  content_filtered: "content_filter",
  guardrail_intervened: "content_filter",
  safety: "content_filter",
  sensitive: "content_filter",
  recitation: "content_filter",
  blocklist: "content_filter",
  prohibited_content: "content_filter",
  spii: "content_filter",
  refusal: "content_filter",
};
const FAILED = ["error", "insufficient_system_resource", "network_error", "abort"];

/** Unknown reasons count as an ordinary end. Google says why: `content_filter: SPII`. */
export const finishReasonOf = (reason: unknown, sawToolCall: boolean, provider: string, usage?: TokenUsage): FinishReason => {
  const word = textAt(reason).split(":", 1)[0]!.toLowerCase();
  if (FAILED.includes(word)) {
    throw brokenAnswer("server", provider, usage);
  }
  return finishWithCalls(ownValue(FINISH, word) ?? "stop", sawToolCall);
};

const NOTHING = { text: "", reasoning: "" };

/** Text and thinking of a `content` that is a string, a list of parts (Mistral), or the JSON that was asked for (Cloudflare). */
export const readContent = (content: unknown): { text: string; reasoning: string } => {
  if (!content) return NOTHING;
  if (typeof content === "string") return { text: content, reasoning: "" };
  if (isRecord(content)) return { text: JSON.stringify(content), reasoning: "" };
  let text = "";
  let reasoning = "";
  for (const part of Array.isArray(content) ? content : []) {
    if (typeof part === "string") text += part;
    else if (!isRecord(part)) continue;
    else if (part["type"] === "thinking") reasoning += readContent(part["thinking"]).text;
    // Databricks' of Claude.
    else if (part["type"] === "reasoning") reasoning += readContent(part["summary"]).text;
    else text += textAt(part, "text");
  }
  return { text, reasoning };
};

/** The thinking beside the content, under one of these names, or in parts (MiniMax). */
export const readReasoning = (message: Record<string, unknown>): string =>
  textAt(message, "reasoning_content") ||
  textAt(message, "reasoning") ||
  textAt(message, "reasoning_text") ||
  (message["reasoning_details"] ? partsOfReasoning(message) : "");

const partsOfReasoning = (message: Record<string, unknown>): string =>
  recordsAt(message, "reasoning_details")
    .map((part) => textAt(part, "text") || textAt(part, "summary"))
    .join("");

/** Fields for cached tokens outside `prompt_tokens_details` (DeepSeek, Mistral, Moonshot and Together, proxies of Anthropic). */
const CACHE_READ = ["prompt_cache_hit_tokens", "num_cached_tokens", "cached_tokens", "cache_read_input_tokens"];
const PROMPT_DETAILS = ["prompt_token_details", "prompt_tokens_details", "input_tokens_details"];
const CACHE_WRITE = ["cache_write_tokens", "cache_creation_tokens", "cache_creation_input_tokens"];

/** The prompt includes its cached tokens, unless there are more of them than the prompt has. */
const wholePrompt = (prompt: number, cached: number): number => (cached > prompt ? prompt + cached : prompt);

/**
 * Thinking that `completion_tokens` does not include: xAI counts it apart, Gemini's servers of this format only in the total, some gateways
 * not even there. Servers that only estimate how much of the answer is thinking may exceed it a little.
 */
const thinkingBeside = (total: number | undefined, prompt: number, completion: number, cached: number, told: number): number => {
  if (told > 2 * completion) return told;
  if (told > 0) return total === prompt + completion + told ? told : Math.max(0, told - completion);
  if (total === undefined) return 0;
  return Math.max(0, total - wholePrompt(prompt, cached) - completion);
};

export const readUsage = (usage: unknown): TokenUsage | undefined => {
  if (!isRecord(usage)) return undefined;
  const promptCount = firstCount(usage, "prompt_tokens", "input_tokens");
  const completionCount = firstCount(usage, "completion_tokens", "output_tokens");
  const total = countOf(usage["total_tokens"]);
  // From two of them the third follows. One alone would leave the prompt or the answer free, so all is estimated then.
  if ([promptCount, completionCount, total].filter((count) => count !== undefined).length < 2) return undefined;
  const prompt = promptCount ?? Math.max(0, total! - completionCount!);
  const completion = completionCount ?? Math.max(0, total! - prompt);
  const details = Object.assign({}, ...PROMPT_DETAILS.map((name) => recordAt(usage, name)));
  const read = firstCount(details, "cached_tokens") ?? firstCount(usage, ...CACHE_READ) ?? 0;
  const written = firstCount(details, ...CACHE_WRITE) ?? firstCount(usage, ...CACHE_WRITE) ?? 0;
  const told =
    firstCount(recordAt(usage, "completion_tokens_details"), "reasoning_tokens") ??
    firstCount(recordAt(usage, "output_tokens_details"), "reasoning_tokens") ??
    // SGLang reports it here.
    firstCount(usage, "reasoning_tokens") ??
    0;
  const beside = thinkingBeside(total, prompt, completion, read + written, told);
  const counts = disjoint({
    prompt: wholePrompt(prompt, read + written),
    cacheRead: read,
    cacheWrite: written,
    completion: completion + beside,
    reasoning: told || beside,
  });
  const heard = firstCount(details, "audio_tokens") ?? 0;
  return heard === 0 ? counts : { ...counts, inputAudio: Math.min(counts.input, heard) };
};

const NO_CALLS: readonly unknown[] = [];

/** The calls of a message or delta: a list, one call instead of it (TGI), or one in the older `function_call`. */
export const callsOf = ({ tool_calls: calls, function_call: call }: Record<string, unknown>): readonly unknown[] => {
  if (isRecord(calls)) return [calls];
  if (isRecord(call) && !(Array.isArray(calls) && calls.length > 0)) return [{ function: call }];
  return Array.isArray(calls) ? calls : NO_CALLS;
};

/** vLLM reports the stop sequence here; other vendors use the field for other things. */
export const stopSequenceOf = (choice: Record<string, unknown>, { stop }: ChatRequest): string | undefined =>
  stop?.find((sequence) => sequence === choice["stop_reason"]);
