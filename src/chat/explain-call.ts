/** A decision without a call: for `POST /v1/route`, `signalbox route` and the dashboard's playground. */

import type { Caller } from "../accounts/authenticate.ts";
import { ApiError } from "../api-error.ts";
import { toUsd } from "../lib/money.ts";
import { toFourDecimals } from "../lib/round.ts";
import type { Platform } from "../platform.ts";
import { type CallDraft, newDraft } from "./call-draft.ts";
import { type Context, rehearseContext } from "./context/gather-context.ts";
import { prepareCall } from "./decision/prepare-call.ts";
import { checkReachable } from "./decision/reachable-models.ts";
import { asksForMedia, mediaReason } from "./media/answer-with-media.ts";
import { chooseMedia } from "./media/choose-media.ts";
import type { ChatInput } from "./request/chat-input.ts";
import type { RouteExplanation } from "./response/completion-schema.ts";
import { svcEvaluations } from "./response/svc.ts";

/**
 * Nothing is logged, billed or sent to a model. A policy that would refuse the call is reported in the answer; other refusals are thrown.
 * `signal` ends the reading of PDFs.
 */
export const explainCall = async (
  platform: Platform,
  caller: Caller,
  input: ChatInput,
  signal = new AbortController().signal,
): Promise<RouteExplanation> => {
  const draft = newDraft(platform, { caller, input, streamed: false, signal });
  const isForMedia = asksForMedia(platform, draft);
  if (!isForMedia) checkReachable(platform, draft);
  const { classification } = draft;
  const policies = await platform.policies.of(caller.project.id);
  const about = {
    task_type: classification.task,
    complexity: toFourDecimals(classification.complexity),
    confidence: toFourDecimals(classification.confidence),
    media: classification.media,
    detected_format: classification.detectedFormat,
  };
  try {
    const context = await rehearseContext(platform, draft, policies);
    const explained = isForMedia ? explainMedia(platform, draft, context) : explainChat(platform, draft, context);
    return { ...about, ...explained, ...svcEvaluations(draft) };
  } catch (error) {
    if (!(error instanceof ApiError) || !isByPolicy(error)) throw error;
    return { ...about, model: null, reason: error.message, ...svcEvaluations(draft) };
  }
};

const isByPolicy = ({ type, options: { code } }: ApiError): boolean => type === "policy_blocked" || code === "CONTENT_BLOCKED";

const explainChat = (platform: Platform, draft: CallDraft, context: Context) => {
  const { ranked, reason } = prepareCall(platform, draft, context, true).decision;
  const [first, ...others] = ranked;
  return {
    model: first!.model.id,
    provider: first!.model.provider,
    estimated_cost_usd: toUsd(first!.estimatedCostNanoUsd),
    estimated_latency_ms: first!.expectedLatencyMs,
    fallbacks: others.slice(0, 3).map(({ model }) => model.id),
    reason,
    decision_factors: draft.decided!.decisionFactors,
  };
};

/** Media models are not scored: the default one is used, unless a ceiling, a policy or a missing provider rules it out. */
const explainMedia = (platform: Platform, draft: CallDraft, { request, policies }: Context) => {
  const option = chooseMedia(platform, draft, request, policies.routing).options[0]!;
  return {
    model: option.id,
    provider: option.provider,
    estimated_cost_usd: toUsd(option.costNanoUsd),
    estimated_latency_ms: null,
    fallbacks: [],
    reason: mediaReason(option),
  };
};
