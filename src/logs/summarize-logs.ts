/** `GET /v1/logs/summary`: what the log holds of a range, in sums. */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../accounts/authenticate.ts";
import type { Platform } from "../platform.ts";
import { readFilter } from "./filter.ts";
import { type SumRow, sumCalls } from "./search-store.ts";
import type { SummaryQuery } from "./wire.ts";

const DAY_MS = 86_400_000;

export const summarizeLogs = async (platform: Platform, caller: Caller, query: Static<typeof SummaryQuery>) => {
  const now = platform.clock.now();
  const filter = readFilter(query, caller, now);
  const rows = await sumCalls(platform.db, caller.project.id, filter);
  const sum = (name: string, among: SumRow[] = rows) => among.reduce((total, row) => total + row[name]!, 0);
  const calls = sum("calls");
  const judged = sum("quality_count");
  const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  const endMs = filter.toMs ?? now;
  return {
    period: {
      start_date: new Date(filter.fromMs).toISOString(),
      end_date: new Date(endMs).toISOString(),
      days: Math.ceil((endMs - filter.fromMs) / DAY_MS),
    },
    summary: {
      total_calls: calls,
      successful_calls: calls - sum("failures"),
      failed_calls: sum("failures"),
      success_rate: ratio(calls - sum("failures"), calls),
      total_cost_usd: sum("cost_nano_usd") / 1e9,
      avg_cost_per_call: ratio(sum("cost_nano_usd") / 1e9, calls),
      total_tokens: tokensOf(sum),
      avg_latency_ms: ratio(sum("latency_ms"), calls),
    },
    by_model: byName(rows, "model", (among) => ({
      calls: sum("calls", among),
      percentage: (100 * sum("calls", among)) / calls,
      total_cost_usd: sum("cost_nano_usd", among) / 1e9,
      avg_latency_ms: ratio(sum("latency_ms", among), sum("calls", among)),
    })),
    by_task_type: byName(rows, "task_type", (among) => sum("calls", among)),
    quality_metrics: {
      avg_quality_score: judged === 0 ? null : Math.round(sum("quality_micro") / judged) / 1e6,
      validation_pass_rate: ratio(sum("validation_passed"), sum("validated")),
      retry_rate: ratio(sum("retried"), calls),
      fallback_rate: ratio(sum("fell_back"), calls),
    },
  };
};

const tokensOf = (sum: (name: string) => number): number =>
  sum("input_tokens") + sum("cache_read_tokens") + sum("cache_write_tokens") + sum("output_tokens") + sum("reasoning_tokens");

/** Calls without a model (refused before one was chosen) or a task (media) are in the sums alone. */
const byName = <T>(rows: SumRow[], name: "model" | "task_type", describe: (among: SumRow[]) => T): Record<string, T> =>
  Object.fromEntries(
    [...Map.groupBy(rows, (row) => row[name])].filter(([key]) => key !== "").map(([key, among]) => [key, describe(among)]),
  );
