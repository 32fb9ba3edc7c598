/** The days that a metric covers. */

import { DAY_MS, utcDay } from "../lib/clock.ts";

/** UTC days since 1970. */
export type Period = {
  days: number;
  /** First day and the day after the last. */
  range: readonly [number, number];
  /** The same number of days, just before. */
  before: readonly [number, number];
};

/** Gap: a period of `days` is that many UTC days, the last of them today. */
export const periodOf = (now: number, days: number): Period => {
  const end = Math.floor(now / DAY_MS) + 1;
  return { days, range: [end - days, end], before: [end - 2 * days, end - days] };
};

/** The date, such as `2026-11-20`, of a UTC day since 1970. */
export const dateOf = (day: number): string => utcDay(day * DAY_MS);

export const toWirePeriod = ({ range: [first, end], days }: Period) => ({
  start_date: dateOf(first),
  end_date: dateOf(end - 1),
  days,
});
