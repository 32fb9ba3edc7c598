/**
 * Adds a new call to the sums that metrics read, in the transaction of its row, so that they never disagree with the ledger. The values
 * come from the call itself, by the same definitions as in rollup.ts; calls that share a commit and a key share a statement.
 */

import type { Sql, Value } from "../../database/database.ts";
import { DAY_MS, HOUR_MS } from "../../lib/clock.ts";
import {
  type Attempt,
  type Call,
  FAILURE_MODES,
  failureModeOf,
  failureModeOfCall,
  fallbackUsed,
  latencyMsOf,
  retryCount,
} from "../call.ts";
import { BUCKET_COLUMNS, BUCKET_COUNT, bucketOf } from "./latency-buckets.ts";
import { DAY_KEY, DAY_MEASURES, type DayMeasure } from "./rollup.ts";

/** Call it after the call's row was written; the sums follow before the transaction ends. */
export const addToSums = (sql: Sql, call: Call): void => {
  sql.gather(addToDays, { key: dayKeyOf(call), values: Object.values(daySumsOf(call)) });
  sql.gather(addToHours, { key: [call.projectId, call.mode, Math.floor(call.startedAtMs / HOUR_MS)], values: [1] });
  for (const tries of triesByModel(call.attempts)) sql.gather(addToAttempts, sumsOfTries(call, tries));
};

type Row = { key: Value[]; values: number[] };

/** One statement for each key among the rows. */
const addInto = (table: string, key: readonly string[], columns: readonly string[]) => {
  const all = [...key, ...columns];
  const text = `INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")}) ON CONFLICT (${key.join(", ")}) DO UPDATE SET
    ${columns.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;
  return (sql: Sql, rows: Row[]): void => {
    for (const { key, values } of rows.length === 1 ? rows : byKey(rows)) sql.run(text, ...key, ...values);
  };
};

const byKey = (rows: readonly Row[]): Iterable<Row> => {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const name = row.key.join("\n");
    const sums = found.get(name)?.values;
    if (sums !== undefined) for (let n = 0; n < sums.length; n++) sums[n]! += row.values[n]!;
    // Copied, because after a rollback the rows of earlier units of work are added again.
    else found.set(name, { key: row.key, values: [...row.values] });
  }
  return found.values();
};

const addToDays = addInto("call_days", DAY_KEY, Object.keys(DAY_MEASURES));

/** In the order of DAY_KEY; a new call is not gone. */
const dayKeyOf = (call: Call): Value[] => [
  call.projectId,
  call.mode,
  Math.floor(call.startedAtMs / DAY_MS),
  call.kind,
  call.taskType ?? "",
  call.provider ?? "",
  call.model ?? "",
  0,
];

const micro = (share: number | undefined): number => Math.trunc((share ?? 0) * 1_000_000 + 0.5);

/** In the order of DAY_MEASURES. */
const daySumsOf = (call: Call): Record<DayMeasure, number> => {
  const retries = retryCount(call);
  const fellBack = fallbackUsed(call);
  const succeeded = call.status < 400 && call.validationPassed !== false;
  const routed = call.kind === "chat" && call.firstChoice !== undefined && call.pinned !== true;
  const failureMode = failureModeOfCall(call);
  return {
    calls: 1,
    failures: Number(call.status >= 400),
    latency_ms: latencyMsOf(call),
    upstream_ms: Math.round(call.upstreamMs),
    cost_nano_usd: call.costNanoUsd,
    input_tokens: call.usage.input,
    cache_read_tokens: call.usage.cacheRead,
    cache_write_tokens: call.usage.cacheWrite,
    output_tokens: call.usage.output,
    reasoning_tokens: call.usage.reasoning,
    retried: Number(retries > 0),
    fell_back: Number(fellBack),
    validated: Number(call.validationPassed !== undefined),
    validation_passed: Number(call.validationPassed === true),
    quality_micro: micro(call.qualityScore),
    quality_count: Number(call.qualityScore !== undefined),
    complexity_micro: micro(call.complexity),
    complexity_count: Number(call.complexity !== undefined),
    messages: call.messageCount,
    cost_warnings: Number(call.costWarning !== undefined),
    streamed: Number(call.streamed),
    routed: Number(routed),
    first_choice_held: Number(routed && call.model === call.firstChoice && retries === 0 && !fellBack && succeeded),
    pinned: Number(call.pinned === true),
    troubled: Number(!succeeded || retries > 0 || fellBack),
    retry_succeeded: Number(succeeded && retries > 0 && !fellBack),
    fallback_succeeded: Number(succeeded && fellBack),
    format_violation: Number(failureMode === "format_violation"),
    refusal: Number(failureMode === "refusal"),
    hallucination: Number(failureMode === "hallucination"),
    incomplete: Number(failureMode === "incomplete"),
    reasoning_error: Number(failureMode === "reasoning_error"),
  };
};

const addToHours = addInto("call_hours", ["project_id", "mode", "hour"], ["calls"]);

const triesByModel = (attempts: readonly Attempt[]): (readonly Attempt[])[] =>
  attempts.length < 2
    ? attempts.map((attempt) => [attempt])
    : [...Map.groupBy(attempts, ({ provider, model }) => `${provider}\n${model}`).values()];

/** The caller's own mistakes, which the provider correctly reported. */
const NOT_THE_PROVIDERS_FAULT: ReadonlySet<string> = new Set([
  "bad_request",
  "context_length",
  "content_filter",
  "unsupported_param",
]);

const isProviderError = ({ success, failure }: Attempt): boolean =>
  !success && failure !== undefined && failureModeOf(failure) === undefined && !NOT_THE_PROVIDERS_FAULT.has(failure);

const ATTEMPT_SUMS = ["calls", "failed_calls", "attempts", "answered", "errors", "rate_limits", "latency_ms", ...FAILURE_MODES];
const addToAttempts = addInto(
  "attempt_hours",
  ["project_id", "mode", "hour", "provider", "model"],
  [...ATTEMPT_SUMS, ...BUCKET_COLUMNS],
);

/** What one call's attempts at one model add. */
const sumsOfTries = (call: Call, tries: readonly Attempt[]): Row => {
  const last = call.attempts.at(-1);
  // An attempt that the caller's disconnecting ended was neither answered nor an error of the provider's.
  const ended = tries.filter((attempt) => !(call.cancelled && attempt === last && !attempt.success));
  const answered = ended.filter((attempt) => !isProviderError(attempt));
  const modes = new Set(tries.map(({ success, failure }) => (success ? undefined : failureModeOf(failure))));
  const buckets = new Array<number>(BUCKET_COUNT).fill(0);
  for (const { latencyMs } of answered) buckets[bucketOf(latencyMs)]!++;
  return {
    key: [call.projectId, call.mode, Math.floor(call.startedAtMs / HOUR_MS), tries[0]!.provider, tries[0]!.model],
    values: [
      1,
      Number(tries.some(({ success }) => !success)),
      tries.length,
      answered.length,
      ended.length - answered.length,
      tries.filter(({ failure }) => failure === "rate_limit").length,
      answered.reduce((sum, { latencyMs }) => sum + Math.round(latencyMs), 0),
      ...FAILURE_MODES.map((mode) => Number(modes.has(mode))),
      ...buckets,
    ],
  };
};
