/** How every media and search call begins and ends: budget reserved, policies applied, one row in the ledger. */

import { type Caller, onBehalfOf } from "../accounts/authenticate.ts";
import { modelDenied, usableTargets } from "../accounts/key-models.ts";
import { ApiError } from "../api-error.ts";
import type { MediaModel, MediaTarget } from "../catalog/media-models.ts";
import { targetsOf } from "../catalog/media-targets.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";
import { reviewPrompts } from "../policies/content/review-prompt.ts";
import type { ContentEvaluation } from "../policies/evaluation-schemas.ts";
import { routeMedia } from "../policies/route-media.ts";
import { type PromptCall, recordPromptCall } from "./record-prompt-call.ts";

export type AskedPrompt = Pick<PromptCall, "route" | "userId" | "asked"> & {
  /** What is sent: policies review each. */
  texts: readonly string[];
  /** Behind a media model stand upstreams, to which routing policies apply; a search has a name only. */
  model: MediaModel | { kind: "search"; id: string };
  /** Those of the model's upstreams that can do what is asked; by default all. */
  targets?: readonly MediaTarget[];
  /** The highest possible cost; refused at once if a budget does not cover it. */
  estimateNanoUsd: number;
};

/** An order with the upstreams that policies allow it, in the order in which they are asked. */
export type Routed<Order> = Order & { targets: readonly MediaTarget[] };

type End = Pick<PromptCall, "attempts" | "status" | "costNanoUsd" | "outputText"> & Partial<PromptCall>;

export type AllowedPrompt = {
  /** The prompt, or all texts (of which it is the first), as policies allow them, and the upstreams that they allow. */
  prompt: string;
  texts: readonly string[];
  targets: readonly MediaTarget[];
  /** What the policies found in the prompt, if they reviewed it. */
  found: ContentEvaluation | undefined;
};

export type OpenPromptCall = AllowedPrompt & {
  /** Writes the row. Resolves with the latency in milliseconds, as logged. */
  end(how: End): Promise<number>;
  /** The same for an error, and throws it. */
  refuse(error: ApiError, how?: Partial<PromptCall>): Promise<never>;
  /** The same for what was thrown on the way: a refusal, such as a limit's, has no row, and what nobody foresaw has one. */
  fail(error: unknown): Promise<never>;
};

/** Throws 403 for a model that the key may not use, and the error of the budget or a policy, the latter once it is in the ledger. */
export const openPromptCall = async (
  platform: Platform,
  caller: Caller,
  { model, targets: able, texts: sent, estimateNanoUsd, ...asked }: AskedPrompt,
): Promise<OpenPromptCall> => {
  const promptText = sent.join("\n").slice(0, BOUNDS.loggedTextCharacters);
  const about = { ...asked, kind: model.kind, model: model.id, promptText };
  const all = model.kind === "search" ? [] : (able ?? targetsOf(platform.config.file, model));
  const targets = usableTargets(caller.key, model.id, all);
  if (targets.length === 0 && all.length > 0) throw modelDenied(caller.key, model.id);
  const { release } = platform.budgets.reserve(onBehalfOf(caller, asked.userId), estimateNanoUsd);
  const said: Pick<PromptCall, "policyEvaluation" | "contentEvaluation"> = {};
  const end = (how: End): Promise<number> => recordPromptCall(platform, caller, { ...about, ...said, ...how }).finally(release);
  const refuse = async (error: ApiError, how: Partial<PromptCall> = {}): Promise<never> => {
    await end({ attempts: [], costNanoUsd: 0, outputText: "", ...how, status: error.status, error });
    throw error;
  };
  const fail = async (error: unknown): Promise<never> => {
    if (error instanceof ApiError) release();
    else await refuse(new ApiError("server_error", "unexpected")).catch(() => undefined);
    throw error;
  };
  try {
    const route = await routeMedia(platform, caller, { model: model.id, targets, estimateNanoUsd });
    said.policyEvaluation = route.evaluation;
    if (route.refusal !== undefined) return await refuse(route.refusal);
    const { texts, evaluation: found, refusal } = await reviewPrompts(platform, caller.project.id, sent);
    said.contentEvaluation = found;
    if (refusal !== undefined) return await refuse(refusal);
    return { prompt: texts[0] ?? "", texts, targets: route.targets, found, end, refuse, fail };
  } catch (error) {
    return fail(error);
  }
};
