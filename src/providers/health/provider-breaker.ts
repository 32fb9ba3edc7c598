/** The circuit breaker of a whole provider, so that an outage need not be discovered model by model. The caller brings the clock. */

import { concernsProvider, type UpstreamErrorKind } from "../upstream-error.ts";

type Failure = { kind: UpstreamErrorKind; call?: string };

type ProviderBreaker = {
  /** When the provider may be called again, epoch ms; 0 = now. */
  availableAt(provider: string, now: number): number;
  /** False while it is open; after its pause true for one caller until an outcome is recorded. */
  tryAcquire(provider: string, now: number): boolean;
  succeeded(provider: string): void;
  failed(provider: string, model: string, failure: Failure, now: number): void;
  /** The outcome says nothing about the provider, but frees the probe. */
  released(provider: string): void;
};

/**
 * In a row, over more than one model and more than one call: a single model may be the broken one, and one call that asks all models within
 * a moment proves little, since they may all fail at its prompt.
 */
const FAILURES_TO_OPEN = 5;
const MODELS_TO_OPEN = 2;
/** A probe without an outcome (a crashed caller) must not keep the breaker open for ever. */
export const PROBE_LEASE_MS = 60_000;

type State = {
  failures: number;
  models: Set<string>;
  firstCall: string | undefined;
  ofOneCall: boolean;
  openUntil: number;
  probeUntil: number;
};

const newState = (firstCall: string | undefined): State => ({
  failures: 0,
  models: new Set(),
  firstCall,
  ofOneCall: true,
  openUntil: 0,
  probeUntil: 0,
});

export const createProviderBreaker = (cooldownMs: number): ProviderBreaker => {
  /** Holds only providers with recent failures. */
  const states = new Map<string, State>();
  return {
    availableAt: (provider, now) => {
      const openUntil = states.get(provider)?.openUntil ?? 0;
      return openUntil > now ? openUntil : 0;
    },
    tryAcquire: (provider, now) => {
      const state = states.get(provider);
      if (state === undefined || state.openUntil === 0) return true;
      if (state.openUntil > now || state.probeUntil > now) return false;
      state.probeUntil = now + PROBE_LEASE_MS;
      return true;
    },
    succeeded: (provider) => void states.delete(provider),
    failed: (provider, model, { kind, call }, now) => {
      const state = states.get(provider) ?? newState(call);
      state.probeUntil = 0;
      // A rate limit is often that of one model.
      if (!concernsProvider(kind) || kind === "rate_limit") return;
      states.set(provider, state);
      state.failures++;
      state.models.add(model);
      if (call === undefined || call !== state.firstCall) state.ofOneCall = false;
      if (state.failures < FAILURES_TO_OPEN || state.models.size < MODELS_TO_OPEN || state.ofOneCall) return;
      state.openUntil = now + cooldownMs;
    },
    released: (provider) => {
      const state = states.get(provider);
      if (state !== undefined) state.probeUntil = 0;
    },
  };
};
