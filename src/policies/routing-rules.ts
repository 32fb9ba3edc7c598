/**
 * Routing policies as one set of rules (rule 8 of the chat endpoint): allow lists intersect, block lists unite, the lowest ceiling
 * and latency target win.
 */

import { toNanoUsd, usdText } from "../lib/money.ts";
import type { PolicyEvaluation } from "./evaluation-schemas.ts";
import type { RoutingPolicy, RoutingPolicyConfig, ViolationAction } from "./policy.ts";

/** A model as policies see it: catalog names, and the cost estimate for this call. */
export type RoutedModel = {
  id: string;
  /** Catalog id of the provider. */
  provider: string;
  /** Other names by which a list may name it. */
  names?: readonly string[];
  /** Absent if the price is unknown, which violates any ceiling. */
  estimatedNanoUsd?: number;
  /** Absent if unknown, which violates no target. */
  expectedLatencyMs?: number;
};

type RoutingRule =
  | "model_allow_list"
  | "model_block_list"
  | "provider_allow_list"
  | "provider_block_list"
  | "cost_ceiling_usd"
  | "latency_target_ms";

export type Violation = PolicyEvaluation["violations"][number] & { rule: RoutingRule };

export type RoutingRules = {
  /** In priority order. */
  policies: readonly RoutingPolicy[];
  /** Those of them that take models away (`soft_block`, `hard_block`). */
  acting: readonly RoutingPolicy[];
  preferCheaper: boolean;
  preferFaster: boolean;
  /** Gap: spec.md's `quality-mode` has no option of its own; a policy that sets both preferences to false asks for the best output. */
  preferBest: boolean;
  /** The lowest of all policies; used for scoring and as a ceiling. */
  ceilingNanoUsd?: number;
  latencyTargetMs?: number;
  /** Whether a model may be called at all, by the lists and bounds of the policies that act. */
  allows(model: RoutedModel): boolean;
  /** Whether no policy objects to a model, of those that only warn or log neither. */
  pleases(model: RoutedModel): boolean;
};

/** Gap: spec.md gives no default; decisions §11 says `soft_block`. */
const actionOf = (policy: RoutingPolicy): ViolationAction => policy.config.on_violation ?? "soft_block";
const acts = (policy: RoutingPolicy): boolean => actionOf(policy) === "soft_block" || actionOf(policy) === "hard_block";

const lowest = (values: (number | undefined)[]): number | undefined =>
  values.reduce((least, value) => (value === undefined ? least : Math.min(value, least ?? value)), undefined);

const nanoUsd = (usd: number | undefined): number | undefined => (usd === undefined ? undefined : toNanoUsd(usd));

/** `policies` in priority order. */
export function combineRoutingPolicies(policies: readonly RoutingPolicy[]): RoutingRules {
  const acting = policies.filter(acts);
  const ceilingNanoUsd = lowest(acting.map(({ config }) => nanoUsd(config.cost_ceiling_usd)));
  const latencyTargetMs = lowest(acting.map(({ config }) => config.latency_target_ms));
  return {
    policies,
    acting,
    preferCheaper: policies.some(({ config }) => config.prefer_cheaper_models === true),
    preferFaster: policies.some(({ config }) => config.prefer_faster_models === true),
    preferBest: policies.some(({ config }) => config.prefer_cheaper_models === false && config.prefer_faster_models === false),
    ...(ceilingNanoUsd !== undefined && { ceilingNanoUsd }),
    ...(latencyTargetMs !== undefined && { latencyTargetMs }),
    allows: (model) => acting.every((policy) => violationsOf(policy, model).length === 0),
    pleases: (model) => policies.every((policy) => violationsOf(policy, model).length === 0),
  };
}

const isListed = (list: readonly string[], names: readonly string[]): boolean =>
  list.some((entry) => names.some((name) => name.toLowerCase() === entry.trim().toLowerCase()));

const namesOf = ({ id, provider, names = [] }: RoutedModel): string[] =>
  [id, ...names].flatMap((name) => [name, `${provider}/${name}`]);

/** How a model violates each rule. Gap: an empty list restricts nothing. */
const RULES: Record<RoutingRule, (config: RoutingPolicyConfig, model: RoutedModel) => string | undefined> = {
  model_allow_list: ({ model_allow_list: list = [] }, model) =>
    list.length === 0 || isListed(list, namesOf(model)) ? undefined : `Model ${model.id} is not in the list of allowed models.`,
  model_block_list: ({ model_block_list: list = [] }, model) =>
    isListed(list, namesOf(model)) ? `Model ${model.id} is blocked.` : undefined,
  provider_allow_list: ({ provider_allow_list: list = [] }, { id, provider }) =>
    list.length === 0 || isListed(list, [provider])
      ? undefined
      : `Provider ${provider} of ${id} is not in the list of allowed providers.`,
  provider_block_list: ({ provider_block_list: list = [] }, { id, provider }) =>
    isListed(list, [provider]) ? `Provider ${provider} of ${id} is blocked.` : undefined,
  cost_ceiling_usd: ({ cost_ceiling_usd: usd }, { id, estimatedNanoUsd: estimate }) => {
    const ceiling = nanoUsd(usd);
    if (ceiling === undefined || (estimate !== undefined && estimate <= ceiling)) return undefined;
    return estimate === undefined
      ? `The cost of ${id} is not known, and the ceiling is ${usdText(ceiling)} USD per call.`
      : `${id} would cost about ${usdText(estimate)} USD, above the ceiling of ${usdText(ceiling)} USD per call.`;
  },
  latency_target_ms: ({ latency_target_ms: target }, { id, expectedLatencyMs: latency }) =>
    target === undefined || latency === undefined || latency <= target
      ? undefined
      : `${id} is expected to take ${Math.round(latency)} ms, above the target of ${target} ms.`,
};

/** What a model breaks of one policy. */
export function violationsOf(policy: RoutingPolicy, model: RoutedModel): Violation[] {
  const violations: Violation[] = [];
  for (const rule of Object.keys(RULES) as RoutingRule[]) {
    const message = RULES[rule](policy.config, model);
    if (message !== undefined)
      violations.push({ policy_id: policy.id, policy_name: policy.name, rule, message, action: actionOf(policy) });
  }
  return violations;
}
