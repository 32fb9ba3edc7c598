/** What callers say to and hear from the log: queries, and the schemas of its answers. */

import { Type } from "@sinclair/typebox";
import { TASK_TYPES } from "../catalog/task-type.ts";
import { orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { ModeQuery } from "./call-scope.ts";

/** As long as `user` of a chat may be. */
export const LONGEST_USER_ID = 512;

const text = Type.String();
const number = Type.Number();
const integer = Type.Integer();
const boolean = Type.Boolean();
const range = {
  start_date: Type.Optional(Type.String({ description: "ISO 8601, a time or a UTC day; 7 days ago by default" })),
  end_date: Type.Optional(Type.String({ description: "ISO 8601, a time or a UTC day, which is included; now by default" })),
};

const filters = {
  ...range,
  task_type: Type.Optional(oneOf(TASK_TYPES)),
  model: Type.Optional(Type.String({ maxLength: 200 })),
  min_cost: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6, description: "USD" })),
  max_cost: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6, description: "USD" })),
  success_only: Type.Optional(Type.Boolean({ default: false })),
  failed_only: Type.Optional(Type.Boolean({ default: false })),
  user_id: Type.Optional(Type.String({ maxLength: LONGEST_USER_ID })),
  session_id: Type.Optional(Type.String({ maxLength: 512 })),
  key_id: Type.Optional(Type.String({ maxLength: 200, description: "The key with which a call was made, by its id" })),
  mode: ModeQuery,
};
export const FilterQuery = Type.Object(filters);

const SORTS = ["timestamp", "cost", "latency", "tokens"] as const;
const sort_order = Type.Optional(oneOf(["asc", "desc"]));

export const ListQuery = Type.Object({
  ...filters,
  limit: Type.Integer({ minimum: 1, default: 50, description: "Clamped to the tier's cap" }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
  sort_by: Type.Optional(oneOf(SORTS)),
  sort_order,
});

export const DetailQuery = Type.Object({ mode: ModeQuery });

export const SummaryQuery = Type.Object({ ...range, mode: ModeQuery });

export const ExportQuery = Type.Object({
  ...filters,
  format: Type.Optional(oneOf(["json", "jsonl", "csv", "parquet"])),
  sort_order,
});

export const ForgetQuery = Type.Object({ user_id: Type.String({ minLength: 1, maxLength: LONGEST_USER_ID }) });

export const FeedbackBody = Type.Object({
  score: Type.Number({ minimum: 0, maximum: 1 }),
  comment: Type.Optional(Type.String({ maxLength: 4_000 })),
});
export const FeedbackAnswer = Type.Object({ call_id: text, score: number });
export const ForgottenUser = Type.Object({ user_id: text, deleted: integer });

const LogEntry = Type.Object({
  call_id: text,
  timestamp: text,
  prompt: Type.Object({ text: orNull(text), hash: text, length: integer }),
  classification: Type.Object({ task_type: orNull(text), complexity_score: orNull(number), confidence: orNull(number) }),
  routing: Type.Object({
    model_selected: orNull(text),
    fallback_model: orNull(text),
    routing_reason: orNull(text),
    provider: orNull(text),
  }),
  execution: Type.Object({
    latency_ms: integer,
    input_tokens: integer,
    output_tokens: integer,
    total_tokens: integer,
    cost_usd: number,
    started_at: text,
    completed_at: text,
    usage_source: text,
    success: boolean,
    status: integer,
    error_type: orNull(text),
  }),
  quality: Type.Object({
    validation_passed: orNull(boolean),
    retry_count: integer,
    fallback_used: boolean,
    cost_warning_triggered: boolean,
    output_quality_score: orNull(number),
  }),
  output: Type.Object({ text: orNull(text), length: integer, format_valid: orNull(boolean) }),
  metadata: Type.Object({
    user_id: orNull(text),
    session_id: orNull(text),
    api_key_hash: text,
    custom: Type.Record(Type.String(), Type.String()),
    mode: text,
    kind: text,
    endpoint: text,
  }),
});

export const LogDetail = Type.Intersect([
  LogEntry,
  Type.Object({
    context: Type.Object({ provider_health: Type.Any(), budget: Type.Any() }),
    shadow_call: Type.Object({
      executed: boolean,
      shadow_model: orNull(text),
      shadow_cost_usd: orNull(number),
      shadow_latency_ms: orNull(integer),
      quality_comparison: orNull(text),
    }),
  }),
]);

export const LogPage = Type.Object({
  total: integer,
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
