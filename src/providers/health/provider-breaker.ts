/** A breaker over all models of a provider: one that is dead must not be found out model by model. The clock is the caller's. */

import type { UpstreamErrorKind } from "../provider.ts";

type ProviderBreaker = {
  /** When the provider may be called again, epoch ms; 0 = now. */
  availableAt(provider: string, now: number): number;
  /** False while it is open; after its pause true for one caller until an outcome is recorded. */
  tryAcquire(provider: string, now: number): boolean;
  succeeded(provider: string): void;
  failed(provider: string, model: string, kind: UpstreamErrorKind, now: number): void;
  /** The outcome says nothing of the provider, but frees the probe. */
  released(provider: string): void;
};

/** What a provider does that is down as a whole, whichever of its models is asked. */
const WHOLE_KINDS: readonly UpstreamErrorKind[] = ["network", "timeout", "truncated", "server", "overloaded", "auth", "billing"];
/** In a row, and of more than one model: a single model may be the one that is broken. */
const FAILURES_TO_OPEN = 5;
const MODELS_TO_OPEN = 2;
/** A probe whose outcome never came (a crashed caller) must not close the door for good. */
export const PROBE_LEASE_MS = 60_000;

type State = { failures: number; models: Set<string>; openUntil: number; probeUntil: number };

export const createProviderBreaker = (cooldownMs: number): ProviderBreaker => {
  /** Only providers in trouble are held. */
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
    failed: (provider, model, kind, now) => {
      const state = states.get(provider) ?? { failures: 0, models: new Set(), openUntil: 0, probeUntil: 0 };
      state.probeUntil = 0;
      if (!WHOLE_KINDS.includes(kind)) return;
      states.set(provider, state);
      state.failures++;
      if (state.models.size < MODELS_TO_OPEN) state.models.add(model);
      if (state.failures < FAILURES_TO_OPEN || state.models.size < MODELS_TO_OPEN) return;
      state.openUntil = Math.max(state.openUntil, now + cooldownMs);
    },
    released: (provider) => {
      const state = states.get(provider);
      if (state !== undefined) state.probeUntil = 0;
    },
  };
};
