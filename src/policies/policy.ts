/** What a stored policy is: the options of spec.md under "Policy templates", and those that decisions §7 adds. */

import { type Static, Type } from "@sinclair/typebox";
import { oneOf } from "../lib/one-of.ts";
import { PERSONAL_DATA_TYPES } from "./content/personal-data-type.ts";

/** From mildest to strictest. */
export const VIOLATION_ACTIONS = ["info", "warn", "soft_block", "hard_block"] as const;
export type ViolationAction = (typeof VIOLATION_ACTIONS)[number];

const partAction = oneOf(["warn", "redact", "block"] as const);
export type PartAction = Static<typeof partAction>;

const strict = { additionalProperties: false };
const names = () => Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 });

const RoutingConfigSchema = Type.Partial(
  Type.Object({
    model_allow_list: names(),
    model_block_list: names(),
    provider_allow_list: names(),
    provider_block_list: names(),
    /** Per call. */
    cost_ceiling_usd: Type.Number({ minimum: 0, maximum: 1_000_000 }),
    prefer_cheaper_models: Type.Boolean(),
    latency_target_ms: Type.Number({ minimum: 1, maximum: 3_600_000 }),
    prefer_faster_models: Type.Boolean(),
    on_violation: oneOf(VIOLATION_ACTIONS),
  }),
  strict,
);
export type RoutingPolicyConfig = Static<typeof RoutingConfigSchema>;

const ContentConfigSchema = Type.Partial(
  Type.Object({
    evaluate_output: Type.Boolean(),
    evaluate_input: Type.Boolean(),
    pii_detection: Type.Partial(
      Type.Object({
        enabled: Type.Boolean(),
        types: Type.Array(oneOf(PERSONAL_DATA_TYPES), { maxItems: 20 }),
        action: partAction,
        redaction_format: Type.String({ maxLength: 200 }),
      }),
      strict,
    ),
    blocked_terms: Type.Partial(
      Type.Object({
        enabled: Type.Boolean(),
        terms: Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }), { maxItems: 5_000 }),
        action: partAction,
      }),
      strict,
    ),
    /** Judged by a model, each in plain words. */
    criteria: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 20 }),
    /** Stores the redacted text in the logs, whatever the caller gets. */
    redact_logs: Type.Boolean(),
    on_violation: oneOf(VIOLATION_ACTIONS),
  }),
  strict,
);
export type ContentPolicyConfig = Static<typeof ContentConfigSchema>;

/** Strict, so that a misspelt option is refused instead of silently protecting nothing. */
export const CONFIG_SCHEMAS = { routing: RoutingConfigSchema, content: ContentConfigSchema };

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
