/** Policies on the wire. What a config may hold, policy.ts says. */

import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { invalidRequest } from "../api-error.ts";
import { toIso } from "../lib/clock.ts";
import { firstProblem } from "../lib/first-problem.ts";
import { orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { ViolationSchema } from "./evaluation-schemas.ts";
import { CONFIG_SCHEMAS, type ContentPolicyConfig, type Policy, type RoutingPolicyConfig } from "./policy.ts";

const strict = { additionalProperties: false };
const anyConfig = Type.Object(
  {},
  { additionalProperties: true, description: "The options of a policy of its type; docs/policies.md lists them" },
);
const name = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" });
const policyType = oneOf(["routing", "content"] as const);
const priority = Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Lower is evaluated first" });

export const CreatePolicySchema = Type.Object(
  {
    name: Type.Optional(name),
    policy_type: Type.Optional(policyType),
    template: Type.Optional(
      Type.String({ maxLength: 100, description: "The slug of a template, whose options `config` overrides" }),
    ),
    config: Type.Optional(anyConfig),
    priority: Type.Optional(priority),
    enabled: Type.Optional(Type.Boolean()),
  },
  strict,
);

export const ChangePolicySchema = Type.Omit(CreatePolicySchema, ["policy_type", "template"], strict);

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
    ...Type.Omit(CreatePolicySchema, ["priority", "enabled"]).properties,
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

/** Throws 400 with the dotted place: `config.pii_detection.types.0`. */
export const readConfig = (type: Policy["type"], config: unknown): RoutingPolicyConfig | ContentPolicyConfig => {
  const schema = CONFIG_SCHEMAS[type];
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
