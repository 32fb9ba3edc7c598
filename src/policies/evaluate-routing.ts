/**
 * Evaluates routing policies for a call. A violation is: the model chosen without the policies would break one of their rules (decisions
 * §7).
 */

import { ApiError } from "../api-error.ts";
import type { PolicyEvaluation } from "./evaluation-schemas.ts";
import { type RoutingPolicy, VIOLATION_ACTIONS } from "./policy.ts";
import { type RoutedModel, type RoutingRules, type Violation, violationsOf } from "./routing-rules.ts";

type RoutingVerdict = {
  /** The strictest action among the violated policies; `allow` if there are none, or only `info` policies. */
  result: PolicyEvaluation["result"];
  violations: Violation[];
};

/** `chosen` is the model that would be called without policies. `prefer_*` never violates. */
export function evaluateRouting(rules: RoutingRules, chosen: RoutedModel): RoutingVerdict {
  const violations = rules.policies.flatMap((policy) => violationsOf(policy, chosen));
  const strictest = violations.reduce((worst, { action }) => Math.max(worst, VIOLATION_ACTIONS.indexOf(action)), 0);
  const action = VIOLATION_ACTIONS[strictest]!;
  return { result: action === "info" ? "allow" : action, violations };
}

const prefers = ({ config }: RoutingPolicy): string | undefined => {
  if (config.prefer_cheaper_models === true) return "cheaper models";
  if (config.prefer_faster_models === true) return "faster models";
  return config.prefer_cheaper_models === false && config.prefer_faster_models === false ? "the best models" : undefined;
};

const reasonFor = (rules: RoutingRules, { violations }: RoutingVerdict): string => {
  const objection = violations.find(({ action }) => action === "soft_block");
  if (objection !== undefined) return `${objection.policy_name}: ${objection.message}`;
  const preferring = rules.policies.find(prefers);
  return preferring === undefined ? "" : `${preferring.name} prefers ${prefers(preferring)}.`;
};

/**
 * The evaluation for the caller. `final` is the model that is called in the end; undefined if the policies left none of the models `given`,
 * which is a refusal even for `soft_block`. Then every policy that took one of them out mattered.
 */
export function concludeRouting(
  rules: RoutingRules,
  verdict: RoutingVerdict,
  chosen: RoutedModel,
  final: RoutedModel | undefined,
  given: () => readonly RoutedModel[],
): PolicyEvaluation {
  const changed = final !== undefined && final.id !== chosen.id;
  const preferring = rules.policies.filter(prefers);
  const matched = new Set(verdict.violations.map(({ policy_id }) => policy_id));
  const forced = verdict.result === "soft_block" || verdict.result === "hard_block";
  if (changed && !forced) for (const { id } of preferring) matched.add(id);
  if (final === undefined && verdict.result !== "hard_block") {
    const models = given();
    for (const policy of rules.acting) if (models.some((model) => violationsOf(policy, model).length > 0)) matched.add(policy.id);
  }
  return {
    result: final === undefined ? "hard_block" : verdict.result,
    violations: verdict.violations,
    modifications:
      changed && (forced || preferring.length > 0)
        ? [{ type: "model_override", from: chosen.id, to: final.id, reason: reasonFor(rules, verdict) }]
        : [],
    policies_evaluated: rules.policies.map(({ id }) => id),
    policies_matched: rules.policies.map(({ id }) => id).filter((id) => matched.has(id)),
  };
}

/** 403 with spec.md's "Policy blocked" body; the renderer in http gives it the shape of the path. */
export function policyBlocked(evaluation: PolicyEvaluation): ApiError {
  const { violations } = evaluation;
  // A policy that only warns did not block the call.
  const blocking =
    violations.find(({ action }) => action === "hard_block") ?? violations.find(({ action }) => action === "soft_block");
  const message =
    blocking === undefined ? "No model is left that the policies allow." : `${blocking.policy_name}: ${blocking.message}`;
  return new ApiError("policy_blocked", message, {
    code: "POLICY_BLOCKED",
    beside: { policy_evaluation: evaluation },
  });
}
