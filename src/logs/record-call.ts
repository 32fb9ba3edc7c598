/** Writes a call to the ledger. Await it before the answer ends (decisions §10), so that every answered call is in the log. */

import type { Project } from "../accounts/project.ts";
import type { Platform } from "../platform.ts";
import { completionTokens, promptTokens } from "../providers/provider.ts";
import type { Call } from "./call.ts";
import { insertKeptAnswer } from "./kept-answers-store.ts";
import { insertCall } from "./store.ts";

/** Resolves once the row is durable. */
export const recordCall = async (platform: Platform, project: Project, call: Call): Promise<void> => {
  const { durable } = await commitCall(platform, project, call);
  await durable;
};

/** In one transaction with what it takes from budgets, so that ledger and budgets never disagree. No answer may end before `durable` resolves. */
export const commitCall = async (platform: Platform, project: Project, call: Call): Promise<{ durable: Promise<void> }> => {
  const keepBodies = project.settings.storeBodies !== false;
  const { durable } = await platform.db.commit((sql) => {
    const seq = insertCall(sql, call, keepBodies);
    if (call.keptAs !== undefined && keepBodies && !call.redacted) insertKeptAnswer(sql, seq, call.keptAs);
    if (call.costNanoUsd > 0) platform.budgets.spend(sql, call, call.costNanoUsd, project.settings);
  });
  platform.limits.ofKey.use(call.keyId, promptTokens(call.usage) + completionTokens(call.usage));
  platform.telemetry.callRecorded(call);
  return { durable };
};
