/** The story of one embeddings call: the local encoder, or a provider's model; logged and billed like any other call. */

import type { Caller } from "../accounts/authenticate.ts";
import { mayUse, modelDenied } from "../accounts/key-models.ts";
import { ApiError, invalidRequest, modelNotFound, notConfigured, serviceUnavailable } from "../api-error.ts";
import type { EmbeddingModel } from "../catalog/model.ts";
import { mapYielding } from "../lib/map-yielding.ts";
import { toUsd } from "../lib/money.ts";
import { type Call, latencyMsOf } from "../logs/call.ts";
import { recordCall } from "../logs/record-call.ts";
import type { Platform } from "../platform.ts";
import { mergeEvaluations } from "../policies/content/content-evaluation.ts";
import { reviewPrompt } from "../policies/content/review-prompt.ts";
import type { ContentEvaluation } from "../policies/evaluation-schemas.ts";
import { routeMedia } from "../policies/route-media.ts";
import type { EmbeddingInput, Vector } from "../providers/provider.ts";
import { faultOf, UpstreamError } from "../providers/upstream-error.ts";
import { computeVectors } from "./compute-vectors.ts";
import { costOfTokens, countTokens, type EmbeddingDraft, isTokens, toCall } from "./embedding-draft.ts";
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
    await requireReadable(platform, draft);
    await checkFits(draft);
    await applyPolicies(platform, draft);
    const reservation = platform.budgets.reserve(caller.key, costOfTokens(model, draft.tokens));
    try {
      const { vectors, inputTokens } = await computeVectors(platform, draft);
      const call = await toCall(platform, draft);
      await recordCall(platform, caller.project, call);
      return { vectors, model: model.id, inputTokens, svc: svcOf(draft, call) };
    } finally {
      reservation.release();
    }
  } catch (error) {
    const isCutOff = platform.cutOff.signal.aborted && !callerSignal.aborted;
    const refusal = isCutOff ? (platform.cutOff.signal.reason as ApiError) : embeddingRefusal(draft, error);
    // A spent budget is detected before anything is asked; such a request has no row (decisions §11).
    if (refusal?.type !== "budget_exceeded") {
      const told = refusal ?? new ApiError("server_error", "unexpected");
      await recordCall(platform, caller.project, await toCall(platform, draft, told));
    }
    throw refusal ?? error;
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

const readInputs = ({ input }: EmbeddingBody): EmbeddingInput[] =>
  typeof input === "string" || typeof input[0] === "number" ? [input as EmbeddingInput] : (input as EmbeddingInput[]);

/** Token ids need a provider that accepts them, and no policy that reviews prompts. Throws 400. */
const requireReadable = async (platform: Platform, { caller, model, inputs }: EmbeddingDraft): Promise<void> => {
  if (!inputs.some(isTokens)) return;
  if (model.provider === "local" || platform.providers.find(caller.mode, model.provider)?.embedsTokens !== true) {
    throw invalidRequest(
      `\`input\` as token numbers can be read by models of OpenAI-compatible providers alone; ${model.id} reads text.`,
      "input",
    );
  }
  const { input } = await platform.policies.of(caller.project.id);
  if (input !== undefined)
    throw invalidRequest(
      "This project's content policies review what is sent: send `input` as text, not as token numbers.",
      "input",
    );
};

/** Our estimate may be off by a quarter on prose; within that, the provider decides. */
const ESTIMATE_TOLERANCE = 1.25;

/** Throws 400: a vector longer than the model's, an input longer than it reads. Notes the number of tokens in the draft. */
const checkFits = async (draft: EmbeddingDraft): Promise<void> => {
  const { inputs, body, model } = draft;
  const { id, maxInputTokens } = model;
  const dimensions = body.dimensions ?? undefined;
  if (dimensions !== undefined && dimensions > model.dimensions)
    throw invalidRequest(`\`dimensions\` of ${id} may be at most ${model.dimensions}; it was ${dimensions}.`, "dimensions");
  const tokens = await countEach(draft);
  const longest = tokens.findIndex((count) => count > maxInputTokens * ESTIMATE_TOLERANCE);
  if (longest < 0) return;
  const param = inputs.length === 1 ? "input" : `input.${longest}`;
  throw invalidRequest(
    `\`${param}\` has about ${tokens[longest]} tokens; ${id} reads at most ${maxInputTokens}.`,
    param,
    "context_length_exceeded",
  );
};

const countEach = async (draft: EmbeddingDraft): Promise<number[]> => {
  const tokens = await mapYielding(draft.inputs, countTokens, draft.signal);
  draft.tokens = tokens.reduce((sum, count) => sum + count, 0);
  return tokens;
};

type Reviewed = { text: EmbeddingInput; evaluation?: ContentEvaluation; refusal?: ApiError };

/**
 * Checks that the routing policies allow the provider, and puts into the draft the inputs as content policies that review prompts allow
 * them, with the evaluations. Throws 403.
 */
const applyPolicies = async (platform: Platform, draft: EmbeddingDraft): Promise<void> => {
  const { caller, model, inputs } = draft;
  // The local encoder is no provider's model: nothing leaves the machine.
  if (model.provider !== "local") {
    const targets = [{ provider: model.provider, model: model.upstreamModel }];
    const estimateNanoUsd = costOfTokens(model, draft.tokens);
    const route = await routeMedia(platform, caller, { model: model.id, targets, estimateNanoUsd });
    if (route.evaluation !== undefined) draft.policyEvaluation = route.evaluation;
    if (route.refusal !== undefined) throw route.refusal;
  }
  const reviews = await mapYielding(
    inputs,
    async (input): Promise<Reviewed> => (isTokens(input) ? { text: input } : reviewPrompt(platform, caller.project.id, input)),
    draft.signal,
  );
  const [first, ...others] = reviews.flatMap(({ evaluation }) => evaluation ?? []);
  if (first !== undefined) draft.contentEvaluation = mergeEvaluations(first, ...others);
  for (const { refusal } of reviews) if (refusal) throw refusal;
  draft.inputs = reviews.map(({ text }) => text);
  if (draft.inputs.some((input, at) => input !== inputs[at])) await countEach(draft);
};

/** A provider may name any time. */
const LONGEST_WAIT_S = 60;

const embeddingRefusal = ({ body, model }: EmbeddingDraft, error: unknown): ApiError | undefined => {
  if (!(error instanceof UpstreamError)) return error instanceof ApiError ? error : undefined;
  if (error.kind === "content_filter")
    return new ApiError("content_policy_violation", "The provider's safety system rejected the input.", { param: "input" });
  if (faultOf(error.kind) === "request") {
    // Not every model's vectors can be cut, and each server says so in its own words.
    if (typeof body.dimensions === "number" && /dimension/i.test(error.details.upstreamMessage ?? ""))
      return invalidRequest(`The provider of ${model.id} refused these \`dimensions\`.`, "dimensions");
    return invalidRequest(
      "The provider refused the input: it is too long or malformed.",
      "input",
      error.kind === "context_length" ? "context_length_exceeded" : undefined,
    );
  }
  const waitSeconds = Math.min(LONGEST_WAIT_S, (error.details.retryAfterMs ?? 5_000) / 1000);
  return serviceUnavailable("The embeddings provider could not answer.", waitSeconds, false);
};

const svcOf = ({ caller, model }: EmbeddingDraft, call: Call) => ({
  request_id: caller.requestId,
  model_selected: model.id,
  cost_usd: toUsd(call.costNanoUsd),
  latency_ms: latencyMsOf(call),
});
