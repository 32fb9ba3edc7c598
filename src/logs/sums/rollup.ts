/** The daily sums, as expressions over the ledger's rows. */

import type { Sql } from "../../database/database.ts";
import { FAILURE_MODES, type FailureMode } from "../call.ts";

const SUCCEEDED = "(status < 400 AND coalesce(validation_passed, 1) = 1)";
const WAS_ROUTED = "(kind = 'chat' AND first_choice IS NOT NULL AND pinned = 0)";

const DIMENSIONS = {
  project_id: "project_id",
  mode: "mode",
  day: "started_at / 86400000",
  kind: "kind",
  task_type: "coalesce(task_type, '')",
  provider: "coalesce(provider, '')",
  model: "coalesce(model, '')",
};

/** Each measure of a day, as an expression over one row of `calls`. */
export const DAY_MEASURES = {
  calls: "1",
  failures: "status >= 400",
  latency_ms: "latency_ms",
  upstream_ms: "upstream_ms",
  cost_nano_usd: "cost_nano_usd",
  input_tokens: "input_tokens",
  cache_read_tokens: "cache_read_tokens",
  cache_write_tokens: "cache_write_tokens",
  output_tokens: "output_tokens",
  reasoning_tokens: "reasoning_tokens",
  retried: "retry_count > 0",
  fell_back: "fallback_used",
  validated: "validation_passed IS NOT NULL",
  validation_passed: "coalesce(validation_passed, 0)",
  quality_micro: "CAST(round(coalesce(quality_score, 0) * 1000000) AS INTEGER)",
  quality_count: "quality_score IS NOT NULL",
  complexity_micro: "CAST(round(coalesce(complexity, 0) * 1000000) AS INTEGER)",
  complexity_count: "complexity IS NOT NULL",
  messages: "message_count",
  cache_hits: "saved_nano_usd IS NOT NULL",
  saved_nano_usd: "coalesce(saved_nano_usd, 0)",
  cost_warnings: "cost_warning",
  streamed: "streamed",
  routed: WAS_ROUTED,
  first_choice_held: `(${WAS_ROUTED} AND model IS first_choice AND retry_count = 0 AND fallback_used = 0 AND ${SUCCEEDED})`,
  pinned: "pinned",
  troubled: `(NOT ${SUCCEEDED} OR retry_count > 0 OR fallback_used)`,
  retry_succeeded: `(${SUCCEEDED} AND retry_count > 0 AND NOT fallback_used)`,
  fallback_succeeded: `(${SUCCEEDED} AND fallback_used)`,
  ...(Object.fromEntries(FAILURE_MODES.map((mode) => [mode, `coalesce(failure_mode = '${mode}', 0)`])) as Record<
    FailureMode,
    string
  >),
} satisfies Record<string, string>;
export type DayMeasure = keyof typeof DAY_MEASURES;

const names = (record: Record<string, string>): string[] => Object.keys(record);
export const DAY_KEY = [...names(DIMENSIONS), "gone"];

/** Parameters: gone, then the calls' `seq`s as a JSON array. */
const daysStatement = (sign: 1 | -1): string => `
  INSERT INTO call_days (${[...DAY_KEY, ...names(DAY_MEASURES)].join(", ")})
  SELECT ${Object.values(DIMENSIONS).join(", ")}, ?, ${Object.values(DAY_MEASURES)
    .map((measure) => `${sign === -1 ? "-" : ""}sum(${measure})`)
    .join(", ")}
  FROM calls WHERE seq IN (SELECT value FROM json_each(?))
  GROUP BY ${names(DIMENSIONS)
    .map((_, index) => index + 1)
    .join(", ")}
  ON CONFLICT (${DAY_KEY.join(", ")}) DO UPDATE SET ${names(DAY_MEASURES)
    .map((name) => `${name} = ${name} + excluded.${name}`)
    .join(", ")}`;

const ADD = daysStatement(1);
const TAKE = daysStatement(-1);

/** For calls that are not in the sums yet, or no longer. */
export const addToDays = (sql: Sql, seqs: readonly number[]): void => void sql.run(ADD, 0, JSON.stringify(seqs));

export const takeFromDays = (sql: Sql, seqs: readonly number[]): void => void sql.run(TAKE, 0, JSON.stringify(seqs));

/** To the sums of calls that are deleted. */
export const addToGoneDays = (sql: Sql, seqs: readonly number[]): void => void sql.run(ADD, 1, JSON.stringify(seqs));
