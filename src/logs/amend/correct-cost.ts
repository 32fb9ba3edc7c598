/** Corrects the cost of a call whose outcome is known only later (a video job), and that was priced when it was accepted. */

import type { Platform } from "../../platform.ts";
import { updateCost } from "./cost-store.ts";

/** Changes ledger, sums and the key's spending together or not at all; repeating the same correction does nothing. */
export const correctCost = async (platform: Platform, callId: string, costNanoUsd: number): Promise<void> => {
  let corrected: ReturnType<typeof updateCost>;
  try {
    await platform.db.write((sql) => {
      corrected = updateCost(sql, callId, costNanoUsd);
      if (corrected === undefined) return;
      platform.budgets.spend(sql, corrected.keyId, costNanoUsd - corrected.costBefore, corrected.startedAtMs);
    });
  } catch (error) {
    if (corrected !== undefined) platform.budgets.reread(corrected.keyId);
    throw error;
  }
};
