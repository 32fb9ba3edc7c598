/** A policy in one line, for the list. */

import { exactUsd, plural } from "../../format.ts";
import type { Policy } from "../../wire.ts";

const OUTCOMES: Record<string, string> = {
  info: "only notes it",
  warn: "warns",
  soft_block: "changes the call",
  hard_block: "refuses the call",
};

const DOES: Record<string, string> = { warn: "warns of", redact: "redacts", block: "blocks" };

export const describePolicy = ({ policy_type, config }: Pick<Policy, "policy_type" | "config">): string => {
  const says: string[] = [];
  const list = (name: string, words: string) =>
    config[name]?.length > 0 && says.push(`${words} ${config[name].slice(0, 3).join(", ")}${config[name].length > 3 ? "…" : ""}`);
  if (policy_type === "routing") {
    list("provider_allow_list", "only");
    list("provider_block_list", "never");
    list("model_allow_list", "only");
    list("model_block_list", "never");
    if (config["cost_ceiling_usd"] !== undefined) says.push(`at most ${exactUsd(config["cost_ceiling_usd"])} a call`);
    if (config["latency_target_ms"] !== undefined) says.push(`within ${config["latency_target_ms"]} ms`);
    if (config["prefer_cheaper_models"]) says.push("cheaper models first");
    if (config["prefer_faster_models"]) says.push("faster models first");
    says.push(OUTCOMES[config["on_violation"] ?? "soft_block"]!);
  } else {
    const pii = config["pii_detection"];
    const terms = config["blocked_terms"];
    if (pii && pii.enabled !== false) says.push(`${DOES[pii.action] ?? "looks for"} personal data`);
    if (terms && terms.enabled !== false)
      says.push(`${DOES[terms.action] ?? "looks for"} ${plural(terms.terms?.length ?? 0, "term")}`);
    if (config["criteria"]?.length > 0) says.push(`judges ${plural(config["criteria"].length, "criterion", "criteria")}`);
    if (config["evaluate_input"]) says.push("also in prompts");
    if (config["redact_logs"]) says.push("redacts the log");
  }
  return says.join(" · ") || "no rule yet";
};
