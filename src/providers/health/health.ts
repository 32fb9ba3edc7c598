/**
 * The health of each provider and model by its recent calls: healthy, degraded or down, and when it may be called again. There is a breaker
 * for each model, one for each provider as a whole, and a budget of retries. No timers: everything follows from the clock.
 */

import { type Clock, steadyClock } from "../../lib/clock.ts";
import type { UpstreamError } from "../upstream-error.ts";
import {
  forgive,
  type HealthReport,
  type HealthState,
  mayCall,
  newTarget,
  noteCall,
  type Outcome,
  opensAt,
  recordOutcome,
  reportOf,
  stateOf,
  type Target,
} from "./model-breaker.ts";
import { createProviderBreaker } from "./provider-breaker.ts";
import { createRetryBudget } from "./retry-budget.ts";

export type Health = {
  state(provider: string, model: string): HealthState;
  /** Epoch ms by the clock; 0 = now. */
  availableAt(provider: string, model: string): number;
  /** Whether a call may be made now. After a breaker's pause exactly one caller gets true until its outcome is recorded. */
  tryAcquire(provider: string, model: string): boolean;
  /** Whether a provider that failed may be retried within its retry budget. Always true if it said itself when to come back. */
  tryRetry(provider: string, failure: Pick<UpstreamError, "details">): boolean;
  record(provider: string, model: string, outcome: Outcome): void;
  /** The provider is called with another key or at another address from now on: its breakers close. */
  forgive(provider: string): void;
  snapshot(): HealthReport[];
};

/** What one caller's requests ask of it, and tell it. */
export type CallHealth = Pick<Health, "state" | "availableAt" | "tryAcquire" | "tryRetry" | "record">;

/** The sandbox's faults never move a breaker (decisions §11). */
export const ALWAYS_HEALTHY: CallHealth = {
  state: () => "healthy",
  availableAt: () => 0,
  tryAcquire: () => true,
  tryRetry: () => true,
  record: () => undefined,
};

const MAX_TARGETS = 2000;

export const createHealth = ({ clock: wall, cooldownMs }: { clock: Clock; cooldownMs: number }): Health => {
  const clock = steadyClock(wall);
  /** In the order of their first calls. */
  const targets = new Set<Target>();
  /** By provider, then by model, because every decision looks up every model and a joined key would be built each time. */
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
      const now = clock.now();
      const at = Math.max(target === undefined ? 0 : opensAt(target), providers.availableAt(provider, now));
      return at > now ? clock.toWall(at) : 0;
    },
    tryAcquire(provider, model) {
      const target = find(provider, model);
      const now = clock.now();
      if (target !== undefined && !mayCall(target, now)) return false;
      if (!providers.tryAcquire(provider, now)) return false;
      if (target !== undefined) noteCall(target, now);
      return true;
    },
    tryRetry: (provider, { details }) => details.retryAfterMs !== undefined || retries.take(provider),
    record(provider, model, outcome) {
      const now = clock.now();
      retries.earn(provider);
      recordOutcome(findOrAdd(provider, model), outcome, now, cooldownMs);
      if (outcome.ok === "aborted") providers.released(provider);
      else if (outcome.ok) providers.succeeded(provider);
      else providers.failed(provider, model, outcome, now);
    },
    forgive(provider) {
      for (const target of byModel.get(provider)?.values() ?? []) forgive(target);
      providers.succeeded(provider);
    },
    snapshot() {
      const now = clock.now();
      return [...targets].map((target) => {
        const report = reportOf(target, now);
        return { ...report, availableAtMs: report.availableAtMs && clock.toWall(report.availableAtMs) };
      });
    },
  };
};
