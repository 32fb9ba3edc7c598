/** Reads the JSON of one frame of a stream. */

import { parseJson } from "../../lib/is-json.ts";
import type { TokenUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";

/**
 * Undefined for `[DONE]`, which some servers also send in other formats, where it has no meaning. Any other frame that is not JSON throws
 * UpstreamError `server`, with the usage `reported` until then.
 */
export const parseFrame = (frame: string, provider: string, reported?: TokenUsage): unknown => {
  try {
    return parseJson(frame);
  } catch {
    if (frame.trim() === "[DONE]") return undefined;
    throw brokenAnswer("server", provider, reported);
  }
};
