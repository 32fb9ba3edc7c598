/**
 * One media or search call over the upstreams that stand behind a neutral model: the first twice where that can help, then the
 * next ones, within one deadline and past the breaker. What happened comes back as data, so that the story can log it either way.
 */

import type { Mode } from "../accounts/api-key.ts";
import { ApiError, callerHungUp, invalidRequest, serviceUnavailable } from "../api-error.ts";
import type { MediaTarget } from "../catalog/media-models.ts";
import { pause } from "../lib/pause.ts";
import type { Platform } from "../platform.ts";
import { type CallContext, type Provider, UpstreamError } from "./provider.ts";

export type TargetAttempt = {
  number: number;
  provider: string;
  upstreamModel: string;
  purpose: "first" | "retry" | "fallback";
  success: boolean;
  latencyMs: number;
  failure?: string;
  failureMessage?: string;
  upstreamStatus?: number;
  /** Why the same upstream was not asked once more, where it could have been. */
  notRetried?: "retry_budget";
};

type TargetsCall<T> = {
  caller: { mode: Mode; requestId: string; traceparent: string | null };
  /** Aborts when the caller hangs up. */
  signal: AbortSignal;
  /** For messages: the neutral model's id, or `web search`. */
  what: string;
  targets: readonly MediaTarget[];
  /** What a provider must be able to do to count. */
  service: "image" | "speech" | "transcribe" | "startVideo" | "search";
  /** Most milliseconds of one attempt. */
  attemptMs: number;
  /** The request's field that a refusal of the prompt names. */
  param: string;
  /** After such a failure nothing may be tried again: what was asked for may exist already. */
  isFinal?: (error: UpstreamError) => boolean;
  use(provider: Provider, target: MediaTarget, context: CallContext): Promise<T>;
};

export type TargetsOutcome<T> = { attempts: TargetAttempt[] } & (
  | { ok: true; value: T; target: MediaTarget }
  | { ok: false; error: ApiError; cancelled: boolean }
);

const MOST_ATTEMPTS = 4;
/** A longer wait that an upstream asks for is spent on the next upstream instead. */
const LONGEST_WAIT_MS = 2_000;

export const tryTargets = async <T>(platform: Platform, call: TargetsCall<T>): Promise<TargetsOutcome<T>> => {
  const candidates = call.targets.flatMap((target) => {
    const provider = platform.providers.find(call.caller.mode, target.provider);
    return provider?.[call.service] === undefined ? [] : [{ provider, target }];
  });
  const attempts: TargetAttempt[] = [];
  if (candidates.length === 0) return { attempts, ok: false, error: notConfigured(platform, call), cancelled: false };

  const endsAt = performance.now() + platform.config.timeouts.totalMs;
  const signal = AbortSignal.any([call.signal, platform.cutOff.signal]);
  const endedEarly = () => ({ attempts, ok: false as const, ...reasonOf(platform, call) });
  let last: UpstreamError | undefined;
  for (const [index, candidate] of candidates.entries()) {
    for (let round = 0; round < 2 && attempts.length < MOST_ATTEMPTS; round++) {
      const remainingMs = endsAt - performance.now();
      if (remainingMs <= 0 || !isOpen(platform, call, candidate.target)) break;
      const purpose = attempts.length === 0 ? "first" : round === 1 ? "retry" : "fallback";
      const result = await attempt(platform, call, candidate, {
        number: attempts.length + 1,
        purpose,
        remainingMs,
        signal,
      });
      attempts.push(result.attempt);
      if (result.ok) return { attempts, ok: true, value: result.value, target: candidate.target };
      if (signal.aborted) return endedEarly();
      last = result.error;
      if (last.kind === "content_filter" || call.isFinal?.(last))
        return { attempts, ok: false, error: mediaRefusal(call, last), cancelled: false };
      const waitMs = last.details.retryAfterMs ?? 50 + Math.random() * 200;
      if (index > 0 || !last.retryable || last.kind === "timeout" || waitMs > LONGEST_WAIT_MS || round === 1) break;
      // Where nobody else could do it, a retry is all there is.
      if (candidates.length > 1 && !mayRetry(platform, call, candidate.target, last)) {
        result.attempt.notRetried = "retry_budget";
        break;
      }
      if (!(await pause(waitMs, signal))) return endedEarly();
    }
  }
  const error =
    last === undefined
      ? coolingDown(
          platform,
          call,
          candidates.map(({ target }) => target),
        )
      : mediaRefusal(call, last);
  return { attempts, ok: false, error, cancelled: false };
};

/** Why a call ended before its upstreams had: the caller hung up, or a stopping server could wait no longer. */
const reasonOf = (platform: Platform, { signal }: { signal: AbortSignal }): { error: ApiError; cancelled: boolean } =>
  signal.aborted
    ? { error: callerHungUp(), cancelled: true }
    : { error: platform.cutOff.signal.reason as ApiError, cancelled: false };

type Candidate = { provider: Provider; target: MediaTarget };
type Place = { number: number; purpose: TargetAttempt["purpose"]; remainingMs: number; signal: AbortSignal };
type Result<T> = { attempt: TargetAttempt } & ({ ok: true; value: T } | { ok: false; error: UpstreamError });

const attempt = async <T>(
  platform: Platform,
  call: TargetsCall<T>,
  { provider, target }: Candidate,
  place: Place,
): Promise<Result<T>> => {
  const startedAt = performance.now();
  const { signal } = place;
  const context: CallContext = {
    signal,
    remainingMs: Math.min(place.remainingMs, call.attemptMs),
    requestId: call.caller.requestId,
    attempt: place.number,
    ...(call.caller.traceparent !== null && { traceparent: call.caller.traceparent }),
  };
  const about = { number: place.number, provider: target.provider, upstreamModel: target.model, purpose: place.purpose };
  const latency = () => Math.round(performance.now() - startedAt);
  try {
    const value = await call.use(provider, target, context);
    learn(platform, call, target, { ok: true, latencyMs: latency() });
    return { ok: true, value, attempt: { ...about, success: true, latencyMs: latency() } };
  } catch (thrown) {
    const error = signal.aborted ? new UpstreamError("network", reasonOf(platform, call).error.message) : thrown;
    if (!(error instanceof UpstreamError)) {
      learn(platform, call, target, { ok: "aborted" });
      throw error;
    }
    learn(
      platform,
      call,
      target,
      signal.aborted ? { ok: "aborted" } : { ok: false, kind: error.kind, retryAfterMs: error.details.retryAfterMs },
    );
    const { status } = error.details;
    const failed = {
      success: false,
      latencyMs: latency(),
      failure: error.kind,
      failureMessage: error.message,
      ...(status !== undefined && { upstreamStatus: status }),
    };
    return { ok: false, error, attempt: { ...about, ...failed } };
  }
};

/** The sandbox's faults never move a breaker (decisions §11). */
const isOpen = (platform: Platform, { caller }: { caller: { mode: Mode } }, target: MediaTarget): boolean =>
  caller.mode === "test" || platform.providers.health.tryAcquire(target.provider, target.model);

const mayRetry = (
  platform: Platform,
  { caller }: { caller: { mode: Mode } },
  { provider }: MediaTarget,
  failure: UpstreamError,
): boolean => caller.mode === "test" || platform.providers.health.tryRetry(provider, failure);

const learn = (
  platform: Platform,
  { caller }: { caller: { mode: Mode } },
  target: MediaTarget,
  outcome: Parameters<Platform["providers"]["health"]["record"]>[2],
): void => {
  if (caller.mode === "live") platform.providers.health.record(target.provider, target.model, outcome);
};

const mediaRefusal = (call: { what: string; param: string }, error: UpstreamError): ApiError => {
  if (error.kind === "content_filter") {
    return new ApiError("content_policy_violation", "The request was rejected by the safety system of the model.", {
      param: call.param,
      code: "content_policy_violation",
    });
  }
  if (error.kind === "bad_request") return invalidRequest(`The upstream of ${call.what} cannot handle this request.`, call.param);
  return serviceUnavailable(`No upstream of ${call.what} could answer.`, 5, false);
};

const coolingDown = (platform: Platform, { what }: { what: string }, targets: readonly MediaTarget[]): ApiError => {
  const soonest = Math.min(...targets.map((target) => platform.providers.health.availableAt(target.provider, target.model)));
  const seconds = Math.max(1, Math.ceil((soonest - platform.clock.now()) / 1000));
  return serviceUnavailable(`Every upstream of ${what} is cooling down after failures.`, Math.min(seconds, 60));
};

/** Says which variable to set. */
const notConfigured = (platform: Platform, { what, targets }: { what: string; targets: readonly MediaTarget[] }): ApiError => {
  const variables = targets.flatMap((target) => {
    const entry = platform.catalog.provider(target.provider);
    return entry?.keyVariables[0] ?? entry?.baseUrlVariables[0] ?? [];
  });
  const names = [...new Set(variables)].join(" or ");
  return serviceUnavailable(`No provider is configured for ${what}${names === "" ? "" : `: set ${names}`}.`, 60, false);
};
