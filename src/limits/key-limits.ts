/**
 * What one key may ask for in a minute, within its project's limits: requests, of all groups that are work together, and tokens. What a call
 * uses is known when it ends, so calls under way may exceed the tokens. Of keys without limits nothing is kept.
 */

import type { ApiKey } from "../accounts/api-key.ts";
import { type Clock, MINUTE_MS } from "../lib/clock.ts";
import type { Counters } from "./counters.ts";
import { ownExceeded } from "./exceeded.ts";
import type { LimitState } from "./limit-state.ts";
import { createMinuteWindow, type MinuteWindow } from "./minute-window.ts";

export type KeyLimits = {
  /** Whether it has any. */
  has(key: ApiKey): boolean;
  /** Throws 429 if a request does not fit, and counts nothing. Await nothing between this and `count`. */
  require(key: ApiKey): void;
  count(key: ApiKey): void;
  /** Removes the one request that was counted at `sinceMs` or after. */
  uncount(key: ApiKey, sinceMs: number): void;
  /** Adds what a call has used, if the key's tokens are limited. */
  use(keyId: string, tokens: number): void;
  /** Undefined: not limited. */
  states(key: ApiKey): Record<"requests" | "tokens", LimitState | undefined>;
};

/** The calls of a key in the ledger that began (`requests`) or ended (`tokens`) after `sinceMs`, oldest first. */
export type LedgerOfKey = {
  requests(key: ApiKey, sinceMs: number): number[];
  tokens(key: ApiKey, sinceMs: number): { tokens: number; atMs: number }[];
};

type Held = { limit: number; window: MinuteWindow };

export const createKeyLimits = (counters: Counters, clock: Clock, ledger: LedgerOfKey): KeyLimits => {
  const tokenWindows = new Map<string, MinuteWindow>();

  const tokensOf = (key: ApiKey, now: number): MinuteWindow => {
    let window = tokenWindows.get(key.id);
    if (window === undefined) {
      window = createMinuteWindow();
      for (const { tokens, atMs } of ledger.tokens(key, now - MINUTE_MS)) window.add(tokens, atMs);
      tokenWindows.set(key.id, window);
    }
    return window;
  };

  const requestsOf = (key: ApiKey, now: number): MinuteWindow =>
    counters.windowNamed(key.id, now, (sinceMs) => ledger.requests(key, sinceMs));

  const limitsOf = (key: ApiKey, now: number): Record<"requests" | "tokens", Held | undefined> => {
    const held = (limit: number | null, windowOf: typeof tokensOf) =>
      limit === null ? undefined : { limit, window: windowOf(key, now) };
    return { requests: held(key.requestsPerMinute, requestsOf), tokens: held(key.tokensPerMinute, tokensOf) };
  };

  return {
    has: (key) => key.requestsPerMinute !== null || key.tokensPerMinute !== null,
    require: (key) => {
      const now = clock.now();
      const limits = limitsOf(key, now);
      for (const what of ["requests", "tokens"] as const) {
        const held = limits[what];
        if (held === undefined || held.window.used(now) < held.limit) continue;
        throw ownExceeded(held.limit, what, held.window.downTo(held.limit - 1, now), now);
      }
    },
    count: (key) => {
      const now = clock.now();
      limitsOf(key, now).requests?.window.add(1, now);
    },
    uncount: (key, sinceMs) => limitsOf(key, clock.now()).requests?.window.takeBack(sinceMs),
    use: (keyId, tokens) => tokenWindows.get(keyId)?.add(tokens, clock.now()),
    states: (key) => {
      const now = clock.now();
      const { requests, tokens } = limitsOf(key, now);
      return { requests: requests?.window.state(requests.limit, now), tokens: tokens?.window.state(tokens.limit, now) };
    },
  };
};
