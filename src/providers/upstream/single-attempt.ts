/** A request to a provider beside any caller's attempts: a side question, a listing, vectors in the background. */

import type { CallContext } from "../provider.ts";

/** Ends after `withinMs`, and with `signal` where one is given. */
export const singleAttempt = (requestId: string, withinMs: number, signal?: AbortSignal): CallContext => {
  const deadline = AbortSignal.timeout(withinMs);
  return {
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    remainingMs: withinMs,
    requestId,
    attempt: 1,
  };
};
