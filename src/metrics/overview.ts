/** `GET /v1/metrics/overview`: number, cost, speed and success of calls, and the models that answered. */

import type { Static } from "@sinclair/typebox";
import type { Db } from "../database/database.ts";
import { toUsd } from "../lib/money.ts";
import type { CallScope } from "../logs/call-scope.ts";
import { percentage, perName, ratio, total } from "../logs/sums/figures.ts";
import { sumDays } from "../logs/sums/read-rollup.ts";
import { type Period, toWirePeriod } from "./period.ts";
import type { Overview } from "./wire.ts";

const MEASURES = [
  ...(["calls", "failures", "cost_nano_usd", "latency_ms", "cache_hits", "saved_nano_usd"] as const),
  ...(["first_choice_held", "routed", "fell_back", "retried"] as const),
];

/**
 * `routing.accuracy`: of the calls that the router decided, the share in which its first choice answered at the first attempt and
 * the answer passed its checks. Gap: spec.md names the key alone.
 */
export const overview = async (db: Db, scope: CallScope, period: Period): Promise<Static<typeof Overview>> => {
  const rows = await sumDays(db, scope, period.range, ["model", "task_type"], MEASURES);
  const calls = total(rows, "calls");
  const cost = total(rows, "cost_nano_usd");
  const withTask = rows.filter(({ task_type }) => task_type !== "");
  return {
    period: toWirePeriod(period),
    summary: {
      total_calls: calls,
      total_cost_usd: toUsd(cost),
      avg_cost_per_call: ratio(toUsd(cost), calls),
      avg_latency_ms: ratio(total(rows, "latency_ms"), calls),
      success_rate: ratio(calls - total(rows, "failures"), calls),
      cache_hits: total(rows, "cache_hits"),
      cache_saved_usd: toUsd(total(rows, "saved_nano_usd")),
    },
    routing: {
      accuracy: ratio(total(rows, "first_choice_held"), total(rows, "routed")),
      fallback_rate: ratio(total(rows, "fell_back"), calls),
      retry_rate: ratio(total(rows, "retried"), calls),
    },
    models: perName(rows, "model", (among) => ({
      calls: total(among, "calls"),
      percentage: percentage(total(among, "calls"), calls),
      avg_cost: ratio(toUsd(total(among, "cost_nano_usd")), total(among, "calls")),
      avg_latency_ms: ratio(total(among, "latency_ms"), total(among, "calls")),
    })),
    task_distribution: perName(withTask, "task_type", (among) => total(among, "calls") / total(withTask, "calls")),
  };
};
