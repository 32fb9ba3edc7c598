/** The story of every media and search call: what it counts, what is made, and its row, which is written before the answer is sent. */

import type { Caller } from "../accounts/authenticate.ts";
import type { ApiError } from "../api-error.ts";
import type { LimitGroup } from "../limits/tiers.ts";
import type { Platform } from "../platform.ts";
import { type TargetsOutcome, wasAbandoned } from "../providers/targets/targets-call.ts";
import { type AllowedPrompt, type AskedPrompt, type OpenPromptCall, openPromptCall } from "./open-prompt-call.ts";
import type { PromptCall } from "./record-prompt-call.ts";

type Order<T> = AskedPrompt & {
  /** What the request counts, where its route has not counted it as one. Given back if nothing was made. */
  counts?: { group: LimitGroup; amount: number };
  /** Asks the upstreams. */
  make(asked: AllowedPrompt): Promise<TargetsOutcome<T>>;
};

type PromptCallFrame<T> = Order<T> & {
  /** The answer's status; 200 by default. */
  status?: number;
  /** What the log shows of the answer, and an error if it must be withheld. */
  settle(value: T): Pick<PromptCall, "outputText" | "contentEvaluation" | "tokens"> & { refusal?: ApiError };
};

/** `latencyMs`: as logged. */
export type Served<T> = T & { latencyMs: number };

/** Throws the error once it is in the ledger. */
export const servePromptCall = async <T extends { costNanoUsd: number }>(
  platform: Platform,
  caller: Caller,
  { status = 200, settle, ...order }: PromptCallFrame<T>,
): Promise<Served<T>> => {
  const { call, attempts, value } = await makeForPrompt(platform, caller, order);
  const { refusal, contentEvaluation, ...shown } = settle(value);
  const end = {
    attempts,
    costNanoUsd: value.costNanoUsd,
    ...shown,
    ...(contentEvaluation !== undefined && { contentEvaluation }),
  };
  if (refusal !== undefined) return call.refuse(refusal, end);
  return { ...value, latencyMs: await call.end({ ...end, status }) };
};

type Made<T> = Extract<TargetsOutcome<T>, { ok: true }> & { call: OpenPromptCall };

/** Up to what was made; whoever calls this ends the call. Throws the error once it is in the ledger. */
export const makeForPrompt = async <T>(
  platform: Platform,
  caller: Caller,
  { counts, make, ...asked }: Order<T>,
): Promise<Made<T>> => {
  // Before policies, as in chat: what they refuse has a row in the log, so the minute must hold it.
  if (counts) platform.limits.admit(caller, counts.group, counts.amount);
  // With a long upload the call may have begun on the day before.
  const countedAtMs = platform.clock.now();
  let isDue = false;
  try {
    const call = await openPromptCall(platform, caller, asked);
    const outcome = await make(call).catch(call.fail);
    const { attempts } = outcome;
    isDue = outcome.ok || wasAbandoned(attempts);
    if (outcome.ok) return { ...outcome, call };
    const owed = isDue ? asked.estimateNanoUsd : 0;
    return await call.refuse(outcome.error, { attempts, cancelled: outcome.cancelled, costNanoUsd: owed });
  } finally {
    if (counts && !isDue) platform.limits.refund(caller, counts.group, counts.amount, countedAtMs);
  }
};
