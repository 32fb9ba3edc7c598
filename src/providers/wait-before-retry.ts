/** Whether and when the same upstream is asked again. */

import type { UpstreamError } from "./upstream-error.ts";

/** Gap: the pause that the upstream asks for, if any, and a little more, so that calls that failed together do not all return at once. */
export const retryWaitMs = ({ details: { retryAfterMs = 0 } }: UpstreamError): number =>
  retryAfterMs + 20 + Math.random() * (80 + retryAfterMs / 10);

/** If an upstream asks for a longer wait, another one is asked, or the caller is told. */
const LONGEST_WAIT_MS = 2_000;

/**
 * For calls without a choice of models: media, searches and embeddings. In milliseconds; undefined if a retry cannot help, for example
 * after a time-out.
 */
export const waitBeforeRetry = (error: UpstreamError): number | undefined => {
  const isShort = (error.details.retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
  return error.retryable && error.kind !== "timeout" && isShort ? retryWaitMs(error) : undefined;
};
