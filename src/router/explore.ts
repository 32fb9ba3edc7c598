/**
 * Exploration: a capped share of the calls goes to a model that may be better than believed, by Thompson sampling seeded with the request's
 * id, so that it can be repeated.
 */

import type { Mode } from "../accounts/api-key.ts";
import { DEFAULT_SETTINGS, type Project } from "../accounts/project.ts";
import { type Decision, leadBy } from "./choose.ts";
import { uncertainty } from "./learning/learn.ts";
import type { ProjectLearning } from "./learning/project-learning.ts";
import { logOdds, shareOf } from "./predict-quality.ts";
import type { Candidate } from "./score-candidates.ts";

/** A model counts as promising if it would win with a quality this many standard deviations higher. */
const PROMISING = 2;
/** Trials that cost more than this many times the best are made correspondingly less often: at a share of 2 %, trials add at most 6 %. */
const DEAREST_TRIAL = 3;

/** A project's first calls try nothing unless the operator asks for it: two in a hundred of so few would teach little and surprise much. */
const CALLS_BEFORE = 200;

/** The share of calls that may try another model; 0 if nothing would be learned (frozen, or in the sandbox). */
export const explorationOf = ({ settings }: Project, mode: Mode): number =>
  mode === "test" || settings.learningFrozen ? 0 : (settings.exploration ?? DEFAULT_SETTINGS.exploration);

export const explorationNow = (project: Project, mode: Mode, { paces }: ProjectLearning): number => {
  const share = explorationOf(project, mode);
  if (share === 0 || project.settings.exploration !== undefined) return share;
  let calls = 0;
  for (const pace of paces.values()) calls += pace.calls;
  return calls < CALLS_BEFORE ? 0 : share;
};

/** `share` 0-1. Returns the same decision if nothing is tried. Only for routed calls that no policy restricts. */
export const explore = (decision: Decision, share: number, requestId: string): Decision => {
  const random = randomFrom(requestId);
  if (random() >= share || decision.pinned || decision.ceilingDecided) return decision;
  const [best, ...others] = decision.ranked as [Candidate, ...Candidate[]];
  let tried: Candidate | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const candidate of others) {
    if (!isPromising(candidate, best)) continue;
    const drawn = scoreAt(candidate, normal(random));
    if (drawn > highest) {
      highest = drawn;
      tried = candidate;
    }
  }
  if (tried === undefined || random() >= affordability(tried, best)) return decision;
  return {
    ...decision,
    ranked: leadBy(tried, decision.ranked),
    explored: true,
    reason: `${tried.model.id} is tried instead of ${best.model.id} to learn how it does (${Math.round(share * 1000) / 10} % of calls may be). ${decision.reason}`,
  };
};

const isPromising = (candidate: Candidate, best: Candidate): boolean =>
  candidate.health === "healthy" && candidate.fitsCeiling && candidate.hasRoom && scoreAt(candidate, PROMISING) >= best.score;

const affordability = (candidate: Candidate, best: Candidate): number =>
  (DEAREST_TRIAL * Math.max(best.expectedCostNanoUsd, 1)) / Math.max(candidate.expectedCostNanoUsd, 1);

/** The score if the quality were this many standard deviations above the estimate. */
const scoreAt = ({ quality, trials, score }: Candidate, deviations: number): number =>
  score + shareOf(logOdds(quality) + deviations * uncertainty(quality, trials)) - quality;

const normal = (random: () => number): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Numbers in [0, 1) that follow from `seed` (mulberry32). */
const randomFrom = (seed: string): (() => number) => {
  let state = Bun.hash.xxHash32(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
