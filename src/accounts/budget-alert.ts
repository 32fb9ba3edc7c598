/** Warns in the process log when a key or a project has used 80 % and all of its budget, and when that refuses a call. */

import { toUsd } from "../lib/money.ts";
import type { ProcessLog } from "../process-log.ts";
import type { Mode } from "./api-key.ts";
import type { Purse } from "./purses.ts";

/** Whose call it was; a project's budget holds for live and test apart. */
type Asked = { projectId: string; mode: Mode };

const MARKS = [0.8, 1];

/** `costNanoUsd`: the last part of what is spent. */
export const warnOfBudget = (log: ProcessLog, asked: Asked, purse: Purse, costNanoUsd: number): void => {
  const { payer, budget, spentNanoUsd: spent } = purse;
  if (budget === null || budget.nanoUsd <= 0) return;
  const before = spent - costNanoUsd;
  const passed = MARKS.findLast((mark) => before < mark * budget.nanoUsd && spent >= mark * budget.nanoUsd);
  if (passed === undefined) return;
  const message = passed === 1 ? `A ${payer.kind}'s budget is used up` : `A ${payer.kind} has used 80 % of its budget`;
  warn(log, asked, purse, message);
};

/** Once for each amount of a budget: what is left may be too little for a call long before all is spent. */
export const warnOfRefusal = (log: ProcessLog, asked: Asked, purse: Purse): void => {
  const { payer, budget, refusedNanoUsd } = purse;
  if (budget === null || budget.nanoUsd <= 0 || budget.nanoUsd === refusedNanoUsd) return;
  purse.refusedNanoUsd = budget.nanoUsd;
  warn(log, asked, purse, `A call was refused because a ${payer.kind}'s budget does not cover it`);
};

/** Of users nothing is told: the process log names none. */
const warn = (log: ProcessLog, { projectId, mode }: Asked, { payer, budget, spentNanoUsd }: Purse, message: string): void => {
  if (budget === null || payer.kind === "user") return;
  log.warn(message, {
    ...(payer.kind === "key" && { key_id: payer.id }),
    project_id: projectId,
    mode,
    spent_usd: toUsd(spentNanoUsd),
    budget_usd: toUsd(budget.nanoUsd),
    budget_period: budget.period,
  });
};
