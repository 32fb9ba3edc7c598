/**
 * Runs a media or search call: asks the upstreams behind a neutral model in turn, the first one twice if that can help, within one
 * deadline, skipping open breakers.
 */

import type { ApiError } from "../../api-error.ts";
import { pause } from "../../lib/pause.ts";
import type { Platform } from "../../platform.ts";
import type { UpstreamError } from "../upstream-error.ts";
import { waitBeforeRetry } from "../wait-before-retry.ts";
import { attemptTarget, type Candidate, type Result } from "./attempt-target.ts";
import { coolingDown, endedEarly, mediaRefusal, notConfigured } from "./refuse-targets.ts";
import type { TargetAttempt, TargetsCall, TargetsOutcome } from "./targets-call.ts";

const MOST_ATTEMPTS = 4;

export const tryTargets = async <T>(platform: Platform, call: TargetsCall<T>): Promise<TargetsOutcome<T>> => {
  const candidates = candidatesFor(platform, call);
  const health = platform.providers.healthIn(call.caller.mode);
  const attempts: TargetAttempt[] = [];
  const failed = (error: ApiError, cancelled = false) => ({ attempts, ok: false as const, error, cancelled });
  if (candidates.length === 0) return failed(notConfigured(platform, call));

  const endsAt = performance.now() + platform.config.timeouts.totalMs;
  const signal = AbortSignal.any([call.signal, platform.cutOff.signal]);
  /** Undefined if it was not asked: the call's time or attempts are used up, or its breaker is open. */
  const ask = async (candidate: Candidate, purpose: TargetAttempt["purpose"]): Promise<Result<T> | undefined> => {
    const remainingMs = endsAt - performance.now();
    const { provider, model } = candidate.target;
    if (remainingMs <= 0 || attempts.length === MOST_ATTEMPTS || !health.tryAcquire(provider, model)) return undefined;
    const place = { number: attempts.length + 1, purpose, remainingMs, signal };
    const result = await attemptTarget(platform, call, candidate, place);
    attempts.push(result.attempt);
    return result;
  };
  /** Whether to ask the first upstream once more, after the pause it asks for. */
  const isWorthRetrying = async ({ target }: Candidate, { error, attempt }: Result<T> & { ok: false }): Promise<boolean> => {
    const waitMs = endsCall(call, error) ? undefined : waitBeforeRetry(error);
    if (waitMs === undefined || signal.aborted) return false;
    // If there is no other upstream, a retry is the only option.
    if (candidates.length > 1 && !health.tryRetry(target.provider, error)) {
      attempt.notRetried = "retry_budget";
      return false;
    }
    return pause(waitMs, signal);
  };

  let last: UpstreamError | undefined;
  for (const [index, candidate] of candidates.entries()) {
    let result = await ask(candidate, index === 0 ? "first" : "fallback");
    if (index === 0 && result?.ok === false && (await isWorthRetrying(candidate, result)))
      result = (await ask(candidate, "retry")) ?? result;
    if (result === undefined) continue;
    if (result.ok) return { attempts, ok: true, value: result.value, target: candidate.target };
    if (signal.aborted) return failed(endedEarly(platform, call), call.signal.aborted);
    last = result.error;
    if (endsCall(call, last)) break;
  }
  return failed(
    last === undefined ? coolingDown(platform, call, candidates) : (call.refusal?.(last) ?? mediaRefusal(call, last)),
  );
};

const candidatesFor = (platform: Platform, { caller, targets, service }: TargetsCall<unknown>): Candidate[] =>
  targets.flatMap((target) => {
    const provider = platform.providers.find(caller.mode, target.provider);
    return provider?.[service] === undefined ? [] : [{ provider, target }];
  });

/** Whether no other upstream is asked. */
const endsCall = (call: TargetsCall<unknown>, error: UpstreamError): boolean =>
  error.kind === "content_filter" || call.isFinal?.(error) === true;
