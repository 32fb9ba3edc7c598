/** `GET /v1/metrics/providers`: each provider's speed and reliability, by hour. */

import type { Static } from "@sinclair/typebox";
import type { Db } from "../database/database.ts";
import { HOUR_MS, toIso } from "../lib/clock.ts";
import type { CallScope } from "../logs/call-scope.ts";
import { changeOf, groupBy, trendOf } from "../logs/sums/figures.ts";
import { BUCKET_COLUMNS } from "../logs/sums/latency-buckets.ts";
import { sumAttempts } from "../logs/sums/read-rollup.ts";
import type { HealthReport } from "../providers/health/model-breaker.ts";
import { adviseOnProvider } from "./provider-advice.ts";
import { averagesOf, figuresOf, type ProviderAverages, type ProviderFigures, stateOf, uptimeOf } from "./provider-figures.ts";
import type { Providers } from "./wire.ts";

const MEASURES = ["attempts", "answered", "errors", "rate_limits", "latency_ms"] as const;

type Asked = {
  scope: CallScope;
  hours: number;
  now: number;
  /** The breakers' current state. */
  health: readonly HealthReport[];
  configured: readonly string[];
};

/** Gap: sums are kept by clock hour (UTC), so the period begins with the hour in which the last `hours` hours began. */
export const providers = async (db: Db, { scope, hours, now, health, configured }: Asked): Promise<Static<typeof Providers>> => {
  const end = Math.floor(now / HOUR_MS) + 1;
  const start = end - hours - 1;
  const [sums, allHours, before] = await Promise.all([
    sumAttempts(db, scope, [start, end], ["provider"], [...MEASURES, ...BUCKET_COLUMNS]),
    sumAttempts(db, scope, [start, end], ["hour", "provider"], ["attempts", "errors"]),
    sumAttempts(db, scope, [2 * start - end, start], ["provider"], MEASURES),
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
  const then = new Map(groupBy(before, "provider").map(([name, among]) => [name, averagesOf(among)]));
  return {
    period: { start_time: toIso(start * HOUR_MS), end_time: toIso(now), hours },
    providers: Object.fromEntries(current),
    trends: Object.fromEntries([...current].map(([name, figures]) => [name, trendsOf(figures, then.get(name))])),
    recommendations: [...current].flatMap(([name, figures]) => adviseOnProvider(name, figures, then.get(name))),
  };
};

const trendsOf = (now: ProviderFigures, before: ProviderAverages | undefined) => ({
  latency_trend: trendOf(now.avg_latency_ms, before?.avg_latency_ms ?? null),
  error_trend: before === undefined || now.total_attempts === 0 ? "stable" : trendOf(now.error_rate, before.error_rate),
  vs_previous_period: {
    /** A relative change. */
    latency_change: changeOf(now.avg_latency_ms, before?.avg_latency_ms ?? null),
    /** The difference of the two rates. */
    error_change: before === undefined || now.total_attempts === 0 ? null : now.error_rate - before.error_rate,
  },
});
