/** The context of a provider request outside a caller's attempts: a side call, a model listing, embeddings in the background. */

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
