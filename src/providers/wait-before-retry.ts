/** Whether and when to retry the same upstream, for calls without a choice of models: media, searches and embeddings. */

import type { UpstreamError } from "./upstream-error.ts";

/** If an upstream asks for a longer wait, another one is asked, or the caller is told. */
const LONGEST_WAIT_MS = 2_000;

/** In milliseconds; undefined if a retry cannot help, for example after a time-out. */
export const waitBeforeRetry = ({ retryable, kind, details }: UpstreamError): number | undefined => {
  const waitMs = details.retryAfterMs ?? 50 + Math.random() * 200;
  return retryable && kind !== "timeout" && waitMs <= LONGEST_WAIT_MS ? waitMs : undefined;
};
