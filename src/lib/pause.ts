/** A wait that ends early if a signal aborts, and leaves no listener behind. */

import { setTimeout } from "node:timers/promises";

const LONGEST_TIMER_MS = 2_147_483_647;

/** False, at once, if the signal has aborted or aborts meanwhile. */
export const pause = (ms: number, signal: AbortSignal): Promise<boolean> =>
  setTimeout(Math.min(ms, LONGEST_TIMER_MS), true, { signal }).catch(() => false);
