/** Reads budgets from a command line. Throws UsageError. */

import type { Budget, BudgetPeriod } from "../../accounts/budget-period.ts";
import { MOST_BUDGET_USD } from "../../accounts/key-terms.ts";
import { toNanoUsd } from "../../lib/money.ts";
import { type Given, requireWord, UsageError } from "../command.ts";

/** Nano-USD. */
export const readBudget = (text: string, option: string): number => {
  const usd = Number(text);
  if (text.trim() === "" || !(usd >= 0) || usd > MOST_BUDGET_USD)
    throw new UsageError(`${option} is "${text}"; it may be an amount of USD from 0 to ${MOST_BUDGET_USD}.`);
  return toNanoUsd(usd);
};

/** The budget after `--option USD` and `--option-period PERIOD`, either of which may be absent; undefined after `none`. */
export const changedBudget = (
  { values }: Given,
  option: "budget" | "user-budget",
  before: Budget | undefined,
  periods: readonly BudgetPeriod[],
): Budget | undefined => {
  const text: string | undefined = values[option];
  const named: string | undefined = values[`${option}-period`];
  if (text === "none") return undefined;
  const nanoUsd = text === undefined ? before?.nanoUsd : readBudget(text, `--${option}`);
  const period = named === undefined ? (before?.period ?? "month") : requireWord(`--${option}-period`, named, periods);
  if (nanoUsd !== undefined) return { nanoUsd, period };
  if (named !== undefined) throw new UsageError(`--${option}-period needs --${option}, since there is no such budget yet.`);
};
