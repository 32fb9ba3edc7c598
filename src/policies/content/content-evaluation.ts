/** `svc.content_evaluation`: the findings of the content policies in a call, added up over all texts that were reviewed. */

import { ApiError } from "../../api-error.ts";
import type { ContentEvaluation } from "../evaluation-schemas.ts";
import { isStricter, type ReviewPhase, type TreatmentAction } from "./content-rules.ts";

export const nothingFound = (phase: ReviewPhase): ContentEvaluation => ({
  result: "allow",
  phase,
  pii_detected: false,
  pii_count: 0,
  redacted: false,
  criteria_passed: 0,
  criteria_failed: 0,
  latency_ms: 0,
});

/** `info` only logs: the caller sees `allow`. */
export const resultOf = (action: TreatmentAction): ContentEvaluation["result"] => (action === "info" ? "allow" : action);

export const stricterOf = (a: ContentEvaluation["result"], b: ContentEvaluation["result"]): ContentEvaluation["result"] =>
  isStricter(b, a) ? b : a;

/** The evaluation of several texts of one call: counts add up, the strictest result wins, the phase is the first one's. */
export function mergeEvaluations(first: ContentEvaluation, ...others: readonly ContentEvaluation[]): ContentEvaluation {
  return others.reduce(
    (sum, next) => ({
      result: stricterOf(sum.result, next.result),
      phase: sum.phase,
      pii_detected: sum.pii_detected || next.pii_detected,
      pii_count: sum.pii_count + next.pii_count,
      redacted: sum.redacted || next.redacted,
      criteria_passed: sum.criteria_passed + next.criteria_passed,
      criteria_failed: sum.criteria_failed + next.criteria_failed,
      latency_ms: sum.latency_ms + next.latency_ms,
    }),
    first,
  );
}

/** What was found in the answer, added to what was found in the prompt. The phase is the answer's, unless only the prompt had findings. */
export const withPrompt = (prompt: ContentEvaluation | undefined, answer: ContentEvaluation): ContentEvaluation => {
  if (prompt === undefined) return answer;
  const telling = hasFindings(prompt) && !hasFindings(answer) ? prompt : answer;
  return { ...mergeEvaluations(prompt, answer), phase: telling.phase };
};

const hasFindings = ({ result, pii_detected }: ContentEvaluation): boolean => result !== "allow" || pii_detected;

/** 403 for a content policy's `block`; `content_evaluation` stands beside `error` (decisions §4). */
export const contentBlocked = (evaluation: ContentEvaluation): ApiError =>
  new ApiError(
    "content_policy_violation",
    evaluation.phase === "pre_request"
      ? "The request was blocked by a content policy of this project."
      : "The answer was blocked by a content policy of this project.",
    { status: 403, code: "CONTENT_BLOCKED", beside: { content_evaluation: evaluation } },
  );
