/** The log's wire format: queries, and the schemas of answers. */

import { type Static, Type } from "@sinclair/typebox";
import { TASK_TYPES } from "../catalog/task-type.ts";
import { orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { ContentEvaluationSchema, PolicyEvaluationSchema } from "../policies/evaluation-schemas.ts";
import { CALL_KINDS, FAILURE_MODES } from "./call.ts";
import { ModeQuery } from "./call-scope.ts";

const text = Type.String();
const number = Type.Number();
const integer = Type.Integer();
const small = Type.Integer({ format: "int32" });
const time = Type.String({ format: "date-time" });
const boolean = Type.Boolean();
const range = {
  start_date: Type.Optional(Type.String({ description: "ISO 8601, a time or a UTC day; 7 days ago by default" })),
  end_date: Type.Optional(Type.String({ description: "ISO 8601, a time or a UTC day, which is included; now by default" })),
};

const filters = {
  ...range,
  task_type: Type.Optional(oneOf(TASK_TYPES)),
  kind: Type.Optional(oneOf(CALL_KINDS, { description: "What the call made, as in `metadata.kind`" })),
  model: Type.Optional(Type.String({ maxLength: 200 })),
  min_cost: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6, description: "USD" })),
  max_cost: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6, description: "USD" })),
  success_only: Type.Optional(Type.Boolean({ default: false })),
  failed_only: Type.Optional(Type.Boolean({ default: false })),
  min_retry_count: Type.Optional(Type.Integer({ minimum: 0, description: "1: calls that were retried with the same model" })),
  fallback_used: Type.Optional(Type.Boolean({ description: "Whether another model was asked; calls of both kinds by default" })),
  cache_hit: Type.Optional(Type.Boolean({ description: "Whether an earlier answer was given; calls of both kinds by default" })),
  user_id: Type.Optional(Type.String({ maxLength: BOUNDS.nameCharacters })),
  session_id: Type.Optional(Type.String({ maxLength: BOUNDS.nameCharacters })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: "A text that the prompt, the answer or a value of `metadata` contains, in upper or lower case",
    }),
  ),
  key_id: Type.Optional(Type.String({ maxLength: 200, description: "The key with which a call was made, by its id" })),
  mode: ModeQuery,
};
export const FilterQuery = Type.Object(filters);

const SORTS = ["timestamp", "cost", "latency", "tokens"] as const;
const sort_order = oneOf(["asc", "desc"], { default: "desc" });

export const ListQuery = Type.Object({
  ...filters,
  limit: Type.Integer({ minimum: 1, default: 50, description: "Clamped to the tier's cap" }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
  text_limit: Type.Optional(
    Type.Integer({ minimum: 0, description: "Characters of each prompt and answer; all of them by default. Their lengths stay" }),
  ),
  total_cost: Type.Optional(Type.Boolean({ description: "Adds `total_cost_usd`: what all `total` calls cost together" })),
  sort_by: oneOf(SORTS, { default: "timestamp" }),
  sort_order,
});

export const DetailQuery = Type.Object({ mode: ModeQuery });

export const SummaryQuery = Type.Object({ ...range, mode: ModeQuery });

export const ExportQuery = Type.Object({
  ...filters,
  format: oneOf(["json", "jsonl", "csv", "parquet"], { default: "json" }),
  bom: Type.Optional(Type.Boolean({ description: "Whether a CSV begins with the mark by which Excel knows that it is UTF-8" })),
  sort_order,
});

export const ForgetQuery = Type.Object({ user_id: Type.String({ minLength: 1, maxLength: BOUNDS.nameCharacters }) });

export const FeedbackBody = Type.Object({
  score: Type.Number({ minimum: 0, maximum: 1 }),
  comment: Type.Optional(Type.String({ maxLength: 4_000 })),
});
export const FeedbackAnswer = Type.Object({ call_id: text, score: number });
export const ForgottenUser = Type.Object({ user_id: text, deleted: integer });

const groups = {
  prompt: { text: orNull(text), hash: text, length: small },
  classification: { task_type: orNull(text), complexity_score: orNull(number), confidence: orNull(number) },
  routing: {
    model_selected: orNull(text),
    fallback_model: orNull(text),
    routing_reason: orNull(text),
    provider: orNull(text),
    first_choice: orNull(text),
    pinned: boolean,
  },
  execution: {
    latency_ms: integer,
    input_tokens: integer,
    output_tokens: integer,
    total_tokens: integer,
    cost_usd: number,
    started_at: time,
    completed_at: time,
    usage_source: Type.String({ description: "Who counted the tokens: `provider`, `estimated` or `none`" }),
    success: Type.Boolean({ description: "Whether `status` is below 400" }),
    status: small,
    error_type: orNull(text),
    streamed: boolean,
    first_token_ms: orNull(Type.Integer({ description: "Until a stream's first content" })),
    overhead_ms: Type.Integer({ description: "The part of `latency_ms` that was not spent waiting for providers" }),
  },
  quality: {
    validation_passed: orNull(boolean),
    retry_count: small,
    fallback_used: boolean,
    cost_warning_triggered: boolean,
    output_quality_score: orNull(number),
    failure_mode: orNull(oneOf(FAILURE_MODES)),
  },
  output: { text: orNull(text), length: small, format_valid: orNull(boolean) },
  metadata: {
    user_id: orNull(text),
    session_id: orNull(text),
    api_key_hash: text,
    custom: Type.Record(Type.String(), Type.String()),
    mode: text,
    kind: text,
    endpoint: text,
    key_id: Type.String({ description: "As the filter `key_id` takes it; `keys list` shows it beside the name" }),
  },
};

/** Also the columns of exports. */
export const LogEntry = Type.Object({
  call_id: text,
  timestamp: time,
  prompt: Type.Object(groups.prompt),
  classification: Type.Object(groups.classification),
  routing: Type.Object(groups.routing),
  execution: Type.Object(groups.execution),
  quality: Type.Object(groups.quality),
  output: Type.Object(groups.output),
  metadata: Type.Object(groups.metadata),
});
export type LogEntry = Static<typeof LogEntry>;

const anything = Type.Object({}, { additionalProperties: true });

const Attempt = Type.Object({
  attempt_number: integer,
  model: text,
  success: boolean,
  latency_ms: integer,
  cost_usd: number,
  provider: text,
  purpose: oneOf(["first", "retry", "fallback"]),
  finish_reason: orNull(text),
  failure: orNull(text),
  failure_message: orNull(text),
  upstream_status: orNull(integer),
  not_retried: orNull(text),
  input_tokens: integer,
  output_tokens: integer,
});

/** The entry, with the fields that only the detail view has. */
export const LogDetail = Type.Object({
  call_id: text,
  timestamp: time,
  prompt: Type.Object({
    ...groups.prompt,
    embedding: orNull(Type.Array(number)),
    message_count: integer,
    messages: Type.Unknown(),
  }),
  classification: Type.Object({ ...groups.classification, detected_format: orNull(text) }),
  routing: Type.Object({ ...groups.routing, decision_factors: orNull(anything) }),
  execution: Type.Object({
    ...groups.execution,
    cached_input_tokens: integer,
    cache_write_tokens: integer,
    reasoning_tokens: integer,
    error_message: orNull(text),
    cancelled: boolean,
    attempts: Type.Array(Attempt),
    cache: orNull(
      Type.Object(
        { call_id: text, saved_usd: number },
        { description: "The call whose answer was given again, so that no model was asked, and what that call cost" },
      ),
    ),
    side_calls: Type.Object({ input_tokens: integer, output_tokens: integer, cost_usd: number }),
  }),
  quality: Type.Object({
    ...groups.quality,
    validation_checks: Type.Object({
      format_valid: orNull(boolean),
      no_refusal: orNull(boolean),
      no_disclaimer: orNull(boolean),
      completeness: orNull(boolean),
    }),
    cost_warning: orNull(anything),
    feedback: orNull(Type.Object({ score: number, comment: orNull(text) })),
  }),
  output: Type.Object({
    ...groups.output,
    parsed_json: Type.Unknown(),
    images: Type.Optional(
      Type.Array(Type.Object({ bytes: integer }), { description: "Pictures in the answer; the log does not keep them" }),
    ),
  }),
  metadata: Type.Object({ ...groups.metadata, request_ip: orNull(text), user_agent: orNull(text), redacted: boolean }),
  policies: Type.Object({
    policy_evaluation: orNull(PolicyEvaluationSchema),
    content_evaluation: orNull(ContentEvaluationSchema),
  }),
  context: Type.Object({ provider_health: orNull(anything), budget: orNull(anything) }),
  shadow_call: Type.Object({
    executed: boolean,
    shadow_model: orNull(text),
    shadow_cost_usd: orNull(number),
    shadow_latency_ms: orNull(integer),
    quality_comparison: orNull(text),
  }),
});

export const LogPage = Type.Object({
  total: integer,
  total_cost_usd: Type.Optional(number),
  search: Type.Optional(
    Type.Object(
      { searched: integer, of: integer },
      { description: "How many calls were searched, of all that match the other filters" },
    ),
  ),
  limit: integer,
  offset: integer,
  logs: Type.Array(LogEntry),
  pagination: Type.Object({ has_more: boolean, next_offset: orNull(integer) }),
});

export const LogSummary = Type.Object({
  period: Type.Object({ start_date: text, end_date: text, days: number }),
  summary: Type.Object({
    total_calls: integer,
    successful_calls: integer,
    failed_calls: integer,
    success_rate: orNull(number),
    total_cost_usd: number,
    avg_cost_per_call: orNull(number),
    total_tokens: integer,
    avg_latency_ms: orNull(number),
  }),
  by_model: Type.Record(
    Type.String(),
    Type.Object({ calls: integer, percentage: number, total_cost_usd: number, avg_latency_ms: orNull(number) }),
  ),
  by_task_type: Type.Record(Type.String(), integer),
  quality_metrics: Type.Object({
    avg_quality_score: orNull(number),
    validation_pass_rate: orNull(number),
    retry_rate: orNull(number),
    fallback_rate: orNull(number),
  }),
});
