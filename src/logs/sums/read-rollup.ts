/** Reads the sums that are kept with the calls, for metrics, usage and the log's summary. Days and hours are counted since 1970, UTC. */

import type { Db, Value } from "../../database/database.ts";
import { DAY_MS } from "../../lib/clock.ts";
import { type CallScope, inScope } from "../call-scope.ts";
import { addUpCalls } from "./add-up.ts";
import type { AttemptMeasure } from "./attempt-sums-store.ts";
import { DAY_MEASURES, type DayMeasure } from "./rollup.ts";

type Dimensions = { day: number; hour: number; kind: string; task_type: string; provider: string; model: string };
/** The sums of some measures, for each combination of some dimensions. A call without a task or model has an empty one. */
export type Sums<Measure extends string, By extends keyof Dimensions = never> = Pick<Dimensions, By> & Record<Measure, number>;

/** `end` is exclusive. */
export type Range = readonly [first: number, end: number];

export const TOKENS = [
  "input_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "output_tokens",
  "reasoning_tokens",
] as const satisfies readonly DayMeasure[];
export const QUALITY = ["quality_micro", "quality_count"] as const satisfies readonly DayMeasure[];

type Table = { name: "call_days"; unit: "day" } | { name: "call_hours" | "attempt_hours"; unit: "hour" };

/** The rows of a table that are in the scope and range. */
const from = ({ name, unit }: Table, scope: CallScope, range: Range): { text: string; params: Value[] } => {
  const { text, params } = inScope(scope);
  return { text: `FROM ${name} WHERE ${text} AND ${unit} >= ? AND ${unit} < ?`, params: [...params, ...range] };
};

const scanSums = async <Row>(db: Db, text: string, params: Value[]): Promise<Row[]> => {
  await addUpCalls(db);
  return db.scan<Row>(text, params);
};

const sumsOf = (measures: readonly string[]): string => measures.map((name) => `sum(${name}) AS ${name}`).join(", ");

/** Sums of calls. Those that were deleted still count, unless `which` says otherwise. */
export const sumDays = <Measure extends DayMeasure, By extends "day" | "kind" | "task_type" | "model" = never>(
  db: Db,
  scope: CallScope,
  range: Range,
  by: readonly By[],
  measures: readonly Measure[],
  which: "all" | "in the log" = "all",
): Promise<Sums<Measure, By>[]> => {
  const { text, params } = from({ name: "call_days", unit: "day" }, scope, range);
  const where = which === "all" ? text : `${text} AND gone = 0`;
  const grouped = by.length > 0 ? `GROUP BY ${by.join(", ")}` : "";
  // Sums that have become zero, because all their calls were deleted, are left out.
  return scanSums(db, `SELECT ${[...by, sumsOf(measures)].join(", ")} ${where} ${grouped} HAVING sum(calls) > 0`, params);
};

/** Calls by hour of the UTC day, 0-23. */
export const sumHoursOfDay = (db: Db, scope: CallScope, [first, end]: Range): Promise<{ hour: number; calls: number }[]> => {
  const { text, params } = from({ name: "call_hours", unit: "hour" }, scope, [first * 24, end * 24]);
  return scanSums(db, `SELECT hour % 24 AS hour, sum(calls) AS calls ${text} GROUP BY 1`, params);
};

/** Sums of attempts over a range of hours, with their outcomes. */
export const sumAttempts = <Measure extends AttemptMeasure, By extends "hour" | "provider" | "model">(
  db: Db,
  scope: CallScope,
  range: Range,
  by: readonly By[],
  measures: readonly Measure[],
): Promise<Sums<Measure, By>[]> => {
  const { text, params } = from({ name: "attempt_hours", unit: "hour" }, scope, range);
  return scanSums(db, `SELECT ${by.join(", ")}, ${sumsOf(measures)} ${text} GROUP BY ${by.join(", ")}`, params);
};

type Moments = { fromMs: number; toMs: number };

/** The whole days within a range of time, and what remains of it at its ends. */
const splitRange = ({ fromMs, toMs }: Moments): { days: Range; ends: Moments[] } => {
  const first = Math.ceil(fromMs / DAY_MS);
  const end = Math.floor(toMs / DAY_MS);
  if (end <= first) return { days: [first, first], ends: [{ fromMs, toMs }] };
  const ends: Moments[] = [];
  if (first * DAY_MS > fromMs) ends.push({ fromMs, toMs: first * DAY_MS });
  if (end * DAY_MS < toMs) ends.push({ fromMs: end * DAY_MS, toMs });
  return { days: [first, end], ends };
};

/** Sums by model and task of the calls that are in the log: whole days from the sums, the ends of the range from the rows. */
export const sumLoggedCalls = async <Measure extends DayMeasure>(
  db: Db,
  scope: CallScope,
  range: Moments,
  measures: readonly Measure[],
): Promise<Sums<Measure, "model" | "task_type">[]> => {
  const { days, ends } = splitRange(range);
  const sums = measures.map((name) => `sum(${DAY_MEASURES[name]}) AS ${name}`).join(", ");
  const { text, params } = inScope(scope);
  const rows = ends.map(({ fromMs, toMs }) =>
    db.scan<Sums<Measure, "model" | "task_type">>(
      `SELECT coalesce(model, '') AS model, coalesce(task_type, '') AS task_type, ${sums} FROM calls INDEXED BY calls_by_time
       WHERE ${text} AND started_at >= ? AND started_at < ? GROUP BY 1, 2`,
      [...params, fromMs, toMs],
    ),
  );
  return (await Promise.all([...rows, sumDays(db, scope, days, ["model", "task_type"], measures, "in the log")])).flat();
};
