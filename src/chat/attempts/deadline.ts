/** One deadline over all attempts of a call, and the signal that ends them early. */

import { pause } from "../../lib/pause.ts";
import type { Platform } from "../../platform.ts";

export type Deadline = {
  /** On the scale of `performance.now()`. */
  endsAt: number;
  /** Aborts when the caller disconnects, and when a stopping server can wait no longer. */
  signal: AbortSignal;
};

export const deadlineOf = (platform: Platform, signal: AbortSignal): Deadline => ({
  endsAt: performance.now() + platform.config.timeouts.totalMs,
  signal: AbortSignal.any([signal, platform.cutOff.signal]),
});

/** False at once if the deadline is earlier or has passed: waiting would be pointless. */
export const waitWithin = async ({ endsAt, signal }: Deadline, waitMs: number): Promise<boolean> =>
  performance.now() + waitMs < endsAt && pause(waitMs, signal);
