/** From scored candidates to a decision: the first choice, its fallbacks from other providers, and the reason in words. */

import { usdText } from "../lib/money.ts";
import { BANDS, bandOf } from "./difficulty.ts";
import { type Candidate, type ChoiceInput, isUnsure } from "./score-candidates.ts";

export type Decision = {
  /** Best first; at least one. */
  ranked: Candidate[];
  /** The choice without the ceiling. */
  optimal: Candidate;
  reason: string;
  /** The ceiling changed the choice. */
  ceilingDecided: boolean;
  /** The weight of cost in the scores, if a policy changed it. */
  qualityCost?: number;
  /** The caller named the model. */
  pinned?: boolean;
  /** Not the best model; tried in order to learn about it. */
  explored?: boolean;
};

/** Undefined without candidates; they must be as `scoreCandidates` returns them. `optimal` may be one that the ceiling excluded. */
export const choose = (candidates: Candidate[], input: ChoiceInput, optimal = candidates[0]): Decision | undefined => {
  if (candidates.length === 0 || optimal === undefined) return undefined;
  // Models whose expected answer fits the ceiling come first; the others may give a shorter answer, the cheapest first.
  const fitting = candidates.filter(({ fitsCeiling }) => fitsCeiling);
  const shorter = candidates
    .filter(({ fitsCeiling }) => !fitsCeiling)
    .sort((a, b) => a.expectedCostNanoUsd - b.expectedCostNanoUsd);
  const first = (fitting[0] ?? shorter[0])!;
  const ranked = first.fitsCeiling ? [...leadBy(first, fitting), ...shorter] : leadBy(first, shorter);
  const ceilingDecided = first !== optimal;
  const reason = reasonFor(first, optimal, input, candidates.length);
  return { ranked, optimal, reason, ceilingDecided, qualityCost: input.qualityCost };
};

/** Puts other providers before the first choice's own, because a fallback should not fail for the same cause. */
export const leadBy = (first: Candidate, all: readonly Candidate[]): Candidate[] => {
  const { provider } = first.model;
  const elsewhere = all.filter(({ model }) => model.provider !== provider);
  return [first, ...elsewhere, ...all.filter((each) => each !== first && each.model.provider === provider)];
};

const ARTICLE = { easy: "an", middling: "a", hard: "a" } as const;

const reasonFor = (first: Candidate, optimal: Candidate, input: ChoiceInput, count: number): string => {
  const { task, complexity, runnerUp } = input.classification;
  const band = BANDS[bandOf(complexity)];
  const figures = `expected quality ${first.quality.toFixed(2)}, cost ${usdText(first.estimatedCostNanoUsd)} USD, latency ${(first.expectedLatencyMs / 1000).toFixed(1)} s`;
  const parts = [
    `${first.model.id} is the best of ${count} for ${ARTICLE[band]} ${band} ${task} prompt at quality_cost ${input.qualityCost}: ${figures}`,
  ];
  if (isUnsure(input.classification)) parts.push(`the task is unsure, so ${task} and ${runnerUp} count alike`);
  if (first.trials >= 1) parts.push(`${Math.round(first.trials)} own outcomes count towards its quality`);
  if (first !== optimal) parts.push(`${optimal.model.id} would have been chosen but exceeds the cost ceiling`);
  if (input.stickyModel === first.model.id) parts.push("it answered this conversation before");
  if (input.preferFaster) parts.push("a policy prefers faster models");
  // Joined, because the runtime keeps a template's result as a list of its parts: a dozen objects for as long as the call is open.
  return [parts.join("; "), "."].join("");
};
