/** `GET /v1/logs/summary`: sums over a range of the log. */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../accounts/authenticate.ts";
import { DAY_MS, toIso } from "../../lib/clock.ts";
import { toUsd } from "../../lib/money.ts";
import type { Platform } from "../../platform.ts";
import { scopeOf } from "../call-scope.ts";
import { callsPer, mean, percentage, perName, ratio, total, totalTokens } from "../sums/figures.ts";
import { QUALITY, sumLoggedCalls, TOKENS } from "../sums/read-rollup.ts";
import type { LogSummary, SummaryQuery } from "../wire.ts";
import { readRange } from "./filter.ts";

const MEASURES = [
  ...(["calls", "failures", "cost_nano_usd", "latency_ms", "validated", "validation_passed", "retried", "fell_back"] as const),
  ...TOKENS,
  ...QUALITY,
] as const;

export const summarizeLogs = async (
  platform: Platform,
  caller: Caller,
  query: Static<typeof SummaryQuery>,
): Promise<Static<typeof LogSummary>> => {
  const now = platform.clock.now();
  const range = readRange(query, now);
  const rows = await sumLoggedCalls(platform.db, scopeOf(caller, query.mode), range, MEASURES);
  const calls = total(rows, "calls");
  const failed = total(rows, "failures");
  const lastMs = Math.min(range.toMs - 1, Math.max(now, range.fromMs));
  return {
    period: {
      start_date: toIso(range.fromMs),
      end_date: toIso(lastMs),
      days: Math.ceil((lastMs - range.fromMs) / DAY_MS),
    },
    summary: {
      total_calls: calls,
      successful_calls: calls - failed,
      failed_calls: failed,
      success_rate: ratio(calls - failed, calls),
      total_cost_usd: toUsd(total(rows, "cost_nano_usd")),
      avg_cost_per_call: ratio(toUsd(total(rows, "cost_nano_usd")), calls),
      total_tokens: totalTokens(rows),
      avg_latency_ms: ratio(total(rows, "latency_ms"), calls),
    },
    // Calls without a model (refused before one was chosen) or a task (media) are only in the totals.
    by_model: perName(rows, "model", (among) => ({
      calls: total(among, "calls"),
      percentage: percentage(total(among, "calls"), calls),
      total_cost_usd: toUsd(total(among, "cost_nano_usd")),
      avg_latency_ms: ratio(total(among, "latency_ms"), total(among, "calls")),
    })),
    by_task_type: callsPer(rows, "task_type"),
    quality_metrics: {
      avg_quality_score: mean(rows, "quality"),
      validation_pass_rate: ratio(total(rows, "validation_passed"), total(rows, "validated")),
      retry_rate: ratio(total(rows, "retried"), calls),
      fallback_rate: ratio(total(rows, "fell_back"), calls),
    },
  };
};
