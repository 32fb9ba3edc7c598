/** Adds calls' attempts to the hourly sums of each model: outcomes, and latencies as counts in buckets. */

import type { Sql, Value } from "../../database/database.ts";
import { HOUR_MS } from "../../lib/clock.ts";
import { faultOf, type UpstreamErrorKind } from "../../providers/upstream-error.ts";
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

type Sums = Record<(typeof SUMS)[number], number> & { buckets: number[] };

const noSums = (): Sums => ({
  ...(Object.fromEntries(SUMS.map((name) => [name, 0])) as Record<(typeof SUMS)[number], number>),
  buckets: new Array<number>(BUCKET_COUNT).fill(0),
});

/** One statement for each hour, provider and model. */
export const addToAttemptHours = (sql: Sql, calls: readonly TriesOfCall[]): void => {
  const hours = new Map<string, { key: Value[]; sums: Sums }>();
  for (const { projectId, mode, startedAtMs, tries } of calls) {
    const hour = Math.floor(startedAtMs / HOUR_MS);
    const sumsAt = ({ provider, model }: Try): Sums => {
      const key = [projectId, mode, hour, provider, model];
      const name = key.join("\n");
      const known = hours.get(name) ?? { key, sums: noSums() };
      hours.set(name, known);
      return known.sums;
    };
    for (const attempt of tries) addAttempt(sumsAt(attempt), attempt);
    // One call of a model, even if several providers were asked for it: it counts at the first of them.
    for (const atModel of Map.groupBy(tries, ({ model }) => model).values()) addCall(sumsAt(atModel[0]!), atModel);
  }
  for (const { key, sums } of hours.values()) sql.run(ADD, ...key, ...SUMS.map((name) => sums[name]), ...sums.buckets);
};

/** The caller's own mistakes are none of the provider's. */
const isProviderError = ({ success, failure }: Try): boolean =>
  !success &&
  failure !== undefined &&
  failureModeOf(failure) === undefined &&
  faultOf(failure as UpstreamErrorKind) !== "request";

const addAttempt = (sums: Sums, attempt: Try): void => {
  sums.attempts++;
  if (attempt.failure === "rate_limit") sums.rate_limits++;
  if (attempt.left) return;
  if (isProviderError(attempt)) {
    sums.errors++;
    return;
  }
  sums.answered++;
  sums.latency_ms += Math.round(attempt.latencyMs);
  sums.buckets[bucketOf(attempt.latencyMs)]!++;
};

/** `tries`: those of one model in one call. */
const addCall = (sums: Sums, tries: readonly Try[]): void => {
  const failed = tries.filter(({ success }) => !success);
  sums.calls++;
  if (failed.length > 0) sums.failed_calls++;
  for (const mode of new Set(failed.map(({ failure }) => failureModeOf(failure)))) if (mode !== undefined) sums[mode]++;
};
