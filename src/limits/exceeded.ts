/** The error for a caller whose limit is used up, with when there is room again (decisions §3). */

import { ApiError } from "../api-error.ts";
import { type LimitState, rateHeaders, stateOf, thousandths } from "./limit-state.ts";
import type { LimitGroup } from "./tiers.ts";

/** What was asked of a limit, which `resetsAtMs` will have room for it. */
type Excess = { state: LimitState; amount: number; period: "minute" | "day" | "month" };

export const exceeded = ({ state, amount, period }: Excess, group: LimitGroup, now: number): ApiError => {
  const { limit, remaining, resetsAtMs } = state;
  const left = remaining === 0 ? "is used up" : `leaves ${remaining}, and this request needs ${thousandths(amount)}`;
  const unit = group === "transcription" && period === "day" ? " minutes" : "";
  // The month's quota is one for all groups, of which this may have used little.
  const what =
    period === "month"
      ? `The project's quota of ${limit} requests a month`
      : `The limit of ${limit}${unit} a ${period} for ${group}`;
  return new ApiError("rate_limit_exceeded", `${what} ${left}.`, {
    retryAfterSeconds: Math.ceil((resetsAtMs - now) / 1000),
    // A client's automatic retry cannot wait for a day or month, and what never fits is not worth retrying.
    shouldRetry: period === "minute" && amount <= limit,
    headers: rateHeaders(state),
  });
};

/** The same for a limit of the key itself. */
export const ownExceeded = (limit: number, what: "requests" | "tokens", freeAtMs: number, now: number): ApiError =>
  new ApiError("rate_limit_exceeded", `This key's own limit of ${limit} a minute for ${what} is used up.`, {
    retryAfterSeconds: Math.ceil((freeAtMs - now) / 1000),
    headers: rateHeaders(stateOf(limit, limit, freeAtMs)),
  });

/** Minutes of audio are fractions: six hundred single seconds add up to slightly more than ten minutes. Far smaller than a millisecond. */
export const withoutRoundingError = (amount: number): number => Math.round(amount * 1e6) / 1e6;

/** `freeAtMs`: when a slot is likely to be free; one that is overdue is expected within a second, like one of unknown length. */
export const tooManyAtOnce = (limit: number, group: LimitGroup, now: number, freeAtMs = now): ApiError => {
  const waitMs = Math.max(1000, freeAtMs - now);
  return new ApiError(
    "rate_limit_exceeded",
    `The limit of ${limit} at once for ${group === "streams" ? "streams" : `${group} jobs`} is used up.`,
    { retryAfterSeconds: Math.ceil(waitMs / 1000), headers: rateHeaders(stateOf(limit, limit, now + waitMs)) },
  );
};
