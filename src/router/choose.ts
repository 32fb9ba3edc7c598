/** From scored candidates to a decision: the first choice, its fallbacks from other providers, and the reason in words. */

import { usdText } from "../lib/money.ts";
import { BANDS, bandOf } from "./difficulty.ts";
import { type Candidate, type ChoiceInput, isAffordable, isUnsure, scoreIfHealthy } from "./score-candidates.ts";

export type Decision = {
  /** Best first; at least one. */
  ranked: Candidate[];
  /** The choice without the ceiling. */
  optimal: Candidate;
  reason: string;
  /** The ceiling changed the choice. */
  ceilingDecided: boolean;
  /** The weight of cost in the scores: the caller's or the project's, or a policy's. */
  qualityCost: number;
  /** The caller named the model. */
  pinned?: boolean;
  /** Not the best model; tried in order to learn about it. */
  explored?: boolean;
};

/**
 * Undefined if the ceiling leaves none of the candidates room for any answer; they must be as `scoreCandidates` returns them. `optimal` may
 * be one that the ceiling excludes.
 */
export const choose = (candidates: Candidate[], input: ChoiceInput, optimal = candidates[0]!): Decision | undefined => {
  const affordable = candidates.filter((candidate) => isAffordable(candidate, input));
  const fitting = affordable.filter(({ fitsCeiling }) => fitsCeiling);
  // Models whose expected answer exceeds the ceiling may give a shorter one, the cheapest first.
  const shorter = affordable
    .filter(({ fitsCeiling }) => !fitsCeiling)
    .sort((a, b) => a.expectedCostNanoUsd - b.expectedCostNanoUsd);
  const first = fitting[0] ?? shorter[0];
  if (first === undefined) return undefined;
  const ranked = leadBy(first, [...fitting, ...shorter]);
  const passedOver = { unwell: unwellBefore(first, fitting), cramped: crampedBefore(first, fitting) };
  const reason = reasonFor({ first, optimal, ...passedOver, count: affordable.length }, input);
  return { ranked, optimal, reason, ceilingDecided: first !== optimal, qualityCost: input.qualityCost };
};

/**
 * Puts `first` before the others, models whose expected answer fits the ceiling and their context before the rest, and of each, other
 * providers before the first choice's own, because a fallback should not fail for the same cause. Otherwise their order stays.
 */
export const leadBy = (first: Candidate, all: readonly Candidate[]): Candidate[] => {
  const others: Candidate[] = [];
  const own: Candidate[] = [];
  const shorterOthers: Candidate[] = [];
  const shorterOwn: Candidate[] = [];
  for (const each of all) {
    if (each === first) continue;
    const isOwn = each.model.provider === first.model.provider;
    if (each.fitsCeiling && each.hasRoom) (isOwn ? own : others).push(each);
    else (isOwn ? shorterOwn : shorterOthers).push(each);
  }
  return [first, ...others, ...own, ...shorterOthers, ...shorterOwn];
};

/** The model that only its health kept from being chosen. */
const unwellBefore = (first: Candidate, fitting: readonly Candidate[]): Candidate | undefined => {
  let best = first;
  for (const each of fitting) {
    if (each.health === "healthy" || (first.hasRoom && !each.hasRoom)) continue;
    if (scoreIfHealthy(each) > scoreIfHealthy(best)) best = each;
  }
  return best === first ? undefined : best;
};

/** The model that was not chosen because the prompt leaves too little of its context. */
const crampedBefore = (first: Candidate, fitting: readonly Candidate[]): Candidate | undefined =>
  first.hasRoom ? fitting.find(({ hasRoom, health, score }) => !hasRoom && health !== "down" && score > first.score) : undefined;

type Grounds = {
  first: Candidate;
  optimal: Candidate;
  unwell: Candidate | undefined;
  cramped: Candidate | undefined;
  count: number;
};

const ARTICLE = { easy: "an", middling: "a", hard: "a" } as const;

const reasonFor = ({ first, optimal, unwell, cramped, count }: Grounds, input: ChoiceInput): string => {
  const { task, complexity, runnerUp } = input.classification;
  const band = BANDS[bandOf(complexity)];
  const figures = `expected quality ${first.quality.toFixed(2)}, cost ${usdText(first.estimatedCostNanoUsd)} USD, latency ${(first.expectedLatencyMs / 1000).toFixed(1)} s`;
  const place = count === 1 ? "the only choice" : `the best of ${count}`;
  const parts = [
    `${first.model.id} is ${place} for ${ARTICLE[band]} ${band} ${task} prompt at quality_cost ${input.qualityCost}: ${figures}`,
  ];
  if (isUnsure(input.classification)) parts.push(`the task is unsure, so ${task} and ${runnerUp} count alike`);
  if (first.trials >= 1) parts.push(`${Math.round(first.trials)} own outcomes count towards its quality`);
  if (first !== optimal) parts.push(`${optimal.model.id} would have been chosen but exceeds the cost ceiling`);
  if (unwell !== undefined) parts.push(`${unwell.model.id} would have been chosen but is ${unwell.health}`);
  if (cramped !== undefined)
    parts.push(`${cramped.model.id} would have been chosen but its context has no room for the answer beside the prompt`);
  if (input.stickyModel === first.model.id) parts.push("it answered this conversation before");
  if (input.preference) parts.push(`policies prefer ${input.preference}`);
  // Joined, because the runtime keeps a template's result as a list of its parts: a dozen objects for as long as the call is open.
  return [parts.join("; "), "."].join("");
};
