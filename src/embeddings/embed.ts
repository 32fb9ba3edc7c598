/** The story of one embeddings call: the local encoder, or a provider's model; logged and billed like any other call. */

import { type Caller, onBehalfOf } from "../accounts/authenticate.ts";
import { mayUse, modelDenied } from "../accounts/key-models.ts";
import { ApiError, invalidRequest, modelNotFound, notConfigured } from "../api-error.ts";
import type { EmbeddingModel } from "../catalog/model.ts";
import { userInBody } from "../http/user-in-body.ts";
import { toUsd } from "../lib/money.ts";
import { type Call, latencyMsOf } from "../logs/call.ts";
import { recordCall } from "../logs/record-call.ts";
import type { Platform } from "../platform.ts";
import { reviewPrompts } from "../policies/content/review-prompt.ts";
import { routeMedia } from "../policies/route-media.ts";
import type { Vector } from "../providers/provider.ts";
import { checkInputs, countInputs, readInputs } from "./check-inputs.ts";
import { computeVectors } from "./compute-vectors.ts";
import { costOfTokens, type EmbeddingDraft, isText, isTokens, toCall } from "./embedding-draft.ts";
import type { EmbeddingBody } from "./wire.ts";

export type Embedded = { vectors: Vector[]; model: string; inputTokens: number; svc: Record<string, unknown> };

/** What `auto` means: the local encoder, which is always there. */
const LOCAL = "embed-local";

/** Throws the error for the caller. Every call is in the log, except those refused because the budget was spent. */
export const embed = async (
  platform: Platform,
  caller: Caller,
  body: EmbeddingBody,
  callerSignal: AbortSignal,
): Promise<Embedded> => {
  const model = requireEmbeddingModel(platform, caller, body.model ?? "auto");
  const signal = AbortSignal.any([callerSignal, platform.cutOff.signal]);
  const draft: EmbeddingDraft = { caller, body, model, callerSignal, signal, inputs: readInputs(body), tokens: 0, attempts: [] };
  try {
    await checkInputs(platform, draft);
    await applyRoutingPolicies(platform, draft);
    await applyContentPolicies(platform, draft);
    const reservation = platform.budgets.reserve(onBehalfOf(caller, userInBody(body).userId), costOfTokens(model, draft.tokens));
    try {
      const { vectors, inputTokens } = await computeVectors(platform, draft);
      const call = await toCall(platform, draft);
      await recordCall(platform, caller.project, call);
      return { vectors, model: model.id, inputTokens, svc: svcOf(draft, call) };
    } finally {
      reservation.release();
    }
  } catch (error) {
    const told = error instanceof ApiError ? error : new ApiError("server_error", "unexpected");
    // A spent budget is detected before anything is asked; such a request has no row (decisions §11).
    if (told.type !== "budget_exceeded") await recordCall(platform, caller.project, await toCall(platform, draft, told));
    throw error;
  }
};

const requireEmbeddingModel = (platform: Platform, caller: Caller, id: string): EmbeddingModel => {
  const { catalog, providers } = platform;
  const model = catalog.findEmbeddingModel(id === "auto" ? LOCAL : id);
  if (model === undefined) throw modelNotFound(id, "The embedding model");
  if (!mayUse(caller.key, model)) throw modelDenied(caller.key, model.id);
  if (model.provider !== "local" && providers.find(caller.mode, model.provider)?.embed === undefined)
    throw notConfigured(model.id, catalog.provider(model.provider)?.keyVariables[0]);
  return model;
};

/** Throws 403 if the routing policies do not allow the provider. */
const applyRoutingPolicies = async (platform: Platform, draft: EmbeddingDraft): Promise<void> => {
  const { caller, model } = draft;
  const targets = [{ provider: model.provider, model: model.upstreamModel }];
  const estimateNanoUsd = costOfTokens(model, draft.tokens);
  const route = await routeMedia(platform, caller, { model: model.id, targets, estimateNanoUsd });
  if (route.evaluation !== undefined) draft.policyEvaluation = route.evaluation;
  if (route.refusal !== undefined) throw route.refusal;
};

/** Puts into the draft the inputs as content policies that review prompts allow them. Throws 400 for token numbers, 403 for what is blocked. */
const applyContentPolicies = async (platform: Platform, draft: EmbeddingDraft): Promise<void> => {
  const { caller, inputs } = draft;
  const { input: rules } = await platform.policies.of(caller.project.id);
  if (rules === undefined) return;
  if (inputs.some(isTokens))
    throw invalidRequest(
      "This project's content policies review what is sent: send `input` as text, not as token numbers.",
      "input",
    );
  const review = await reviewPrompts(platform, caller.project.id, inputs.filter(isText), draft.signal);
  if (review.evaluation !== undefined) draft.contentEvaluation = review.evaluation;
  if (review.refusal !== undefined) throw review.refusal;
  draft.inputs = review.texts;
  if (draft.inputs.some((input, at) => input !== inputs[at])) await countInputs(draft);
};

const svcOf = ({ caller, model }: EmbeddingDraft, call: Call) => ({
  request_id: caller.requestId,
  model_selected: model.id,
  cost_usd: toUsd(call.costNanoUsd),
  latency_ms: latencyMsOf(call),
});
