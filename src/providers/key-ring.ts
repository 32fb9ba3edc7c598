/** Several keys of one provider: shared out by weight, left alone while they cool down. */

import type { UpstreamError } from "./provider.ts";

export type ProviderKey = {
  /** Names the key in logs; never the secret. */
  id: string;
  key: string;
  weight: number;
};

export type KeyRing = {
  /** The key whose turn it is, undefined while rate limits leave none. Where all are refused, the one refused first: the breaker counts. */
  next(): ProviderKey | undefined;
  /** Takes note of a failure that concerns the key; false for failures that do not. */
  reportFailure(keyId: string, error: UpstreamError): boolean;
  /** When the first key is usable again, epoch ms; 0 when one is now. */
  availableAt(): number;
};

const MAX_COOLDOWN_MS = 60_000;
/** Gap: while others work, a refused key is left alone for five minutes, in case the account is set right meanwhile. */
const LOCKOUT_MS = 5 * 60_000;

type Slot = ProviderKey & { current: number; cooledUntil: number; lockedOut: boolean };

export const createKeyRing = (keys: readonly ProviderKey[], clock: { now(): number }): KeyRing => {
  const slots: Slot[] = keys.map((key) => ({
    ...key,
    weight: Math.max(0, key.weight),
    current: 0,
    cooledUntil: 0,
    lockedOut: false,
  }));
  const usable = (slot: Slot, now: number): boolean => slot.cooledUntil <= now;
  const refusedFirst = (now: number): Slot | undefined =>
    slots.every((slot) => slot.lockedOut && !usable(slot, now))
      ? slots.reduce((first, slot) => (slot.cooledUntil < first.cooledUntil ? slot : first))
      : undefined;

  return {
    /** Smooth weighted round robin: over time each key gets its share, and no key twice in a row without need. */
    next() {
      const now = clock.now();
      if (slots.length === 1 && usable(slots[0]!, now)) return slots[0];
      const candidates = slots.filter((slot) => usable(slot, now));
      let total = 0;
      let best: Slot | undefined;
      for (const slot of candidates) {
        slot.current += slot.weight;
        total += slot.weight;
        if (!best || slot.current > best.current) best = slot;
      }
      if (best) best.current -= total;
      return best ?? refusedFirst(now);
    },
    reportFailure(keyId, error) {
      const slot = slots.find(({ id }) => id === keyId);
      const isCredential = error.kind === "auth" || error.kind === "billing";
      if (!slot || !(isCredential || (error.kind === "rate_limit" && error.details.retryAfterMs !== undefined))) return false;
      const pause = isCredential ? LOCKOUT_MS : Math.min(error.details.retryAfterMs!, MAX_COOLDOWN_MS);
      const until = clock.now() + pause;
      // A limit heard after a refusal says that the key is good again.
      slot.cooledUntil = slot.lockedOut === isCredential ? Math.max(slot.cooledUntil, until) : until;
      slot.lockedOut = isCredential;
      return true;
    },
    availableAt() {
      const now = clock.now();
      const earliest = Math.min(...slots.map(({ cooledUntil }) => cooledUntil));
      return earliest <= now ? 0 : earliest;
    },
  };
};
