/** Decides which models are asked in which order, and for how much: history that fits, candidates, ceiling, policies, budget. */

import { DEFAULT_SETTINGS } from "../../accounts/project.ts";
import type { ChatModel } from "../../catalog/model.ts";
import type { Platform } from "../../platform.ts";
import type { ChatRequest } from "../../providers/provider.ts";
import { choose, type Decision, leadBy } from "../../router/choose.ts";
import { conversationKey, isContinued } from "../../router/conversations.ts";
import { bandOf } from "../../router/difficulty.ts";
import { type Explanation, explainDecision } from "../../router/explain.ts";
import { explorationNow, explore } from "../../router/explore.ts";
import { type Candidate, type ChoiceInput, scoreCandidates } from "../../router/score-candidates.ts";
import { type CallDraft, spentNanoUsd } from "../call-draft.ts";
import { type CompressedContext, compressHistory } from "../context/compress-history.ts";
import type { Context } from "../context/gather-context.ts";
import { applyRoutingPolicies } from "./apply-routing-policies.ts";
import { callCeiling, reservationFor } from "./call-ceiling.ts";
import { noteDecision } from "./note-decision.ts";
import { canBeAsked, healthFor, largestWindow, namedModels, reachableModels } from "./reachable-models.ts";
import { ceilingUnreachable, noCandidate } from "./refuse-choice.ts";

export type Prepared = {
  request: ChatRequest;
  promptTokens: number;
  decision: Decision;
  explanation: Explanation;
  ceilingNanoUsd?: number;
  compressed?: CompressedContext;
};

/** Throws ApiErrors: unknown model, no provider, no room in any context, a ceiling below the cheapest call, a spent budget. */
export const prepareCall = (
  platform: Platform,
  draft: CallDraft,
  { request, documentMessages, policies: { routing: rules } }: Context,
  /** For a decision without a call: no exploration, no reservation. */
  isRehearsal = false,
): Prepared => {
  const { input } = draft;
  const { pinned, all: named, isExclusive } = namedModels(platform, draft);
  const window = largestWindow(platform, draft, rules);
  const { request: fitted, promptTokens, compressed } = compressHistory(request, window, documentMessages);
  const ceilingNanoUsd = callCeiling(input, rules);
  const choiceInput = choiceInputOf(platform, draft, fitted, promptTokens);
  const all = scoreCandidates(platform.catalog, choiceInput);
  const isNamed = ({ model }: Candidate): boolean => named.includes(model);
  const scored = isExclusive ? all.filter(isNamed) : all;
  if (scored.length === 0) throw noCandidate(reachableModels(platform, draft), choiceInput, isExclusive ? named : []);
  const unbound = choiceWithin(draft, scored, choiceInput, pinned === undefined ? [] : named);
  // A policy may put any model in place of a pinned one, but among several that the caller named it chooses another of them.
  const replacements = isExclusive && (pinned === undefined || named.length > 1) ? scored : all;
  const bound = applyRoutingPolicies(platform, draft, rules, { decision: unbound, all: replacements, input: choiceInput });
  if (isExclusive) bound.ranked = isNamed(bound.ranked[0]!) ? bound.ranked.filter(isNamed) : bound.ranked.slice(0, 1);
  const explores = !isRehearsal && rules === undefined && choiceInput.stickyModel === undefined;
  const decision = explores ? tryOther(platform, draft, bound) : bound;
  const explanation = explainDecision(decision, draft.classification);
  noteDecision(platform, draft, decision, explanation, choiceInput);
  if (!isRehearsal) draft.reservation.require(reservationFor(draft, decision.ranked[0]!, ceilingNanoUsd));
  return {
    request: fitted,
    promptTokens,
    decision,
    explanation,
    ...(ceilingNanoUsd !== undefined && { ceilingNanoUsd }),
    ...(compressed && { compressed }),
  };
};

const choiceInputOf = (platform: Platform, draft: CallDraft, request: ChatRequest, promptTokens: number): ChoiceInput => {
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
    healthOf: healthFor(platform, mode),
    learned: platform.learning.about(project.id, mode, classification),
    ...(stickyModel !== undefined && { stickyModel }),
    now: platform.clock.now(),
  };
};

const tryOther = (platform: Platform, { caller: { project, mode, requestId } }: CallDraft, decision: Decision): Decision =>
  explore(decision, explorationNow(project, mode, platform.learning.of(project.id, mode)), requestId);

const stickyModelOf = (platform: Platform, { caller, input, classification }: CallDraft): string | undefined => {
  const { messages } = input.request;
  if (!isContinued(messages, input.sessionId)) return undefined;
  const key = conversationKey(`${caller.project.id} ${caller.mode}`, messages, input.sessionId);
  return platform.conversations.find(key, bandOf(classification.complexity), platform.clock.now());
};

/** The router's own choice under the caller's ceiling, before any policy. */
const choiceWithin = (draft: CallDraft, scored: Candidate[], choice: ChoiceInput, wanted: readonly ChatModel[]): Decision => {
  // Among all candidates, because the ceiling may have excluded the best or the pinned one.
  const optimal = firstOf(wanted, scored) ?? scored[0]!;
  const decision = choose(scored, choice, optimal);
  if (decision === undefined) throw ceilingUnreachable(draft, scored, choice);
  return inWantedOrder(decision, wanted);
};

const firstOf = (wanted: readonly ChatModel[], candidates: readonly Candidate[]): Candidate | undefined => {
  for (const model of wanted) {
    const candidate = candidates.find((each) => each.model === model);
    if (candidate !== undefined) return candidate;
  }
  return undefined;
};

/**
 * The pinned model comes first whatever its score, then its fallbacks in the caller's order, then what else may answer. Models whose answer
 * fits the ceiling stay before the others.
 */
const inWantedOrder = (decision: Decision, wanted: readonly ChatModel[]): Decision => {
  const { fitsCeiling } = decision.ranked[0]!;
  const first = firstOf(
    wanted,
    decision.ranked.filter((each) => each.fitsCeiling === fitsCeiling),
  );
  if (first === undefined) return decision;
  const placeOf = ({ model }: Candidate): number => (wanted.includes(model) ? wanted.indexOf(model) : wanted.length);
  const ranked = leadBy(first, decision.ranked).sort(
    (a, b) => Number(b.fitsCeiling) - Number(a.fitsCeiling) || placeOf(a) - placeOf(b),
  );
  const isTooDear = first !== decision.optimal;
  const reason =
    first.model === wanted[0]
      ? `The caller pinned ${first.model.id}.`
      : `${first.model.id} is the first of the models named that can answer: ${wanted[0]!.id} ${isTooDear ? "exceeds the cost ceiling" : "cannot"}.`;
  return { ...decision, ranked, reason, ceilingDecided: isTooDear, pinned: true };
};
