/** An answer that the log has, in the form in which it was given. The log keeps neither thinking nor pictures, nor cited pages. */

import type { FetchedAnswer } from "../../logs/fetch-answer.ts";
import { type ChatResult, noUsage } from "../../providers/provider.ts";
import type { DecisionFactors } from "../../router/explain.ts";
import type { Svc } from "./completion-schema.ts";
import { svcEvaluations } from "./svc.ts";
import type { Answer } from "./whole-answer.ts";

export const answerOf = (fetched: FetchedAnswer): Answer => ({
  requestId: fetched.entry.call_id,
  createdAtMs: fetched.startedAtMs,
  model: fetched.entry.routing.model_selected!,
  result: resultOf(fetched),
  svc: svcOf(fetched),
});

/** A picture is told without its bytes. */
const resultOf = ({ text, toolCalls, attempt, details }: FetchedAnswer): ChatResult => ({
  text,
  toolCalls,
  finishReason: attempt?.finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
  usage: attempt?.usage ?? noUsage(),
  usageSource: attempt?.usageSource ?? "none",
  ...(details.pictures && { pictures: details.pictures.map(() => "") }),
  ...(details.isRefusal && { refusal: text }),
});

const svcOf = ({ entry, details }: FetchedAnswer): Svc => {
  const { classification, routing, execution, quality, metadata } = entry;
  const confidence = classification.confidence!;
  const factors = details.decisionFactors as DecisionFactors | undefined;
  return {
    request_id: entry.call_id,
    task_type: classification.task_type as Svc["task_type"],
    complexity: classification.complexity_score!,
    model_selected: routing.model_selected!,
    latency_ms: execution.latency_ms,
    fallback_used: quality.fallback_used,
    validation_passed: quality.validation_passed ?? false,
    cost_usd: execution.cost_usd,
    ...svcEvaluations(details as Parameters<typeof svcEvaluations>[0]),
    ...(metadata.session_id !== null && { session_id: metadata.session_id }),
    routing: {
      first_choice: routing.first_choice ?? routing.model_selected!,
      reason: routing.routing_reason ?? "",
      confidence,
      candidates: factors?.candidates ?? [],
    },
  };
};
