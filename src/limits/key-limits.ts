/**
 * What one key may ask for in a minute, within its project's limits: requests, of all groups that are work together, and tokens. What a call
 * uses is known when it ends, so calls under way may exceed the tokens. Of keys without limits nothing is kept.
 */

import type { ApiKey } from "../accounts/api-key.ts";
import { type Clock, MINUTE_MS } from "../lib/clock.ts";
import type { Counters } from "./counters.ts";
import { ownExceeded } from "./exceeded.ts";
import { type LimitState, stateOf, type UsageOfLimit } from "./limit-state.ts";
import type { RollingWindow } from "./rolling-window.ts";
import { createTokenWindow, type TokenWindow } from "./token-window.ts";

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
  /** Of its requests; undefined if they are not limited. */
  state(key: ApiKey): LimitState | undefined;
  /** null: not limited. */
  usage(key: ApiKey): { requests: UsageOfLimit | null; tokens: UsageOfLimit | null };
};

/** The calls of a key in the ledger that began (`requests`) or ended (`tokens`) after `sinceMs`, oldest first. */
export type LedgerOfKey = {
  requests(key: ApiKey, sinceMs: number): number[];
  tokens(key: ApiKey, sinceMs: number): { tokens: number; atMs: number }[];
};

export const createKeyLimits = (counters: Counters, clock: Clock, ledger: LedgerOfKey): KeyLimits => {
  const tokenWindows = new Map<string, TokenWindow>();

  const requestsOf = (key: ApiKey, now: number): RollingWindow | undefined =>
    key.requestsPerMinute === null
      ? undefined
      : counters.windowNamed(key.id, key.requestsPerMinute, now, (sinceMs) => ledger.requests(key, sinceMs));

  const tokensOf = (key: ApiKey, now: number): TokenWindow => {
    let window = tokenWindows.get(key.id);
    if (window === undefined) {
      window = createTokenWindow();
      for (const { tokens, atMs } of ledger.tokens(key, now - MINUTE_MS)) window.add(tokens, atMs);
      tokenWindows.set(key.id, window);
    }
    return window;
  };

  const state = (key: ApiKey): LimitState | undefined => {
    const now = clock.now();
    return requestsOf(key, now)?.state(now);
  };

  return {
    has: (key) => key.requestsPerMinute !== null || key.tokensPerMinute !== null,
    require: (key) => {
      const now = clock.now();
      const requests = requestsOf(key, now);
      if (requests?.state(now).remaining === 0) throw ownExceeded(requests.size, "requests", requests.take(now, 1)!, now);
      const limit = key.tokensPerMinute;
      if (limit !== null && tokensOf(key, now).used(now) >= limit)
        throw ownExceeded(limit, "tokens", tokensOf(key, now).belowAt(limit, now), now);
    },
    count: (key) => {
      const now = clock.now();
      requestsOf(key, now)?.take(now, 1);
    },
    uncount: (key, sinceMs) => requestsOf(key, clock.now())?.giveBack(sinceMs),
    use: (keyId, tokens) => tokenWindows.get(keyId)?.add(tokens, clock.now()),
    state,
    usage: (key) => {
      const requests = state(key) ?? null;
      if (key.tokensPerMinute === null) return { requests, tokens: null };
      const now = clock.now();
      const tokens = tokensOf(key, now);
      const used = tokens.used(now);
      return { requests, tokens: stateOf(key.tokensPerMinute, used, tokens.belowAt(used, now)) };
    },
  };
};
