/** Warns in the process log when a key or a project has used 80 % and all of its budget. */

import { toUsd } from "../lib/money.ts";
import type { ProcessLog } from "../process-log.ts";
import type { Purse } from "./purses.ts";

const MARKS = [0.8, 1];

/** `costNanoUsd`: the last part of what is spent. Of users nothing is told: the process log names none. */
export const warnOfBudget = (
  log: ProcessLog,
  projectId: string,
  { payer, budget, spentNanoUsd: spent }: Purse,
  costNanoUsd: number,
): void => {
  if (budget === null || budget.nanoUsd <= 0 || payer.kind === "user") return;
  const before = spent - costNanoUsd;
  const passed = MARKS.findLast((mark) => before < mark * budget.nanoUsd && spent >= mark * budget.nanoUsd);
  if (passed === undefined) return;
  log.warn(passed === 1 ? `A ${payer.kind}'s budget is used up` : `A ${payer.kind} has used 80 % of its budget`, {
    ...(payer.kind === "key" && { key_id: payer.id }),
    project_id: projectId,
    spent_usd: toUsd(spent),
    budget_usd: toUsd(budget.nanoUsd),
    budget_period: budget.period,
  });
};
