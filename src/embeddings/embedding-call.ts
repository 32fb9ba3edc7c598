/** One embeddings call while it runs, and its row in the ledger. */

import type { Caller } from "../accounts/authenticate.ts";
import type { ApiError } from "../api-error.ts";
import type { EmbeddingModel } from "../catalog/model.ts";
import { estimateTokens } from "../lib/estimate-tokens.ts";
import { type Attempt, beginCall, type Call } from "../logs/call.ts";
import type { Platform } from "../platform.ts";
import { reviewAnyText } from "../policies/content/review-json.ts";
import type { ContentEvaluation, PolicyEvaluation } from "../policies/evaluation-schemas.ts";
import { type EmbeddingInput, noUsage } from "../providers/provider.ts";
import type { EmbeddingBody } from "./wire.ts";

export type Asked = {
  platform: Platform;
  caller: Caller;
  body: EmbeddingBody;
  model: EmbeddingModel;
  /** Aborts when the caller disconnects. */
  callerSignal: AbortSignal;
  /** Aborts then as well, and when a stopping server can wait no longer. */
  signal: AbortSignal;
  /** As policies allow them. */
  inputs: EmbeddingInput[];
  /** Of all inputs; estimated for text. */
  tokens: number;
  /** One, once the model has been asked; two where the first failed in a way that passes. */
  attempts: Attempt[];
  policyEvaluation?: PolicyEvaluation;
  contentEvaluation?: ContentEvaluation;
};

export const isTokens = (input: EmbeddingInput): input is number[] => typeof input !== "string";
export const isText = (input: EmbeddingInput): input is string => typeof input === "string";
export const countTokens = (input: EmbeddingInput): number => (isTokens(input) ? input.length : estimateTokens(input));
export const costOfTokens = (model: EmbeddingModel, tokens: number): number => Math.ceil(tokens * model.inputNanoUsd);

const LONGEST_LOGGED = 100_000;

/** `refusal`: the error that the caller gets instead of vectors. */
export const toCall = async (asked: Asked, refusal?: ApiError): Promise<Call> => {
  const { platform, caller, body, model, inputs, attempts, callerSignal } = asked;
  const attempt = attempts.at(-1);
  const hungUp = callerSignal.aborted && attempt?.success !== true;
  const { logs } = await platform.policies.of(caller.project.id);
  const promptText = inputs.map(logged).join("\n").slice(0, LONGEST_LOGGED);
  return {
    ...beginCall(caller),
    kind: "embedding",
    route: "/v1/embeddings",
    completedAtMs: platform.clock.now(),
    upstreamMs: attempts.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
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
    promptText: logs === undefined ? promptText : reviewAnyText(logs, promptText).text,
    // As a policy with `redact_logs` lets it be stored.
    ...(logs !== undefined && { redacted: true }),
    messageCount: inputs.length,
    outputText: "",
    ...(asked.policyEvaluation !== undefined && { policyEvaluation: asked.policyEvaluation }),
    ...(asked.contentEvaluation !== undefined && { contentEvaluation: asked.contentEvaluation }),
    ...(body.user && { userId: body.user }),
  };
};

const logged = (input: EmbeddingInput): string => (isTokens(input) ? `(token numbers: ${input.length})` : input);
