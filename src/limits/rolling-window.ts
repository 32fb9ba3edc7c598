/** A rolling window: no 60 seconds, wherever they begin, contain more than `size` requests. Keeps the times of the last `size`. */

import { MINUTE_MS } from "../lib/clock.ts";
import { type LimitState, stateOf } from "./limit-state.ts";

export type RollingWindow = {
  size: number;
  /** Counts `amount` and returns null; or counts nothing and returns when (epoch ms) they would fit. */
  take(now: number, amount: number): number | null;
  /** Removes one request that was counted at `since` or later: the oldest of them, so that none of the others expires too soon. */
  giveBack(since: number): void;
  /** `resetsAtMs`: when the oldest counted request leaves the window; `now` if it is empty. */
  state(now: number): LimitState;
  /** The times of the counted requests, for the window that replaces this one: under another limit, or after a restart. */
  history(): number[];
};

/** `before`: the history of the window that it replaces. */
export const createRollingWindow = (size: number, before: readonly number[] = []): RollingWindow => {
  let times = [...before];
  let head = 0;
  const prune = (now: number) => {
    // If the clock was set back, times in the future count as now, so that nobody waits longer than a minute.
    if ((times.at(-1) ?? now) > now) times = times.map((time) => Math.min(time, now));
    while (head < times.length && times[head]! <= now - MINUTE_MS) head++;
    if (head > 1024 && head * 2 > times.length) {
      times = times.slice(head);
      head = 0;
    }
  };
  const held = () => times.length - head;
  return {
    size,
    history: () => times.slice(head),
    take: (now, amount) => {
      prune(now);
      if (held() + amount > size) {
        if (amount > size) return now + MINUTE_MS;
        return times[head + held() + amount - size - 1]! + MINUTE_MS;
      }
      for (let count = 0; count < amount; count++) times.push(now);
      return null;
    },
    giveBack: (since) => {
      for (let at = head; at < times.length; at++) {
        if (times[at]! >= since) return void times.splice(at, 1);
      }
    },
    state: (now) => {
      prune(now);
      return stateOf(size, Math.min(size, held()), held() === 0 ? now : times[head]! + MINUTE_MS);
    },
  };
};
