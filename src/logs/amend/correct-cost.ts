/** Corrects the cost of a call whose outcome is known only later (a video job), and that was priced when it was accepted. */

import { projectSettings } from "../../accounts/store.ts";
import type { Platform } from "../../platform.ts";
import { updateCost } from "./cost-store.ts";

/** Changes ledger, sums and what is spent of budgets together or not at all; repeating the same correction does nothing. */
export const correctCost = ({ db, budgets }: Platform, callId: string, costNanoUsd: number): Promise<void> =>
  db.write((sql) => {
    const corrected = updateCost(sql, callId, costNanoUsd);
    if (corrected === undefined) return;
    budgets.spend(sql, corrected, costNanoUsd - corrected.costBefore, projectSettings(sql, corrected.projectId));
  });
