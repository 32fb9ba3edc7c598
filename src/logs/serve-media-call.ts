/**
 * The frame of every media and search call that answers in one piece: money held before, the prompt past the policies that look
 * at prompts, the ledger's row written before the answer.
 */

import type { Caller } from "../accounts/authenticate.ts";
import type { ApiError } from "../api-error.ts";
import type { MediaTarget } from "../catalog/media-models.ts";
import type { Platform } from "../platform.ts";
import { reviewPrompt } from "../policies/content/review-prompt.ts";
import { routeMedia } from "../policies/route-media.ts";
import type { TargetsOutcome } from "../providers/targets/targets-call.ts";
import { type MediaCall, recordMediaCall } from "./record-media-call.ts";

type MediaCallFrame<T> = Pick<MediaCall, "kind" | "route" | "model" | "promptText" | "userId" | "asked"> & {
  /** The most it can cost; refused at once where the key's budget does not hold it. */
  estimateNanoUsd: number;
  /** The upstreams behind the model, for routing policies; absent where no model is chosen (search). */
  targets?: readonly MediaTarget[];
  /** Gets the prompt as policies let it pass, and the upstreams that they leave. */
  make(prompt: string, targets: readonly MediaTarget[]): Promise<TargetsOutcome<T>>;
  /** What it did cost, what the log shows of it, and a refusal where the answer may not leave. */
  settle(value: T): Pick<MediaCall, "costNanoUsd" | "outputText" | "contentEvaluation"> & { refusal?: ApiError };
};

/** `latencyMs`: as the log has it. */
export type Served<T> = T & { latencyMs: number };

/** Throws the refusal, once it is in the ledger too. */
export const serveMediaCall = async <T extends object>(
  platform: Platform,
  caller: Caller,
  frame: MediaCallFrame<T>,
): Promise<Served<T>> => {
  const { estimateNanoUsd, targets = [], make, settle, ...about } = frame;
  const reservation = platform.budgets.reserve(caller.key, estimateNanoUsd);
  const refuse = async (error: ApiError, end: Partial<MediaCall>): Promise<never> => {
    await recordMediaCall(platform, caller, {
      ...about,
      attempts: [],
      costNanoUsd: 0,
      outputText: "",
      ...end,
      status: error.status,
      error,
    });
    throw error;
  };
  try {
    const route = await routeMedia(platform, caller, { model: about.model, targets, estimateNanoUsd });
    const policyEvaluation = route.evaluation;
    if (route.refusal !== undefined) return await refuse(route.refusal, { policyEvaluation });
    const prompt = await reviewPrompt(platform, caller.project.id, about.promptText);
    const contentEvaluation = prompt.evaluation;
    if (prompt.refusal !== undefined) return await refuse(prompt.refusal, { policyEvaluation, contentEvaluation });
    const outcome = await make(prompt.text, route.targets);
    const { attempts } = outcome;
    if (!outcome.ok)
      return await refuse(outcome.error, { attempts, cancelled: outcome.cancelled, policyEvaluation, contentEvaluation });
    const { refusal, ...settled } = settle(outcome.value);
    const end = { attempts, ...settled, policyEvaluation, contentEvaluation: settled.contentEvaluation ?? contentEvaluation };
    if (refusal !== undefined) return await refuse(refusal, end);
    const latencyMs = await recordMediaCall(platform, caller, { ...about, ...end, status: 200 });
    return { ...outcome.value, latencyMs };
  } finally {
    reservation.release();
  }
};
