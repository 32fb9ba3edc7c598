/**
 * The circuit breaker of one model: it opens after failures in a row or a high failure rate, and a rate limit closes the model for exactly
 * the time that the provider asked for. A model that the provider does not serve counts as down for a while, but may be asked for. Works on
 * a plain record; the caller brings the clock.
 */

import { concernsProvider, UpstreamError, type UpstreamErrorKind } from "../upstream-error.ts";
import { PROBE_LEASE_MS } from "./provider-breaker.ts";

export type HealthState = "healthy" | "degraded" | "down";

export type Outcome =
  | { ok: true; latencyMs: number }
  /** `call`: the call that failed, since one call may ask several models. */
  | { ok: false; kind: UpstreamErrorKind; retryAfterMs?: number; call?: string }
  /** The caller disconnected, which says nothing about the provider but frees the probe. */
  | { ok: "aborted" };

/** A failure says something of the model only if it is the provider's, and not our own doing (`aborted`) or perhaps the request's. */
export const outcomeOfFailure = (error: unknown, aborted = false, call?: string): Outcome =>
  error instanceof UpstreamError && !aborted && !error.details.isDoubtful
    ? { ok: false, kind: error.kind, retryAfterMs: error.details.retryAfterMs, call }
    : { ok: "aborted" };

export type HealthReport = {
  provider: string;
  model: string;
  state: HealthState;
  /** Epoch ms; 0 = now. */
  availableAtMs: number;
  /** Over the last 128 successes. */
  p50LatencyMs: number | undefined;
  p95LatencyMs: number | undefined;
  /** Share of failures among the outcomes of the last 30 seconds, 0-1. */
  errorRate: number;
  /** Since the process started. */
  calls: number;
};

const WINDOW_MS = 30_000;
const MAX_OUTCOMES = 256;
const MAX_LATENCIES = 128;
const CONSECUTIVE_TO_OPEN = 5;
const MIN_OUTCOMES_TO_OPEN = 10;
const RATIO_TO_OPEN = 0.5;
const RATIO_DEGRADED = 0.2;
const MAX_COOLDOWN_MS = 60_000;
/** Gap: how long a model ranks last that its provider has no longer, or not for this account. */
const GONE_MS = 5 * 60_000;

/** One model of a provider, with its recent outcomes. */
export type Target = {
  provider: string;
  model: string;
  /** The outcomes of the last 30 seconds, oldest first, and how many of them failed. */
  outcomes: { at: number; failed: boolean }[];
  failed: number;
  consecutiveFailures: number;
  /** The breaker is open until then and half-open afterwards; 0 = closed. */
  openUntil: number;
  cooledUntil: number;
  /** The provider does not serve it; it is asked until then only where no other model is left or its name was given. 0 = it does. */
  goneUntil: number;
  probeUntil: number;
  latencies: number[];
  calls: number;
};

export const newTarget = (provider: string, model: string): Target => ({
  provider,
  model,
  outcomes: [],
  failed: 0,
  consecutiveFailures: 0,
  openUntil: 0,
  cooledUntil: 0,
  goneUntil: 0,
  probeUntil: 0,
  latencies: [],
  calls: 0,
});

/** Epoch ms; in the past or 0 if the model may be called now. */
export const opensAt = (target: Target): number => Math.max(target.openUntil, target.cooledUntil);

/** After a breaker's pause one call probes the model; until its outcome is recorded, no other call may. */
export const mayCall = (target: Target, now: number): boolean => opensAt(target) <= now && target.probeUntil <= now;
export const noteCall = (target: Target, now: number): void => {
  if (target.openUntil > 0) target.probeUntil = now + PROBE_LEASE_MS;
};

const recent = (target: Target, now: number): { total: number; failed: number } => {
  const { outcomes } = target;
  while (outcomes.length > 0 && outcomes[0]!.at <= now - WINDOW_MS) forgetOldest(target);
  return { total: outcomes.length, failed: target.failed };
};

const forgetOldest = (target: Target): void => {
  if (target.outcomes.shift()!.failed) target.failed--;
};

const shouldOpen = (target: Target, now: number): boolean => {
  if (target.consecutiveFailures >= CONSECUTIVE_TO_OPEN) return true;
  const { total, failed } = recent(target, now);
  return total >= MIN_OUTCOMES_TO_OPEN && failed / total >= RATIO_TO_OPEN;
};

const remember = (target: Target, now: number, failed: boolean): void => {
  target.outcomes.push({ at: now, failed });
  if (failed) target.failed++;
  if (target.outcomes.length > MAX_OUTCOMES) forgetOldest(target);
};

const close = (target: Target): void => {
  target.openUntil = 0;
  target.probeUntil = 0;
  target.outcomes = [];
  target.failed = 0;
};

/** Forgets past failures, and calls the model again at once. */
export const forgive = (target: Target): void => {
  close(target);
  target.consecutiveFailures = 0;
  target.cooledUntil = 0;
  target.goneUntil = 0;
};

const recordSuccess = (target: Target, now: number, latencyMs: number): void => {
  target.consecutiveFailures = 0;
  target.goneUntil = 0;
  target.latencies.push(latencyMs);
  if (target.latencies.length > MAX_LATENCIES) target.latencies.shift();
  // A call that began before the breaker opened says nothing about the time after.
  if (target.openUntil > 0 && target.openUntil <= now) close(target);
  remember(target, now, false);
};

const recordFailure = (target: Target, now: number, cooldownMs: number): void => {
  remember(target, now, true);
  target.consecutiveFailures++;
  const probeFailed = target.openUntil > 0 && target.openUntil <= now;
  target.probeUntil = 0;
  if (probeFailed || shouldOpen(target, now)) target.openUntil = now + cooldownMs;
};

const recordRateLimit = (target: Target, now: number, cooldownMs: number, retryAfterMs: number | undefined): void => {
  if (retryAfterMs === undefined) recordFailure(target, now, cooldownMs);
  else {
    target.probeUntil = 0;
    target.cooledUntil = Math.max(target.cooledUntil, now + Math.min(retryAfterMs, MAX_COOLDOWN_MS));
  }
};

export const recordOutcome = (target: Target, outcome: Outcome, now: number, cooldownMs: number): void => {
  if (outcome.ok !== "aborted") target.calls++;
  if (outcome.ok === true) recordSuccess(target, now, outcome.latencyMs);
  // The caller's own mistakes and parameters that are then left out are no sign of trouble.
  else if (outcome.ok === "aborted" || !concernsProvider(outcome.kind)) {
    target.probeUntil = 0;
    if (outcome.ok === false && outcome.kind === "model_gone") target.goneUntil = now + GONE_MS;
  } else if (outcome.kind === "rate_limit") recordRateLimit(target, now, cooldownMs, outcome.retryAfterMs);
  else recordFailure(target, now, cooldownMs);
};

export const stateOf = (target: Target, now: number): HealthState => {
  if (target.openUntil > now || target.goneUntil > now) return "down";
  if (target.openUntil > 0 || target.cooledUntil > now) return "degraded";
  const { total, failed } = recent(target, now);
  return failed / total >= RATIO_DEGRADED ? "degraded" : "healthy";
};

const percentile = (sorted: number[], share: number): number | undefined => sorted[Math.ceil(sorted.length * share) - 1];

export const reportOf = (target: Target, now: number): HealthReport => {
  const sorted = target.latencies.toSorted((a, b) => a - b);
  const { total, failed } = recent(target, now);
  const availableAtMs = opensAt(target);
  return {
    provider: target.provider,
    model: target.model,
    state: stateOf(target, now),
    availableAtMs: availableAtMs > now ? availableAtMs : 0,
    p50LatencyMs: percentile(sorted, 0.5),
    p95LatencyMs: percentile(sorted, 0.95),
    errorRate: total === 0 ? 0 : failed / total,
    calls: target.calls,
  };
};
