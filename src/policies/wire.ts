/** Policies on the wire: strict configs, so that a misspelt option is refused instead of silently protecting nothing. */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { invalidRequest } from "../api-error.ts";
import { toIso } from "../lib/clock.ts";
import { firstProblem } from "../lib/first-problem.ts";
import { orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { PERSONAL_DATA_TYPES } from "./content/find-personal-data.ts";
import { ViolationSchema } from "./evaluation-schemas.ts";
import { type ContentPolicyConfig, PART_ACTIONS, type Policy, type RoutingPolicyConfig, VIOLATION_ACTIONS } from "./policy.ts";

const strict = { additionalProperties: false };
const names = () => Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 });

const RoutingConfigSchema = Type.Partial(
  Type.Object({
    model_allow_list: names(),
    model_block_list: names(),
    provider_allow_list: names(),
    provider_block_list: names(),
    cost_ceiling_usd: Type.Number({ minimum: 0, maximum: 1_000_000 }),
    prefer_cheaper_models: Type.Boolean(),
    latency_target_ms: Type.Number({ minimum: 1, maximum: 3_600_000 }),
    prefer_faster_models: Type.Boolean(),
    on_violation: oneOf(VIOLATION_ACTIONS),
  }),
  strict,
);

const partAction = oneOf(PART_ACTIONS);
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
    criteria: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 20 }),
    redact_logs: Type.Boolean(),
    on_violation: oneOf(VIOLATION_ACTIONS),
  }),
  strict,
);

const anyConfig = Type.Object({}, { additionalProperties: true });
const name = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" });
const policyType = oneOf(["routing", "content"] as const);
/** Lower is evaluated first. */
const priority = Type.Integer({ minimum: 0, maximum: 1_000_000 });

export const CreatePolicySchema = Type.Object(
  {
    name: Type.Optional(name),
    policy_type: Type.Optional(policyType),
    template: Type.Optional(Type.String({ maxLength: 100 })),
    config: Type.Optional(anyConfig),
    priority: Type.Optional(priority),
    enabled: Type.Optional(Type.Boolean()),
  },
  strict,
);

export const ChangePolicySchema = Type.Object(
  {
    name: Type.Optional(name),
    config: Type.Optional(anyConfig),
    priority: Type.Optional(priority),
    enabled: Type.Optional(Type.Boolean()),
  },
  strict,
);

export const PolicySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  policy_type: policyType,
  config: anyConfig,
  priority: Type.Integer(),
  enabled: Type.Boolean(),
  template: orNull(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
});

export const PolicyListSchema = Type.Object({ policies: Type.Array(PolicySchema), total: Type.Integer() });

export const TemplateSchema = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  description: Type.String(),
  category: oneOf(["cost", "performance", "compliance"] as const),
  policy_type: policyType,
  config: anyConfig,
});
export const TemplateListSchema = Type.Object({ templates: Type.Array(TemplateSchema) });
export const DeletedSchema = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });

/** Calls that a dry run looks at unless told. */
export const USUAL_LAST_N = 100;

/** Either a stored policy, or one as it would be stored. */
export const DryRunSchema = Type.Object(
  {
    policy_id: Type.Optional(Type.String({ maxLength: 100 })),
    name: Type.Optional(name),
    policy_type: Type.Optional(policyType),
    template: Type.Optional(Type.String({ maxLength: 100 })),
    config: Type.Optional(anyConfig),
    /** How many of the last calls are looked at. */
    last_n: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: USUAL_LAST_N })),
  },
  strict,
);

const dryRunResult = oneOf(["allow", "warn", "soft_block", "hard_block", "redact", "block"] as const);

export const DryRunResultSchema = Type.Object({
  policy_type: policyType,
  config: anyConfig,
  calls_read: Type.Integer(),
  /** Of those, the ones that a model answered (routing) or whose texts are stored (content). */
  calls_evaluated: Type.Integer(),
  /** How many calls would have had which result. */
  results: Type.Record(Type.String(), Type.Integer()),
  /** Those that something would have happened to, at most 100. */
  calls: Type.Array(
    Type.Object({
      call_id: Type.String(),
      timestamp: Type.String(),
      model: orNull(Type.String()),
      result: dryRunResult,
      violations: Type.Optional(Type.Array(ViolationSchema)),
      pii_count: Type.Optional(Type.Integer()),
      /** Findings by type. */
      found: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    }),
  ),
});

const CONFIG_SCHEMA: Record<Policy["type"], TSchema> = { routing: RoutingConfigSchema, content: ContentConfigSchema };

/** Throws 400 with the dotted place: `config.pii_detection.types.0`. */
export const readConfig = (type: Policy["type"], config: unknown): RoutingPolicyConfig | ContentPolicyConfig => {
  const schema = CONFIG_SCHEMA[type];
  if (!Value.Check(schema, config)) {
    const { path, message } = firstProblem(schema, config, ["config"]);
    throw invalidRequest(message, path);
  }
  return config as RoutingPolicyConfig | ContentPolicyConfig;
};

export const toWirePolicy = (policy: Policy): Static<typeof PolicySchema> => ({
  id: policy.id,
  name: policy.name,
  policy_type: policy.type,
  config: policy.config,
  priority: policy.priority,
  enabled: policy.enabled,
  template: policy.template,
  created_at: toIso(policy.createdAtMs),
  updated_at: toIso(policy.updatedAtMs),
});
