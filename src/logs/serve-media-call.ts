/** The frame of every media and search call that answers in one piece: money held before, the ledger's row written before the answer. */

import type { Caller } from "../accounts/authenticate.ts";
import type { Platform } from "../platform.ts";
import type { TargetsOutcome } from "../providers/try-targets.ts";
import { type MediaCall, recordMediaCall } from "./record-media-call.ts";

export type MediaCallFrame<T> = Pick<MediaCall, "kind" | "route" | "model" | "promptText" | "userId" | "asked"> & {
  /** The most it can cost; refused at once where the key's budget does not hold it. */
  estimateNanoUsd: number;
  make(): Promise<TargetsOutcome<T>>;
  /** What it did cost and what the log shows of it. */
  settle(value: T): Pick<MediaCall, "costNanoUsd" | "outputText" | "contentEvaluation" | "redacted"> & { model?: string };
};

/** Throws the refusal, once it is in the ledger too. */
export const serveMediaCall = async <T>(platform: Platform, caller: Caller, frame: MediaCallFrame<T>): Promise<T> => {
  const { estimateNanoUsd, make, settle, ...about } = frame;
  const reservation = platform.budgets.reserve(caller.key, estimateNanoUsd);
  try {
    const outcome = await make();
    if (outcome.ok) {
      await recordMediaCall(platform, caller, { ...about, attempts: outcome.attempts, status: 200, ...settle(outcome.value) });
      return outcome.value;
    }
    const { error, attempts, cancelled } = outcome;
    await recordMediaCall(platform, caller, {
      ...about,
      attempts,
      status: error.status,
      error,
      cancelled,
      costNanoUsd: 0,
      outputText: "",
    });
    throw error;
  } finally {
    reservation.release();
  }
};
