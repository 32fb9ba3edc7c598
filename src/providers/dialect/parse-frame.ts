/** Reads the JSON of one frame of a stream. */

import type { TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";

/**
 * Undefined for the end mark of chat completions, which says nothing in other formats, where some servers add it all the same. Anything
 * else that is no JSON ends the stream: UpstreamError `server`, with the usage that was `reported` by then.
 */
export const parseFrame = (frame: string, provider: string, reported?: TokenUsage): unknown => {
  try {
    return JSON.parse(frame);
  } catch {
    if (frame.trim() === "[DONE]") return undefined;
    throw brokenAnswer("server", provider, reported);
  }
};
