/** `GET /v1/metrics/customer`: what a project spends and on what, and what it would have spent with one strong model for everything. */

import type { Static } from "@sinclair/typebox";
import { DEFAULT_SETTINGS, type Project } from "../accounts/project.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { REFERENCE_MODEL_ID } from "../catalog/chat-models.ts";
import { costOf } from "../catalog/price.ts";
import type { Db } from "../database/database.ts";
import { DAY_MS, startOfUtcMonth } from "../lib/clock.ts";
import { toUsd } from "../lib/money.ts";
import type { CallScope } from "../logs/call-scope.ts";
import { callsPer, changeOf, mean, perName, ratio, total, totalTokens } from "../logs/sums/figures.ts";
import { type Sums, sumDays, sumHoursOfDay, TOKENS } from "../logs/sums/read-rollup.ts";
import { type Period, toWirePeriod } from "./period.ts";
import type { Customer } from "./wire.ts";

const MOST_NAMED = 3;
const MEASURES = [
  ...(["calls", "cost_nano_usd", "complexity_micro", "complexity_count", "pinned", "streamed", "messages", "retried"] as const),
  ...(["cost_warnings", ...TOKENS] as const),
];
type Row = Sums<(typeof MEASURES)[number], "kind" | "model" | "task_type">;

type Asked = { catalog: Catalog; project: Project; scope: CallScope; period: Period; now: number };

export const customer = async (db: Db, { catalog, project, scope, period, now }: Asked): Promise<Static<typeof Customer>> => {
  const month = monthsAt(now);
  const [rows, current, previous, hours] = await Promise.all([
    sumDays(db, scope, period.range, ["kind", "model", "task_type"], MEASURES),
    sumDays(db, scope, month.current, [], ["cost_nano_usd"]),
    sumDays(db, scope, month.previous, [], ["cost_nano_usd"]),
    sumHoursOfDay(db, scope, period.range),
  ]);
  const calls = total(rows, "calls");
  const spent = total(current, "cost_nano_usd");
  const spentBefore = total(previous, "cost_nano_usd");
  const change = changeOf(spent, spentBefore);
  return {
    account_id: project.id,
    period: toWirePeriod(period),
    usage: {
      total_calls: calls,
      total_tokens: totalTokens(rows),
      total_cost_usd: toUsd(total(rows, "cost_nano_usd")),
      avg_calls_per_day: calls / period.days,
    },
    cost_analysis: {
      current_month: toUsd(spent),
      previous_month: toUsd(spentBefore),
      change_percentage: change === null ? null : 100 * change,
      projected_month_end: toUsd(Math.round(spent / month.elapsed)),
      vs_gpt4o_only: againstReference(catalog, rows),
    },
    quality_preferences: preferences(project, rows, calls),
    task_profile: {
      dominant_tasks: mostCalled(rows, "task_type"),
      complexity_avg: mean(rows, "complexity"),
      task_overrides: pinnedModels(rows),
    },
    behavior_insights: behavior(rows, hours, calls),
  };
};

/** `elapsed`: the share of the current month that has passed; at least a day's, so that one call at midnight projects no fortune. */
const monthsAt = (now: number) => {
  const [before, start, end] = [-1, 0, 1].map((later) => startOfUtcMonth(now, later)) as [number, number, number];
  const day = (ms: number) => Math.floor(ms / DAY_MS);
  return {
    current: [day(start), day(end)] as const,
    previous: [day(before), day(start)] as const,
    elapsed: Math.max(now - start, DAY_MS) / (end - start),
  };
};

/** The same chat calls' tokens at the reference model's catalog prices; media and embeddings have no such comparison. */
const againstReference = (catalog: Catalog, rows: Row[]) => {
  const chat = rows.filter(({ kind }) => kind === "chat");
  const reference = catalog.findChatModel(REFERENCE_MODEL_ID);
  if (reference === undefined) return { cost_if_gpt4o: null, savings_usd: null, savings_percentage: null };
  const wouldCost = costOf(
    {
      input: total(chat, "input_tokens"),
      cacheRead: total(chat, "cache_read_tokens"),
      cacheWrite: total(chat, "cache_write_tokens"),
      output: total(chat, "output_tokens"),
      reasoning: total(chat, "reasoning_tokens"),
    },
    catalog.pricesOf(reference),
  );
  const savings = wouldCost - total(chat, "cost_nano_usd");
  return {
    cost_if_gpt4o: toUsd(wouldCost),
    savings_usd: toUsd(savings),
    savings_percentage: wouldCost === 0 ? null : (100 * savings) / wouldCost,
  };
};

/**
 * Gap: `cost_vs_quality_ratio` is the project's setting (0 best quality, 1 lowest cost), `latency_sensitivity` the share of calls
 * that were streamed (somebody was watching), `preferred_models` those that answered most calls.
 */
const preferences = (project: Project, rows: Row[], calls: number) => ({
  cost_vs_quality_ratio: project.settings.qualityCost ?? DEFAULT_SETTINGS.qualityCost,
  latency_sensitivity: ratio(total(rows, "streamed"), calls),
  preferred_models: mostCalled(rows, "model"),
});

const mostCalled = (rows: Row[], name: "model" | "task_type"): string[] =>
  Object.entries(callsPer(rows, name))
    .sort(([a, callsA], [b, callsB]) => callsB - callsA || (a < b ? -1 : 1))
    .slice(0, MOST_NAMED)
    .map(([key]) => key);

/** Gap: by task, the model that most often answered where the caller had pinned one instead of having the call routed. */
const pinnedModels = (rows: Row[]): Record<string, string> =>
  perName(
    rows.filter(({ pinned, model }) => pinned > 0 && model !== ""),
    "task_type",
    (among) => among.reduce((most, row) => (row.pinned > most.pinned ? row : most)).model,
  );

const behavior = (rows: Row[], hours: { hour: number; calls: number }[], calls: number) => {
  const chat = rows.filter(({ kind }) => kind === "chat");
  return {
    /** UTC hours, busiest first. */
    peak_hours: hours
      .toSorted((a, b) => b.calls - a.calls || a.hour - b.hour)
      .slice(0, MOST_NAMED)
      .map(({ hour }) => hour),
    /** Messages per chat call. */
    avg_conversation_length: ratio(total(chat, "messages"), total(chat, "calls")),
    retry_rate: ratio(total(rows, "retried"), calls),
    cost_ceiling_hit_rate: ratio(total(rows, "cost_warnings"), calls),
  };
};
