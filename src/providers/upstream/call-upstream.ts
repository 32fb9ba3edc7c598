/**
 * The one way to configured providers: no redirect is followed, four deadlines hold, the caller's signal reaches the socket,
 * bodies are bounded, and every failure leaves as an UpstreamError.
 */

import type { Timeouts } from "../../config/defaults.ts";
import { type CallContext, UpstreamError } from "../provider.ts";
import { type Transport, type TransportAnswer, TransportError } from "../transport/transport.ts";
import { checkAnswer } from "./check-answer.ts";
import { type OpenCall, openCall, readBounded } from "./open-call.ts";
import { failureMessage, type MapError } from "./upstream-failure.ts";
import { type Watch, watchDeadlines } from "./watch-deadlines.ts";

export type UpstreamRequest = {
  /** The provider's display name, for messages. */
  provider: string;
  url: string;
  method?: "GET" | "POST" | "DELETE";
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  transport: Transport;
  timeouts: Timeouts;
  context: Pick<CallContext, "signal" | "remainingMs">;
  /** Reads the dialect's error bodies; without it the status decides. */
  mapError?: MapError;
  /** Until the headers of a whole answer, which come when the model is done. Absent: the whole call's time. */
  answerWithinMs?: number;
  /** Over a connection of its own, so that none can be stale: for what creates something at the upstream. */
  once?: boolean;
  /** Sent once more where a connection closes before the first byte: for callers whose story has no retry of its own. */
  resend?: boolean;
};

/** The transport's own words are never passed on: what they hold of the address is the operator's. */
const networkError = (provider: string, error: unknown): UpstreamError =>
  new UpstreamError("network", failureMessage(provider, "network"), {
    upstreamMessage: error instanceof TransportError ? error.reason : "connection failed",
    unsent: error instanceof TransportError && (error.code === "NOT_CONNECTED" || error.code === "INVALID_HEADER"),
  });

/** A kept connection that the upstream closed meanwhile fails before its first byte. A story that retries does so itself, in the ledger. */
const send = async (request: UpstreamRequest, { signal }: Watch): Promise<TransportAnswer> => {
  const { url, method = "POST", headers, body, once, transport, timeouts } = request;
  const sent = { url, method, headers, signal, connectMs: timeouts.connectMs, ...(body !== undefined && { body }) };
  try {
    return await transport(once ? { ...sent, once } : sent);
  } catch (error) {
    const isStale = error instanceof TransportError && error.code === "CLOSED_UNANSWERED";
    if (!isStale || signal.aborted || !request.resend) throw error;
    return transport({ ...sent, once: true });
  }
};

/** Opens a call and checks that what came back is an answer. The caller must `close` or `finish` it. */
export const openUpstream = async (request: UpstreamRequest, streaming: boolean): Promise<OpenCall> => {
  const startedAt = performance.now();
  const watch = watchDeadlines(request.provider, request.timeouts.totalMs, request.context);
  watch.expectBefore(
    startedAt + (streaming ? request.timeouts.firstByteMs : (request.answerWithinMs ?? Number.POSITIVE_INFINITY)),
  );
  let call: OpenCall;
  try {
    call = openCall(await send(request, watch), watch, request);
  } catch (error) {
    watch.stop();
    const explained = watch.explain(error);
    throw explained === error ? networkError(request.provider, error) : explained;
  }
  try {
    // A whole answer comes in one go; what falls silent in its middle is a failure to be answered by another attempt.
    if (!streaming) call.contentSeen();
    await checkAnswer(call, request);
    return call;
  } catch (error) {
    call.close();
    throw error;
  }
};

/** One call, one JSON value of at most 64 MB. */
export const callJson = async (request: UpstreamRequest): Promise<unknown> => {
  const call = await openUpstream(request, false);
  try {
    return await call.json();
  } finally {
    call.close();
  }
};

/** One call, one body of at most `maxBytes` (images, audio). */
export const callBytes = async (
  request: UpstreamRequest,
  maxBytes: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; mediaType: string }> => {
  const call = await openUpstream(request, false);
  try {
    const mediaType = call.head().headers.get("content-type")?.split(";")[0] ?? "application/octet-stream";
    return { bytes: await readBounded(call, maxBytes, "throw", request.provider), mediaType };
  } finally {
    call.close();
  }
};
