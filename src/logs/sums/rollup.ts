/**
 * The daily sums as expressions over the ledger's rows: used to take a call out of them, to put it back changed, and to move deleted calls
 * to the sums marked `gone`. New calls are added by sums-store.ts.
 */

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

/** Parameters: gone, then those of `where`. */
const daysStatement = (where: string, sign: 1 | -1): string => `
  INSERT INTO call_days (${[...names(DIMENSIONS), "gone", ...names(DAY_MEASURES)].join(", ")})
  SELECT ${Object.values(DIMENSIONS).join(", ")}, ?, ${Object.values(DAY_MEASURES)
    .map((measure) => `${sign === -1 ? "-" : ""}sum(${measure})`)
    .join(", ")}
  FROM calls WHERE ${where}
  GROUP BY ${names(DIMENSIONS)
    .map((_, index) => index + 1)
    .join(", ")}
  ON CONFLICT (${DAY_KEY.join(", ")}) DO UPDATE SET ${names(DAY_MEASURES)
    .map((name) => `${name} = ${name} + excluded.${name}`)
    .join(", ")}`;

const ADD_ONE_TO_DAYS = daysStatement("seq = ?", 1);
const TAKE_ONE_FROM_DAYS = daysStatement("seq = ?", -1);
const MANY = "seq IN (SELECT value FROM json_each(?))";
const ADD_MANY_TO_DAYS = daysStatement(MANY, 1);
const TAKE_MANY_FROM_DAYS = daysStatement(MANY, -1);

/** Runs `change` on a call's row and keeps the daily sums in step. */
export const changeCall = (sql: Sql, seq: number, change: () => void): void => {
  sql.settle();
  sql.run(TAKE_ONE_FROM_DAYS, 0, seq);
  change();
  sql.run(ADD_ONE_TO_DAYS, 0, seq);
};

/**
 * Call it before the rows of `seqs` are deleted. Gap: the contract does not say whether deleted calls still count. Bill and metrics keep
 * them, as sums that name no user; the log, its summary and its totals do not.
 */
export const markGone = (sql: Sql, seqs: readonly number[]): void => {
  sql.settle();
  const list = JSON.stringify(seqs);
  sql.run(TAKE_MANY_FROM_DAYS, 0, list);
  sql.run(ADD_MANY_TO_DAYS, 1, list);
};
