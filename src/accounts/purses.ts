/** What is spent and reserved of each budget in its running period, in memory. */

import { type Clock, createCalendar } from "../lib/clock.ts";
import { type Budget, type BudgetPeriod, beginningOf, endOf } from "./budget-period.ts";

/** Whose money it is. `name`: as a message tells it. */
export type Payer = { kind: "key" | "project" | "user"; id: string; name: string };

/** The days from `beginning` to before `end`. */
export type Days = { beginning: string; end: string };

/** `budget`: null if spending is counted only. `spentNanoUsd`: in these days. */
export type Purse = Days & {
  payer: Payer;
  budget: Budget | null;
  period: BudgetPeriod;
  spentNanoUsd: number;
  reservedNanoUsd: number;
  /** The budget that was last told to have refused a call. */
  refusedNanoUsd?: number;
};

/** `period`: for which spending is counted where there is no budget. */
export type Terms = { payer: Payer; budget: Budget | null; period: BudgetPeriod };

export type Purses = {
  /** The payer's purse of the period that runs, on these terms. What was spent is read at first use, and in each new period. */
  of(terms: Terms, readSpent: (days: Days) => number): Purse;
  /** Undefined before the first use. */
  known(payerId: string): Purse | undefined;
  /** Forgets a purse of which nothing is reserved. */
  forget(purse: Purse): void;
};

export const createPurses = (clock: Clock): Purses => {
  const purses = new Map<string, Purse>();
  const calendar = createCalendar();
  return {
    of: ({ payer, budget, period }, readSpent) => {
      const known = purses.get(payer.id);
      const now = clock.now();
      const beginning = beginningOf(period, now, calendar);
      if (known?.period === period && known.beginning === beginning) {
        return Object.assign(known, { payer, budget });
      }
      const days = { beginning, end: endOf(period, now) };
      const current = { payer, budget, period, ...days, spentNanoUsd: readSpent(days) };
      // In a new period, a call that began before it must not take the new one's reservations with it. Under changed terms, they all go on.
      const isNew = known === undefined || known.period === period;
      const purse = isNew ? { ...current, reservedNanoUsd: 0 } : Object.assign(known, current);
      purses.set(payer.id, purse);
      return purse;
    },
    known: (payerId) => purses.get(payerId),
    forget: (purse) => {
      if (purse.reservedNanoUsd === 0 && purses.get(purse.payer.id) === purse) purses.delete(purse.payer.id);
    },
  };
};
