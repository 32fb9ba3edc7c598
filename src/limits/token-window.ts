/** A rolling window of tokens: how many were used in the last 60 seconds. */

import { MINUTE_MS } from "../lib/clock.ts";

export type TokenWindow = {
  add(tokens: number, atMs: number): void;
  used(now: number): number;
  /** When (epoch ms) fewer than `limit` are left in it; `now` if that is so already. */
  belowAt(limit: number, now: number): number;
};

export const createTokenWindow = (): TokenWindow => {
  let uses: { tokens: number; atMs: number }[] = [];
  let sum = 0;
  const prune = (now: number) => {
    // If the clock was set back, times in the future count as now, so that nobody waits longer than a minute.
    if ((uses.at(-1)?.atMs ?? now) > now) uses = uses.map(({ tokens, atMs }) => ({ tokens, atMs: Math.min(atMs, now) }));
    while (uses.length > 0 && uses[0]!.atMs <= now - MINUTE_MS) sum -= uses.shift()!.tokens;
  };
  return {
    add: (tokens, atMs) => {
      prune(atMs);
      uses.push({ tokens, atMs });
      sum += tokens;
    },
    used: (now) => {
      prune(now);
      return sum;
    },
    belowAt: (limit, now) => {
      prune(now);
      let left = sum;
      for (const { tokens, atMs } of uses) {
        if (left < limit) break;
        left -= tokens;
        if (left < limit) return atMs + MINUTE_MS;
      }
      return now;
    },
  };
};
