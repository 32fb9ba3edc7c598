/** One upstream call and its entry in the ledger: what is sent, how long it took, what it used and what that cost. */

import type { Attempt } from "../../logs/call.ts";
import type { Platform } from "../../platform.ts";
import { type CallContext, type ChatRequest, type FinishReason, noUsage, type Provider } from "../../providers/provider.ts";
import { UpstreamError } from "../../providers/upstream-error.ts";
import { hasSound } from "../../router/can-take.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import type { CallDraft } from "../call-draft.ts";
import type { PendingCall } from "../decision/decide-call.ts";
import type { Prepared } from "../decision/prepare-call.ts";
import { upstreamNameOf } from "../decision/reachable-models.ts";
import type { OutputCheck } from "../output/check-output.ts";
import { costWith } from "./billed-usage.ts";
import type { Deadline } from "./deadline.ts";
import { inlineMedia } from "./inline-media.ts";
import type { Target } from "./next-target.ts";
import { outputBound, outputLeft } from "./output-bound.ts";

export type OpenAttempt = {
  /** Its model is as it was when the call was decided; the catalog may change meanwhile. */
  candidate: Candidate;
  provider: Provider;
  upstreamModel: string;
  request: ChatRequest;
  promptTokens: number;
  /** Output tokens that the ceiling leaves room for. */
  mostOutputTokens: number;
  context: CallContext;
  attempt: Attempt;
  startedAt: number;
  /** False if no connection to the provider was made; the sandbox does not tell. */
  wasReached?: boolean;
};

/** `asked`: the call's request, or the one that follows an answer that did not pass. */
export const beginAttempt = async (
  platform: Platform,
  { draft, deadline }: PendingCall,
  target: Target,
  asked: Prepared,
): Promise<OpenAttempt> => {
  const { candidate } = target;
  const { model } = candidate;
  const { caller } = draft;
  const provider = platform.providers.find(caller.mode, model.provider)!;
  const request = await inlineMedia(platform, caller.mode, provider, asked.request, deadline.signal);
  const attempt = newAttempt(draft.attempts.length + 1, target);
  const mostOutputTokens = outputLeft(asked, draft, candidate);
  const maxOutputTokens = outputBound(asked, target, mostOutputTokens);
  if (maxOutputTokens === mostOutputTokens) attempt.boundByCeiling = true;
  draft.attempts.push(attempt);
  const open: OpenAttempt = {
    candidate,
    provider,
    upstreamModel: upstreamNameOf(caller.mode, model),
    request: { ...request, maxOutputTokens, ...(asked.ceilingNanoUsd !== undefined && { needsBound: true }) },
    promptTokens: asked.promptTokens,
    mostOutputTokens,
    context: {
      signal: deadline.signal,
      remainingMs: deadline.endsAt - performance.now(),
      requestId: caller.requestId,
      attempt: attempt.number,
      reached: (was) => {
        open.wasReached = open.wasReached || was;
      },
      traceparent: caller.traceparent,
    },
    attempt,
    startedAt: performance.now(),
  };
  return open;
};

const newAttempt = (number: number, { candidate: { model }, purpose }: Target): Attempt => ({
  number,
  model: model.id,
  provider: model.provider,
  purpose,
  success: false,
  latencyMs: 0,
  costNanoUsd: 0,
  usage: noUsage(),
  usageSource: "none",
});

type Used = Pick<Attempt, "usage" | "usageSource"> & { finishReason?: FinishReason | undefined };

/** Ends the attempt with what it used; the cost counts whether or not the answer is. */
export const settleAttempt = (
  platform: Platform,
  draft: CallDraft,
  { attempt, candidate: { model }, request, startedAt }: OpenAttempt,
  { usage, usageSource, finishReason }: Used,
  failure?: UpstreamError,
): void => {
  const elapsedMs = performance.now() - startedAt;
  // Sound that the provider did not tell from text may be all of the prompt.
  const priced = hasSound(request) ? { inputAudio: usage.input, ...usage } : usage;
  const costNanoUsd = costWith(platform, model, priced);
  Object.assign(attempt, { usage, usageSource, costNanoUsd, success: true, latencyMs: Math.round(elapsedMs) });
  if (finishReason !== undefined) attempt.finishReason = finishReason;
  if (failure !== undefined) noteFailure(attempt, failure);
  draft.upstreamMs += elapsedMs;
};

/** In the ledger a failure stands with the provider's own message. */
const noteFailure = (attempt: Attempt, { kind, message, details: { upstreamMessage, status } }: UpstreamError): void => {
  Object.assign(attempt, { success: false, failure: kind, failureMessage: upstreamMessage ?? message });
  if (status !== undefined) attempt.upstreamStatus = status;
};

/** An attempt whose answer did not pass its checks has failed, too. */
export const noteMisfit = (attempt: Attempt, { failureMode, reason }: OutputCheck): void => {
  if (failureMode !== undefined) Object.assign(attempt, { success: false, failure: failureMode, failureMessage: reason });
};

/**
 * The failure logged for an attempt that we ended. If the caller disconnected, the provider was already working on the prompt, unless it
 * had not been reached: that is billed.
 */
export const givenUp = (deadline: Deadline, { wasReached = true }: OpenAttempt): UpstreamError =>
  deadline.signal.aborted ? hungUp(wasReached) : new UpstreamError("network", "The call was given up.");

export const hungUp = (accepted = true): UpstreamError => new UpstreamError("network", "The caller hung up.", { accepted });

export const asUpstreamError = (error: unknown): UpstreamError | undefined =>
  error instanceof UpstreamError ? error : undefined;
