/** `GET /v1/metrics/failures`: what went wrong, what put it right, and what could be done. */

import type { Static } from "@sinclair/typebox";
import type { Db } from "../database/database.ts";
import { DAY_MS } from "../lib/clock.ts";
import { FAILURE_MODES, type FailureMode } from "../logs/call.ts";
import type { CallScope } from "../logs/call-scope.ts";
import { groupBy, percentage, perName, ratio, total } from "../logs/sums/figures.ts";
import { type Sums, sumAttempts, sumDays } from "../logs/sums/read-rollup.ts";
import { mitigate } from "./mitigate.ts";
import { type Period, toWirePeriod } from "./period.ts";
import { type FailedCall, sampleFailures } from "./store.ts";
import type { Failures } from "./wire.ts";

const SAMPLE = 1_000;
const CALL_MEASURES = ["calls", "failures", "troubled", "retry_succeeded", "fallback_succeeded", ...FAILURE_MODES] as const;
const ATTEMPT_MEASURES = ["calls", "failed_calls", "attempts", "errors", ...FAILURE_MODES] as const;
type AttemptRow = Sums<(typeof ATTEMPT_MEASURES)[number], "model">;

/**
 * Gap: a failure is a call in which something went wrong, whether or not it was mended: a retry, a fallback, an answer that did
 * not pass its checks, or an error for the caller. `unrecoverable` are those that were not mended. A failure mode comes from the
 * output checks and the judge; a provider that gave no answer has none, so the modes need not add up to all failures.
 */
export const failures = async (db: Db, scope: CallScope, period: Period): Promise<Static<typeof Failures>> => {
  const [first, end] = period.range;
  const [days, attempts, sample] = await Promise.all([
    sumDays(db, scope, period.range, [], CALL_MEASURES),
    sumAttempts(db, scope, [first * 24, end * 24], ["model"], ATTEMPT_MEASURES),
    sampleFailures(db, scope, first * DAY_MS, SAMPLE),
  ]);
  const calls = total(days, "calls");
  const troubled = total(days, "troubled");
  const saved = { retry: total(days, "retry_succeeded"), fallback: total(days, "fallback_succeeded") };
  return {
    period: toWirePeriod(period),
    summary: {
      total_failures: troubled,
      failure_rate: ratio(troubled, calls),
      retries_succeeded: saved.retry,
      fallback_succeeded: saved.fallback,
      unrecoverable: troubled - saved.retry - saved.fallback,
    },
    by_failure_mode: Object.fromEntries(
      FAILURE_MODES.map((mode) => [
        mode,
        {
          count: total(days, mode),
          percentage: percentage(total(days, mode), troubled),
          affected_models: affectedModels(attempts, mode),
          common_triggers: commonTriggers(sample.filter(({ failure_mode }) => failure_mode === mode)),
        },
      ]),
    ),
    by_model: perName(attempts, "model", ([sums]) => toWireModel(sums!)),
    mitigation_recommendations: mitigate(days[0], attempts),
  };
};

const affectedModels = (attempts: AttemptRow[], mode: FailureMode): string[] =>
  attempts
    .filter((sums) => sums[mode] > 0)
    .toSorted((a, b) => b[mode] - a[mode])
    .map(({ model }) => model);

/** `total_calls`: calls that tried the model. Failures count where they happened, even if another model put them right. */
const toWireModel = (sums: AttemptRow) => ({
  total_calls: sums.calls,
  failures: sums.failed_calls,
  failure_rate: ratio(sums.failed_calls, sums.calls),
  top_failure_modes: FAILURE_MODES.filter((mode) => sums[mode] > 0).toSorted((a, b) => sums[b] - sums[a]),
});

const OFTEN = 0.2;
const TRAITS: [trigger: string, has: (call: FailedCall) => boolean][] = [
  ["long prompt (over 8,000 characters)", ({ prompt_length }) => prompt_length > 8_000],
  ["long conversation (over 10 messages)", ({ message_count }) => message_count > 10],
  ["high complexity (0.7 or above)", ({ complexity }) => (complexity ?? 0) >= 0.7],
  ["streamed", ({ streamed }) => streamed === 1],
];

/** Traits shared by at least a fifth of the latest failures of a mode, most frequent first. */
const commonTriggers = (calls: FailedCall[]): string[] => {
  const tasks = groupBy(calls, "task_type").map(([task, among]) => [`${task} tasks`, among.length] as const);
  const traits = TRAITS.map(([trigger, has]) => [trigger, calls.filter(has).length] as const);
  return [...tasks, ...traits]
    .filter(([, count]) => count > 0 && count >= OFTEN * calls.length)
    .toSorted(([, a], [, b]) => b - a)
    .map(([trigger]) => trigger);
};
