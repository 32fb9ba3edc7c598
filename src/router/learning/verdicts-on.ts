/** A logged call's verdict on each model that it asked: the outcomes that the router learns from. */

import { type Call, failureModeOf } from "../../logs/call.ts";
import type { Outcome } from "./project-learning.ts";

type Verdict = { model: string; outcome: Outcome };

/** A provider's failure says nothing about the model's quality, and neither does a call that the caller left early. */
export const verdictsOn = (call: Call): Verdict[] => {
  if (call.cancelled) return [];
  const verdicts: Verdict[] = [];
  for (const [index, attempt] of call.attempts.entries()) {
    const failed = attempt.failure !== "truncated" && failureModeOf(attempt.failure) !== undefined;
    if (!attempt.success && !failed) continue;
    const last = index === call.attempts.length - 1;
    const { model, success: passed } = attempt;
    verdicts.push({ model, outcome: last ? withJudge(call, passed) : { passed } });
  }
  return verdicts;
};

/** The outcome with a judge's verdict: each criterion that is not met lowers the score. */
const withJudge = (call: Call, passed: boolean): Outcome => {
  const evaluation = call.contentEvaluation as { criteria_passed?: number; criteria_failed?: number } | undefined;
  const failed = evaluation?.criteria_failed ?? 0;
  if (failed === 0 || !passed) return { passed };
  return { score: (evaluation?.criteria_passed ?? 0) / (failed + (evaluation?.criteria_passed ?? 0)), weight: 1 };
};
