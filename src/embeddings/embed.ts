/** The story of one embeddings call: the local encoder, or a provider's model; logged and billed like any other call. */

import type { Caller } from "../accounts/authenticate.ts";
import { type ApiError, invalidRequest, notFound, serviceUnavailable } from "../api-error.ts";
import type { EmbeddingModel } from "../catalog/model.ts";
import { estimateTokens } from "../lib/estimate-tokens.ts";
import { toUsd } from "../lib/money.ts";
import type { Attempt, Call } from "../logs/call.ts";
import { recordCall } from "../logs/record-call.ts";
import type { Platform } from "../platform.ts";
import { reviewText } from "../policies/content/review-content.ts";
import { reviewPrompt } from "../policies/content/review-prompt.ts";
import { routeMedia } from "../policies/route-media.ts";
import {
  type CallContext,
  type EmbeddingInput,
  type EmbeddingResult,
  noUsage,
  type Provider,
  type TokenUsage,
  UpstreamError,
} from "../providers/provider.ts";
import type { EmbeddingBody } from "./wire.ts";

export type Embedded = { vectors: Float32Array[]; model: string; usage: TokenUsage; svc: Record<string, unknown> };

/** Where no provider with embeddings is configured, `auto` means the local encoder, which is always there. */
const LOCAL = "embed-local";

/** Throws what the caller hears. Answered or refused, the call is in the log; only a spent budget is found before there is one. */
export const embed = async (platform: Platform, caller: Caller, body: EmbeddingBody, signal: AbortSignal): Promise<Embedded> => {
  const model = requireEmbeddingModel(platform, caller, body.model ?? "auto");
  const asked: Asked = { platform, caller, body, model, signal, inputs: readInputs(body), attempts: [] };
  try {
    if (asked.inputs.some(isTokens)) await requireTokens(platform, caller, model);
    checkFits(model, asked.inputs, body.dimensions ?? undefined);
    asked.inputs = await underPolicies(platform, caller, model, asked.inputs);
    const reservation = platform.budgets.reserve(caller.key, costOfTokens(model, tokensIn(asked.inputs)));
    try {
      const { vectors } = await compute(asked);
      const call = await toCall(asked);
      await recordCall(platform, caller.project, call);
      return { vectors, model: model.id, usage: call.usage, svc: svcOf(asked, call) };
    } finally {
      reservation.release();
    }
  } catch (error) {
    const refusal = refusalOf(error);
    // A spent budget is found before anything is asked: such a request is no row of the log (decisions §11).
    if ((refusal !== undefined || signal.aborted) && refusal?.type !== "budget_exceeded")
      await recordCall(platform, caller.project, await toCall(asked, refusal));
    throw refusal ?? error;
  }
};

type Asked = {
  platform: Platform;
  caller: Caller;
  body: EmbeddingBody;
  model: EmbeddingModel;
  signal: AbortSignal;
  /** As policies let them pass. */
  inputs: EmbeddingInput[];
  /** One, once the model has been asked; two where the first failed in a way that passes. */
  attempts: Attempt[];
};

const isTokens = (input: EmbeddingInput): input is number[] => typeof input !== "string";
const isText = (input: EmbeddingInput): input is string => typeof input === "string";
const countTokens = (input: EmbeddingInput): number => (isTokens(input) ? input.length : estimateTokens(input));
const tokensIn = (inputs: readonly EmbeddingInput[]): number => inputs.reduce((sum, input) => sum + countTokens(input), 0);
const costOfTokens = (model: EmbeddingModel, tokens: number): number => Math.ceil(tokens * model.inputNanoUsd);

const requireEmbeddingModel = (platform: Platform, caller: Caller, id: string): EmbeddingModel => {
  const { catalog, providers } = platform;
  const model = catalog.findEmbeddingModel(id === "auto" ? LOCAL : id);
  if (model === undefined) throw notFound(`The embedding model "${id.slice(0, 100)}"`, "model", "model_not_found");
  if (model.provider !== "local" && providers.find(caller.mode, model.provider)?.embed === undefined) {
    const variable = catalog.provider(model.provider)?.keyVariables[0];
    throw serviceUnavailable(`The provider of ${model.id} is not configured${variable ? `: set ${variable}` : ""}.`, 60, false);
  }
  return model;
};

const readInputs = ({ input }: EmbeddingBody): EmbeddingInput[] =>
  typeof input === "string" || typeof input[0] === "number" ? [input as EmbeddingInput] : (input as EmbeddingInput[]);

/** Token numbers go to who can read them: a provider with such an endpoint, and no policy of ours. Throws 400. */
const requireTokens = async (platform: Platform, caller: Caller, model: EmbeddingModel): Promise<void> => {
  if (model.provider === "local" || platform.providers.find(caller.mode, model.provider)?.embedTokens === undefined) {
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

/** The estimator's worst error on running text is a quarter: what lies between is the provider's to judge. */
const ESTIMATE_TOLERANCE = 1.25;

/** Throws 400: a vector longer than the model's, an input longer than it reads. */
const checkFits = (model: EmbeddingModel, inputs: readonly EmbeddingInput[], dimensions: number | undefined): void => {
  const { id, maxInputTokens } = model;
  if (dimensions !== undefined && dimensions > model.dimensions)
    throw invalidRequest(`\`dimensions\` of ${id} may be at most ${model.dimensions}; it was ${dimensions}.`, "dimensions");
  const tokens = inputs.map(countTokens);
  const longest = tokens.findIndex((count) => count > maxInputTokens * ESTIMATE_TOLERANCE);
  if (longest < 0) return;
  const param = inputs.length === 1 ? "input" : `input.${longest}`;
  throw invalidRequest(
    `\`${param}\` has about ${tokens[longest]} tokens; ${id} reads at most ${maxInputTokens}.`,
    param,
    "context_length_exceeded",
  );
};

/** What may be sent: to a provider that the routing policies allow, past the content policies that look at prompts. Throws 403. */
const underPolicies = async (
  platform: Platform,
  caller: Caller,
  model: EmbeddingModel,
  inputs: readonly EmbeddingInput[],
): Promise<EmbeddingInput[]> => {
  const estimateNanoUsd = costOfTokens(model, tokensIn(inputs));
  const targets = [{ provider: model.provider, model: model.upstreamModel }];
  // The local encoder is no provider's model: nothing leaves the machine.
  const route =
    model.provider === "local" ? undefined : await routeMedia(platform, caller, { model: model.id, targets, estimateNanoUsd });
  if (route?.refusal !== undefined) throw route.refusal;
  return Promise.all(inputs.map((input) => (isTokens(input) ? input : reviewed(platform, caller, input))));
};

const reviewed = async (platform: Platform, caller: Caller, text: string): Promise<string> => {
  const review = await reviewPrompt(platform, caller.project.id, text);
  if (review.refusal !== undefined) throw review.refusal;
  return review.text;
};

const compute = async (asked: Asked): Promise<EmbeddingResult> => {
  const { platform, caller, body, model, inputs, signal } = asked;
  const dimensions = body.dimensions ?? undefined;
  if (model.provider === "local") {
    if (dimensions !== undefined && dimensions !== model.dimensions) {
      throw invalidRequest(`\`dimensions\` of ${model.id} is ${model.dimensions}; it cannot be changed.`, "dimensions");
    }
    const texts = inputs.filter(isText);
    return noted(asked, async () => ({ vectors: platform.encoder.embedMany(texts), inputTokens: tokensIn(texts) }));
  }
  const provider = platform.providers.find(caller.mode, model.provider)!;
  const endsAt = performance.now() + platform.config.timeouts.totalMs;
  return twice(signal, (attempt) => {
    const context: CallContext = {
      signal,
      remainingMs: Math.max(1, endsAt - performance.now()),
      requestId: caller.requestId,
      attempt,
      ...(caller.traceparent !== null && { traceparent: caller.traceparent }),
    };
    return caller.mode === "test"
      ? noted(asked, () => send(provider, model.id, inputs, dimensions ?? model.dimensions, context))
      : watched(platform, model, signal, () =>
          noted(asked, () => send(provider, model.upstreamModel, inputs, dimensions, context)),
        );
  });
};

/** A longer wait that a provider asks for is the caller's to spend. */
const LONGEST_WAIT_MS = 2_000;

/** As everywhere, what may have passed is tried once more with the same model; one that kept silent for its time is not. */
const twice = async (signal: AbortSignal, work: (attempt: number) => Promise<EmbeddingResult>): Promise<EmbeddingResult> => {
  try {
    return await work(1);
  } catch (error) {
    if (!(error instanceof UpstreamError) || !error.retryable || error.kind === "timeout" || signal.aborted) throw error;
    const waitMs = error.details.retryAfterMs ?? 50 + Math.random() * 200;
    if (waitMs > LONGEST_WAIT_MS) throw error;
    await Bun.sleep(waitMs);
    return work(2);
  }
};

/** All inputs are of one kind. */
const send = (
  provider: Provider,
  model: string,
  inputs: readonly EmbeddingInput[],
  dimensions: number | undefined,
  context: CallContext,
): Promise<EmbeddingResult> => {
  const tokens = inputs.filter(isTokens);
  return tokens.length > 0
    ? provider.embedTokens!(model, tokens, dimensions, context)
    : provider.embed!(model, inputs.filter(isText), dimensions, context);
};

/** Writes down how the model was asked and how that went. A caller who hangs up leaves it at work: that is billed. */
const noted = async (asked: Asked, work: () => Promise<EmbeddingResult>): Promise<EmbeddingResult> => {
  const { model, inputs, attempts, signal } = asked;
  const startedAt = performance.now();
  const note = (tokens: number, rest: Pick<Attempt, "success" | "usageSource" | "failure" | "failureMessage">) =>
    void attempts.push({
      number: attempts.length + 1,
      model: model.id,
      provider: model.provider,
      purpose: attempts.length === 0 ? "first" : "retry",
      latencyMs: Math.round(performance.now() - startedAt),
      costNanoUsd: costOfTokens(model, tokens),
      usage: { ...noUsage(), input: tokens },
      ...rest,
    });
  try {
    const result = await work();
    note(result.inputTokens, { success: true, usageSource: "provider" });
    return result;
  } catch (error) {
    if (signal.aborted) {
      note(tokensIn(inputs), {
        success: false,
        usageSource: "estimated",
        failure: "network",
        failureMessage: "The caller hung up.",
      });
    } else if (error instanceof UpstreamError) {
      const failureMessage = error.details.upstreamMessage ?? error.message;
      note(0, { success: false, usageSource: "none", failure: error.kind, failureMessage });
    }
    throw error;
  }
};

/** Past the breaker, which hears how it went. There is no other model to fall back to: vectors of two models do not mix. */
const watched = async <T>(platform: Platform, model: EmbeddingModel, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  const { health } = platform.providers;
  const target = [model.provider, model.upstreamModel] as const;
  if (!health.tryAcquire(...target)) {
    const waitMs = health.availableAt(...target) - platform.clock.now();
    throw serviceUnavailable(
      `The provider of ${model.id} is cooling down after failures.`,
      Math.max(1, Math.ceil(waitMs / 1000)),
    );
  }
  const startedAt = performance.now();
  try {
    const result = await work();
    health.record(...target, { ok: true, latencyMs: Math.round(performance.now() - startedAt) });
    return result;
  } catch (error) {
    const failed = error instanceof UpstreamError && !signal.aborted;
    health.record(
      ...target,
      failed ? { ok: false, kind: error.kind, retryAfterMs: error.details.retryAfterMs } : { ok: "aborted" },
    );
    throw error;
  }
};

const logged = (input: EmbeddingInput): string => (isTokens(input) ? `(token numbers: ${input.length})` : input);

/** As a policy with `redact_logs` lets it be stored. */
const forLog = async (platform: Platform, caller: Caller, text: string): Promise<string> => {
  const { logs } = await platform.policies.of(caller.project.id);
  return logs === undefined ? text : reviewText(logs, text).text;
};

const refusalOf = (error: unknown): ApiError | undefined => {
  if (!(error instanceof UpstreamError)) return (error as ApiError)?.name === "ApiError" ? (error as ApiError) : undefined;
  if (error.kind === "bad_request" || error.kind === "context_length") {
    return invalidRequest(
      "The provider refused the input: it is too long or malformed.",
      "input",
      error.kind === "context_length" ? "context_length_exceeded" : undefined,
    );
  }
  return serviceUnavailable("The embeddings provider could not answer.", Math.ceil((error.details.retryAfterMs ?? 5_000) / 1000));
};

const svcOf = ({ platform, caller, model }: Asked, { costNanoUsd }: Call) => ({
  request_id: caller.requestId,
  model_selected: model.id,
  cost_usd: toUsd(costNanoUsd),
  latency_ms: Math.round(platform.clock.now() - caller.startedAtMs),
});

const toCall = async (asked: Asked, refusal?: ApiError): Promise<Call> => {
  const { platform, caller, body, model, inputs, attempts, signal } = asked;
  const attempt = attempts.at(-1);
  const hungUp = signal.aborted && attempt?.success !== true;
  return {
    id: caller.requestId,
    ...(caller.trace && { trace: caller.trace }),
    projectId: caller.project.id,
    mode: caller.mode,
    keyId: caller.key.id,
    keyHash: caller.key.logHash,
    kind: "embedding",
    route: "/v1/embeddings",
    startedAtMs: caller.startedAtMs,
    completedAtMs: platform.clock.now(),
    upstreamMs: attempt?.latencyMs ?? 0,
    status: hungUp ? 499 : (refusal?.status ?? 200),
    ...(hungUp
      ? { errorType: "client_closed_request", cancelled: true }
      : refusal && { errorType: refusal.type, errorMessage: refusal.message }),
    streamed: false,
    model: model.id,
    provider: model.provider,
    attempts,
    usage: attempt?.usage ?? noUsage(),
    usageSource: attempt?.usageSource ?? "none",
    costNanoUsd: attempt?.costNanoUsd ?? 0,
    promptText: await forLog(platform, caller, inputs.map(logged).join("\n").slice(0, 100_000)),
    messageCount: inputs.length,
    outputText: "",
    ...(body.user && { userId: body.user }),
    ...(caller.ip !== null && { requestIp: caller.ip }),
    ...(caller.userAgent !== null && { userAgent: caller.userAgent }),
  };
};
