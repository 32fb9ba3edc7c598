/** What a policy would have done to a project's latest calls, without doing it: read from the log, decided by the policy's own rules. */

import type { Caller } from "../accounts/authenticate.ts";
import { invalidRequest } from "../api-error.ts";
import { listLogs } from "../logs/list-logs.ts";
import type { LogEntry } from "../logs/to-wire.ts";
import type { Platform } from "../platform.ts";
import { compileContentPolicies } from "../policies/content-rules.ts";
import { combineRoutingPolicies, evaluateRouting } from "../policies/evaluate-routing.ts";
import type { ContentPolicy, ContentPolicyConfig, Policy, RoutingPolicy, RoutingPolicyConfig } from "../policies/policy.ts";
import { reviewText } from "../policies/review-content.ts";
import { readConfig } from "../policies/wire.ts";
import type { DryRun } from "./wire.ts";

const LATEST_CALLS = 500;
const SHOWN = 50;
const MONTH_MS = 30 * 86_400_000;

type Outcome = { outcome: keyof DryRun["counts"]; why: string };

/** Throws 400 for a config that could not be stored either. */
export const dryRunPolicy = async (
  platform: Platform,
  caller: Caller,
  { type, config }: { type: Policy["type"]; config: unknown },
): Promise<DryRun> => {
  const judge = judgeOf(type, readConfig(type, config));
  const page = JSON.parse(
    await listLogs(platform, caller, {
      limit: LATEST_CALLS,
      start_date: new Date(platform.clock.now() - MONTH_MS).toISOString(),
    }),
  ) as { logs: LogEntry[] };
  const counts: DryRun["counts"] = { allow: 0, warn: 0, soft_block: 0, hard_block: 0, redact: 0, block: 0 };
  const touched: DryRun["touched"] = [];
  for (const entry of page.logs) {
    const { outcome, why } = judge(entry);
    counts[outcome]++;
    if (outcome !== "allow" && touched.length < SHOWN)
      touched.push({
        call_id: entry.call_id,
        timestamp: entry.timestamp,
        model: entry.routing.model_selected,
        prompt: entry.prompt.text?.slice(0, 200) ?? null,
        outcome,
        why,
      });
  }
  return { calls: page.logs.length, counts, touched };
};

const frame = { id: "dry-run", name: "This policy", enabled: true, priority: 0, template: null };

const judgeOf = (type: Policy["type"], config: RoutingPolicyConfig | ContentPolicyConfig): ((entry: LogEntry) => Outcome) => {
  if (type === "routing") {
    const rules = combineRoutingPolicies([{ ...frame, type, config } as unknown as RoutingPolicy]);
    return (entry) => judgeRouting(rules, entry);
  }
  const policy = { ...frame, type, config } as unknown as ContentPolicy;
  if ((policy.config.criteria ?? []).length > 0 && !policy.config.pii_detection && !policy.config.blocked_terms)
    throw invalidRequest(
      "Criteria are judged by a model, which a dry run does not call. Add a rule to try, or save the policy.",
      "config",
    );
  const input = compileContentPolicies([policy], "pre_request");
  const output = compileContentPolicies([policy]);
  return (entry) => judgeContent(input, output, entry);
};

const judgeRouting = (rules: ReturnType<typeof combineRoutingPolicies>, entry: LogEntry): Outcome => {
  const { model_selected: id, provider } = entry.routing;
  if (id === null || provider === null || entry.metadata.kind !== "chat") return { outcome: "allow", why: "" };
  const verdict = evaluateRouting(rules, {
    id,
    provider,
    estimatedNanoUsd: Math.round(entry.execution.cost_usd * 1e9),
    expectedLatencyMs: entry.execution.latency_ms,
  });
  return { outcome: verdict.result, why: verdict.violations.map(({ message }) => message).join(" ") };
};

const judgeContent = (
  input: ReturnType<typeof compileContentPolicies>,
  output: ReturnType<typeof compileContentPolicies>,
  entry: LogEntry,
): Outcome => {
  const ofPrompt = reviewText(input, entry.prompt.text ?? "");
  const ofAnswer = reviewText(output, entry.output.text ?? "");
  const order = ["allow", "warn", "redact", "block"] as const;
  const outcome = order[Math.max(order.indexOf(ofPrompt.evaluation.result), order.indexOf(ofAnswer.evaluation.result))]!;
  const found = [
    ...ofPrompt.findings.map(({ type }) => `${type} in the prompt`),
    ...ofAnswer.findings.map(({ type }) => `${type} in the answer`),
  ];
  return { outcome, why: [...new Set(found)].join(", ") };
};
