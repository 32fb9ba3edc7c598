/**
 * How often a provider that failed may be asked again: retries that everybody makes at once would bury one that is only slow.
 * At most a share of its attempts are retries, and a few that nobody has to earn.
 */

import type { Clock } from "../../lib/clock.ts";

/** Safety-notes 2.3. Each attempt at the provider earns so much of a retry. */
const RETRIES_PER_ATTEMPT = 0.2;
/** Without any attempts: for providers that are asked now and then. */
const RETRIES_PER_SECOND = 1;
const MOST_SAVED_UP = 10;

type RetryBudget = {
  /** An attempt was made. */
  earn(provider: string): void;
  /** Whether there is a retry left; then it is taken. */
  take(provider: string): boolean;
};

/** `clock` never goes back. */
export const createRetryBudget = (clock: Clock): RetryBudget => {
  /** Only of providers whose budget is not whole; `left` is as it stood at `atMs`. */
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
