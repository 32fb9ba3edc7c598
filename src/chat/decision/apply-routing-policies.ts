/** Rule 8: compares the model that would be called without policies with what they allow, and chooses another where they say so. */

import type { ChatModel } from "../../catalog/model.ts";
import type { Platform } from "../../platform.ts";
import { concludeRouting, evaluateRouting, policyBlocked } from "../../policies/evaluate-routing.ts";
import type { RoutedModel, RoutingRules } from "../../policies/routing-rules.ts";
import { choose, type Decision, leadBy } from "../../router/choose.ts";
import { type Candidate, type ChoiceInput, leastCostOf, scoreCandidates } from "../../router/score-candidates.ts";
import { type CallDraft, spentNanoUsd } from "../call-draft.ts";
import { ceilingUnreachable } from "./refuse-choice.ts";

const asRouted = ({ model, expectedLatencyMs }: Candidate, nanoUsd: number): RoutedModel => ({
  id: model.id,
  provider: model.provider,
  names: [model.upstreamModel, ...(model.aliases ?? [])],
  ...(model.prices && { estimatedNanoUsd: nanoUsd }),
  expectedLatencyMs,
});

/** Whether a model may see anything of this project: the lists also apply to shadow calls and side calls. */
export const mayBeShown = (rules: RoutingRules | undefined, { id, provider, upstreamModel, aliases = [] }: ChatModel): boolean =>
  rules === undefined || rules.allows({ id, provider, names: [upstreamModel, ...aliases], estimatedNanoUsd: 0 });

/** The router's choice, and what it chose from. */
type Choice = {
  decision: Decision;
  /** All models able to take the request, whether or not one is pinned. */
  all: readonly Candidate[];
  input: ChoiceInput;
};

/** Throws spec.md's 403 for `hard_block` and if no model is left, or a 400 if the caller's ceiling is the reason. */
export const applyRoutingPolicies = (
  platform: Platform,
  draft: CallDraft,
  rules: RoutingRules | undefined,
  choice: Choice,
): Decision => {
  const { decision, all, input } = choice;
  if (rules === undefined) return decision;
  // Side calls made before the decision are part of the call's cost.
  const spent = spentNanoUsd(draft);
  const routed = (candidate: Candidate) => asRouted(candidate, spent + candidate.estimatedCostNanoUsd);
  const chosen = routed(decision.ranked[0]!);
  const verdict = evaluateRouting(rules, chosen);
  if (verdict.result === "hard_block") {
    const evaluation = concludeRouting(rules, verdict, chosen, chosen);
    draft.policyEvaluation = evaluation;
    throw policyBlocked(evaluation);
  }
  const mustChange = verdict.result === "soft_block";
  const expected = (candidate: Candidate) => rules.allows(routed(candidate));
  // Output is capped to the ceiling (decisions §5): if no model's usual answer fits, the cheapest may give a shorter one.
  const shortened = (candidate: Candidate) => rules.allows(asRouted(candidate, spent + leastCostOf(candidate, input)));
  const permitted =
    chooseWithin(platform, rules, choice, { mustChange, allows: expected }) ??
    chooseWithin(platform, { ...rules, preferCheaper: true }, choice, { mustChange, allows: shortened });
  // A model that no policy objects to is the better replacement for one that a policy takes out, if it can answer as well.
  const pleases = (candidate: Candidate, _: number, [best]: Candidate[]) =>
    candidate.fitsCeiling === best!.fitsCeiling && isDown(candidate) === isDown(best!) && rules.pleases(routed(candidate));
  const pleasing = mustChange ? permitted?.ranked.find(pleases) : undefined;
  const next = pleasing === undefined ? permitted : ledBy(pleasing, permitted!, decision);
  const allowed = next === undefined ? all.filter(shortened) : [];
  if (allowed.length > 0) throw ceilingUnreachable(draft, allowed, input);
  const evaluation = concludeRouting(rules, verdict, chosen, next && routed(next.ranked[0]!));
  draft.policyEvaluation = evaluation;
  if (next === undefined) throw policyBlocked(evaluation);
  if (rules.ceilingNanoUsd === undefined) return next;
  return withStandIns(next, decision.ranked.slice(mustChange ? 1 : 0).filter(shortened));
};

/** Where all others fail, models whose usual answer breaks a policy's ceiling give a shorter one, the cheapest first. */
const withStandIns = (next: Decision, shorter: readonly Candidate[]): Decision => {
  const standIns = shorter
    .filter(({ model }) => !next.ranked.some((each) => each.model === model))
    .sort((a, b) => a.expectedCostNanoUsd - b.expectedCostNanoUsd);
  return { ...next, ranked: [...next.ranked, ...standIns] };
};

const chooseWithin = (
  platform: Platform,
  rules: RoutingRules,
  { decision, all, input }: Choice,
  { mustChange, allows }: { mustChange: boolean; allows: (candidate: Candidate) => boolean },
): Decision | undefined => {
  const prefers = rules.preferCheaper || rules.preferFaster || rules.preferBest || rules.latencyTargetMs !== undefined;
  const pinned = decision.pinned === true;
  if (!prefers || (pinned && !mustChange)) {
    if (mustChange) {
      const other = choose(all.filter(allows), input);
      return other && inPlaceOf(decision, other, "is left");
    }
    const ranked = decision.ranked.filter(allows);
    return ranked.length === 0 ? undefined : { ...decision, ranked };
  }
  const preferring: ChoiceInput = {
    ...input,
    // `prefer_cheaper_models` outweighs `prefer_best`, because it can be checked against prices.
    ...(rules.preferCheaper ? { qualityCost: 1 } : rules.preferBest && { qualityCost: 0 }),
    ...(rules.latencyTargetMs !== undefined && { latencyTargetMs: rules.latencyTargetMs }),
    preferFaster: rules.preferFaster,
  };
  return choose(scoreCandidates(platform.catalog, preferring).filter(allows), preferring);
};

const isDown = ({ health }: Candidate): boolean => health === "down";

const ledBy = (first: Candidate, next: Decision, decision: Decision): Decision =>
  first === next.ranked[0] ? next : inPlaceOf(decision, { ...next, ranked: leadBy(first, next.ranked) }, "no policy objects to");

/** `next`, with the reason that it is the best of what `remains`. */
const inPlaceOf = ({ ranked: [first] }: Decision, next: Decision, remains: string): Decision => ({
  ...next,
  reason: `A policy took ${first!.model.id} out; ${next.ranked[0]!.model.id} is the best of what ${remains}.`,
});
