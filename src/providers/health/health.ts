/**
 * What recent calls say of each provider and model: healthy, degraded or down, and from when it may be called again.
 * A breaker opens on failures, a rate limit cools for exactly the time the provider asked for. No timers: the clock decides.
 */

import type { UpstreamError, UpstreamErrorKind } from "../provider.ts";
import { createProviderBreaker, PROBE_LEASE_MS } from "./provider-breaker.ts";
import { createRetryBudget } from "./retry-budget.ts";

export type HealthState = "healthy" | "degraded" | "down";

export type Outcome =
  | { ok: true; latencyMs: number }
  | { ok: false; kind: UpstreamErrorKind; retryAfterMs?: number | undefined }
  /** The caller hung up: says nothing of the provider, but frees the probe. */
  | { ok: "aborted" };

export type HealthReport = {
  provider: string;
  model: string;
  state: HealthState;
  /** Epoch ms; 0 = now. */
  availableAtMs: number;
  /** Of the last 128 successes. */
  p50LatencyMs: number | undefined;
  p95LatencyMs: number | undefined;
  /** Share of failures among the outcomes of the last 30 seconds, 0-1. */
  errorRate: number;
  /** Since the process started. */
  rateLimitHits: number;
  calls: number;
};

export type Health = {
  state(provider: string, model: string): HealthState;
  availableAt(provider: string, model: string): number;
  /** Whether a call may be made now. After a breaker's pause exactly one caller gets true until its outcome is recorded. */
  tryAcquire(provider: string, model: string): boolean;
  /** Whether a provider that failed may be asked again, within the share of its attempts that retries may be. Who says when may be, then. */
  tryRetry(provider: string, failure: Pick<UpstreamError, "details">): boolean;
  record(provider: string, model: string, outcome: Outcome): void;
  snapshot(): HealthReport[];
};

const WINDOW_MS = 30_000;
const MAX_OUTCOMES = 256;
const MAX_LATENCIES = 128;
const MAX_TARGETS = 2000;
const CONSECUTIVE_TO_OPEN = 5;
const MIN_OUTCOMES_TO_OPEN = 10;
const RATIO_TO_OPEN = 0.5;
const RATIO_DEGRADED = 0.2;
const MAX_COOLDOWN_MS = 60_000;

/** The caller's own mistakes, and parameters that are learned and left out: no sign of trouble at the provider. */
const CLIENT_KINDS: readonly UpstreamErrorKind[] = [
  "bad_request",
  "context_length",
  "content_filter",
  "unsupported_param",
  "model_gone",
];

type Target = {
  provider: string;
  model: string;
  /** Of the last 30 seconds, oldest first, and how many of them failed. */
  outcomes: { at: number; failed: boolean }[];
  failed: number;
  consecutiveFailures: number;
  /** The breaker is open, or half-open once this has passed; 0 = closed. */
  openUntil: number;
  cooledUntil: number;
  probeUntil: number;
  latencies: number[];
  rateLimitHits: number;
  calls: number;
};

const newTarget = (provider: string, model: string): Target => ({
  provider,
  model,
  outcomes: [],
  failed: 0,
  consecutiveFailures: 0,
  openUntil: 0,
  cooledUntil: 0,
  probeUntil: 0,
  latencies: [],
  rateLimitHits: 0,
  calls: 0,
});

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

const recordSuccess = (target: Target, now: number, latencyMs: number): void => {
  target.consecutiveFailures = 0;
  target.latencies.push(latencyMs);
  if (target.latencies.length > MAX_LATENCIES) target.latencies.shift();
  // A call that began before the breaker opened says nothing of the time after.
  if (target.openUntil > 0 && target.openUntil <= now) close(target);
  remember(target, now, false);
};

const recordFailure = (target: Target, now: number, cooldownMs: number): void => {
  remember(target, now, true);
  target.consecutiveFailures++;
  const probeFailed = target.openUntil > 0 && target.openUntil <= now;
  target.probeUntil = 0;
  if (probeFailed || shouldOpen(target, now)) target.openUntil = Math.max(target.openUntil, now + cooldownMs);
};

const stateOf = (target: Target, now: number): HealthState => {
  if (target.openUntil > now) return "down";
  if (target.openUntil > 0 || target.cooledUntil > now) return "degraded";
  const { total, failed } = recent(target, now);
  return total > 0 && failed / total >= RATIO_DEGRADED ? "degraded" : "healthy";
};

const percentile = (sorted: number[], share: number): number | undefined =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];

const reportOf = (target: Target, now: number): HealthReport => {
  const sorted = target.latencies.toSorted((a, b) => a - b);
  const { total, failed } = recent(target, now);
  const availableAtMs = Math.max(target.openUntil, target.cooledUntil);
  return {
    provider: target.provider,
    model: target.model,
    state: stateOf(target, now),
    availableAtMs: availableAtMs > now ? availableAtMs : 0,
    p50LatencyMs: percentile(sorted, 0.5),
    p95LatencyMs: percentile(sorted, 0.95),
    errorRate: total === 0 ? 0 : failed / total,
    rateLimitHits: target.rateLimitHits,
    calls: target.calls,
  };
};

export const createHealth = ({ clock, cooldownMs }: { clock: { now(): number }; cooldownMs: number }): Health => {
  /** In the order they were first called. */
  const targets = new Set<Target>();
  /** By provider, then by model: every decision asks for every model, and a joined key would be made for each. */
  const byModel = new Map<string, Map<string, Target>>();
  const providers = createProviderBreaker(cooldownMs);
  const retries = createRetryBudget(clock);
  const find = (provider: string, model: string): Target | undefined => byModel.get(provider)?.get(model);

  const forget = (target: Target): void => {
    targets.delete(target);
    byModel.get(target.provider)!.delete(target.model);
  };
  const findOrAdd = (provider: string, model: string): Target => {
    const known = find(provider, model);
    if (known) return known;
    if (targets.size >= MAX_TARGETS) forget(targets.keys().next().value!);
    const target = newTarget(provider, model);
    targets.add(target);
    const models = byModel.get(provider) ?? new Map<string, Target>();
    byModel.set(provider, models.set(model, target));
    return target;
  };

  return {
    state(provider, model) {
      const now = clock.now();
      if (providers.availableAt(provider, now) > 0) return "down";
      const target = find(provider, model);
      return target ? stateOf(target, now) : "healthy";
    },
    availableAt(provider, model) {
      const target = find(provider, model);
      const at = Math.max(target?.openUntil ?? 0, target?.cooledUntil ?? 0, providers.availableAt(provider, clock.now()));
      return at > clock.now() ? at : 0;
    },
    tryAcquire(provider, model) {
      const target = find(provider, model);
      const now = clock.now();
      if (target !== undefined && (target.openUntil > now || target.cooledUntil > now)) return false;
      const isProbe = target !== undefined && target.openUntil > 0;
      if (isProbe && target.probeUntil > now) return false;
      if (!providers.tryAcquire(provider, now)) return false;
      if (isProbe) target.probeUntil = now + PROBE_LEASE_MS;
      return true;
    },
    tryRetry: (provider, { details }) => details.retryAfterMs !== undefined || retries.take(provider),
    record(provider, model, outcome) {
      retries.earn(provider);
      const target = findOrAdd(provider, model);
      const now = clock.now();
      if (outcome.ok === "aborted") {
        target.probeUntil = 0;
        providers.released(provider);
        return;
      }
      target.calls++;
      if (outcome.ok) {
        providers.succeeded(provider);
        return recordSuccess(target, now, outcome.latencyMs);
      }
      providers.failed(provider, model, outcome.kind, now);
      if (outcome.kind === "rate_limit") target.rateLimitHits++;
      if (CLIENT_KINDS.includes(outcome.kind)) {
        target.probeUntil = 0;
      } else if (outcome.kind === "rate_limit" && outcome.retryAfterMs !== undefined) {
        target.probeUntil = 0;
        target.cooledUntil = Math.max(target.cooledUntil, now + Math.min(outcome.retryAfterMs, MAX_COOLDOWN_MS));
      } else {
        recordFailure(target, now, cooldownMs);
      }
    },
    snapshot() {
      const now = clock.now();
      return [...targets].map((target) => reportOf(target, now));
    },
  };
};
