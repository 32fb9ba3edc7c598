/** Acts out the fault triggers of a prompt that every medium shares (decisions §2), before anything is made. */

import { moderated } from "../../media/media-error.ts";
import { rest } from "../../media/send-media-request.ts";
import type { CallContext } from "../../provider.ts";
import { UpstreamError } from "../../upstream-error.ts";
import { activeTriggers, type FaultName, parseTriggers } from "../parse-triggers.ts";

type Script = {
  /** The prompt without its triggers. */
  text: string;
  has(name: FaultName): boolean;
  slowMs: number;
  reply?: string;
};

/** Waits and throws as the triggers say; the rest of the script is for the medium itself. `slowly: false` leaves the waiting to it too. */
export const actOut = async (prompt: string, context: CallContext, { slowly = true } = {}): Promise<Script> => {
  const { text, triggers } = parseTriggers(prompt);
  const active = activeTriggers(triggers, context.attempt);
  const find = (name: FaultName) => active.get(name);
  const slowMs = find("slow")?.ms ?? 0;
  if (slowly && slowMs > 0) await rest(slowMs, context);
  if (find("timeout")) {
    // An upstream that never answers: the caller's own deadline ends it.
    await rest(context.remainingMs, context);
    throw new UpstreamError("timeout", "The sandbox does not answer.");
  }
  if (find("refuse")) throw moderated();
  if (find("rate-limit"))
    throw new UpstreamError("rate_limit", "The sandbox's rate limit is reached.", { status: 429, retryAfterMs: 1 });
  if (find("error-500")) throw new UpstreamError("server", "The sandbox failed.", { status: 500 });
  if (find("bad-json")) throw new UpstreamError("server", "The sandbox sent an answer that is not JSON.", { accepted: true });
  const reply = find("reply")?.reply;
  return { text: text.trim(), has: (name) => find(name) !== undefined, slowMs, ...(reply !== undefined && { reply }) };
};
