/** A call as OpenTelemetry spans: one for the request we served, one for each attempt upstream, by the GenAI semantic conventions. */

import { toUsd } from "../lib/money.ts";
import { randomHex } from "../lib/trace-context.ts";
import type { Attempt, Call } from "../logs/call.ts";
import { completionTokens, promptTokens } from "../providers/provider.ts";
import { OPERATIONS, providerNameOf } from "./genai-names.ts";

export type Attributes = Record<string, string | number | boolean | string[] | undefined>;
export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: "server" | "client";
  startMs: number;
  endMs: number;
  attributes: Attributes;
  /** The kind of error, if it ended in one. */
  error?: string;
};

export const spansOf = (call: Call): Span[] => {
  const trace = call.trace ?? { traceId: randomHex(16), spanId: randomHex(8), sampled: true };
  const server: Span = {
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: trace.parentSpanId,
    name: `POST ${call.route}`,
    kind: "server",
    startMs: call.startedAtMs,
    endMs: call.completedAtMs,
    attributes: serverAttributes(call),
    ...(call.status >= 500 && { error: call.errorType ?? String(call.status) }),
  };
  return [server, ...attemptSpans(call, trace)];
};

/** Tokens have names of our own here: backends add up what spans have under the conventions' names, and the attempts have it too. */
const serverAttributes = (call: Call): Attributes => ({
  "http.request.method": "POST",
  "http.route": call.route,
  "http.response.status_code": call.status,
  "error.type": call.status >= 400 ? (call.errorType ?? String(call.status)) : undefined,
  "gen_ai.conversation.id": call.sessionId,
  "signalbox.call_id": call.id,
  "signalbox.project_id": call.projectId,
  "signalbox.mode": call.mode,
  "signalbox.model": call.model,
  "signalbox.answer_of": call.reused?.callId,
  "signalbox.input_tokens": promptTokens(call.usage),
  "signalbox.output_tokens": completionTokens(call.usage),
  "signalbox.task_type": call.taskType,
  "signalbox.complexity": call.complexity,
  "signalbox.first_choice": call.firstChoice,
  "signalbox.validation_passed": call.validationPassed,
  "signalbox.cost_usd": toUsd(call.costNanoUsd),
});

/** The ledger has each attempt's duration but not its start, so attempts are laid end to end before the call's end. */
const attemptSpans = (call: Call, trace: { traceId: string; spanId: string }): Span[] => {
  const spent = call.attempts.reduce((sum, { latencyMs }) => sum + latencyMs, 0);
  let startMs = Math.max(call.startedAtMs, call.completedAtMs - spent);
  return call.attempts.map((attempt) => {
    const endMs = Math.min(call.completedAtMs, startMs + attempt.latencyMs);
    const span: Span = {
      traceId: trace.traceId,
      spanId: randomHex(8),
      parentSpanId: trace.spanId,
      name: `${OPERATIONS[call.kind]} ${attempt.model}`,
      kind: "client",
      startMs,
      endMs,
      attributes: attemptAttributes(call, attempt),
      ...(!attempt.success && { error: attempt.failure ?? "unknown" }),
    };
    startMs = endMs;
    return span;
  });
};

const attemptAttributes = (call: Call, attempt: Attempt): Attributes => ({
  "gen_ai.operation.name": OPERATIONS[call.kind],
  "gen_ai.provider.name": providerNameOf(attempt.provider),
  "gen_ai.request.model": attempt.model,
  "gen_ai.conversation.id": call.sessionId,
  "gen_ai.response.finish_reasons": attempt.finishReason && [attempt.finishReason],
  "gen_ai.usage.input_tokens": promptTokens(attempt.usage),
  "gen_ai.usage.cache_read.input_tokens": attempt.usage.cacheRead,
  "gen_ai.usage.cache_creation.input_tokens": attempt.usage.cacheWrite,
  "gen_ai.usage.output_tokens": completionTokens(attempt.usage),
  // Not of the conventions, but what backends look for before they estimate.
  "gen_ai.usage.cost": toUsd(attempt.costNanoUsd),
  "http.response.status_code": attempt.upstreamStatus,
  "error.type": attempt.success ? undefined : (attempt.failure ?? "unknown"),
  "signalbox.attempt": attempt.number,
  "signalbox.purpose": attempt.purpose,
});
