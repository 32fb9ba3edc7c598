/** Advice from failure counts: what to do about each mode, and what it would have changed in the period. */

import { FAILURE_MODES, type FailureMode } from "../logs/call.ts";
import { percent, total } from "../logs/sums/figures.ts";
import type { Sums } from "../logs/sums/read-rollup.ts";

type CallRow = Sums<"calls" | "failures" | FailureMode>;
type AttemptRow = Sums<"calls" | "attempts" | "errors" | FailureMode, "model">;

const ADVICE: Record<FailureMode, { name: string; recommendation: string }> = {
  format_violation: {
    name: "answers in the wrong format",
    recommendation:
      "Send a JSON Schema (`schema` or a saved `schema_id`): output is then held to it by the provider and repaired where it strays.",
  },
  refusal: {
    name: "refusals",
    recommendation:
      "Say in a system message what the answers are for, or keep these tasks from the models that refuse most with a routing policy's `model_block_list`.",
  },
  hallucination: {
    name: "answers the judge found unsupported",
    recommendation: "Give the facts along: upload the sources and send `document_ids`, so that answers rest on passages.",
  },
  incomplete: {
    name: "answers that break off",
    recommendation: "Raise `max_tokens` (or `max_cost_per_call`, which caps it), or ask for shorter answers.",
  },
  reasoning_error: {
    name: "answers the judge found wrong",
    recommendation:
      "Set the project's cost-quality setting closer to quality for these tasks, so that stronger models are chosen.",
  },
};

const LEAST_FAILURES = 3;
const LEAST_CALLS = 20;

/**
 * `days`: the period's sums in one row; undefined without calls. The most frequent issue first; fewer than three failures give no advice.
 */
export const mitigate = (days: CallRow | undefined, attempts: AttemptRow[]) => {
  if (days === undefined) return [];
  const modes = FAILURE_MODES.filter((mode) => days[mode] >= LEAST_FAILURES)
    .toSorted((a, b) => days[b] - days[a])
    .map((mode) => adviceOn(mode, days, attempts));
  return [...modes, ...adviceOnProviders(days, attempts)];
};

const adviceOn = (mode: FailureMode, days: CallRow, attempts: AttemptRow[]) => {
  const count = days[mode];
  const rate = (sums: AttemptRow) => sums[mode] / sums.calls;
  const worst = attempts.toSorted((a, b) => b[mode] - a[mode])[0];
  const issue = `${count} of ${days.calls} calls had ${ADVICE[mode].name}`;
  const { recommendation } = ADVICE[mode];
  if (worst === undefined || worst[mode] === 0)
    return { issue: `${issue}.`, recommendation, expected_improvement: upTo(count, days) };
  const best = attempts.filter(({ calls }) => calls >= LEAST_CALLS).toSorted((a, b) => rate(a) - rate(b))[0];
  const avoided = best === undefined ? 0 : Math.round((rate(worst) - rate(best)) * worst.calls);
  return {
    issue: `${issue}, most of them by ${worst.model} (${worst[mode]} of the ${worst.calls} calls that tried it).`,
    recommendation,
    expected_improvement:
      best === undefined || avoided < 1
        ? upTo(count, days)
        : `At the rate of ${best.model} (${percent(rate(best))} of ${best.calls} calls) instead of ${worst.model}'s ${percent(rate(worst))}, about ${avoided} of ${count} would not have occurred.`,
  };
};

const adviceOnProviders = (days: CallRow, attempts: AttemptRow[]) => {
  const errors = total(attempts, "errors");
  const lost = days.failures;
  if (errors < LEAST_FAILURES) return [];
  const worst = attempts.toSorted((a, b) => b.errors - a.errors)[0]!;
  return [
    {
      issue: `${errors} of ${total(attempts, "attempts")} attempts got no answer from the provider, most of them at ${worst.model} (${worst.errors}).`,
      recommendation:
        "Configure a second provider for the tasks of this model, so that a fallback has somewhere to go; see /v1/metrics/providers for when it failed.",
      expected_improvement: `Up to ${lost} of ${days.calls} calls (${percent(lost / days.calls)}) ended in an error that a fallback might have spared.`,
    },
  ];
};

const upTo = (count: number, days: CallRow): string => `Up to ${count} of ${days.calls} calls (${percent(count / days.calls)}).`;
