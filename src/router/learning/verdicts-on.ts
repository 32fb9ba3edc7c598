/** A logged call's verdict on each model that it asked: the outcomes that the router learns from. */

import { type Call, failureModeOf } from "../../logs/call.ts";
import type { Outcome } from "./project-learning.ts";

type Verdict = { model: string; outcome: Outcome };

/**
 * A provider's failure says nothing about the model's quality, and neither does a call that the caller left early, or an answer that the
 * ceiling cut.
 */
export const verdictsOn = (call: Call): Verdict[] => {
  if (call.cancelled) return [];
  return call.attempts.flatMap(({ model, success, failure, finishReason, boundByCeiling }) => {
    const wasCut = failure === "truncated" || (boundByCeiling && finishReason === "length");
    const failed = !wasCut && failureModeOf(failure) !== undefined;
    return success || failed ? [{ model, outcome: outcomeOf(call, success) }] : [];
  });
};

/** With a judge's verdict on the answer that passed: each criterion that is not met lowers the score. */
const outcomeOf = ({ verdict }: Call, passed: boolean): Outcome =>
  passed && verdict !== undefined && verdict.unmet > 0
    ? { score: verdict.met / (verdict.met + verdict.unmet), weight: 1 }
    : { passed };
