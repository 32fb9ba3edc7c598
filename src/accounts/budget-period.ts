/** The periods for which a budget holds: UTC days, weeks from Monday, months, or for ever. */

import { type createCalendar, DAY_MS, nextUtcDay, nextUtcMonth, utcDay } from "../lib/clock.ts";

export const BUDGET_PERIODS = ["day", "week", "month", "total"] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];
export type Budget = { nanoUsd: number; period: BudgetPeriod };

/** Of users nothing is kept for ever. */
export const USER_BUDGET_PERIODS = ["day", "week", "month"] as const satisfies readonly BudgetPeriod[];

/** The first of January 1970 was a Thursday. */
const startOfUtcWeek = (ms: number): number => {
  const day = Math.floor(ms / DAY_MS);
  return (day - ((day + 3) % 7)) * DAY_MS;
};

/** As days are written (`2026-11-20`), no day of the period sorts before it, and every earlier day does. */
export const beginningOf = (period: BudgetPeriod, ms: number, calendar: ReturnType<typeof createCalendar>): string => {
  if (period === "month") return calendar.monthOf(ms);
  if (period === "day") return calendar.dayOf(ms);
  return period === "week" ? utcDay(startOfUtcWeek(ms)) : "";
};

/** The first day after the period, by which what a clock that was ahead wrote down is not counted before its time. */
export const endOf = (period: BudgetPeriod, ms: number): string => {
  const renewedAtMs = renewalOf(period, ms);
  return renewedAtMs === null ? AFTER_ALL_DAYS : utcDay(renewedAtMs);
};
const AFTER_ALL_DAYS = "~";

/** When the period's budget begins anew (epoch ms); null if it never does. */
export const renewalOf = (period: BudgetPeriod, ms: number): number | null => {
  if (period === "month") return nextUtcMonth(ms);
  if (period === "day") return nextUtcDay(ms);
  return period === "week" ? startOfUtcWeek(ms) + 7 * DAY_MS : null;
};
