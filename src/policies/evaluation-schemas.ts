/** The policies' evaluation of a call, as answers, errors and log entries show it. */

import { type Static, Type } from "@sinclair/typebox";
import { oneOf } from "../lib/one-of.ts";
import { VIOLATION_ACTIONS } from "./policy.ts";

export const ViolationSchema = Type.Object({
  policy_id: Type.String(),
  policy_name: Type.String(),
  rule: Type.String(),
  message: Type.String(),
  action: oneOf(VIOLATION_ACTIONS),
});

/** `svc.policy_evaluation`. `policies_matched` are those that changed or objected to something. */
export const PolicyEvaluationSchema = Type.Object({
  result: oneOf(["allow", "warn", "soft_block", "hard_block"] as const),
  violations: Type.Array(ViolationSchema),
  modifications: Type.Array(
    Type.Object({ type: Type.Literal("model_override"), from: Type.String(), to: Type.String(), reason: Type.String() }),
  ),
  policies_evaluated: Type.Array(Type.String()),
  policies_matched: Type.Array(Type.String()),
});
export type PolicyEvaluation = Static<typeof PolicyEvaluationSchema>;

/** `svc.content_evaluation`. The criteria are those that a model judged; `latency_ms` is the time spent reviewing. */
export const ContentEvaluationSchema = Type.Object({
  result: oneOf(["allow", "warn", "redact", "block"] as const),
  phase: oneOf(["pre_request", "post_response"] as const),
  pii_detected: Type.Boolean(),
  pii_count: Type.Integer(),
  redacted: Type.Boolean(),
  criteria_passed: Type.Integer(),
  criteria_failed: Type.Integer(),
  latency_ms: Type.Integer(),
});
export type ContentEvaluation = Static<typeof ContentEvaluationSchema>;
