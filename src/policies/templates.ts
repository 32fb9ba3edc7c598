/** The eleven policy templates of spec.md. Vendor a, b and c are OpenAI, Anthropic and Google. */

import { PERSONAL_DATA_TYPES } from "./content/personal-data-type.ts";
import type { ContentPolicyConfig, RoutingPolicyConfig } from "./policy.ts";

type TemplateFrame = { slug: string; name: string; description: string; category: "cost" | "performance" | "compliance" };

/** As the wire shows it. */
export type PolicyTemplate = TemplateFrame &
  ({ policy_type: "routing"; config: RoutingPolicyConfig } | { policy_type: "content"; config: ContentPolicyConfig });

/** All types of personal data. */
const redacting = (format: string) => ({
  pii_detection: { enabled: true, types: [...PERSONAL_DATA_TYPES], action: "redact" as const, redaction_format: format },
});

const ADULT_TERMS =
  `porn, pornography, nude photos, cocaine, heroin, methamphetamine, suicide method, self-harm method, how to kill,
  build a bomb, online casino`.split(/,\s+/);
const RUDE_TERMS = "fuck, fucking, shit, bullshit, asshole, bastard, bitch, damn, crap, idiot, moron, shut up".split(", ");

export const POLICY_TEMPLATES: readonly PolicyTemplate[] = [
  {
    slug: "budget-mode",
    name: "Budget mode",
    description: "Prefers the cheapest model that can do the task and keeps every call below one cent.",
    category: "cost",
    policy_type: "routing",
    config: { prefer_cheaper_models: true, cost_ceiling_usd: 0.01, on_violation: "soft_block" },
  },
  {
    slug: "performance-mode",
    name: "Performance mode",
    description: "Prefers fast models and avoids those that are expected to take longer than three seconds.",
    category: "performance",
    policy_type: "routing",
    config: { prefer_faster_models: true, latency_target_ms: 3000, on_violation: "soft_block" },
  },
  {
    slug: "quality-mode",
    name: "Quality mode",
    description: "Chooses for the best output: neither price nor speed counts.",
    category: "performance",
    policy_type: "routing",
    config: { prefer_cheaper_models: false, prefer_faster_models: false, on_violation: "info" },
  },
  {
    slug: "no-vendor-a",
    name: "No OpenAI",
    description: "Keeps every call away from OpenAI's models.",
    category: "compliance",
    policy_type: "routing",
    config: { provider_block_list: ["openai"], on_violation: "soft_block" },
  },
  {
    slug: "no-vendor-b",
    name: "No Anthropic",
    description: "Keeps every call away from Anthropic's models.",
    category: "compliance",
    policy_type: "routing",
    config: { provider_block_list: ["anthropic"], on_violation: "soft_block" },
  },
  {
    slug: "vendor-c-only",
    name: "Google only",
    description: "Sends calls to Google's models only.",
    category: "compliance",
    policy_type: "routing",
    config: { provider_allow_list: ["google"], on_violation: "soft_block" },
  },
  {
    slug: "pii-protection",
    name: "Protection of personal data",
    description: "Redacts all types of personal data in answers.",
    category: "compliance",
    policy_type: "content",
    config: { evaluate_output: true, ...redacting("[REDACTED]"), on_violation: "soft_block" },
  },
  {
    slug: "healthcare-compliance",
    name: "Healthcare compliance",
    description: "Redacts identifiers of patients in prompts, answers and logs.",
    category: "compliance",
    policy_type: "content",
    config: {
      evaluate_output: true,
      evaluate_input: true,
      redact_logs: true,
      ...redacting("[PHI REDACTED]"),
      on_violation: "soft_block",
    },
  },
  {
    slug: "child-safe",
    name: "Safe for children",
    description: "Blocks answers with adult, violent or drug-related terms and redacts personal data.",
    category: "compliance",
    policy_type: "content",
    config: {
      evaluate_output: true,
      ...redacting("[REDACTED]"),
      blocked_terms: { enabled: true, terms: ADULT_TERMS, action: "block" },
      on_violation: "hard_block",
    },
  },
  {
    slug: "professional-communication",
    name: "Professional communication",
    description: "Redacts profanity and insults in answers.",
    category: "compliance",
    policy_type: "content",
    config: {
      evaluate_output: true,
      blocked_terms: { enabled: true, terms: RUDE_TERMS, action: "redact" },
      on_violation: "soft_block",
    },
  },
  {
    slug: "custom-terms-filter",
    name: "Filter for your own terms",
    description: "Redacts the terms that you list in `config.blocked_terms.terms`.",
    category: "compliance",
    policy_type: "content",
    config: { evaluate_output: true, blocked_terms: { enabled: true, terms: [], action: "redact" }, on_violation: "soft_block" },
  },
];

export const findTemplate = (slug: string): PolicyTemplate | undefined =>
  POLICY_TEMPLATES.find((template) => template.slug === slug);
