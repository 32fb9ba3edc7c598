/**
 * The probability that a model answers a prompt well: a logistic function of the model's ability at the task minus the prompt's difficulty,
 * as in item response theory. `strength` is the share answered well at medium difficulty.
 */

import type { TaskType, TextTask } from "../catalog/task-type.ts";

/** The complexity at which the share answered well is `strength`. */
const MIDDLING = 0.4;
/** How much harder a prompt gets for every model as its complexity rises, in log-odds. */
const SLOPE = 0.7;
/** Beyond these, complexity says nothing more about the prompt, only about how sure the classifier is. */
const EASIEST = 0.03;
const HARDEST = 0.9;

/** What a complexity (0-1) says about the prompt. */
export const tellingPart = (complexity: number): number => Math.min(HARDEST, Math.max(EASIEST, complexity));

const clamp = (share: number): number => Math.min(0.995, Math.max(0.005, share));

/** Log-odds of a share (0-1), kept finite. */
export const logOdds = (share: number): number => {
  const kept = clamp(share);
  return Math.log(kept / (1 - kept));
};
export const shareOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

const MIDDLING_LOG_ODDS = logOdds(MIDDLING);

/** Apart from seeing or hearing, a task with media parts demands reasoning. */
export const textTaskOf = (task: TaskType): TextTask => (task === "vision" || task === "audio" ? "reasoning" : task);

/** What a prompt of that complexity subtracts from a model's log-odds. */
export const hardnessOf = (complexity: number): number => SLOPE * (logOdds(tellingPart(complexity)) - MIDDLING_LOG_ODDS);

/** From the catalog's figures only. */
export const predictQuality = (strength: number, complexity: number): number =>
  shareOf(logOdds(strength) - hardnessOf(complexity));
