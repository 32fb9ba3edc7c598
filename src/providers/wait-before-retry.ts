/** Whether, and when, one upstream is asked once more after a failure: where there is no choice of models, as with media, searches and vectors. */

import type { UpstreamError } from "./upstream-error.ts";

/** A longer wait that an upstream asks for is spent on another, or is the caller's to spend. */
const LONGEST_WAIT_MS = 2_000;

/** Milliseconds; undefined where asking again cannot help, as with one that kept silent for its time. */
export const waitBeforeRetry = ({ retryable, kind, details }: UpstreamError): number | undefined => {
  const waitMs = details.retryAfterMs ?? 50 + Math.random() * 200;
  return retryable && kind !== "timeout" && waitMs <= LONGEST_WAIT_MS ? waitMs : undefined;
};
