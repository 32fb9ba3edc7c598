/** Reads and checks the filters of a query. */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../accounts/authenticate.ts";
import { invalidRequest } from "../../api-error.ts";
import { readDate } from "../../http/read-date.ts";
import { DAY_MS } from "../../lib/clock.ts";
import { toNanoUsd } from "../../lib/money.ts";
import { type CallScope, scopeOf } from "../call-scope.ts";
import type { FigureColumn, NameColumn } from "../segments/segment-store.ts";
import type { FilterQuery } from "../wire.ts";

/** Which calls: those of a scope and a range of time that meet all conditions. */
export type LogFilter = CallScope & {
  fromMs: number;
  /** Exclusive. `NO_END_MS` where no end was named, so that a call of this very millisecond is in every count. */
  toMs: number;
  /** What the call's columns of names say. */
  names: { [Column in NameColumn]?: string | undefined };
  /** What its columns of figures lie between, bounds included. */
  figures: { [Column in FigureColumn]?: { least?: number | undefined; most?: number | undefined } };
};

/** Behind all moments; a whole number of days. */
const NO_END_MS = 8.64e15;

export const allCalls = (scope: CallScope): LogFilter => ({ ...scope, fromMs: 0, toMs: NO_END_MS, names: {}, figures: {} });

const WEEK_MS = 7 * DAY_MS;

/** Throws 400 for invalid dates, ranges that end before they begin, and contradictory filters. */
export const readFilter = (query: Static<typeof FilterQuery>, caller: Caller, now: number): LogFilter => {
  const { min_cost: min, max_cost: max } = query;
  if (query.success_only && query.failed_only)
    throw invalidRequest("`success_only` and `failed_only` exclude each other.", "failed_only");
  if (min !== undefined && max !== undefined && min > max)
    throw invalidRequest("`min_cost` must not exceed `max_cost`.", "min_cost");
  return {
    ...scopeOf(caller, query.mode),
    ...readRange(query, now),
    names: {
      outcome: query.success_only ? "success" : query.failed_only ? "failed" : undefined,
      task_type: query.task_type,
      kind: query.kind,
      model: query.model,
      key_id: query.key_id,
      user_id: query.user_id,
      session_id: query.session_id,
      fallback_used: query.fallback_used?.toString(),
      cache_hit: query.cache_hit?.toString(),
    },
    figures: {
      cost_nano_usd: { least: min && toNanoUsd(min), most: max && toNanoUsd(max) },
      retry_count: { least: query.min_retry_count },
    },
  };
};

/** Gap: with `end_date` alone, the range is the seven days before it; a lone `start_date` in the future is an empty range. */
export const readRange = (
  query: { start_date?: string | undefined; end_date?: string | undefined },
  now: number,
): { fromMs: number; toMs: number } => {
  const end = query.end_date === undefined ? now : readDate(query.end_date, "end_date", "end");
  const fromMs =
    query.start_date === undefined ? Math.min(end, now) - WEEK_MS : readDate(query.start_date, "start_date", "start");
  if (query.end_date !== undefined && fromMs >= end)
    throw invalidRequest("`start_date` must not be after `end_date`.", "start_date");
  return { fromMs, toMs: query.end_date === undefined ? NO_END_MS : end };
};
