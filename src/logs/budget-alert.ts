/** Logs a warning when a key has used 80 % and all of its budget. */

import { toUsd } from "../lib/money.ts";
import type { Platform } from "../platform.ts";
import type { Call } from "./call.ts";

const MARKS = [0.8, 1];

/** Call it within the call's transaction, after its cost was counted; call the returned function once that has committed. */
export const watchBudget = (platform: Platform, call: Call): (() => void) => {
  const { budgetNanoUsd: budget, spentNanoUsd: spent, budgetPeriod } = platform.budgets.standing(call.keyId);
  if (budget === null || budget <= 0) return () => {};
  const before = spent - call.costNanoUsd;
  const passed = MARKS.findLast((mark) => before < mark * budget && spent >= mark * budget);
  return () => {
    if (passed === undefined) return;
    platform.log.warn(passed === 1 ? "A key's budget is used up" : "A key has used 80 % of its budget", {
      key_id: call.keyId,
      project_id: call.projectId,
      spent_usd: toUsd(spent),
      budget_usd: toUsd(budget),
      budget_period: budgetPeriod,
    });
  };
};
