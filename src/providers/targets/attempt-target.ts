/** One attempt at one upstream: reports the outcome to its health, and returns it as data. */

import type { MediaTarget } from "../../catalog/media-models.ts";
import type { Platform } from "../../platform.ts";
import { type Outcome, outcomeOfFailure } from "../health/model-breaker.ts";
import type { CallContext, Provider } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import { endedEarly } from "./refuse-targets.ts";
import { SERVICES, type TargetAttempt, type TargetsCall } from "./targets-call.ts";

export type Candidate = { provider: Provider; target: MediaTarget };
type Place = { number: number; purpose: TargetAttempt["purpose"]; remainingMs: number; signal: AbortSignal };
export type Result<T> = { attempt: TargetAttempt } & ({ ok: true; value: T } | { ok: false; error: UpstreamError });

/** Throws errors that are not the upstream's. */
export const attemptTarget = async <T>(
  platform: Platform,
  call: TargetsCall<T>,
  { provider, target }: Candidate,
  place: Place,
): Promise<Result<T>> => {
  const { number, purpose, signal } = place;
  const wasOver = signal.aborted;
  // The sandbox does not tell.
  let wasReached: boolean | undefined;
  const reached = (was: boolean): void => {
    wasReached = wasReached || was;
  };
  const startedAt = performance.now();
  const learn = (outcome: Outcome) =>
    platform.providers.healthIn(call.caller.mode).record(target.provider, target.model, outcome);
  const latency = () => Math.round(performance.now() - startedAt);
  const about = { number, provider: target.provider, purpose };
  try {
    const value = await call.use(provider, target, { ...contextOf(platform, call, place), reached });
    learn({ ok: true, latencyMs: latency() });
    return { ok: true, value, attempt: { ...about, success: true, latencyMs: latency() } };
  } catch (thrown) {
    const error = signal.aborted ? new UpstreamError("network", endedEarly(platform, call).message) : thrown;
    learn(outcomeOfFailure(error, signal.aborted));
    if (!(error instanceof UpstreamError)) throw error;
    const abandoned = signal.aborted && !wasOver && wasReached !== false && ({ abandoned: true } as const);
    return { ok: false, error, attempt: { ...about, success: false, latencyMs: latency(), ...toldOf(error), ...abandoned } };
  }
};

const contextOf = (
  { config }: Platform,
  { service, caller }: TargetsCall<unknown>,
  { signal, remainingMs, number }: Place,
): CallContext => ({
  signal,
  remainingMs: Math.min(remainingMs, config.timeouts.firstByteMs * SERVICES[service].patience),
  requestId: caller.requestId,
  attempt: number,
  traceparent: caller.traceparent,
});

/** For the log only, which may hold the upstream's own message. */
const toldOf = ({ kind, message, details: { status, upstreamMessage, usage } }: UpstreamError): Partial<TargetAttempt> => ({
  failure: kind,
  failureMessage: upstreamMessage ?? message,
  ...(status !== undefined && { upstreamStatus: status }),
  ...(usage && { tokens: { read: usage.input, source: "provider" } }),
});
