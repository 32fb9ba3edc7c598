import { describe, expect, test } from "bun:test";
import { concludeRouting, evaluateRouting, policyBlocked } from "../../src/policies/evaluate-routing.ts";
import type { RoutingPolicyConfig } from "../../src/policies/policy.ts";
import { combineRoutingPolicies, type RoutedModel } from "../../src/policies/routing-rules.ts";
import { routingPolicy } from "./policy-of.ts";

const gpt: RoutedModel = {
  id: "gpt",
  provider: "openai",
  names: ["gpt-2030-01"],
  estimatedNanoUsd: 20_000_000,
  expectedLatencyMs: 900,
};
const claude: RoutedModel = { id: "claude", provider: "anthropic", estimatedNanoUsd: 5_000_000, expectedLatencyMs: 2_000 };
const gemini: RoutedModel = { id: "gemini", provider: "google", estimatedNanoUsd: 1_000_000, expectedLatencyMs: 400 };

const all = () => [gpt, claude, gemini];

const rulesOf = (...configs: RoutingPolicyConfig[]) =>
  combineRoutingPolicies(configs.map((config, i) => routingPolicy(config, `pol_${i + 1}`)));
const allowed = (...configs: RoutingPolicyConfig[]) =>
  all()
    .filter(rulesOf(...configs).allows)
    .map(({ id }) => id);

describe("routing policies", () => {
  test("intersect allow lists, unite block lists, take the lowest ceiling and target", () => {
    expect(allowed({ provider_allow_list: ["openai", "google"] }, { model_allow_list: ["claude", "gemini"] })).toEqual([
      "gemini",
    ]);
    expect(allowed({ model_block_list: ["gpt"] }, { provider_block_list: ["google"] })).toEqual(["claude"]);
    expect(allowed({ cost_ceiling_usd: 0.01 }, { cost_ceiling_usd: 0.002 })).toEqual(["gemini"]);
    expect(rulesOf({ cost_ceiling_usd: 0.01 }, { cost_ceiling_usd: 0.002 }).ceilingNanoUsd).toBe(2_000_000);
    expect(rulesOf({ latency_target_ms: 1000 }, { latency_target_ms: 500 }).latencyTargetMs).toBe(500);
    expect(allowed({ latency_target_ms: 1000 })).toEqual(["gpt", "gemini"]);
  });

  test("know a model by its other names, with its provider, in any case; an empty list restricts nothing", () => {
    expect(allowed({ model_allow_list: ["GPT-2030-01", "google/gemini"] })).toEqual(["gpt", "gemini"]);
    expect(allowed({ model_allow_list: [], provider_allow_list: [] })).toEqual(["gpt", "claude", "gemini"]);
  });

  test("tell prices and ceilings to the last billionth, in plain figures", () => {
    const told = (estimatedNanoUsd: number, ceiling: number) =>
      evaluateRouting(rulesOf({ cost_ceiling_usd: ceiling }), { ...gpt, estimatedNanoUsd }).violations[0]!.message;
    expect(told(359_188, 0.000359)).toBe("gpt would cost about 0.000359188 USD, above the ceiling of 0.000359 USD per call.");
    expect(told(200, 1e-7)).toBe("gpt would cost about 0.0000002 USD, above the ceiling of 0.0000001 USD per call.");
  });

  test("count an unknown price as above any ceiling, an unknown latency as within any target", () => {
    const rules = rulesOf({ cost_ceiling_usd: 1000 });
    expect(rules.allows({ id: "x", provider: "p" })).toBe(false);
    expect(rulesOf({ latency_target_ms: 1 }).allows({ id: "x", provider: "p" })).toBe(true);
  });

  test("prefer what any of them prefers", () => {
    const cheaper = { prefer_cheaper_models: true };
    const faster = { prefer_faster_models: true };
    const best = { prefer_cheaper_models: false, prefer_faster_models: false };
    const preferred = ({ preferCheaper, preferFaster, preferBest }: ReturnType<typeof rulesOf>) => [
      preferCheaper,
      preferFaster,
      preferBest,
    ];
    expect(preferred(rulesOf(cheaper, faster, best))).toEqual([true, true, true]);
    expect(preferred(rulesOf(cheaper))).toEqual([true, false, false]);
    expect(preferred(rulesOf(faster, {}))).toEqual([false, true, false]);
    expect(preferred(rulesOf({}, best))).toEqual([false, false, true]);
  });

  test("only those that act take models away", () => {
    expect(allowed({ provider_block_list: ["openai"], on_violation: "warn" })).toContain("gpt");
    expect(allowed({ provider_block_list: ["openai"], on_violation: "info" })).toContain("gpt");
    expect(allowed({ provider_block_list: ["openai"], on_violation: "hard_block" })).not.toContain("gpt");
    expect(rulesOf({ provider_block_list: ["openai"], on_violation: "info" }).pleases(gpt)).toBe(false);
    expect(rulesOf({ provider_block_list: ["nobody"] }).pleases(gpt)).toBe(true);
  });

  test.each([
    [undefined, "soft_block"],
    ["info", "allow"],
    ["warn", "warn"],
    ["soft_block", "soft_block"],
    ["hard_block", "hard_block"],
  ] as const)("a violation with on_violation %s results in %s", (onViolation, result) => {
    const rules = rulesOf({ provider_block_list: ["openai"], ...(onViolation && { on_violation: onViolation }) });
    const verdict = evaluateRouting(rules, gpt);
    expect(verdict).toMatchObject({
      result,
      violations: [
        { policy_id: "pol_1", policy_name: "policy pol_1", rule: "provider_block_list", action: onViolation ?? "soft_block" },
      ],
    });
    expect(evaluateRouting(rules, claude)).toEqual({ result: "allow", violations: [] });
  });

  test("answer with the strictest action of what was violated, not of what was not", () => {
    const rules = rulesOf(
      { model_block_list: ["gpt"], on_violation: "warn" },
      { provider_block_list: ["google"], on_violation: "hard_block" },
      { cost_ceiling_usd: 0.01, on_violation: "soft_block" },
    );
    expect(evaluateRouting(rules, gpt).result).toBe("soft_block");
    expect(evaluateRouting(rules, gpt).violations.map(({ rule }) => rule)).toEqual(["model_block_list", "cost_ceiling_usd"]);
    expect(evaluateRouting(rules, gemini).result).toBe("hard_block");
    const strictestFirst = rulesOf({ model_block_list: ["gpt"] }, { provider_block_list: ["openai"], on_violation: "warn" });
    expect(evaluateRouting(strictestFirst, gpt).result).toBe("soft_block");
  });

  test("tell what was changed and which of them mattered", () => {
    const rules = rulesOf({ provider_block_list: ["openai"] }, { provider_block_list: ["ollama"] });
    const evaluation = concludeRouting(rules, evaluateRouting(rules, gpt), gpt, claude, all);
    expect(evaluation).toEqual({
      result: "soft_block",
      violations: [
        {
          policy_id: "pol_1",
          policy_name: "policy pol_1",
          rule: "provider_block_list",
          message: "Provider openai of gpt is blocked.",
          action: "soft_block",
        },
      ],
      modifications: [
        { type: "model_override", from: "gpt", to: "claude", reason: "policy pol_1: Provider openai of gpt is blocked." },
      ],
      policies_evaluated: ["pol_1", "pol_2"],
      policies_matched: ["pol_1"],
    });
  });

  test("that prefer never violate, but own the change they make", () => {
    const rules = rulesOf({ prefer_cheaper_models: true });
    expect(rules.preferCheaper).toBe(true);
    const verdict = evaluateRouting(rules, gpt);
    expect(concludeRouting(rules, verdict, gpt, gemini, all)).toMatchObject({
      result: "allow",
      violations: [],
      modifications: [{ from: "gpt", to: "gemini", reason: "policy pol_1 prefers cheaper models." }],
      policies_matched: ["pol_1"],
    });
    expect(concludeRouting(rules, verdict, gpt, gpt, all)).toMatchObject({ modifications: [], policies_matched: [] });
  });

  test("that prefer own no change that another policy forced", () => {
    const rules = rulesOf({ prefer_cheaper_models: true }, { model_block_list: ["gpt"] });
    const { policies_evaluated, policies_matched } = concludeRouting(rules, evaluateRouting(rules, gpt), gpt, gemini, all);
    expect([policies_evaluated, policies_matched]).toEqual([["pol_1", "pol_2"], ["pol_2"]]);
  });

  test("with nothing left to choose name the policy that acts, not one that only warns", () => {
    const rules = rulesOf({ provider_block_list: ["openai"], on_violation: "warn" }, { model_block_list: ["gpt"] });
    const { message } = policyBlocked(concludeRouting(rules, evaluateRouting(rules, gpt), gpt, undefined, all));
    expect(message).toContain("Model gpt is blocked.");
    expect(message).not.toContain("Provider openai");
  });

  test("with nothing left to choose all mattered that took something out; one that only warns did not", () => {
    const rules = rulesOf(
      { provider_allow_list: ["openai"] },
      { model_block_list: ["gpt"] },
      { model_block_list: ["nobody"] },
      { provider_block_list: ["anthropic"], on_violation: "warn" },
    );
    const verdict = evaluateRouting(rules, gpt);
    expect(concludeRouting(rules, verdict, gpt, undefined, all)).toMatchObject({
      result: "hard_block",
      policies_matched: ["pol_1", "pol_2"],
    });
  });

  test("with nothing left to choose refuse even for soft_block, in the body of spec.md", () => {
    const rules = rulesOf({ provider_allow_list: ["nobody"] });
    const evaluation = concludeRouting(rules, evaluateRouting(rules, gpt), gpt, undefined, all);
    expect(evaluation.result).toBe("hard_block");
    const error = policyBlocked(evaluation);
    expect(error).toMatchObject({
      status: 403,
      type: "policy_blocked",
      message: "policy pol_1: Provider openai of gpt is not in the list of allowed providers.",
    });
    expect(error.options).toMatchObject({
      code: "POLICY_BLOCKED",
      beside: {
        policy_evaluation: { result: "hard_block", violations: [{ policy_name: "policy pol_1", rule: "provider_allow_list" }] },
      },
    });
  });
});
