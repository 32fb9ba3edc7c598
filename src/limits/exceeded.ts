/** The error for a caller whose limit is used up, with when there is room again (decisions §3). */

import { ApiError } from "../api-error.ts";
import type { LimitGroup } from "./tiers.ts";

type Excess = { limit: number; used: number; amount: number; freeAtMs: number; period: "minute" | "day" | "month" };

export const exceeded = ({ limit, used, amount, freeAtMs, period }: Excess, group: LimitGroup, now: number): ApiError => {
  const left = Math.max(0, thousandths(limit - used));
  const state = left === 0 ? "is used up" : `leaves ${left}, and this request needs ${thousandths(amount)}`;
  const unit = group === "transcription" && period === "day" ? " minutes" : "";
  return new ApiError("rate_limit_exceeded", `The limit of ${limit}${unit} a ${period} for ${group} ${state}.`, {
    retryAfterSeconds: Math.ceil((freeAtMs - now) / 1000),
    // A client's automatic retry cannot wait for a day or month, and what never fits is not worth retrying.
    shouldRetry: period === "minute" && amount <= limit,
    headers: headersOf(limit, Math.floor(left), freeAtMs),
  });
};

/** The same for a limit of the key itself. */
export const ownExceeded = (limit: number, what: "requests" | "tokens", freeAtMs: number, now: number): ApiError =>
  new ApiError("rate_limit_exceeded", `This key's own limit of ${limit} ${what} a minute is used up.`, {
    retryAfterSeconds: Math.ceil((freeAtMs - now) / 1000),
    headers: headersOf(limit, 0, freeAtMs),
  });

/** Minutes of audio are fractions: six hundred single seconds add up to slightly more than ten minutes. Far smaller than a millisecond. */
export const withoutRoundingError = (amount: number): number => Math.round(amount * 1e6) / 1e6;

/** Rounded for messages. */
export const thousandths = (amount: number): number => Math.round(amount * 1000) / 1000;

/** `freeAtMs`: when a slot is likely to be free; one that is overdue is expected within a second, like one of unknown length. */
export const tooManyAtOnce = (limit: number, group: LimitGroup, now: number, freeAtMs = now): ApiError => {
  const waitMs = Math.max(1000, freeAtMs - now);
  return new ApiError(
    "rate_limit_exceeded",
    `No more than ${limit} ${group === "streams" ? "streams" : `${group} jobs`} may run at once.`,
    { retryAfterSeconds: Math.ceil(waitMs / 1000), headers: headersOf(limit, 0, now + waitMs) },
  );
};

const headersOf = (limit: number, remaining: number, resetAtMs: number): Record<string, string> => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(Math.ceil(resetAtMs / 1000)),
});
