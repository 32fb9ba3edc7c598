/**
 * Several keys of one provider, used in turn by weight. A rate-limited key rests for the model that was limited, a refused key for all
 * models.
 */

import { type Clock, steadyClock } from "../../lib/clock.ts";
import type { UpstreamError } from "../upstream-error.ts";

export type ProviderKey = {
  /** Names the key in logs; never the secret. */
  id: string;
  key: string;
  /** Above 0. */
  weight: number;
};

type KeyRing = {
  /**
   * The key whose turn it is; undefined while all are rate-limited. If all are refused, the one refused first is used, so that the breaker
   * counts the failure.
   */
  next(model: string): ProviderKey | undefined;
  /** Notes a failure that concerns the key; returns false for other failures. */
  reportFailure(keyId: string, model: string, error: UpstreamError): boolean;
  /** When the first key is usable again, epoch ms; 0 when one is now. */
  availableAt(model: string): number;
};

export type KeyRingOptions = {
  clock: Clock;
  /** Called once each time a key begins to be refused, since somebody has to look at the account. */
  onRefused?: ((keyId: string, error: UpstreamError) => void) | undefined;
};

const MAX_COOLDOWN_MS = 60_000;
/** Gap: while other keys work, a refused one rests for five minutes, in case the account is fixed meanwhile. */
const LOCKOUT_MS = 5 * 60_000;

type Slot = ProviderKey & {
  current: number;
  refusedUntil: number;
  /** Until when each model is limited; providers count by model. */
  limitedUntil: Map<string, number>;
};

const freeAt = (slot: Slot, model: string): number => Math.max(slot.refusedUntil, slot.limitedUntil.get(model) ?? 0);

export const createKeyRing = (keys: readonly ProviderKey[], { clock: wall, onRefused }: KeyRingOptions): KeyRing => {
  const clock = steadyClock(wall);
  const slots: Slot[] = keys.map((key) => ({ ...key, current: 0, refusedUntil: 0, limitedUntil: new Map() }));
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
    /** Smooth weighted round robin: each key gets its share over time, and none is used twice in a row unnecessarily. */
    next(model) {
      const now = clock.now();
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
      const slot = slots.find(({ id }) => id === keyId)!;
      if (error.kind === "auth" || error.kind === "billing") {
        refuse(slot, error);
        return true;
      }
      const { retryAfterMs } = error.details;
      if (error.kind !== "rate_limit" || retryAfterMs === undefined) return false;
      // A rate limit after a refusal means that the key is valid again.
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
