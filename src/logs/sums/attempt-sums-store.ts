/** Adds calls' attempts to the hourly sums of each model: outcomes, and latencies as counts in buckets. */

import type { Sql, Value } from "../../database/database.ts";
import { HOUR_MS } from "../../lib/clock.ts";
import { type Attempt, type Call, FAILURE_MODES, failureModeOf } from "../call.ts";
import { BUCKET_COLUMNS, BUCKET_COUNT, type BucketColumn, bucketOf } from "./latency-buckets.ts";

/** What the sums need of an attempt. `left`: the caller's disconnecting ended it, so it was neither answered nor an error of the provider's. */
export type Try = Pick<Attempt, "provider" | "model" | "success" | "latencyMs" | "failure"> & { left?: true };

export const triesOf = ({ attempts, cancelled }: Call): Try[] =>
  attempts.map(({ provider, model, success, latencyMs, failure }, n) => ({
    ...{ provider, model, success, latencyMs },
    ...(failure !== undefined && { failure }),
    ...(cancelled && !success && n === attempts.length - 1 && { left: true }),
  }));

type TriesOfCall = { projectId: string; mode: string; startedAtMs: number; tries: Try[] };

const KEY = ["project_id", "mode", "hour", "provider", "model"];
const SUMS = ["calls", "failed_calls", "attempts", "answered", "errors", "rate_limits", "latency_ms", ...FAILURE_MODES] as const;
export type AttemptMeasure = (typeof SUMS)[number] | BucketColumn;

const ALL = [...KEY, ...SUMS, ...BUCKET_COLUMNS];
const ADD = `INSERT INTO attempt_hours (${ALL.join(", ")}) VALUES (${ALL.map(() => "?").join(", ")}) ON CONFLICT (${KEY.join(", ")}) DO UPDATE SET
  ${[...SUMS, ...BUCKET_COLUMNS].map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;

/** One statement for each hour and model. */
export const addToAttemptHours = (sql: Sql, calls: readonly TriesOfCall[]): void => {
  const sums = new Map<string, { key: Value[]; values: number[] }>();
  for (const { projectId, mode, startedAtMs, tries } of calls) {
    const hour = Math.floor(startedAtMs / HOUR_MS);
    for (const [model, atModel] of Map.groupBy(tries, (one) => one.model)) {
      // One call of the model, even if several providers were asked for it: it counts at the first of them.
      let ofCall = atModel;
      for (const [provider, atProvider] of Map.groupBy(atModel, (one) => one.provider)) {
        const key = [projectId, mode, hour, provider, model];
        const name = key.join("\n");
        const values = valuesOf(atProvider, ofCall);
        const known = sums.get(name)?.values;
        if (known === undefined) sums.set(name, { key, values });
        else for (const [n, value] of values.entries()) known[n]! += value;
        ofCall = [];
      }
    }
  }
  for (const { key, values } of sums.values()) sql.run(ADD, ...key, ...values);
};

/** The caller's own mistakes, which the provider correctly reported. */
const NOT_THE_PROVIDERS_FAULT: ReadonlySet<string> = new Set([
  "bad_request",
  "context_length",
  "content_filter",
  "unsupported_param",
]);

const isProviderError = ({ success, failure }: Try): boolean =>
  !success && failure !== undefined && failureModeOf(failure) === undefined && !NOT_THE_PROVIDERS_FAULT.has(failure);

/**
 * What a call's tries of one model at one provider add, in the order of SUMS and BUCKET_COLUMNS. `ofCall`: the tries that its figures of
 * calls are about.
 */
const valuesOf = (tries: readonly Try[], ofCall: readonly Try[]): number[] => {
  const ended = tries.filter(({ left }) => !left);
  const answered = ended.filter((attempt) => !isProviderError(attempt));
  const modes = new Set(ofCall.map(({ success, failure }) => (success ? undefined : failureModeOf(failure))));
  const buckets = new Array<number>(BUCKET_COUNT).fill(0);
  for (const { latencyMs } of answered) buckets[bucketOf(latencyMs)]!++;
  return [
    Number(ofCall.length > 0),
    Number(ofCall.some(({ success }) => !success)),
    tries.length,
    answered.length,
    ended.length - answered.length,
    tries.filter(({ failure }) => failure === "rate_limit").length,
    answered.reduce((sum, { latencyMs }) => sum + Math.round(latencyMs), 0),
    ...FAILURE_MODES.map((mode) => Number(modes.has(mode))),
    ...buckets,
  ];
};
