/** What we ask of a server unasked must not cost the caller the answer: servers that imitate OpenAI's know fewer forms of it. */

import { UpstreamError } from "../upstream-error.ts";

/**
 * Sends a request in its plainer form if the server objected to `what` of the fuller one. If that is answered, requests of the same kind
 * are plain from then on. `kind`: the model, and what else the fuller form depends on.
 */
export const plainerIfRefused = (what: RegExp) => {
  const plainKinds = new Set<string>();
  return async <T>(kind: string, send: (isPlain: boolean) => Promise<T>): Promise<T> => {
    if (plainKinds.has(kind)) return send(true);
    try {
      return await send(false);
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.kind !== "bad_request") throw error;
      if (!what.test(error.details.upstreamMessage ?? "")) throw error;
      const answer = await send(true);
      plainKinds.add(kind);
      return answer;
    }
  };
};
