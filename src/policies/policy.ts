/** What a stored policy is: the options of spec.md under "Policy templates", and those that decisions §7 adds. */

import type { PersonalDataType } from "./content/find-personal-data.ts";

export const VIOLATION_ACTIONS = ["info", "warn", "soft_block", "hard_block"] as const;
export type ViolationAction = (typeof VIOLATION_ACTIONS)[number];

export const PART_ACTIONS = ["warn", "redact", "block"] as const;
export type PartAction = (typeof PART_ACTIONS)[number];

export type RoutingPolicyConfig = {
  model_allow_list?: string[];
  model_block_list?: string[];
  provider_allow_list?: string[];
  provider_block_list?: string[];
  /** Per call. */
  cost_ceiling_usd?: number;
  prefer_cheaper_models?: boolean;
  latency_target_ms?: number;
  prefer_faster_models?: boolean;
  on_violation?: ViolationAction;
};

export type ContentPolicyConfig = {
  evaluate_output?: boolean;
  evaluate_input?: boolean;
  pii_detection?: { enabled?: boolean; types?: PersonalDataType[]; action?: PartAction; redaction_format?: string };
  blocked_terms?: { enabled?: boolean; terms?: string[]; action?: PartAction };
  /** Judged by a model, each in plain words. */
  criteria?: string[];
  /** Stores the redacted text in the logs, whatever the caller gets. */
  redact_logs?: boolean;
  on_violation?: ViolationAction;
};

type PolicyFrame = {
  id: string;
  name: string;
  /** Lower is evaluated first. */
  priority: number;
  enabled: boolean;
  /** Slug of the template it was made from. */
  template: string | null;
  createdAtMs: number;
  updatedAtMs: number;
};

export type RoutingPolicy = PolicyFrame & { type: "routing"; config: RoutingPolicyConfig };
export type ContentPolicy = PolicyFrame & { type: "content"; config: ContentPolicyConfig };
export type Policy = RoutingPolicy | ContentPolicy;
