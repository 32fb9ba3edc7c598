/**
 * Computes a call's vectors with the local encoder or a provider's model, subject to its breaker and with one retry; each attempt is
 * recorded.
 */

import { invalidRequest, serviceUnavailable } from "../api-error.ts";
import type { EmbeddingModel } from "../catalog/model.ts";
import { mapYielding } from "../lib/map-yielding.ts";
import { pause } from "../lib/pause.ts";
import type { Attempt } from "../logs/call.ts";
import type { Platform } from "../platform.ts";
import { outcomeOfFailure } from "../providers/health/model-breaker.ts";
import { type CallContext, type EmbeddingResult, noUsage } from "../providers/provider.ts";
import { UpstreamError } from "../providers/upstream-error.ts";
import { waitBeforeRetry } from "../providers/wait-before-retry.ts";
import { costOfTokens, type EmbeddingDraft, isText } from "./embedding-draft.ts";

/** Throws 400 for a size that the local encoder does not have, 503 while the provider cools down, UpstreamError if the provider failed. */
export const computeVectors = async (platform: Platform, draft: EmbeddingDraft): Promise<EmbeddingResult> => {
  const { caller, body, model, inputs, signal } = draft;
  const dimensions = body.dimensions ?? undefined;
  if (model.provider === "local") {
    if (dimensions !== undefined && dimensions !== model.dimensions) {
      throw invalidRequest(`\`dimensions\` of ${model.id} is ${model.dimensions}; it cannot be changed.`, "dimensions");
    }
    const { embed } = platform.encoder;
    // With a test key the sandbox uses the same encoder, so that its fault triggers work here too.
    if (caller.mode === "live")
      return noted(draft, async () => ({
        vectors: await mapYielding(inputs.filter(isText), embed, signal),
        inputTokens: draft.tokens,
      }));
  }
  const provider = platform.providers.find(caller.mode, model.provider)!;
  // Most servers have one size, and refuse to be told it.
  const otherSize = dimensions === model.dimensions ? undefined : dimensions;
  const endsAt = performance.now() + platform.config.timeouts.totalMs;
  return twice(signal, (attempt) => {
    const context: CallContext = {
      signal,
      remainingMs: endsAt - performance.now(),
      requestId: caller.requestId,
      attempt,
      reached: (was) => {
        draft.wasReached = was;
      },
      traceparent: caller.traceparent,
    };
    return caller.mode === "test"
      ? noted(draft, () => provider.embed!(model.id, inputs, dimensions ?? model.dimensions, context))
      : watched(platform, model, signal, () =>
          noted(draft, () => provider.embed!(model.upstreamModel, inputs, otherSize, context)),
        );
  });
};

/** A failure that may be temporary is retried once, with the same model, as in chat. */
const twice = async (signal: AbortSignal, work: (attempt: number) => Promise<EmbeddingResult>): Promise<EmbeddingResult> => {
  try {
    return await work(1);
  } catch (error) {
    const waitMs = error instanceof UpstreamError ? waitBeforeRetry(error) : undefined;
    if (waitMs === undefined || !(await pause(waitMs, signal))) throw error;
    return work(2);
  }
};

/** Records the attempt and its outcome. One that is aborted is billed once the provider was reached, because the model goes on working. */
const noted = async (draft: EmbeddingDraft, work: () => Promise<EmbeddingResult>): Promise<EmbeddingResult> => {
  const { model, tokens, attempts, callerSignal, signal } = draft;
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
    note(result.inputTokens, { success: true, usageSource: result.estimated ? "estimated" : "provider" });
    return result;
  } catch (error) {
    if (signal.aborted) {
      const isBilled = draft.wasReached !== false;
      note(isBilled ? tokens : 0, {
        success: false,
        usageSource: isBilled ? "estimated" : "none",
        failure: "network",
        failureMessage: callerSignal.aborted ? "The caller hung up." : "The server stopped.",
      });
    } else if (error instanceof UpstreamError) {
      const { usage, upstreamMessage: failureMessage = error.message } = error.details;
      note(usage?.input ?? 0, { success: false, usageSource: usage ? "provider" : "none", failure: error.kind, failureMessage });
    }
    throw error;
  }
};

/** Throws 503 if the circuit breaker is open; reports the outcome to it. There is no fallback, because vectors of two models do not mix. */
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
    health.record(...target, outcomeOfFailure(error, signal.aborted));
    throw error;
  }
};
