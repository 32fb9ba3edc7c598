/** How every media and search call begins, and what it owes in the end: money held, the policies asked, and one row of the ledger. */

import type { Caller } from "../accounts/authenticate.ts";
import type { ApiError } from "../api-error.ts";
import type { MediaTarget } from "../catalog/media-models.ts";
import type { Platform } from "../platform.ts";
import { reviewPrompt } from "../policies/content/review-prompt.ts";
import { routeMedia } from "../policies/route-media.ts";
import { type MediaCall, recordMediaCall } from "./record-media-call.ts";

export type AskedMedia = Pick<MediaCall, "kind" | "route" | "model" | "promptText" | "userId" | "asked"> & {
  /** The most it can cost; refused at once where the key's budget does not hold it. */
  estimateNanoUsd: number;
  /** The upstreams behind the model, for routing policies; absent where no model is chosen (search). */
  targets?: readonly MediaTarget[];
};

type End = Pick<MediaCall, "attempts" | "status" | "costNanoUsd" | "outputText"> & Partial<MediaCall>;

type OpenMediaCall = {
  /** As policies let it pass, and the upstreams that they leave. */
  prompt: string;
  targets: readonly MediaTarget[];
  /** Writes the row. Resolves with the latency as the log has it, milliseconds. */
  end(how: End): Promise<number>;
  /** The same for a refusal, and throws it. */
  refuse(error: ApiError, how?: Partial<MediaCall>): Promise<never>;
  /** Gives back what is held of the key's budget, if it is still held. */
  release(): void;
};

/** Throws what the budget or a policy refuses, the latter once it is in the ledger. */
export const openMediaCall = async (
  platform: Platform,
  caller: Caller,
  { estimateNanoUsd, targets = [], ...about }: AskedMedia,
): Promise<OpenMediaCall> => {
  const { release } = platform.budgets.reserve(caller.key, estimateNanoUsd);
  const said: Pick<MediaCall, "policyEvaluation" | "contentEvaluation"> = {};
  const end = (how: End): Promise<number> => recordMediaCall(platform, caller, { ...about, ...said, ...how }).finally(release);
  const refuse = async (error: ApiError, how: Partial<MediaCall> = {}): Promise<never> => {
    await end({ attempts: [], costNanoUsd: 0, outputText: "", ...how, status: error.status, error });
    throw error;
  };
  try {
    const route = await routeMedia(platform, caller, { model: about.model, targets, estimateNanoUsd });
    said.policyEvaluation = route.evaluation;
    if (route.refusal !== undefined) return await refuse(route.refusal);
    const prompt = await reviewPrompt(platform, caller.project.id, about.promptText);
    said.contentEvaluation = prompt.evaluation;
    if (prompt.refusal !== undefined) return await refuse(prompt.refusal);
    return { prompt: prompt.text, targets: route.targets, end, refuse, release };
  } catch (error) {
    release();
    throw error;
  }
};
