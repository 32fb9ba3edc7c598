/** Opens the response of a streamed call. It waits for the first content, so that a call that fails before has a status of its own. */

import type { Caller } from "../../accounts/authenticate.ts";
import { ApiError } from "../../api-error.ts";
import { KEEP_ALIVE, ReaderGone, SSE_HEADERS } from "../../http/sse.ts";
import { endNow } from "../../lib/clock.ts";
import { fallbackUsed, latencyMsOf } from "../../logs/call.ts";
import type { Platform } from "../../platform.ts";
import { describeError } from "../../process-log.ts";
import { noUsage } from "../../providers/provider.ts";
import { type CallDraft, newDraft } from "../call-draft.ts";
import { type ChatInput, messagesAs } from "../request/chat-input.ts";
import { streamChat } from "../stream-answer.ts";
import { createOutlet, type Outlet, type StreamEncoder, type StreamFacts } from "./outlet.ts";
import { answerHeaders, askedBy, reuseHeaders } from "./send-answer.ts";

/** Response headers wait this long for the first content (decisions §11). */
const LONGEST_SILENCE_MS = 10_000;

/** Throws 429 if all of the project's concurrent streams are taken, and until the first content the errors of a whole answer. */
export const openStream = async (
  platform: Platform,
  { caller, request }: { caller: Caller; request: Request },
  input: ChatInput,
  encoderFor: (stream: StreamFacts) => StreamEncoder,
): Promise<Response> => {
  const freePlace = takePlace(platform, caller);
  try {
    const draft = newDraft(platform, { caller, input, streamed: true, ...askedBy(caller, request) });
    return await respond(platform, draft, encoderFor, freePlace);
  } catch (error) {
    freePlace();
    throw messagesAs(input, error);
  }
};

/**
 * Resolves once the first content is there, or after ten seconds. A later error becomes the stream's last frame. A caller who disconnects
 * aborts the upstream, and what was used is logged.
 */
const respond = async (
  platform: Platform,
  draft: CallDraft,
  encoderFor: (stream: StreamFacts) => StreamEncoder,
  freePlace: () => void,
): Promise<Response> => {
  const { caller, signal } = draft;
  const facts = factsOf(draft);
  const outlet = createOutlet(facts, encoderFor(facts));
  const ended = streamChat(platform, draft, outlet.send)
    .finally(freePlace)
    .then(outlet.end, (error) => {
      const isUnread = !outlet.hasBegun() && !draft.hasHeaders;
      if (isUnread || signal.aborted) outlet.abandon();
      if (isUnread) throw error;
      endInError(platform, draft, outlet, error);
    });
  await within(LONGEST_SILENCE_MS, Promise.race([outlet.begun, ended]), () => {
    draft.hasHeaders = true;
    outlet.comment(KEEP_ALIVE)?.catch(() => undefined);
  });
  const latencyMs = latencyMsOf({ startedAtMs: caller.startedAtMs, completedAtMs: endNow(platform.clock, caller) });
  return new Response(outlet.body, {
    headers: { ...SSE_HEADERS, ...answerHeaders(facts.model(), fallbackUsed(draft), latencyMs), ...reuseHeaders(draft) },
  });
};

/** Takes one of the project's concurrent streams; freeing it twice does nothing. A refused request does not count against minute and day. */
const takePlace = ({ limits }: Platform, caller: Caller): (() => void) => {
  try {
    return limits.occupy(caller, "streams");
  } catch (error) {
    limits.uncount(caller, "chat", caller.startedAtMs);
    throw error;
  }
};

const factsOf = (draft: CallDraft): StreamFacts => ({
  requestId: draft.caller.requestId,
  createdAtMs: draft.caller.startedAtMs,
  // If several whole answers came, the best one is sent, which need not be the last.
  model: () => draft.answer?.model ?? draft.attempts.at(-1)?.model ?? draft.routing?.first_choice ?? "",
  promptTokens: () => draft.promptTokens,
  promptUsage: () => ({ ...(draft.firstUsage ?? { ...noUsage(), input: draft.promptTokens }), output: 0, reasoning: 0 }),
});

/** Resolves with `what`, or after `ms`, when it calls `late`. */
const within = async (ms: number, what: Promise<void>, late: () => void): Promise<void> => {
  const { promise: silence, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    late();
    resolve();
  }, ms);
  try {
    await Promise.race([what, silence]);
  } finally {
    clearTimeout(timer);
  }
};

/** A disconnected caller is noted in the call's row, not in the process log. */
const endInError = (platform: Platform, { caller, input }: CallDraft, outlet: Outlet, error: unknown): void => {
  if (error instanceof ReaderGone) return;
  const isAbort = error instanceof Error && error.name === "AbortError";
  if (!(error instanceof ApiError) && !isAbort)
    platform.log.error("A stream failed unexpectedly", { request_id: caller.requestId, ...describeError(error) });
  outlet.fail(messagesAs(input, error));
};
