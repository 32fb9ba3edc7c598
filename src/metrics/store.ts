/** Reads the sums that are kept with every call (logs/sums). Metrics never read the ledger's rows, except for samples of failed calls. */

import type { Db, Value } from "../database/database.ts";
import { type CallScope, modesOf } from "../logs/call-scope.ts";
import { addUpCalls } from "../logs/sums/add-up.ts";

export type DaySums = { day: number; kind: string; task_type: string; provider: string; model: string } & Record<string, any>;

const within = (scope: CallScope, unit: "day" | "hour", first: number, end: number): { text: string; params: Value[] } => {
  const modes = modesOf(scope);
  return {
    text: `project_id = ? AND mode IN (${modes.map(() => "?").join(", ")}) AND ${unit} >= ? AND ${unit} < ?`,
    params: [scope.projectId, ...modes, first, end],
  };
};

const scanSums = async <Row>(db: Db, text: string, params: Value[]): Promise<Row[]> => {
  await addUpCalls(db);
  return db.scan<Row>(text, params);
};

const sumsOf = (names: readonly string[]): string => names.map((name) => `sum(${name}) AS ${name}`).join(", ");

type Dimension = "day" | "kind" | "task_type" | "provider" | "model";

export const TOKENS = ["input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens"];
export const QUALITY = ["quality_micro", "quality_count"];

/**
 * Days are counted since 1970, `end` exclusive. Deleted calls still count (logs/sums). `measures`: those of DAY_MEASURES that are needed,
 * since every value has to be passed from the reader's thread.
 */
export const sumDays = (
  db: Db,
  scope: CallScope,
  [first, end]: readonly [number, number],
  by: readonly Dimension[],
  measures: readonly string[],
): Promise<DaySums[]> => {
  const { text, params } = within(scope, "day", first, end);
  const dimensions = by.map((name) => `${name}, `).join("");
  const grouping = by.length === 0 ? "HAVING count(*) > 0" : `GROUP BY ${by.join(", ")}`;
  return scanSums<DaySums>(db, `SELECT ${dimensions}${sumsOf(measures)} FROM call_days WHERE ${text} ${grouping}`, params);
};

export type HourOfDay = { hour: number; calls: number };

/** Calls by hour of the UTC day, 0-23. */
export const sumHoursOfDay = (db: Db, scope: CallScope, [first, end]: readonly [number, number]): Promise<HourOfDay[]> => {
  const { text, params } = within(scope, "hour", first * 24, end * 24);
  return scanSums<HourOfDay>(
    db,
    `SELECT hour % 24 AS hour, sum(calls) AS calls FROM call_hours WHERE ${text} GROUP BY 1`,
    params,
  );
};

export type AttemptSums = { hour: number; provider: string; model: string } & Record<string, any>;

/** Attempts by model, with their outcomes; hours are counted since 1970, `end` exclusive. */
export const sumAttempts = (
  db: Db,
  scope: CallScope,
  [first, end]: readonly [number, number],
  by: readonly ("hour" | "provider" | "model")[],
  measures: readonly string[],
): Promise<AttemptSums[]> => {
  const { text, params } = within(scope, "hour", first, end);
  return scanSums<AttemptSums>(
    db,
    `SELECT ${by.join(", ")}, ${sumsOf(measures)} FROM attempt_hours WHERE ${text} GROUP BY ${by.join(", ")}`,
    params,
  );
};

export type FailedCall = {
  failure_mode: string;
  task_type: string | null;
  complexity: number | null;
  prompt_length: number;
  message_count: number;
  streamed: number;
};

/** The latest calls in which a model's answer failed its checks. */
export const sampleFailures = (db: Db, scope: CallScope, fromMs: number, most: number): Promise<FailedCall[]> => {
  const one = `SELECT started_at, failure_mode, task_type, complexity, prompt_length, message_count, streamed
    FROM calls INDEXED BY calls_with_failure_mode WHERE project_id = ? AND mode = ? AND started_at >= ? AND failure_mode IS NOT NULL`;
  return Promise.all(
    modesOf(scope).map((mode) =>
      db.scan<FailedCall>(`${one} ORDER BY started_at DESC LIMIT ?`, [scope.projectId, mode, fromMs, most]),
    ),
  ).then((rows) => rows.flat());
};
