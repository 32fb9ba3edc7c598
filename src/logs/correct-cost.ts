/** A call whose outcome is known only later (a video job) is priced when it is answered; what it really cost is put right here. */

import type { Platform } from "../platform.ts";
import { updateCost } from "./cost-store.ts";

/** Ledger, sums and the key's spending change together or not at all; correcting to the same cost again does nothing. */
export const correctCost = async (platform: Platform, callId: string, costNanoUsd: number): Promise<void> => {
  let corrected: ReturnType<typeof updateCost>;
  try {
    await platform.db.write((sql) => {
      corrected = updateCost(sql, callId, costNanoUsd);
      if (corrected === undefined) return;
      platform.budgets.spend(sql, corrected.keyId, costNanoUsd - corrected.costBefore, corrected.startedAtMs);
    });
  } catch (error) {
    if (corrected !== undefined) platform.budgets.reread(corrected.keyId, corrected.startedAtMs);
    throw error;
  }
};
