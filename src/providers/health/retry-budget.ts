/**
 * Limits retries of a failing provider, because everybody's retries together would bury one that is only slow: at most a share of its
 * attempts, plus a few per second.
 */

import type { Clock } from "../../lib/clock.ts";

/** Each attempt at the provider earns this much of a retry (safety-notes 2.3). */
const RETRIES_PER_ATTEMPT = 0.2;
/** Earned without any attempts, for providers that are rarely called. */
const RETRIES_PER_SECOND = 1;
const MOST_SAVED_UP = 10;

type RetryBudget = {
  /** Call it for each attempt. */
  earn(provider: string): void;
  /** Takes a retry if one is left. */
  take(provider: string): boolean;
};

/** `clock` must never go back. */
export const createRetryBudget = (clock: Clock): RetryBudget => {
  /** Holds only providers whose budget is not full; `left` is the budget at `atMs`. */
  const budgets = new Map<string, { left: number; atMs: number }>();
  const earn = (provider: string): void => {
    const budget = budgets.get(provider);
    if (budget !== undefined) budget.left += RETRIES_PER_ATTEMPT;
  };
  const take = (provider: string): boolean => {
    const now = clock.now();
    const { left, atMs } = budgets.get(provider) ?? { left: MOST_SAVED_UP, atMs: now };
    const waited = (now - atMs) / 1000;
    const whole = Math.min(MOST_SAVED_UP, left + waited * RETRIES_PER_SECOND);
    const isLeft = whole >= 1;
    budgets.set(provider, { left: isLeft ? whole - 1 : whole, atMs: now });
    return isLeft;
  };
  return { earn, take };
};
