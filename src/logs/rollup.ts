/**
 * The sums that metrics read, kept in the transaction of each call's row, so that they never disagree with the ledger.
 * Days are one definition in SQL, used to add a call, to take it back, and to move deleted calls to the rows marked `gone`.
 */

import type { Sql, Value } from "../database/database.ts";
import { type Attempt, type Call, FAILURE_MODES, failureModeOf } from "./call.ts";
import { BUCKET_COLUMNS, bucketOf } from "./latency-buckets.ts";

const HOUR_MS = 3_600_000;

const SUCCEEDED = "(status < 400 AND coalesce(validation_passed, 1) = 1)";
const WAS_ROUTED = "(kind = 'chat' AND first_choice IS NOT NULL AND pinned = 0)";

const DIMENSIONS: Record<string, string> = {
  project_id: "project_id",
  mode: "mode",
  day: "started_at / 86400000",
  kind: "kind",
  task_type: "coalesce(task_type, '')",
  provider: "coalesce(provider, '')",
  model: "coalesce(model, '')",
};

/** Each measure of a day, as it is had from one row of `calls`. */
export const DAY_MEASURES: Record<string, string> = {
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
  ...Object.fromEntries(FAILURE_MODES.map((mode) => [mode, `coalesce(failure_mode = '${mode}', 0)`])),
};

const names = (record: Record<string, string>): string[] => Object.keys(record);
const DAY_KEY = [...names(DIMENSIONS), "gone"];

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

/** Many rows at once: calls that share a commit share one statement. */
const ADD_TO_HOURS = `
  INSERT INTO call_hours (project_id, mode, hour, model, calls, failures, latency_ms, cost_nano_usd, tokens)
  SELECT project_id, mode, started_at / 3600000, coalesce(model, ''), count(*), sum(status >= 400), sum(latency_ms), sum(cost_nano_usd), sum(total_tokens)
  FROM calls WHERE ${MANY}
  GROUP BY 1, 2, 3, 4
  ON CONFLICT (project_id, mode, hour, model) DO UPDATE SET calls = calls + excluded.calls, failures = failures + excluded.failures,
    latency_ms = latency_ms + excluded.latency_ms, cost_nano_usd = cost_nano_usd + excluded.cost_nano_usd, tokens = tokens + excluded.tokens`;

/** After the row of `call` was written as `seq`; the sums follow before the transaction ends. */
export const addToRollups = (sql: Sql, seq: number, call: Call): void => {
  sql.gather(addRowsToSums, seq);
  for (const tries of triesByModel(call.attempts)) sql.gather(addAttempts, sumsOfTries(call, tries));
};

const addRowsToSums = (sql: Sql, seqs: number[]): void => {
  const list = JSON.stringify(seqs);
  sql.run(ADD_MANY_TO_DAYS, 0, list);
  sql.run(ADD_TO_HOURS, list);
};

/** Runs `change` on the row of a call and keeps the days in step with it. */
export const changeCall = (sql: Sql, seq: number, change: () => void): void => {
  sql.settle();
  sql.run(TAKE_ONE_FROM_DAYS, 0, seq);
  change();
  sql.run(ADD_ONE_TO_DAYS, 0, seq);
};

/**
 * Before the rows of `seqs` are deleted: what the log holds shrinks, what was spent stays.
 * Gap: decisions.md does not say whether deleted calls still count. The bill and the metrics keep them, as sums that name no
 * user; the log, its summary and its totals do not.
 */
export const markGone = (sql: Sql, seqs: readonly number[]): void => {
  sql.settle();
  const list = JSON.stringify(seqs);
  sql.run(TAKE_MANY_FROM_DAYS, 0, list);
  sql.run(ADD_MANY_TO_DAYS, 1, list);
};

const triesByModel = (attempts: readonly Attempt[]): (readonly Attempt[])[] =>
  attempts.length < 2
    ? attempts.map((attempt) => [attempt])
    : [...Map.groupBy(attempts, ({ provider, model }) => `${provider}\n${model}`).values()];

/** The caller's own mistakes: the provider answered, and says so. */
const NOT_THE_PROVIDERS_FAULT: ReadonlySet<string> = new Set([
  "bad_request",
  "context_length",
  "content_filter",
  "unsupported_param",
]);

const isProviderError = ({ success, failure }: Attempt): boolean =>
  !success && failure !== undefined && failureModeOf(failure) === undefined && !NOT_THE_PROVIDERS_FAULT.has(failure);

const ATTEMPT_KEY = ["project_id", "mode", "hour", "provider", "model"];
const ATTEMPT_SUMS = [
  ...["calls", "failed_calls", "attempts", "answered", "errors", "rate_limits", "latency_ms", ...FAILURE_MODES],
  ...BUCKET_COLUMNS,
];
const ADD_ATTEMPTS = `
  INSERT INTO attempt_hours (${[...ATTEMPT_KEY, ...ATTEMPT_SUMS].join(", ")}) VALUES (${[...ATTEMPT_KEY, ...ATTEMPT_SUMS].map(() => "?").join(", ")})
  ON CONFLICT (${ATTEMPT_KEY.join(", ")}) DO UPDATE SET ${ATTEMPT_SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;

/** What the tries of one call at one model add: `sums` in the order of ATTEMPT_SUMS, without the latency buckets. */
type TriesSums = { key: Value[]; sums: number[]; buckets: number[] };

const sumsOfTries = (call: Call, tries: readonly Attempt[]): TriesSums => {
  const last = call.attempts.at(-1);
  // What the caller left before it ended was neither answered nor an error of the provider's.
  const ended = tries.filter((attempt) => !(call.cancelled && attempt === last && !attempt.success));
  const answered = ended.filter((attempt) => !isProviderError(attempt));
  const modes = new Set(tries.map(({ success, failure }) => (success ? undefined : failureModeOf(failure))));
  return {
    key: [call.projectId, call.mode, Math.floor(call.startedAtMs / HOUR_MS), tries[0]!.provider, tries[0]!.model],
    sums: [
      1,
      Number(tries.some(({ success }) => !success)),
      tries.length,
      answered.length,
      ended.length - answered.length,
      tries.filter(({ failure }) => failure === "rate_limit").length,
      answered.reduce((sum, { latencyMs }) => sum + Math.round(latencyMs), 0),
      ...FAILURE_MODES.map((mode) => Number(modes.has(mode))),
    ],
    buckets: answered.map(({ latencyMs }) => bucketOf(latencyMs)),
  };
};

/** Calls that share a commit share a statement for each model, project and hour. */
const addAttempts = (sql: Sql, all: TriesSums[]): void => {
  const byKey = new Map<string, { key: Value[]; sums: number[] }>();
  for (const { key, sums, buckets } of all) {
    const name = key.join("\n");
    const known = byKey.get(name);
    const total = known?.sums ?? new Array<number>(ATTEMPT_SUMS.length).fill(0);
    if (known === undefined) byKey.set(name, { key, sums: total });
    for (let i = 0; i < sums.length; i++) total[i]! += sums[i]!;
    for (const bucket of buckets) total[sums.length + bucket]!++;
  }
  for (const { key, sums } of byKey.values()) sql.run(ADD_ATTEMPTS, ...key, ...sums);
};
