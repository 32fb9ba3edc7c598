/**
 * The one way to configured providers: no redirect is followed, four deadlines hold, the caller's signal reaches the socket,
 * bodies are bounded, and every failure leaves as an UpstreamError.
 */

import type { Timeouts } from "../../config/defaults.ts";
import { type CallContext, UpstreamError } from "../provider.ts";
import { type TakePiece, type Transport, type TransportAnswer, TransportError } from "../transport/transport.ts";
import { failureMessage, kindOfStatus, type MapError, upstreamError } from "./upstream-failure.ts";
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

export type AnswerHead = Pick<TransportAnswer, "status" | "headers">;

export type OpenCall = {
  /** To be asked before the body flows: a stream does not hold it. */
  head(): AnswerHead;
  /** Hands on the body, as a transport does, until its end or until `finish`. To be called once. Rejects with an UpstreamError, or with whatever `take` throws. */
  flow(take: TakePiece): Promise<void>;
  /** The whole body as JSON. */
  json(): Promise<unknown>;
  /** The first content has arrived: from here on only silence and the total count. */
  contentSeen(): void;
  /** The answer is complete: lets the upstream finish, so that its connection can be used again. */
  finish(): void;
  /** Ends the call; aborts the upstream if the body has not ended. Safe to call twice. */
  close(): void;
};

const MAX_ERROR_BYTES = 64 * 1024;
const MAX_JSON_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 1000;

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

const joinChunks = (chunks: Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};

/** Reads at most `maxBytes`; beyond them, what came so far (`cut`) or an UpstreamError. */
const readBounded = async (
  call: OpenCall,
  maxBytes: number,
  onExcess: "cut" | "throw",
  provider: string,
): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  await call.flow((chunk) => {
    size += chunk.length;
    if (size <= maxBytes || onExcess === "cut") chunks.push(chunk);
    if (size <= maxBytes) return undefined;
    if (onExcess === "throw")
      throw new UpstreamError("server", `${provider} sent an answer beyond the size limit.`, { accepted: true });
    call.close();
    return undefined;
  });
  return joinChunks(chunks);
};

const parseLoosely = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Some providers repeat the key they refuse. Any header that is long enough to be a secret counts as one. */
const withoutSecrets = (text: string, headers: Record<string, string>): string => {
  let clean = text;
  for (const value of Object.values(headers)) {
    const secret = value.replace(/^(?:Bearer|Key) /, "");
    if (secret.length >= 8) clean = clean.replaceAll(secret, "[key]");
  }
  return clean;
};

const readErrorAnswer = async (call: OpenCall, request: UpstreamRequest): Promise<UpstreamError> => {
  const { status, headers } = call.head();
  const body = await readBounded(call, MAX_ERROR_BYTES, "cut", request.provider).catch(() => new Uint8Array());
  const failure = {
    provider: request.provider,
    status,
    headers,
    body: parseLoosely(withoutSecrets(new TextDecoder().decode(body), request.headers)),
  };
  return request.mapError?.(failure) ?? upstreamError(failure, { kind: kindOfStatus(status) });
};

/** Refuses what is no answer of an API: errors, redirects (nobody else is shown the key), login and block pages. */
const checkAnswer = async (call: OpenCall, request: UpstreamRequest): Promise<void> => {
  const { status, headers } = call.head();
  if (status >= 300 && status < 400) {
    throw new UpstreamError("server", `${request.provider} answered with a redirect, which is not followed.`, { status });
  }
  if (status >= 400) throw await readErrorAnswer(call, request);
  if (headers.get("content-type")?.startsWith("text/html")) {
    throw new UpstreamError("server", `${request.provider} answered with a web page instead of an API answer.`, { status });
  }
};

const truncated = (provider: string): UpstreamError =>
  new UpstreamError("truncated", failureMessage(provider, "truncated"), { accepted: true });

const notJson = (provider: string): UpstreamError =>
  new UpstreamError("server", `${provider} sent an answer that is not JSON.`, { accepted: true });

const readJson = async (call: OpenCall, provider: string): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode(await readBounded(call, MAX_JSON_BYTES, "throw", provider)));

const openCall = (answer: TransportAnswer, watch: Watch, { provider, timeouts }: UpstreamRequest): OpenCall => {
  let head: AnswerHead | undefined = answer;
  const { flow } = answer;
  let contentCame = false;
  let state: "open" | "draining" | "ended" = "open";
  /** Tells whoever reads the body that it is over. */
  let leaveReader: (() => void) | undefined;

  const explain = (error: unknown): unknown => {
    const explained = watch.explain(error);
    return explained !== error || error instanceof UpstreamError ? explained : truncated(provider);
  };
  /** The upstream's silence counts only while we wait for it: a caller that reads slowly is not its fault. */
  const awaitMore = (): void => {
    if (contentCame && state === "open") watch.expectBefore(performance.now() + timeouts.idleMs);
  };
  const handOn = (take: TakePiece, piece: Uint8Array): Promise<void> | undefined => {
    const busy = take(piece);
    if (busy !== undefined && contentCame) watch.extendTo(watch.endsAt);
    else awaitMore();
    return busy?.then(awaitMore);
  };
  const call: OpenCall = {
    head: () => head!,
    flow: (take) =>
      new Promise((resolve, reject) => {
        leaveReader = resolve;
        /** What `take` throws is passed on as it is. */
        const refuse = (error: unknown): never => {
          reject(error);
          throw error;
        };
        const over = (): void => {
          state = "ended";
          watch.stop();
          resolve();
        };
        head = undefined;
        awaitMore();
        flow((piece) => {
          if (state !== "open") return undefined;
          if (watch.signal.aborted) throw watch.signal.reason;
          try {
            return handOn(take, piece)?.catch(refuse);
          } catch (error) {
            return refuse(error);
          }
        }).then(over, (error) => {
          reject(explain(error));
          if (state === "draining") over();
        });
      }),
    async json() {
      try {
        return await readJson(call, provider);
      } catch (error) {
        throw error instanceof SyntaxError ? notJson(provider) : error;
      }
    },
    contentSeen() {
      if (contentCame) return;
      contentCame = true;
      watch.extendTo(watch.endsAt);
    },
    finish() {
      if (state !== "open") return;
      // The answer is complete already: an upstream that never ends its stream only loses its socket.
      state = "draining";
      watch.expectBefore(performance.now() + DRAIN_MS);
      leaveReader?.();
    },
    close() {
      if (state === "draining") return;
      watch.stop();
      if (state === "open") watch.abort();
      state = "ended";
      leaveReader?.();
    },
  };
  return call;
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
