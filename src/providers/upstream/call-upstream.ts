/**
 * The only way to configured providers: follows no redirects, enforces four deadlines, aborts with the caller's signal, bounds bodies, and
 * turns every failure into an UpstreamError.
 */

import { type TransportAnswer, TransportError, type TransportRequest } from "../transport/transport.ts";
import { UpstreamError } from "../upstream-error.ts";
import { isEventStream } from "./answer-form.ts";
import { checkAnswer } from "./check-answer.ts";
import { type OpenCall, openCall, readBounded } from "./open-call.ts";
import { failureMessage } from "./upstream-failure.ts";
import type { UpstreamRequest } from "./upstream-request.ts";
import { expectBefore, explainEnd, stopWatching, type Watch, watchDeadlines } from "./watch-deadlines.ts";

const isUnconnected = (error: unknown): boolean => error instanceof TransportError && error.code === "NOT_CONNECTED";

/** The transport's own message may hold the operator's address, so it is never passed on. */
const networkError = (provider: string, error: unknown): UpstreamError =>
  new UpstreamError("network", failureMessage(provider, "network"), {
    upstreamMessage: error instanceof TransportError ? error.reason : "connection failed",
    unsent: isUnconnected(error) || (error instanceof TransportError && error.code === "INVALID_HEADER"),
  });

/**
 * A kept connection may have been closed by the upstream meanwhile, and then fails before its first byte. Such a request is sent again if
 * it has `resend`; chat retries by itself, so that each attempt is in the ledger.
 */
const send = async (request: UpstreamRequest, { signal }: Watch): Promise<TransportAnswer> => {
  const { url, headers, body, once, transport, timeouts } = request;
  const method: TransportRequest["method"] = request.method ?? (body === undefined ? "GET" : "POST");
  const sent = { url, method, headers, signal, connectMs: timeouts.connectMs, ...(body !== undefined && { body }) };
  try {
    return await transport(once ? { ...sent, once } : sent);
  } catch (error) {
    const isStale = error instanceof TransportError && error.code === "CLOSED_UNANSWERED";
    if (!isStale || signal.aborted || !request.resend) throw error;
    return transport({ ...sent, once: true });
  }
};

/** Opens a call and checks that the response is an API answer. The caller must `close` or `finish` it. */
export const openUpstream = async (request: UpstreamRequest): Promise<OpenCall> => {
  const startedAt = performance.now();
  const {
    form = "whole",
    timeouts,
    answerWithinMs = form === "stream" ? timeouts.firstByteMs : Number.POSITIVE_INFINITY,
  } = request;
  const watch = watchDeadlines(request.provider, timeouts.totalMs, request.context);
  expectBefore(watch, startedAt + answerWithinMs);
  let call: OpenCall;
  try {
    call = openCall(await send(request, watch), watch, request);
    request.context.reached?.(true);
  } catch (error) {
    stopWatching(watch);
    request.context.reached?.(!isUnconnected(error));
    const explained = explainEnd(watch, error);
    throw explained === error ? networkError(request.provider, error) : explained;
  }
  try {
    // A whole answer arrives at once, so silence in its middle is a failure that another attempt may mend. Some servers stream it, though.
    if (form === "whole" && !isEventStream(call.head())) call.contentSeen();
    await checkAnswer(call, request);
    return call;
  } catch (error) {
    call.close();
    throw error;
  }
};

const readOnce = async <T>(request: UpstreamRequest, read: (call: OpenCall) => Promise<T>): Promise<T> => {
  const call = await openUpstream(request);
  try {
    return await read(call);
  } finally {
    call.close();
  }
};

/** Makes one call and returns its JSON value, of at most 64 MB. */
export const callJson = (request: UpstreamRequest): Promise<unknown> => readOnce(request, (call) => call.json());

/** Makes one call and returns its body, of at most `maxBytes` (images, audio). */
export const callBytes = (request: UpstreamRequest, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> =>
  readOnce(request, (call) => readBounded(call, maxBytes, "throw", request.provider));
