/** One deadline over all attempts of a call, and the signal of the caller's hanging up. */

import type { Platform } from "../platform.ts";

export type Deadline = {
  /** On the scale of `performance.now()`. */
  endsAt: number;
  signal: AbortSignal;
};

export const deadlineOf = (platform: Platform, signal: AbortSignal): Deadline => ({
  endsAt: performance.now() + platform.config.timeouts.totalMs,
  signal,
});
