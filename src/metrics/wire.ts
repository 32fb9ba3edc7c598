/** Queries and answers of the metrics endpoints. */

import { type TSchema, Type } from "@sinclair/typebox";
import { TASK_TYPES } from "../catalog/task-type.ts";
import { orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { ModeQuery } from "../logs/call-scope.ts";

const days = (otherwise: number) => Type.Integer({ minimum: 1, maximum: 90, default: otherwise });

export const OverviewQuery = Type.Object({ days: days(7), mode: ModeQuery });
export const CustomerQuery = Type.Object({ days: days(30), mode: ModeQuery });
export const PerformanceQuery = Type.Object({
  days: days(7),
  task_type: Type.Optional(oneOf(TASK_TYPES)),
  mode: ModeQuery,
});
export const FailuresQuery = Type.Object({ days: days(7), mode: ModeQuery });
export const ProvidersQuery = Type.Object({
  hours: Type.Integer({ minimum: 1, maximum: 168, default: 24 }),
  mode: ModeQuery,
});
export const DailyQuery = Type.Object({ days: days(30), mode: ModeQuery });

const text = Type.String();
const number = Type.Number();
const integer = Type.Integer();
const numberOrNull = orNull(Type.Number());
const textOrNull = orNull(Type.String());
const mapOf = <Schema extends TSchema>(schema: Schema) => Type.Record(Type.String(), schema);
const Period = Type.Object({ start_date: text, end_date: text, days: integer });

export const Overview = Type.Object({
  period: Period,
  summary: Type.Object({
    total_calls: integer,
    total_cost_usd: number,
    avg_cost_per_call: numberOrNull,
    avg_latency_ms: numberOrNull,
    success_rate: numberOrNull,
    cache_hits: Type.Integer({ description: "Calls that got the answer of an earlier one" }),
    cache_saved_usd: Type.Number({ description: "What those earlier calls cost, for each time" }),
  }),
  routing: Type.Object({ accuracy: numberOrNull, fallback_rate: numberOrNull, retry_rate: numberOrNull }),
  models: mapOf(Type.Object({ calls: integer, percentage: number, avg_cost: numberOrNull, avg_latency_ms: numberOrNull })),
  task_distribution: mapOf(number),
});

export const Customer = Type.Object({
  account_id: text,
  period: Period,
  usage: Type.Object({ total_calls: integer, total_tokens: integer, total_cost_usd: number, avg_calls_per_day: number }),
  cost_analysis: Type.Object({
    current_month: number,
    previous_month: number,
    change_percentage: numberOrNull,
    projected_month_end: number,
    vs_gpt4o_only: Type.Object({ cost_if_gpt4o: numberOrNull, savings_usd: numberOrNull, savings_percentage: numberOrNull }),
  }),
  quality_preferences: Type.Object({
    cost_vs_quality_ratio: number,
    latency_sensitivity: numberOrNull,
    preferred_models: Type.Array(text),
  }),
  task_profile: Type.Object({ dominant_tasks: Type.Array(text), complexity_avg: numberOrNull, task_overrides: mapOf(text) }),
  behavior_insights: Type.Object({
    peak_hours: Type.Array(integer),
    avg_conversation_length: numberOrNull,
    retry_rate: numberOrNull,
    cost_ceiling_hit_rate: numberOrNull,
  }),
});

export const Performance = Type.Object({
  period: Period,
  by_task_type: mapOf(
    Type.Object({
      total_calls: integer,
      models: mapOf(
        Type.Object({
          calls: integer,
          success_rate: numberOrNull,
          avg_cost_usd: number,
          avg_latency_ms: numberOrNull,
          quality_score: numberOrNull,
        }),
      ),
      optimal_model: textOrNull,
      optimal_reason: text,
    }),
  ),
  recommendations: Type.Array(
    Type.Object({
      task_type: text,
      current_model: text,
      recommended_model: text,
      potential_savings_usd: number,
      quality_improvement: number,
      evidence: text,
    }),
  ),
});

export const Failures = Type.Object({
  period: Period,
  summary: Type.Object({
    total_failures: integer,
    failure_rate: numberOrNull,
    retries_succeeded: integer,
    fallback_succeeded: integer,
    unrecoverable: integer,
  }),
  by_failure_mode: mapOf(
    Type.Object({ count: integer, percentage: number, affected_models: Type.Array(text), common_triggers: Type.Array(text) }),
  ),
  by_model: mapOf(
    Type.Object({ total_calls: integer, failures: integer, failure_rate: numberOrNull, top_failure_modes: Type.Array(text) }),
  ),
  mitigation_recommendations: Type.Array(Type.Object({ issue: text, recommendation: text, expected_improvement: text })),
});

export const Providers = Type.Object({
  period: Type.Object({ start_time: text, end_time: text, hours: integer }),
  providers: mapOf(
    Type.Object({
      status: text,
      uptime: numberOrNull,
      avg_latency_ms: numberOrNull,
      p95_latency_ms: numberOrNull,
      p99_latency_ms: numberOrNull,
      error_rate: number,
      rate_limit_hits: integer,
      incidents: Type.Array(Type.Object({ started_at: text, ended_at: text, attempts: integer, errors: integer })),
      total_attempts: integer,
    }),
  ),
  trends: mapOf(
    Type.Object({
      latency_trend: text,
      error_trend: text,
      vs_previous_period: Type.Object({ latency_change: numberOrNull, error_change: numberOrNull }),
    }),
  ),
  recommendations: Type.Array(Type.Object({ provider: text, message: text, action: text })),
});

export const Daily = Type.Object({
  period: Type.Object({ start_date: text, end_date: text }),
  daily_data: Type.Array(
    Type.Object({
      date: text,
      total_calls: integer,
      total_cost_usd: number,
      avg_latency_ms: numberOrNull,
      success_rate: numberOrNull,
      model_distribution: mapOf(integer),
      task_distribution: mapOf(integer),
    }),
  ),
  trends: Type.Object({ calls_trend: text, cost_trend: text, quality_trend: text, avg_daily_growth: numberOrNull }),
});
