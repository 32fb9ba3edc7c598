/** A provider's figures from the sums of its attempts: speed, errors, hours of outage, current state. */

import { HOUR_MS, toIso } from "../lib/clock.ts";
import { ratio, total } from "../logs/sums/figures.ts";
import { BUCKET_COLUMNS, type BucketColumn, percentileOf } from "../logs/sums/latency-buckets.ts";
import type { Sums } from "../logs/sums/read-rollup.ts";
import type { HealthReport, HealthState } from "../providers/health/model-breaker.ts";

/** A provider was down in an hour if at least this share of its attempts got no answer. */
const DOWN_AT = 0.5;
const DEGRADED_AT = 0.2;
/** Fewer attempts than this in an hour say nothing about the provider. */
const LEAST_ATTEMPTS = 3;

type HourRow = Sums<"attempts" | "errors", "hour">;
type Row = Sums<"attempts" | "answered" | "errors" | "rate_limits" | "latency_ms">;

export type ProviderAverages = ReturnType<typeof averagesOf>;
export type ProviderFigures = ReturnType<typeof figuresOf> & ReturnType<typeof uptimeOf> & { status: HealthState };

/** `uptime`: of the hours with traffic, the share in which the provider was not down. */
export const uptimeOf = (hours: HourRow[]) => ({
  uptime: ratio(hours.length - hours.filter(isDown).length, hours.length),
  incidents: incidentsOf(hours),
});

export const averagesOf = (rows: Row[]) => {
  const attempts = total(rows, "attempts");
  return {
    avg_latency_ms: ratio(total(rows, "latency_ms"), total(rows, "answered")),
    error_rate: attempts === 0 ? 0 : total(rows, "errors") / attempts,
    rate_limit_hits: total(rows, "rate_limits"),
    total_attempts: attempts,
  };
};

export const figuresOf = (rows: (Row & Sums<BucketColumn>)[]) => {
  const counts = BUCKET_COLUMNS.map((column) => total(rows, column));
  return { ...averagesOf(rows), p95_latency_ms: percentileOf(counts, 0.95), p99_latency_ms: percentileOf(counts, 0.99) };
};

const isDown = (row: HourRow): boolean => row.attempts >= LEAST_ATTEMPTS && row.errors / row.attempts >= DOWN_AT;

/** Consecutive hours in which the provider was down count as one incident. */
const incidentsOf = (rows: HourRow[]) => {
  const incidents: { hours: HourRow[] }[] = [];
  for (const row of rows.filter(isDown).toSorted((a, b) => a.hour - b.hour)) {
    const last = incidents.at(-1);
    if (last !== undefined && last.hours.at(-1)!.hour === row.hour - 1) last.hours.push(row);
    else incidents.push({ hours: [row] });
  }
  return incidents.map(({ hours }) => ({
    started_at: toIso(hours[0]!.hour * HOUR_MS),
    ended_at: toIso((hours.at(-1)!.hour + 1) * HOUR_MS),
    attempts: total(hours, "attempts"),
    errors: total(hours, "errors"),
  }));
};

/** The state by its models' breakers; if they have seen nothing (a test key, a fresh start), by the last two hours. */
export const stateOf = (provider: string, health: readonly HealthReport[], latest: HourRow[]): HealthState => {
  const states = health.filter((report) => report.provider === provider).map(({ state }) => state);
  if (states.length > 0) {
    if (states.every((state) => state === "down")) return "down";
    return states.some((state) => state !== "healthy") ? "degraded" : "healthy";
  }
  const attempts = total(latest, "attempts");
  const failed = attempts < LEAST_ATTEMPTS ? 0 : total(latest, "errors") / attempts;
  return failed >= DOWN_AT ? "down" : failed >= DEGRADED_AT ? "degraded" : "healthy";
};
