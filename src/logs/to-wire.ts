/** Converts a stored call to its wire format: the groups of spec.md "Log entry", for lists and the detail view. */

import type { Static } from "@sinclair/typebox";
import { toIso } from "../lib/clock.ts";
import { jsonOf } from "../lib/is-json.ts";
import { toUsd } from "../lib/money.ts";
import { toFourDecimals } from "../lib/round.ts";
import type { ToolCall } from "../providers/provider.ts";
import type { StoredCall, StoredDetail } from "./read-store.ts";
import { type CallDetails, unpackCall } from "./store.ts";
import type { LogDetail, LogEntry } from "./wire.ts";

/** To four places, as in the answer. */
const rounded = (share: number | null): number | null => (share === null ? null : toFourDecimals(share));
const flag = (value: number | null): boolean | null => (value === null ? null : value === 1);

/** Gap: texts are null if the project or a policy keeps bodies out of the log; their lengths stay. */
export const toWireEntry = (call: StoredCall): LogEntry => entryOf(call, unpackCall(call));

export const entryOf = (call: StoredCall, { details, prompt, output }: ReturnType<typeof unpackCall>): LogEntry => ({
  call_id: call.id,
  timestamp: toIso(call.started_at),
  prompt: { text: prompt?.text ?? null, hash: call.prompt_hash, length: call.prompt_length },
  classification: { task_type: call.task_type, complexity_score: rounded(call.complexity), confidence: rounded(call.confidence) },
  routing: {
    model_selected: call.model,
    fallback_model: details.attempts?.findLast(({ purpose }) => purpose === "fallback")?.model ?? null,
    routing_reason: details.routingReason ?? null,
    provider: call.provider,
    first_choice: call.first_choice,
    pinned: call.pinned === 1,
  },
  execution: {
    latency_ms: call.latency_ms,
    input_tokens: call.input_tokens + call.cache_read_tokens + call.cache_write_tokens,
    output_tokens: call.output_tokens + call.reasoning_tokens,
    total_tokens: call.total_tokens,
    cost_usd: toUsd(call.cost_nano_usd),
    started_at: toIso(call.started_at),
    completed_at: toIso(call.completed_at),
    usage_source: call.usage_source,
    success: call.status < 400,
    status: call.status,
    error_type: call.error_type,
    streamed: call.streamed === 1,
    first_token_ms: call.first_token_ms,
    overhead_ms: Math.max(0, call.latency_ms - call.upstream_ms),
  },
  quality: {
    validation_passed: flag(call.validation_passed),
    retry_count: call.retry_count,
    fallback_used: call.fallback_used === 1,
    cost_warning_triggered: call.cost_warning === 1,
    output_quality_score: call.quality_score,
    failure_mode: call.failure_mode,
  },
  output: { text: output?.text ?? null, length: call.output_length, format_valid: flag(call.format_valid) },
  metadata: {
    user_id: call.user_id,
    session_id: call.session_id,
    api_key_hash: details.keyHash ?? "",
    custom: details.custom ?? {},
    mode: call.mode,
    kind: call.kind,
    endpoint: call.route,
    key_id: call.key_id,
  },
});

/** In the format of chat requests, where a tool's failure is said by its content; of attachments the ledger has only kind and size. */
const toWireMessages = (messages: unknown) => {
  if (!Array.isArray(messages)) return null;
  return messages.map(({ toolCalls, toolCallId, isError: _, ...message }) => ({
    ...message,
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    ...(toolCalls !== undefined && {
      tool_calls: toolCalls.map(({ id, name, arguments: text }: ToolCall) => ({
        id,
        type: "function",
        function: { name, arguments: text },
      })),
    }),
  }));
};

/** `embed`: the local encoder, which computes the prompt's vector whenever it is asked for. */
export const toWireDetail = (call: StoredDetail, embed: (text: string) => Float32Array): Static<typeof LogDetail> => {
  const opened = unpackCall(call);
  const { details, prompt, output } = opened;
  const entry = entryOf(call, opened);
  return {
    ...entry,
    prompt: {
      ...entry.prompt,
      embedding: vectorOf(prompt?.text, embed),
      message_count: call.message_count,
      messages: toWireMessages(prompt?.messages),
    },
    classification: { ...entry.classification, detected_format: details.detectedFormat ?? null },
    routing: { ...entry.routing, decision_factors: details.decisionFactors ?? null },
    execution: {
      ...entry.execution,
      cached_input_tokens: call.cache_read_tokens,
      cache_write_tokens: call.cache_write_tokens,
      reasoning_tokens: call.reasoning_tokens,
      error_message: details.errorMessage ?? null,
      cancelled: details.cancelled ?? false,
      attempts: (details.attempts ?? []).map(toWireAttempt),
      cache:
        details.reusedFrom === undefined ? null : { call_id: details.reusedFrom, saved_usd: toUsd(call.saved_nano_usd ?? 0) },
      side_calls: toWireSideCalls(call, details.attempts ?? []),
    },
    quality: {
      ...entry.quality,
      validation_checks: toWireChecks(details.validationChecks),
      cost_warning: details.costWarning ?? null,
      feedback: call.feedback_score === null ? null : { score: call.feedback_score, comment: call.feedback_comment },
    },
    output: {
      ...entry.output,
      parsed_json: output?.parsedJson ?? parsedOf(output?.text),
      ...(details.pictures && { images: details.pictures.map((bytes) => ({ bytes })) }),
    },
    metadata: {
      ...entry.metadata,
      request_ip: details.requestIp ?? null,
      user_agent: details.userAgent ?? null,
      redacted: details.redacted ?? false,
    },
    policies: { policy_evaluation: details.policyEvaluation ?? null, content_evaluation: details.contentEvaluation ?? null },
    context: toWireContext(details.context),
    shadow_call: {
      executed: call.shadow_model !== null,
      shadow_model: call.shadow_model,
      shadow_cost_usd: call.shadow_cost_nano_usd === null ? null : toUsd(call.shadow_cost_nano_usd),
      shadow_latency_ms: call.shadow_latency_ms,
      quality_comparison: call.shadow_comparison,
    },
  };
};

const toWireAttempt = (attempt: CallDetails["attempts"][number]) => ({
  attempt_number: attempt.number,
  model: attempt.model,
  success: attempt.success,
  latency_ms: Math.round(attempt.latencyMs),
  cost_usd: toUsd(attempt.costNanoUsd),
  provider: attempt.provider,
  purpose: attempt.purpose,
  finish_reason: attempt.finishReason ?? null,
  failure: attempt.failure ?? null,
  failure_message: attempt.failureMessage ?? null,
  upstream_status: attempt.upstreamStatus ?? null,
  not_retried: attempt.notRetried ?? null,
  input_tokens: attempt.usage.input + attempt.usage.cacheRead + attempt.usage.cacheWrite,
  output_tokens: attempt.usage.output + attempt.usage.reasoning,
});

/**
 * The usage of side calls (judges, summaries): together with the attempts it adds up to the call's tokens and cost (a failed video costs
 * nothing in the end).
 */
const toWireSideCalls = (call: StoredCall, attempts: CallDetails["attempts"]) => {
  const own = attempts.map(toWireAttempt);
  const sum = (figure: "input_tokens" | "output_tokens") => own.reduce((total, attempt) => total + attempt[figure], 0);
  const costNanoUsd = attempts.reduce((total, attempt) => total + attempt.costNanoUsd, 0);
  return {
    input_tokens: call.input_tokens + call.cache_read_tokens + call.cache_write_tokens - sum("input_tokens"),
    output_tokens: call.output_tokens + call.reasoning_tokens - sum("output_tokens"),
    cost_usd: toUsd(Math.max(0, call.cost_nano_usd - costNanoUsd)),
  };
};

/** Null if nothing was checked: a call that failed, or one without text. */
const toWireChecks = (checks: CallDetails["validationChecks"]) => ({
  format_valid: checks?.formatValid ?? null,
  no_refusal: checks?.noRefusal ?? null,
  no_disclaimer: checks?.noDisclaimer ?? null,
  completeness: checks?.completeness ?? null,
});

const toWireContext = (context: unknown) => {
  const seen = (context ?? {}) as { provider_health?: unknown; budget?: unknown };
  return { provider_health: seen.provider_health ?? null, budget: seen.budget ?? null };
};

const FENCED = /^\s*```(?:json)?[ \t]*\n([\s\S]*)\n[ \t]*```\s*$/;

/** Objects and arrays, fenced or not; null for any other text. If a schema applied, its value was stored with the call. */
const parsedOf = (text: string | undefined): unknown => {
  const json = FENCED.exec(text ?? "")?.[1] ?? text ?? "";
  return /^\s*[{[]/.test(json) ? (jsonOf(json) ?? null) : null;
};

/** Components of a unit vector, to three decimals; null if the prompt is kept out of the log. */
const vectorOf = (text: string | undefined, embed: (text: string) => Float32Array): number[] | null =>
  text === undefined ? null : Array.from(embed(text), (value) => Math.round(value * 1000) / 1000);
