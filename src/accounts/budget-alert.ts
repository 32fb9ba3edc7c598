/** Warns in the process log when a key has used 80 % and all of its budget. */

import { toUsd } from "../lib/money.ts";
import type { ProcessLog } from "../process-log.ts";
import type { ApiKey } from "./api-key.ts";

/** A call that is paid for by its key. */
export type PaidCall = { keyId: string; projectId: string; startedAtMs: number };

type Standing = Pick<ApiKey, "budgetNanoUsd" | "budgetPeriod"> & { spentNanoUsd: number };

const MARKS = [0.8, 1];

/** `costNanoUsd`: the last part of what is spent. */
export const warnOfBudget = (
  log: ProcessLog,
  { keyId, projectId }: PaidCall,
  { budgetNanoUsd: budget, budgetPeriod, spentNanoUsd: spent }: Standing,
  costNanoUsd: number,
): void => {
  if (budget === null || budget <= 0) return;
  const before = spent - costNanoUsd;
  const passed = MARKS.findLast((mark) => before < mark * budget && spent >= mark * budget);
  if (passed === undefined) return;
  log.warn(passed === 1 ? "A key's budget is used up" : "A key has used 80 % of its budget", {
    key_id: keyId,
    project_id: projectId,
    spent_usd: toUsd(spent),
    budget_usd: toUsd(budget),
    budget_period: budgetPeriod,
  });
};
