/**
 * What outcomes teach about a model, as pure arithmetic. Evidence compares outcomes with what the catalog had predicted for the same
 * prompts; it shifts later predictions in log-odds, shrunk towards prior belief, and fades with time.
 */

import { logOdds, shareOf } from "../predict-quality.ts";

/** Outcomes of one model at one kind of work; all but the time are sums over outcomes, weighted and faded. */
export type Evidence = {
  /** How many outcomes. */
  trials: number;
  /** How many of them were good. */
  good: number;
  /** How many the catalog predicted to be good. */
  expected: number;
  atMs: number;
};

/**
 * This many outcomes weigh as much as the prior belief about a model: at a task, at one of its difficulties, at similar prompts. Chosen
 * with eval/routing/replay.ts.
 */
export const PRIOR_TRIALS = { task: 40, difficulty: 20, place: 60 } as const;
const HALF_LIFE_MS = 30 * 86_400_000;
const FADING = Math.LN2 / HALF_LIFE_MS;
/** Output checks see form, not truth: the shares of bad and of good answers that fail them. */
const CHECKS_CATCH = 0.15;
const FALSE_ALARMS = 0.01;
const SLOWEST_LEARNING = 0.05;
const PRIOR_TIMINGS = 2;
const OUTLIER = Math.log(20);

export const noEvidence = (atMs: number): Evidence => ({ trials: 0, good: 0, expected: 0, atMs });

/** The share of evidence from `atMs` that still counts. */
export const freshness = (atMs: number, now: number): number => (now <= atMs ? 1 : Math.exp((atMs - now) * FADING));

/** Changes `evidence`. `good` and `expected` 0-1; a negative weight takes an outcome back. */
export const addOutcome = (evidence: Evidence, good: number, expected: number, weight: number, now: number): void => {
  const fading = freshness(evidence.atMs, now);
  evidence.trials = Math.max(0, evidence.trials * fading + weight);
  evidence.good = Math.min(evidence.trials, Math.max(0, evidence.good * fading + weight * good));
  evidence.expected = Math.min(evidence.trials, Math.max(0, evidence.expected * fading + weight * expected));
  evidence.atMs = Math.max(evidence.atMs, now);
};

export const sumOf = (parts: readonly Evidence[], now: number): Evidence => {
  const sum = noEvidence(now);
  for (const { trials, good, expected, atMs } of parts) {
    const fading = freshness(atMs, now);
    sum.trials += trials * fading;
    sum.good += good * fading;
    sum.expected += expected * fading;
  }
  return sum;
};

/** Log-odds to add to the catalog's prediction. `before`: what coarser evidence adds, the prior of this. */
export const shiftFrom = (evidence: Evidence, before: number, now: number, prior: number): number => {
  const fading = freshness(evidence.atMs, now);
  const trials = evidence.trials * fading;
  if (trials < 0.5) return before;
  const predicted = logOdds(evidence.expected / evidence.trials);
  const believed = shareOf(predicted + before);
  return logOdds((prior * believed + evidence.good * fading) / (prior + trials)) - predicted;
};

/** One standard deviation of a prediction that rests on the catalog and `trials` outcomes, in log-odds. */
export const uncertainty = (quality: number, trials: number): number =>
  1 / Math.sqrt((PRIOR_TRIALS.task + trials) * Math.max(0.02, quality * (1 - quality)));

/** How likely an answer was good, given what was expected of it and what the output checks said (Bayes). */
export const goodnessOf = (expected: number, passed: boolean): number => {
  const ifGood = expected * (passed ? 1 - FALSE_ALARMS : FALSE_ALARMS);
  const ifBad = (1 - expected) * (passed ? 1 - CHECKS_CATCH : CHECKS_CATCH);
  return ifGood / (ifGood + ifBad);
};

/** How long a model takes, as a multiple of the catalog's guess, and the number of calls measured. */
export type Pace = { factor: number; calls: number };

/** Moves quickly at first, then as an average of about the last twenty calls. Changes `pace`. */
export const addTiming = (pace: Pace, measuredMs: number, guessedMs: number): void => {
  const step = Math.max(SLOWEST_LEARNING, 1 / (pace.calls + PRIOR_TIMINGS));
  const ratio = Math.log(Math.max(1, measuredMs) / Math.max(1, guessedMs));
  const bounded = Math.max(-OUTLIER, Math.min(OUTLIER, ratio));
  pace.factor *= Math.exp(step * (bounded - Math.log(pace.factor)));
  pace.calls++;
};
