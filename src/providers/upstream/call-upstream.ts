/**
 * The one way to configured providers: no redirect is followed, four deadlines hold, the caller's signal reaches the socket,
 * bodies are bounded, and every failure leaves as an UpstreamError.
 */

import { type TransportAnswer, TransportError } from "../transport/transport.ts";
import { UpstreamError } from "../upstream-error.ts";
import { checkAnswer } from "./check-answer.ts";
import { type OpenCall, openCall, readBounded } from "./open-call.ts";
import { failureMessage } from "./upstream-failure.ts";
import type { UpstreamRequest } from "./upstream-request.ts";
import { type Watch, watchDeadlines } from "./watch-deadlines.ts";

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
export const callBytes = async (request: UpstreamRequest, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  const call = await openUpstream(request, false);
  try {
    return await readBounded(call, maxBytes, "throw", request.provider);
  } finally {
    call.close();
  }
};
