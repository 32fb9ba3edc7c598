/** Corrects the cost of a call whose outcome is known only later (a video job), and that was priced when it was accepted. */

import type { Platform } from "../../platform.ts";
import { updateCost } from "./cost-store.ts";

/** Changes ledger, sums and the key's spending together or not at all; repeating the same correction does nothing. */
export const correctCost = ({ db, budgets }: Platform, callId: string, costNanoUsd: number): Promise<void> =>
  db.write((sql) => {
    const corrected = updateCost(sql, callId, costNanoUsd);
    if (corrected !== undefined) budgets.spend(sql, corrected, costNanoUsd - corrected.costBefore);
  });
