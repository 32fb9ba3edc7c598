/** A policy in one line, for the list. */

import type { PartAction, ViolationAction } from "../../../../policies/policy.ts";
import { exactUsd, plural } from "../../format.ts";
import type { Policy } from "../../wire.ts";
import type { ListOption } from "./policy-config.ts";

const OUTCOMES: Record<ViolationAction, string> = {
  info: "only notes it",
  warn: "warns",
  soft_block: "changes the call",
  hard_block: "refuses the call",
};

const DOES: Record<PartAction, string> = { warn: "warns of", redact: "redacts", block: "blocks" };

const doesWith = ({ action }: { action?: PartAction }): string => (action === undefined ? "looks for" : DOES[action]);

export const describePolicy = ({ policy_type, config }: Pick<Policy, "policy_type" | "config">): string => {
  const says: string[] = [];
  const list = (option: ListOption, words: string): void => {
    const named = config[option] ?? [];
    if (named.length > 0) says.push(`${words} ${named.slice(0, 3).join(", ")}${named.length > 3 ? "…" : ""}`);
  };
  if (policy_type === "routing") {
    list("provider_allow_list", "only");
    list("provider_block_list", "never");
    list("model_allow_list", "only");
    list("model_block_list", "never");
    if (config.cost_ceiling_usd !== undefined) says.push(`at most ${exactUsd(config.cost_ceiling_usd)} a call`);
    if (config.latency_target_ms !== undefined) says.push(`within ${config.latency_target_ms} ms`);
    if (config.prefer_cheaper_models) says.push("cheaper models first");
    if (config.prefer_faster_models) says.push("faster models first");
    says.push(OUTCOMES[config.on_violation ?? "soft_block"]);
  } else {
    const { pii_detection: pii, blocked_terms: terms, criteria = [] } = config;
    if (pii && pii.enabled !== false) says.push(`${doesWith(pii)} personal data`);
    if (terms && terms.enabled !== false) says.push(`${doesWith(terms)} ${plural(terms.terms?.length ?? 0, "term")}`);
    if (criteria.length > 0) says.push(`judges ${plural(criteria.length, "criterion", "criteria")}`);
    if (config.evaluate_input) says.push("also in prompts");
    if (config.redact_logs) says.push("redacts the log");
  }
  return says.join(" · ") || "no rule yet";
};
