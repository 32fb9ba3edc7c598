/** Decides which models are asked in which order, and for how much: history that fits, candidates, ceiling, policies, budget. */

import { DEFAULT_SETTINGS } from "../../accounts/project.ts";
import type { Platform } from "../../platform.ts";
import type { RoutingRules } from "../../policies/routing-rules.ts";
import type { ChatRequest } from "../../providers/provider.ts";
import { choose, type Decision } from "../../router/choose.ts";
import { isContinued } from "../../router/conversations.ts";
import { bandOf } from "../../router/difficulty.ts";
import { explorationNow, explore } from "../../router/explore.ts";
import { type ChoiceInput, scoreCandidates } from "../../router/score-candidates.ts";
import { type CallDraft, conversationOf, spentNanoUsd } from "../call-draft.ts";
import { type CompressedContext, compressHistory } from "../context/compress-history.ts";
import type { Context } from "../context/gather-context.ts";
import { applyRoutingPolicies } from "./apply-routing-policies.ts";
import { callCeiling, reservationFor } from "./call-ceiling.ts";
import { eligible, inWantedOrder, keepToNamed, wantedFirst } from "./named-models.ts";
import { noteDecision } from "./note-decision.ts";
import { canBeAsked, healthFor, largestWindow, reachableModels } from "./reachable-models.ts";
import { ceilingUnreachable, noCandidate } from "./refuse-choice.ts";
import { leastBoundsOf } from "./spoken-with.ts";

export type Prepared = {
  request: ChatRequest;
  promptTokens: number;
  decision: Decision;
  ceilingNanoUsd?: number;
};

/** Throws ApiErrors: unknown model, no provider, no room in any context, a ceiling below the cheapest call, a spent budget. */
export const prepareCall = (
  platform: Platform,
  draft: CallDraft,
  { request, documentMessages, policies: { routing: rules } }: Context,
  /** For a decision without a call: no exploration, no reservation. */
  isRehearsal = false,
): Prepared => {
  const window = largestWindow(platform, draft, rules);
  const { request: fitted, promptTokens, compressed } = compressHistory(request, window, documentMessages);
  if (compressed !== undefined) noteContext(draft, compressed);
  const ceilingNanoUsd = callCeiling(draft.input, rules);
  const choice = choiceInputOf(platform, draft, fitted, promptTokens);
  const bound = decideWithin(platform, draft, rules, choice);
  const explores = !isRehearsal && rules === undefined && choice.stickyModel === undefined;
  const decision = explores ? tryOther(platform, draft, bound) : bound;
  noteDecision(platform, draft, decision, choice);
  if (!isRehearsal) draft.reservation.require(reservationFor(draft, decision.ranked[0]!, ceilingNanoUsd));
  return {
    request: fitted,
    promptTokens,
    decision,
    ...(ceilingNanoUsd !== undefined && { ceilingNanoUsd }),
  };
};

export const noteContext = (draft: CallDraft, { originalTokens, finalTokens }: CompressedContext): void => {
  draft.svc.context = { compressed: true, original_tokens: originalTokens, final_tokens: finalTokens };
};

export const choiceInputOf = (platform: Platform, draft: CallDraft, request: ChatRequest, promptTokens: number): ChoiceInput => {
  const { classification } = draft;
  const { project, mode } = draft.caller;
  const { qualityCost = project.settings.qualityCost, ceilingNanoUsd } = draft.input;
  const stickyModel = stickyModelOf(platform, draft);
  return {
    request,
    promptTokens,
    classification,
    qualityCost: qualityCost ?? DEFAULT_SETTINGS.qualityCost,
    preferFaster: false,
    // Side calls made before the decision have used up part of the ceiling.
    ...(ceilingNanoUsd !== undefined && { ceilingNanoUsd: ceilingNanoUsd - spentNanoUsd(draft) }),
    isConfigured: canBeAsked(platform, draft),
    ...(mode === "live" && leastBoundsOf(platform, request)),
    healthOf: healthFor(platform, mode),
    learned: platform.learning.about(project.id, mode, classification),
    ...(stickyModel !== undefined && { stickyModel }),
    now: platform.clock.now(),
  };
};

const tryOther = (platform: Platform, { caller: { project, mode, requestId } }: CallDraft, decision: Decision): Decision =>
  explore(decision, explorationNow(project, mode, platform.learning.of(project.id, mode)), requestId);

const stickyModelOf = ({ conversations, clock }: Platform, draft: CallDraft): string | undefined => {
  const { input, classification } = draft;
  if (!isContinued(input.request.messages, input.sessionId)) return undefined;
  return conversations.find(conversationOf(draft), bandOf(classification.complexity), clock.now());
};

/** The decision under the caller's ceiling, what the caller named, and the policies. */
const decideWithin = (platform: Platform, draft: CallDraft, rules: RoutingRules | undefined, choice: ChoiceInput): Decision => {
  const { named } = draft;
  const all = scoreCandidates(platform.catalog, choice);
  const scored = eligible(named, all);
  if (scored.length === 0) throw noCandidate(reachableModels(platform, draft), choice, draft);
  // Of all candidates, because the ceiling may have excluded the best or the pinned one.
  const routed = choose(scored, choice, wantedFirst(named, scored));
  if (routed === undefined) throw ceilingUnreachable(draft, scored, choice);
  const unbound = inWantedOrder(named, routed);
  // A policy may put any model in place of a pinned one, but among several that the caller named it chooses another of them.
  const isAlone = named.pinned !== undefined && named.all.length === 1;
  const bound = applyRoutingPolicies(platform, draft, rules, {
    decision: unbound,
    all: isAlone ? all : scored,
    wanted: unbound.pinned && !isAlone ? named.all : [],
    input: choice,
  });
  return keepToNamed(named, unbound, bound);
};
