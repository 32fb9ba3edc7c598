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

/** Whether the policies let this model answer with an answer of the expected length. */
export const isAllowed = (rules: RoutingRules | undefined, candidate: Candidate): boolean =>
  rules === undefined || rules.allows(asRouted(candidate, candidate.estimatedCostNanoUsd));

/** The router's choice, and what it chose from. */
type Choice = {
  decision: Decision;
  /** What a policy may choose from. */
  all: readonly Candidate[];
  /** The models that the caller wants in this order; empty if only one was named, or none is wanted first. */
  wanted: readonly ChatModel[];
  input: ChoiceInput;
};

/** A candidate as policies see it, with what the whole call would cost. */
type View = (candidate: Candidate) => RoutedModel;
/** `usual`: with an answer of the expected length, as far as the caller's ceiling goes. `shortest`: with the shortest that is useful. */
type Views = { usual: View; shortest: View };

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
  // The most that any model can cost: `input` has what side calls left of the caller's ceiling.
  const left = input.ceilingNanoUsd ?? Number.POSITIVE_INFINITY;
  const usual: View = (candidate) => asRouted(candidate, spent + Math.min(left, candidate.estimatedCostNanoUsd));
  const shortest: View = (candidate) => asRouted(candidate, spent + leastCostOf(candidate, input));
  const chosen = usual(decision.ranked[0]!);
  const verdict = evaluateRouting(rules, chosen);
  const isBlocked = verdict.result === "hard_block";
  const next = isBlocked
    ? undefined
    : permittedDecision(platform, rules, choice, { usual, shortest }, verdict.result === "soft_block");
  const tooDear = next === undefined && !isBlocked ? all.filter((candidate) => rules.allows(shortest(candidate))) : [];
  if (tooDear.length > 0) throw ceilingUnreachable(draft, tooDear, input);
  const evaluation = concludeRouting(rules, verdict, chosen, next && usual(next.ranked[0]!), () => all.map(usual));
  draft.policyEvaluation = evaluation;
  if (next === undefined) throw policyBlocked(evaluation);
  return next;
};

/** The choice among what the policies allow; undefined if they leave nothing. `mustChange`: a policy took the router's choice out. */
const permittedDecision = (
  platform: Platform,
  rules: RoutingRules,
  choice: Choice,
  { usual, shortest }: Views,
  mustChange: boolean,
): Decision | undefined => {
  const allows = (view: View) => (candidate: Candidate) => rules.allows(view(candidate));
  // Output is capped to the ceiling (decisions §5): if no model's usual answer fits, the cheapest may give a shorter one.
  const permitted =
    chooseWithin(platform, rules, choice, { mustChange, allows: allows(usual) }) ??
    chooseWithin(platform, { ...rules, preferCheaper: true }, choice, { mustChange, allows: allows(shortest) });
  if (permitted === undefined) return undefined;
  const { decision } = choice;
  const next = mustChange ? ledByPleasing(permitted, decision, (candidate) => rules.pleases(usual(candidate))) : permitted;
  if (rules.ceilingNanoUsd === undefined) return next;
  return withStandIns(next, decision.ranked.slice(mustChange ? 1 : 0).filter(allows(shortest)));
};

/** A model that no policy objects to is the better replacement for one that a policy took out, if it can answer as well. */
const ledByPleasing = (permitted: Decision, decision: Decision, pleases: (candidate: Candidate) => boolean): Decision => {
  const { ranked } = permitted;
  const best = ranked[0]!;
  const first = ranked.find((each) => each.fitsCeiling === best.fitsCeiling && isDown(each) === isDown(best) && pleases(each));
  if (first === undefined || first === best) return permitted;
  return inPlaceOf(decision, { ...permitted, ranked: leadBy(first, ranked) }, "the best of what no policy objects to");
};

const isDown = ({ health }: Candidate): boolean => health === "down";

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
  { decision, all, input, wanted }: Choice,
  { mustChange, allows }: { mustChange: boolean; allows: (candidate: Candidate) => boolean },
): Decision | undefined => {
  const preference = preferenceIn(rules);
  if (!mustChange && (preference === "" || decision.pinned === true))
    return { ...decision, ranked: decision.ranked.filter(allows) };
  const left = preference === "" ? decision.ranked.filter(allows) : [];
  if (left[0] !== undefined && wanted.includes(left[0].model))
    return inPlaceOf(decision, { ...decision, ranked: left }, "the first of the models named that is left");
  const preferring: ChoiceInput = {
    ...input,
    // `prefer_cheaper_models` outweighs a wish for the best, because it can be checked against prices.
    ...(rules.preferCheaper ? { qualityCost: 1 } : rules.preferBest && { qualityCost: 0 }),
    ...(rules.latencyTargetMs !== undefined && { latencyTargetMs: rules.latencyTargetMs }),
    preferFaster: rules.preferFaster,
    preference,
  };
  const eligible = new Set(all.map(({ model }) => model));
  const scored = scoreCandidates(platform.catalog, preferring).filter((each) => eligible.has(each.model) && allows(each));
  const other = choose(scored, preferring);
  return other && mustChange ? inPlaceOf(decision, other, "the best of what is left") : other;
};

/** What the policies prefer, in words; empty if they prefer nothing. */
const preferenceIn = ({ preferCheaper, preferFaster, preferBest, latencyTargetMs }: RoutingRules): string =>
  [
    ...(preferCheaper ? ["cheaper models"] : []),
    ...(preferBest && !preferCheaper ? ["the best models"] : []),
    ...(preferFaster ? ["faster models"] : []),
    ...(latencyTargetMs === undefined ? [] : [`answers within ${latencyTargetMs} ms`]),
  ].join(" and ");

/** `next`, with the reason that it is `what`. */
const inPlaceOf = ({ ranked: [first] }: Decision, next: Decision, what: string): Decision => ({
  ...next,
  reason: `A policy took ${first!.model.id} out; ${next.ranked[0]!.model.id} is ${what}.`,
});
