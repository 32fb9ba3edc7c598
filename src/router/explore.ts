/**
 * Now and then another model than the best is called, so that what is believed of it can be wrong and be found out: Thompson sampling
 * among those that may yet be better, on a capped share of the calls, drawn from the request's id so that it can be repeated.
 */

import type { Mode } from "../accounts/api-key.ts";
import { DEFAULT_SETTINGS, type Project } from "../accounts/project.ts";
import { type Decision, leadBy } from "./choose.ts";
import { uncertainty } from "./learning/learn.ts";
import type { ProjectLearning } from "./learning/project-learning.ts";
import { logOdds, shareOf } from "./predict-quality.ts";
import type { Candidate } from "./score-candidates.ts";

/** A model may yet be better where its score would win with a quality this many standard deviations up. */
const PROMISING = 2;
/** A trial that costs more than so many times what the best would is made that much more rarely: at a share of 2 %, trials add at most 6 %. */
const DEAREST_TRIAL = 3;

/** Unless the operator asks for it, a project's first calls try nothing: two in a hundred of so few would teach little and surprise much. */
const CALLS_BEFORE = 200;

/** The share of calls that may try another model. Nothing is tried where nothing would be learned: frozen, or in the sandbox. */
export const explorationOf = ({ settings }: Project, mode: Mode): number =>
  mode === "test" || settings.learningFrozen ? 0 : (settings.exploration ?? DEFAULT_SETTINGS.exploration);

export const explorationNow = (project: Project, mode: Mode, { paces }: ProjectLearning): number => {
  const share = explorationOf(project, mode);
  if (share === 0 || project.settings.exploration !== undefined) return share;
  let calls = 0;
  for (const pace of paces.values()) calls += pace.calls;
  return calls < CALLS_BEFORE ? 0 : share;
};

/** `share` 0-1. The same decision comes back where nothing is tried. Only for routed calls that no policy binds. */
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
  candidate.health === "healthy" && candidate.fitsCeiling && scoreAt(candidate, PROMISING) >= best.score;

const affordability = (candidate: Candidate, best: Candidate): number =>
  (DEAREST_TRIAL * Math.max(best.expectedCostNanoUsd, 1)) / Math.max(candidate.expectedCostNanoUsd, 1);

/** Its score if its quality were so many standard deviations above what is believed. */
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
