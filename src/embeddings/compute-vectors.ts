/** Asks for a call's vectors, and notes each attempt. There is no fallback, because vectors of two models do not mix. */

import { type ApiError, invalidRequest } from "../api-error.ts";
import type { Attempt } from "../logs/call.ts";
import { usageOf } from "../media/record-prompt-call.ts";
import type { Platform } from "../platform.ts";
import type { EmbeddingResult } from "../providers/provider.ts";
import type { TargetAttempt } from "../providers/targets/targets-call.ts";
import { tryTargets } from "../providers/targets/try-targets.ts";
import { faultOf, type UpstreamError } from "../providers/upstream-error.ts";
import { costOfTokens, type EmbeddingDraft } from "./embedding-draft.ts";

/** Throws 400 for what the provider refuses, 503 while it cools down or if it failed. */
export const computeVectors = async (platform: Platform, draft: EmbeddingDraft): Promise<EmbeddingResult> => {
  const { caller, body, model, inputs, callerSignal } = draft;
  const asked = body.dimensions ?? model.dimensions;
  // Most servers have one size, and refuse to be told it. The sandbox has any.
  const dimensions = asked === model.dimensions && caller.mode === "live" ? undefined : asked;
  const outcome = await tryTargets(platform, {
    caller,
    signal: callerSignal,
    what: model.id,
    targets: [{ provider: model.provider, model: model.upstreamModel }],
    service: "embed",
    refusal: (error) => embeddingRefusal(draft, error),
    use: (provider, target, context) => provider.embed!(target.model, inputs, dimensions, context),
  });
  draft.attempts = outcome.attempts.map((attempt) => toAttempt(draft, attempt, outcome.ok ? outcome.value : undefined));
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
};

/** One that the call did not wait for is billed by our count, because the model goes on working. */
const toAttempt = (
  { model, tokens: counted }: EmbeddingDraft,
  { abandoned, tokens: told, ...attempt }: TargetAttempt,
  result: EmbeddingResult | undefined,
): Attempt => {
  const ofResult = result && ({ read: result.inputTokens, source: result.estimated ? "estimated" : "provider" } as const);
  const tokens = attempt.success ? ofResult : abandoned ? ({ read: counted, source: "estimated" } as const) : told;
  return { ...attempt, model: model.id, costNanoUsd: costOfTokens(model, tokens?.read ?? 0), ...usageOf(tokens) };
};

const embeddingRefusal = ({ body, model }: EmbeddingDraft, { kind, details }: UpstreamError): ApiError | undefined => {
  if (kind === "content_filter" || faultOf(kind) !== "request") return undefined;
  // Not every model's vectors can be cut, and each server says so in its own words.
  if (typeof body.dimensions === "number" && /dimension/i.test(details.upstreamMessage ?? ""))
    return invalidRequest(`The provider of ${model.id} refused these \`dimensions\`.`, "dimensions");
  return invalidRequest(
    "The provider refused the input: it is too long or malformed.",
    "input",
    kind === "context_length" ? "context_length_exceeded" : undefined,
  );
};
