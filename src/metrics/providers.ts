/** `GET /v1/metrics/providers`: who answered, how fast, how reliably; by the hour. */

import type { Db } from "../database/database.ts";
import { HOUR_MS } from "../lib/clock.ts";
import type { CallScope } from "../logs/call-scope.ts";
import { changeOf, groupBy, ratio, total, trendOf } from "../logs/figures.ts";
import { BUCKET_COLUMNS, percentileOf } from "../logs/latency-buckets.ts";
import type { HealthReport, HealthState } from "../providers/health/health.ts";
import { adviseOnProvider } from "./provider-advice.ts";
import { type AttemptSums, sumAttempts } from "./store.ts";

/** An hour in which half of the attempts or more got no answer is one the provider was down in. */
const DOWN_AT = 0.5;
const DEGRADED_AT = 0.2;
/** Fewer attempts than this in an hour say nothing of the provider. */
const LEAST_ATTEMPTS = 3;

const MEASURES = ["attempts", "answered", "errors", "rate_limits", "latency_ms"];

export type ProviderAverages = ReturnType<typeof averagesOf>;
export type ProviderFigures = ReturnType<typeof figuresOf> & ReturnType<typeof uptimeOf> & { status: HealthState };

type Asked = {
  scope: CallScope;
  hours: number;
  now: number;
  /** What the breakers say now. */
  health: readonly HealthReport[];
  configured: readonly string[];
};

/** Gap: the period is `hours` clock hours of UTC, the last of them the current one. */
export const providers = async (db: Db, { scope, hours, now, health, configured }: Asked) => {
  const end = Math.floor(now / HOUR_MS) + 1;
  const [sums, allHours, before] = await Promise.all([
    sumAttempts(db, scope, [end - hours, end], ["provider"], [...MEASURES, ...BUCKET_COLUMNS]),
    sumAttempts(db, scope, [end - hours, end], ["hour", "provider"], ["attempts", "errors"]),
    sumAttempts(db, scope, [end - 2 * hours, end - hours], ["provider"], MEASURES),
  ]);
  const names = [...new Set([...configured, ...sums.map(({ provider }) => provider)])].filter((name) => name !== "").sort();
  const current = new Map(
    names.map((name) => {
      const ofProvider = allHours.filter(({ provider }) => provider === name);
      return [
        name,
        {
          status: stateOf(
            name,
            health,
            ofProvider.filter(({ hour }) => hour >= end - 2),
          ),
          ...uptimeOf(ofProvider),
          ...figuresOf(sums.filter(({ provider }) => provider === name)),
        },
      ];
    }),
  );
  const then = new Map(groupBy(before, ({ provider }) => provider).map(([name, among]) => [name, averagesOf(among)]));
  return {
    period: { start_time: new Date((end - hours) * HOUR_MS).toISOString(), end_time: new Date(now).toISOString(), hours },
    providers: Object.fromEntries(current),
    trends: Object.fromEntries([...current].map(([name, figures]) => [name, trendsOf(figures, then.get(name))])),
    recommendations: [...current].flatMap(([name, figures]) => adviseOnProvider(name, figures, then.get(name))),
  };
};

/** `uptime`: of the hours with traffic, the share in which the provider was not down. */
const uptimeOf = (hours: AttemptSums[]) => ({
  uptime: ratio(hours.length - hours.filter(isDown).length, hours.length),
  incidents: incidentsOf(hours),
});

const averagesOf = (rows: AttemptSums[]) => {
  const attempts = total(rows, "attempts");
  return {
    avg_latency_ms: ratio(total(rows, "latency_ms"), total(rows, "answered")),
    error_rate: attempts === 0 ? 0 : total(rows, "errors") / attempts,
    rate_limit_hits: total(rows, "rate_limits"),
    total_attempts: attempts,
  };
};

const figuresOf = (rows: AttemptSums[]) => {
  const counts = BUCKET_COLUMNS.map((column) => total(rows, column));
  return { ...averagesOf(rows), p95_latency_ms: percentileOf(counts, 0.95), p99_latency_ms: percentileOf(counts, 0.99) };
};

const isDown = (row: AttemptSums): boolean => row["attempts"] >= LEAST_ATTEMPTS && row["errors"] / row["attempts"] >= DOWN_AT;

/** Hours on end in which the provider was down, as one incident. */
const incidentsOf = (rows: AttemptSums[]) => {
  const incidents: { hours: AttemptSums[] }[] = [];
  for (const row of rows.filter(isDown).toSorted((a, b) => a.hour - b.hour)) {
    const last = incidents.at(-1);
    if (last !== undefined && last.hours.at(-1)!.hour === row.hour - 1) last.hours.push(row);
    else incidents.push({ hours: [row] });
  }
  return incidents.map(({ hours }) => ({
    started_at: new Date(hours[0]!.hour * HOUR_MS).toISOString(),
    ended_at: new Date((hours.at(-1)!.hour + 1) * HOUR_MS).toISOString(),
    attempts: total(hours, "attempts"),
    errors: total(hours, "errors"),
  }));
};

/** What the breakers say of its models; where they have seen nothing (a test key, a fresh start), what the last two hours say. */
const stateOf = (provider: string, health: readonly HealthReport[], latest: AttemptSums[]): HealthState => {
  const states = health.filter((report) => report.provider === provider).map(({ state }) => state);
  if (states.length > 0) {
    if (states.every((state) => state === "down")) return "down";
    return states.some((state) => state !== "healthy") ? "degraded" : "healthy";
  }
  const attempts = total(latest, "attempts");
  const failed = attempts < LEAST_ATTEMPTS ? 0 : total(latest, "errors") / attempts;
  return failed >= DOWN_AT ? "down" : failed >= DEGRADED_AT ? "degraded" : "healthy";
};

const trendsOf = (now: ProviderFigures, before: ProviderAverages | undefined) => ({
  latency_trend: trendOf(now.avg_latency_ms, before?.avg_latency_ms ?? null),
  error_trend: before === undefined || now.total_attempts === 0 ? "stable" : trendOf(now.error_rate, before.error_rate),
  vs_previous_period: {
    /** Relative. */
    latency_change: changeOf(now.avg_latency_ms, before?.avg_latency_ms ?? null),
    /** Difference of the two rates. */
    error_change: before === undefined || now.total_attempts === 0 ? null : now.error_rate - before.error_rate,
  },
});
