/** Writes a call into the ledger. Awaited before an answer ends (decisions §10): what was answered is in the log. */

import type { Project } from "../accounts/project.ts";
import type { Platform } from "../platform.ts";
import { watchBudget } from "./budget-alert.ts";
import type { Call } from "./call.ts";
import { insertCall } from "./store.ts";

/** One transaction with the key's spending, so that the ledger and the budgets never disagree. */
export const recordCall = async (platform: Platform, project: Project, call: Call): Promise<void> => {
  const keepBodies = project.settings.storeBodies !== false;
  const goByTheFile = () => platform.budgets.reread(call.keyId, call.startedAtMs);
  const alert = await platform.db
    .write((sql) => {
      insertCall(sql, call, keepBodies);
      if (call.costNanoUsd <= 0) return undefined;
      platform.budgets.spend(sql, call.keyId, call.costNanoUsd, call.startedAtMs);
      return watchBudget(platform, sql, call);
    }, goByTheFile)
    .catch((error) => {
      goByTheFile();
      throw error;
    });
  alert?.();
  platform.telemetry.callRecorded(call);
};
