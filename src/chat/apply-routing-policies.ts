/** Rule 8 around the router's choice: what would be called without the policies is judged by them, and another is chosen where they say so. */

import type { ChatModel } from "../catalog/model.ts";
import type { Platform } from "../platform.ts";
import {
  concludeRouting,
  evaluateRouting,
  policyBlocked,
  type RoutedModel,
  type RoutingRules,
} from "../policies/evaluate-routing.ts";
import { choose, type Decision } from "../router/choose.ts";
import { leastCost } from "../router/estimate-cost.ts";
import { type Candidate, type ChoiceInput, scoreCandidates } from "../router/score-candidates.ts";
import type { CallDraft } from "./call-draft.ts";

const asRouted = ({ model, expectedCostNanoUsd, expectedLatencyMs }: Candidate, nanoUsd = expectedCostNanoUsd): RoutedModel => ({
  id: model.id,
  provider: model.provider,
  names: [model.upstreamModel, ...(model.aliases ?? [])],
  ...(model.prices && { estimatedNanoUsd: nanoUsd }),
  expectedLatencyMs,
});

/** Whether a model may be shown anything of this project besides answering the call: the lists hold for shadows and side questions too. */
export const mayBeShown = (rules: RoutingRules | undefined, { id, provider, upstreamModel, aliases = [] }: ChatModel): boolean =>
  rules === undefined || rules.allows({ id, provider, names: [upstreamModel, ...aliases], estimatedNanoUsd: 0 });

/**
 * The decision that holds under the policies; `all` are the models that could take the request, pinned or not.
 * Throws the 403 of spec.md for `hard_block` and where nothing is left to choose.
 */
export const applyRoutingPolicies = (
  platform: Platform,
  draft: CallDraft,
  rules: RoutingRules | undefined,
  decision: Decision,
  all: readonly Candidate[],
  input: ChoiceInput,
): Decision => {
  if (rules === undefined) return decision;
  const chosen = asRouted(decision.ranked[0]!);
  const verdict = evaluateRouting(rules, chosen);
  if (verdict.result === "hard_block") {
    draft.policyEvaluation = concludeRouting(rules, verdict, chosen, chosen);
    throw policyBlocked(draft.policyEvaluation as ReturnType<typeof concludeRouting>);
  }
  const mustChange = verdict.result === "soft_block";
  const expected = (candidate: Candidate) => rules.allows(asRouted(candidate));
  // Answers are held to the ceiling (decisions §5): where no usual one fits below it, a shorter one of the cheapest may.
  const shortened = (candidate: Candidate) => rules.allows(asRouted(candidate, leastCostOf(candidate, input)));
  const next =
    chooseWithin(platform, rules, decision, all, input, mustChange, expected) ??
    chooseWithin(platform, { ...rules, preferCheaper: true }, decision, all, input, mustChange, shortened);
  draft.policyEvaluation = concludeRouting(rules, verdict, chosen, next && asRouted(next.ranked[0]!));
  if (next === undefined) throw policyBlocked(draft.policyEvaluation as ReturnType<typeof concludeRouting>);
  return next;
};

const leastCostOf = ({ prices, extraPromptTokens }: Candidate, { promptTokens, request }: ChoiceInput): number =>
  leastCost(prices, promptTokens + extraPromptTokens, request.maxOutputTokens);

const chooseWithin = (
  platform: Platform,
  rules: RoutingRules,
  decision: Decision,
  all: readonly Candidate[],
  input: ChoiceInput,
  mustChange: boolean,
  allows: (candidate: Candidate) => boolean,
): Decision | undefined => {
  const prefers = rules.preferCheaper || rules.preferFaster || rules.preferBest || rules.latencyTargetMs !== undefined;
  const pinned = decision.pinned === true;
  if (!prefers || (pinned && !mustChange)) {
    const ranked = (
      mustChange ? [...decision.ranked, ...all.filter((each) => !decision.ranked.includes(each))] : decision.ranked
    ).filter(allows);
    return ranked.length === 0 ? undefined : withRanked(decision, ranked);
  }
  const preferring: ChoiceInput = {
    ...input,
    // A policy that asks for cheaper models outweighs one that asks for the best: it can be held to figures.
    ...(rules.preferCheaper ? { qualityCost: 1 } : rules.preferBest && { qualityCost: 0 }),
    ...(rules.latencyTargetMs !== undefined && { latencyTargetMs: rules.latencyTargetMs }),
    preferFaster: rules.preferFaster,
  };
  const scored = scoreCandidates(platform.catalog, preferring).filter(
    (candidate) => allows(candidate) && all.some(({ model }) => model === candidate.model),
  );
  return choose(scored, preferring);
};

const withRanked = (decision: Decision, ranked: Candidate[]): Decision => ({
  ...decision,
  ranked,
  ...(ranked[0] !== decision.ranked[0] && {
    reason: `A policy took ${decision.ranked[0]!.model.id} out; ${ranked[0]!.model.id} is the best of what is left.`,
  }),
});
