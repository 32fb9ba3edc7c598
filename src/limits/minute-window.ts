/** What was used in the last minute: no 60 seconds, wherever they begin, are left out. Of requests, or of tokens. */

import { MINUTE_MS } from "../lib/clock.ts";
import { type LimitState, stateOf } from "./limit-state.ts";

export type MinuteWindow = {
  add(amount: number, atMs: number): void;
  /** Takes one back of what came at `sinceMs` or later: of the oldest of it, so that nothing else expires too soon. */
  takeBack(sinceMs: number): void;
  used(now: number): number;
  /** When (epoch ms) no more than `most` is left in it; `now` if that is so already. */
  downTo(most: number, now: number): number;
  /** `resetsAtMs`: when the oldest leaves the window; `now` if it is empty. */
  state(limit: number, now: number): LimitState;
  /** When each came, one by one, oldest first. */
  times(): number[];
};

export const createMinuteWindow = (): MinuteWindow => {
  let uses: { amount: number; atMs: number }[] = [];
  let sum = 0;
  const prune = (now: number): void => {
    // If the clock was set back, times in the future count as now, so that nobody waits longer than a minute.
    if ((uses.at(-1)?.atMs ?? now) > now) uses = uses.map(({ amount, atMs }) => ({ amount, atMs: Math.min(atMs, now) }));
    while (uses.length > 0 && uses[0]!.atMs <= now - MINUTE_MS) sum -= uses.shift()!.amount;
  };
  const used = (now: number): number => {
    prune(now);
    return sum;
  };
  const downTo = (most: number, now: number): number => {
    let left = used(now);
    let freeAtMs = now;
    for (const { amount, atMs } of uses) {
      if (left <= most) break;
      left -= amount;
      freeAtMs = atMs + MINUTE_MS;
    }
    return freeAtMs;
  };
  return {
    add: (amount, atMs) => {
      prune(atMs);
      uses.push({ amount, atMs });
      sum += amount;
    },
    takeBack: (sinceMs) => {
      const use = uses.find(({ amount, atMs }) => amount > 0 && atMs >= sinceMs);
      if (use === undefined) return;
      use.amount -= 1;
      sum -= 1;
    },
    used,
    downTo,
    state: (limit, now) => stateOf(limit, used(now), downTo(Math.max(0, sum - 1), now)),
    times: () => uses.flatMap(({ amount, atMs }) => Array<number>(amount).fill(atMs)),
  };
};
