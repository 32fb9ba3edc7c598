/** A call whose outcome is known only later (a video job) is priced when it is answered; what it really cost is put right here. */

import type { Platform } from "../platform.ts";
import { updateCost } from "./cost-store.ts";

/** Ledger, sums and the key's spending change together; correcting to the same cost again does nothing. */
export const correctCost = (platform: Platform, callId: string, costNanoUsd: number): Promise<void> =>
  platform.db.write((sql) => {
    const call = updateCost(sql, callId, costNanoUsd);
    if (call !== undefined) platform.budgets.spend(sql, call.keyId, costNanoUsd - call.costBefore, call.startedAtMs);
  });
