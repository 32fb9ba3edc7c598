/** The frame of every media and search call with a whole answer: the row is written before the answer is sent. */

import type { Caller } from "../accounts/authenticate.ts";
import type { ApiError } from "../api-error.ts";
import type { Platform } from "../platform.ts";
import { type TargetsOutcome, wasAbandoned } from "../providers/targets/targets-call.ts";
import { type AllowedPrompt, type AskedPrompt, openPromptCall } from "./open-prompt-call.ts";
import type { PromptCall } from "./record-prompt-call.ts";

type PromptCallFrame<T> = AskedPrompt & {
  /** The answer's status; 200 by default. */
  status?: number;
  make(asked: AllowedPrompt): Promise<TargetsOutcome<T>>;
  /** What the log shows of the answer, and an error if it must be withheld. */
  settle(value: T): Pick<PromptCall, "outputText" | "contentEvaluation" | "tokens"> & { refusal?: ApiError };
};

/** `latencyMs`: as logged. */
export type Served<T> = T & { latencyMs: number };

/** Throws the error once it is in the ledger. */
export const servePromptCall = async <T extends { costNanoUsd: number }>(
  platform: Platform,
  caller: Caller,
  { status = 200, make, settle, ...asked }: PromptCallFrame<T>,
): Promise<Served<T>> => {
  const call = await openPromptCall(platform, caller, asked);
  try {
    const outcome = await make(call);
    const { attempts } = outcome;
    if (!outcome.ok) {
      const owed = wasAbandoned(attempts) ? asked.estimateNanoUsd : 0;
      return await call.refuse(outcome.error, { attempts, cancelled: outcome.cancelled, costNanoUsd: owed });
    }
    const { costNanoUsd } = outcome.value;
    const { refusal, contentEvaluation, ...shown } = settle(outcome.value);
    const end = { attempts, costNanoUsd, ...shown, ...(contentEvaluation !== undefined && { contentEvaluation }) };
    if (refusal !== undefined) return await call.refuse(refusal, end);
    return { ...outcome.value, latencyMs: await call.end({ ...end, status }) };
  } finally {
    call.release();
  }
};
