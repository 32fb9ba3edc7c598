/** `GET /v1/metrics/daily`: every day of the period, empty ones included, and trends. */

import type { Static } from "@sinclair/typebox";
import type { Db } from "../database/database.ts";
import { toUsd } from "../lib/money.ts";
import type { CallScope } from "../logs/call-scope.ts";
import { callsPer, mean, ratio, total, trendOf } from "../logs/sums/figures.ts";
import { QUALITY, type Sums, sumDays } from "../logs/sums/read-rollup.ts";
import { dateOf, type Period, toWirePeriod } from "./period.ts";
import type { Daily } from "./wire.ts";

const TREND_MEASURES = ["calls", "cost_nano_usd", ...QUALITY] as const;
const DAY_MEASURES = [...TREND_MEASURES, "failures", "latency_ms"] as const;
type ModelRow = Sums<(typeof DAY_MEASURES)[number], "day" | "model">;
type TaskRow = Sums<"calls", "day" | "task_type">;

/**
 * Trends compare with the same number of days before. Gap: `avg_daily_growth` is the mean change from each whole day to the next, as a
 * fraction; null if no day had calls before another.
 */
export const daily = async (db: Db, scope: CallScope, period: Period): Promise<Static<typeof Daily>> => {
  const [models, tasks, before] = await Promise.all([
    sumDays(db, scope, period.range, ["day", "model"], DAY_MEASURES),
    sumDays(db, scope, period.range, ["day", "task_type"], ["calls"]),
    sumDays(db, scope, period.before, [], TREND_MEASURES),
  ]);
  const byDay = Map.groupBy(models, ({ day }) => day);
  const tasksByDay = Map.groupBy(tasks, ({ day }) => day);
  const [first, end] = period.range;
  const days = Array.from({ length: end - first }, (_, index) => first + index);
  const { start_date, end_date } = toWirePeriod(period);
  return {
    period: { start_date, end_date },
    daily_data: days.map((day) => toWireDay(day, byDay.get(day) ?? [], tasksByDay.get(day) ?? [])),
    trends: {
      calls_trend: trendOf(total(models, "calls"), total(before, "calls")),
      cost_trend: trendOf(total(models, "cost_nano_usd"), total(before, "cost_nano_usd")),
      quality_trend: trendOf(mean(models, "quality"), mean(before, "quality")),
      // Today is incomplete.
      avg_daily_growth: meanGrowth(days.slice(0, -1).map((day) => total(byDay.get(day) ?? [], "calls"))),
    },
  };
};

const toWireDay = (day: number, models: ModelRow[], tasks: TaskRow[]) => {
  const calls = total(models, "calls");
  return {
    date: dateOf(day),
    total_calls: calls,
    total_cost_usd: toUsd(total(models, "cost_nano_usd")),
    avg_latency_ms: ratio(total(models, "latency_ms"), calls),
    success_rate: ratio(calls - total(models, "failures"), calls),
    model_distribution: callsPer(models, "model"),
    task_distribution: callsPer(tasks, "task_type"),
  };
};

const meanGrowth = (calls: number[]): number | null => {
  const changes = calls.slice(1).flatMap((count, index) => (calls[index]! > 0 ? [(count - calls[index]!) / calls[index]!] : []));
  return ratio(
    changes.reduce((sum, change) => sum + change, 0),
    changes.length,
  );
};
