/** Several keys of one provider: shared out by weight, left alone while they cool down: for the model that was limited, or where the key was refused for all. */

import { type Clock, steadyClock } from "../../lib/clock.ts";
import type { UpstreamError } from "../upstream-error.ts";

export type ProviderKey = {
  /** Names the key in logs; never the secret. */
  id: string;
  key: string;
  weight: number;
};

type KeyRing = {
  /** The key whose turn it is, undefined while rate limits leave none. Where all are refused, the one refused first: the breaker counts. */
  next(model: string): ProviderKey | undefined;
  /** Takes note of a failure that concerns the key; false for failures that do not. */
  reportFailure(keyId: string, model: string, error: UpstreamError): boolean;
  /** When the first key is usable again, epoch ms; 0 when one is now. */
  availableAt(model: string): number;
};

export type KeyRingOptions = {
  clock: Clock;
  /** Told once for each time that a key begins to be refused: somebody has to look at the account. */
  onRefused?: ((keyId: string, error: UpstreamError) => void) | undefined;
};

const MAX_COOLDOWN_MS = 60_000;
/** Gap: while others work, a refused key is left alone for five minutes, in case the account is set right meanwhile. */
const LOCKOUT_MS = 5 * 60_000;

type Slot = ProviderKey & {
  current: number;
  refusedUntil: number;
  /** Providers count their limits by model: until when which one is. */
  limitedUntil: Map<string, number>;
};

const freeAt = (slot: Slot, model: string): number => Math.max(slot.refusedUntil, slot.limitedUntil.get(model) ?? 0);

export const createKeyRing = (keys: readonly ProviderKey[], { clock: wall, onRefused }: KeyRingOptions): KeyRing => {
  const clock = steadyClock(wall);
  const slots: Slot[] = keys.map((key) => ({
    ...key,
    weight: Math.max(0, key.weight),
    current: 0,
    refusedUntil: 0,
    limitedUntil: new Map(),
  }));
  const refusedFirst = (now: number): Slot | undefined =>
    slots.every(({ refusedUntil }) => refusedUntil > now)
      ? slots.reduce((first, slot) => (slot.refusedUntil < first.refusedUntil ? slot : first))
      : undefined;
  const refuse = (slot: Slot, error: UpstreamError): void => {
    const now = clock.now();
    if (slot.refusedUntil <= now) onRefused?.(slot.id, error);
    slot.refusedUntil = now + LOCKOUT_MS;
  };

  return {
    /** Smooth weighted round robin: over time each key gets its share, and no key twice in a row without need. */
    next(model) {
      const now = clock.now();
      if (slots.length === 1 && freeAt(slots[0]!, model) <= now) return slots[0];
      const candidates = slots.filter((slot) => freeAt(slot, model) <= now);
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
    reportFailure(keyId, model, error) {
      const slot = slots.find(({ id }) => id === keyId);
      if (!slot) return false;
      if (error.kind === "auth" || error.kind === "billing") {
        refuse(slot, error);
        return true;
      }
      const { retryAfterMs } = error.details;
      if (error.kind !== "rate_limit" || retryAfterMs === undefined) return false;
      // A limit heard after a refusal says that the key is good again.
      slot.refusedUntil = 0;
      const until = clock.now() + Math.min(retryAfterMs, MAX_COOLDOWN_MS);
      slot.limitedUntil.set(model, Math.max(slot.limitedUntil.get(model) ?? 0, until));
      return true;
    },
    availableAt(model) {
      const now = clock.now();
      const earliest = Math.min(...slots.map((slot) => freeAt(slot, model)));
      return earliest <= now ? 0 : clock.toWall(earliest);
    },
  };
};
