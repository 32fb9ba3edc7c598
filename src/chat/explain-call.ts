/** The whole decision about a call without making it: for `POST /v1/route`, `signalbox route` and the dashboard's playground. */

import type { Caller } from "../accounts/authenticate.ts";
import { ApiError } from "../api-error.ts";
import type { Platform } from "../platform.ts";
import { newDraft } from "./call-draft.ts";
import type { ChatInput } from "./chat-input.ts";
import { checkReachable, classifyCall, prepareCall } from "./prepare-call.ts";

/** Nothing is logged, billed or sent. A policy that would refuse the call is part of the answer, other refusals are thrown. */
export const explainCall = async (platform: Platform, caller: Caller, input: ChatInput): Promise<Record<string, unknown>> => {
  const draft = newDraft(caller, input, false);
  checkReachable(platform, draft);
  const classification = classifyCall(platform, draft);
  const policies = await platform.policies.of(caller.project.id);
  const about = {
    task_type: classification.task,
    complexity: Math.round(classification.complexity * 10_000) / 10_000,
    confidence: Math.round(classification.confidence * 10_000) / 10_000,
    media: classification.media,
    detected_format: classification.detectedFormat,
  };
  try {
    const prepared = prepareCall(platform, draft, input.request, policies.routing, false);
    prepared.reservation.release();
    const first = prepared.decision.ranked[0]!;
    return {
      ...about,
      model: first.model.id,
      provider: first.model.provider,
      estimated_cost_usd: first.expectedCostNanoUsd / 1e9,
      estimated_latency_ms: first.expectedLatencyMs,
      fallbacks: prepared.decision.ranked.slice(1, 4).map(({ model }) => model.id),
      reason: prepared.decision.reason,
      ...(draft.costWarning !== undefined && { cost_warning: draft.costWarning }),
      ...(draft.policyEvaluation !== undefined && { policy_evaluation: draft.policyEvaluation }),
      decision_factors: draft.decisionFactors,
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== "policy_blocked") throw error;
    return { ...about, model: null, reason: error.message, policy_evaluation: draft.policyEvaluation };
  }
};
