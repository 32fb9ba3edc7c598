/** What we ask of a server unasked must not cost the caller the answer: servers that imitate OpenAI's know fewer forms of it. */

import { UpstreamError } from "../upstream-error.ts";

/**
 * Sends a request in its plainer form if the server objected to `what` of the fuller one. A model that then answered is asked plainly
 * from then on.
 */
export const plainerIfRefused = (what: RegExp) => {
  const plainModels = new Set<string>();
  return async <T>(model: string, send: (isPlain: boolean) => Promise<T>): Promise<T> => {
    if (plainModels.has(model)) return send(true);
    try {
      return await send(false);
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.kind !== "bad_request") throw error;
      if (!what.test(error.details.upstreamMessage ?? "")) throw error;
      const answer = await send(true);
      plainModels.add(model);
      return answer;
    }
  };
};
