/** The record of one embeddings call while it runs, and the ledger's row that it becomes. */

import type { Caller } from "../accounts/authenticate.ts";
import type { ApiError } from "../api-error.ts";
import type { EmbeddingModel } from "../catalog/model.ts";
import { userInBody } from "../http/user-in-body.ts";
import { endNow } from "../lib/clock.ts";
import { estimateTokens } from "../lib/estimate-tokens.ts";
import { given } from "../lib/given.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { type Attempt, beginCall, type Call } from "../logs/call.ts";
import { redactCall } from "../logs/redact-call.ts";
import type { Platform } from "../platform.ts";
import type { ContentEvaluation, PolicyEvaluation } from "../policies/evaluation-schemas.ts";
import { type EmbeddingInput, noUsage } from "../providers/provider.ts";
import type { EmbeddingBody } from "./wire.ts";

export type EmbeddingDraft = {
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
  /** One, once the model has been asked; two if the first failed in a way that may pass. */
  attempts: Attempt[];
  policyEvaluation?: PolicyEvaluation;
  contentEvaluation?: ContentEvaluation;
};

export const isTokens = (input: EmbeddingInput): input is number[] => typeof input !== "string";
export const isText = (input: EmbeddingInput): input is string => typeof input === "string";
export const countTokens = (input: EmbeddingInput): number => (isTokens(input) ? input.length : estimateTokens(input));
export const costOfTokens = (model: EmbeddingModel, tokens: number): number => Math.ceil(tokens * model.inputNanoUsd);

/** `refusal`: the error that the caller gets instead of vectors. */
export const toCall = async (platform: Platform, draft: EmbeddingDraft, refusal?: ApiError): Promise<Call> => {
  const { caller, body, model, inputs, attempts, callerSignal, policyEvaluation, contentEvaluation } = draft;
  const attempt = attempts.at(-1);
  const hungUp = callerSignal.aborted && attempt?.success !== true;
  const { logs } = await platform.policies.of(caller.project.id);
  const call: Call = {
    ...beginCall(caller),
    kind: "embedding",
    route: "/v1/embeddings",
    completedAtMs: endNow(platform.clock, caller),
    upstreamMs: attempts.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
    status: hungUp ? 499 : (refusal?.status ?? 200),
    ...(hungUp
      ? { errorType: "client_closed_request", cancelled: true }
      : refusal && { errorType: refusal.type, errorMessage: refusal.message }),
    streamed: false,
    model: model.id,
    provider: model.provider,
    attempts,
    usage: { ...noUsage(), input: attempts.reduce((sum, { usage }) => sum + usage.input, 0) },
    usageSource: attempts.findLast(({ usageSource }) => usageSource !== "none")?.usageSource ?? "none",
    costNanoUsd: attempts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0),
    promptText: inputs.map(logged).join("\n").slice(0, BOUNDS.loggedTextCharacters),
    messageCount: inputs.length,
    outputText: "",
    ...given({ policyEvaluation, contentEvaluation, ...userInBody(body) }),
  };
  return redactCall(call, logs);
};

const logged = (input: EmbeddingInput): string => (isTokens(input) ? `(token numbers: ${input.length})` : input);
