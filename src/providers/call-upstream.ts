/**
 * The one caller of `fetch` for configured providers: no redirect is followed, four deadlines run on one timer,
 * the caller's signal reaches the socket, bodies are bounded, and every failure leaves as an UpstreamError.
 */

import { canConnect } from "./can-connect.ts";
import { type CallContext, UpstreamError } from "./provider.ts";
import { failureMessage, kindOfStatus, type MapError, upstreamError } from "./upstream-failure.ts";
import { type Timeouts, type Watch, watchDeadlines } from "./watch-deadlines.ts";

export type UpstreamRequest = {
  /** The provider's display name, for messages. */
  provider: string;
  url: string;
  method?: "GET" | "POST" | "DELETE";
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  timeouts: Timeouts;
  context: Pick<CallContext, "signal" | "remainingMs">;
  /** Reads the dialect's error bodies; without it the status decides. */
  mapError?: MapError;
  /** Until the headers of a whole answer, which come when the model is done. Absent: the whole call's time. */
  answerWithinMs?: number;
  /** Over a socket of its own, so that none can be stale: for what creates something at the upstream. */
  once?: boolean;
  /** Sent once more where a socket breaks before the first byte: for callers whose story has no retry of its own. */
  resend?: boolean;
};

export type OpenCall = {
  response: Response;
  /** The next piece of the body, undefined at its end. */
  read(): Promise<Uint8Array | undefined>;
  /** The whole body as JSON. */
  json(): Promise<unknown>;
  /** The first content has arrived: from here on only silence and the total count. */
  contentSeen(): void;
  /** The answer is complete: lets the upstream finish, so that its socket can be used again. */
  finish(): void;
  /** Ends the call; aborts the upstream if the body has not ended. Safe to call twice. */
  close(): void;
};

const MAX_ERROR_BYTES = 64 * 1024;
const MAX_JSON_BYTES = 64 * 1024 * 1024;
/** What the runtime reads in one go, within one idle time. */
const MAX_JSON_AT_ONCE_BYTES = 1024 * 1024;
const DRAIN_MS = 1000;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** What fetch throws is never passed on: its message holds the address, and for a bad header the key. */
const networkError = (provider: string, error: unknown): UpstreamError =>
  new UpstreamError("network", failureMessage(provider, "network"), { upstreamMessage: codeOf(error) || "connection failed" });

/** A pooled socket that the upstream closed meanwhile fails before its first byte. A story that retries does so itself, in the ledger. */
const send = async (request: UpstreamRequest, watch: Watch): Promise<Response> => {
  const init: RequestInit = {
    method: request.method ?? "POST",
    headers: request.headers,
    redirect: "manual",
    signal: watch.signal,
    ...(request.once && { keepalive: false }),
    ...(request.body !== undefined && { body: request.body }),
  };
  try {
    return await fetch(request.url, init);
  } catch (error) {
    if (codeOf(error) !== "ECONNRESET" || watch.signal.aborted || !request.resend) throw error;
    return fetch(request.url, init);
  }
};

const checkReachable = async ({ provider, url, timeouts }: UpstreamRequest, watch: Watch): Promise<void> => {
  if (watch.signal.aborted || (await canConnect(url, timeouts.connectMs))) return;
  watch.fail(networkError(provider, undefined));
};

const joinChunks = (chunks: Uint8Array[], size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size);
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
  for (let chunk = await call.read(); chunk !== undefined; chunk = await call.read()) {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= maxBytes) continue;
    if (onExcess === "cut") break;
    throw new UpstreamError("server", `${provider} sent an answer beyond the size limit.`, { accepted: true });
  }
  return joinChunks(chunks, size);
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

const refusalOf = async (call: OpenCall, request: UpstreamRequest): Promise<UpstreamError> => {
  const { status, headers } = call.response;
  const body = await readBounded(call, MAX_ERROR_BYTES, "cut", request.provider).catch(() => new Uint8Array());
  const failure = {
    provider: request.provider,
    status,
    headers,
    body: parseLoosely(withoutSecrets(new TextDecoder().decode(body), request.headers)),
  };
  return request.mapError?.(failure) ?? upstreamError(failure, { kind: kindOfStatus(status) });
};

/** Refuses what is no answer of an API: errors, redirects (Bun would forward `x-api-key`), login and block pages. */
const checkAnswer = async (call: OpenCall, request: UpstreamRequest): Promise<void> => {
  const { status, headers } = call.response;
  if (status >= 300 && status < 400) {
    throw new UpstreamError("server", `${request.provider} answered with a redirect, which is not followed.`, { status });
  }
  if (status >= 400) throw await refusalOf(call, request);
  if (headers.get("content-type")?.startsWith("text/html")) {
    throw new UpstreamError("server", `${request.provider} answered with a web page instead of an API answer.`, { status });
  }
};

const truncated = (provider: string): UpstreamError =>
  new UpstreamError("truncated", failureMessage(provider, "truncated"), { accepted: true });

const notJson = (provider: string): UpstreamError =>
  new UpstreamError("server", `${provider} sent an answer that is not JSON.`, { accepted: true });

/** A small body whose length is announced is parsed by the runtime in one go; the others are counted while they come in. */
const readJson = async (call: OpenCall, provider: string): Promise<unknown> => {
  const { headers } = call.response;
  const announced = Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (announced <= MAX_JSON_AT_ONCE_BYTES && !headers.has("content-encoding")) return call.response.json();
  return JSON.parse(new TextDecoder().decode(await readBounded(call, MAX_JSON_BYTES, "throw", provider)));
};

const openCall = (response: Response, watch: Watch, { provider, timeouts }: UpstreamRequest): OpenCall => {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let contentCame = false;
  let ended = response.body === null;
  let draining = false;

  const explain = (error: unknown): unknown => {
    const explained = watch.explain(error);
    return explained !== error || error instanceof UpstreamError ? explained : truncated(provider);
  };
  const call: OpenCall = {
    response,
    async read() {
      if (ended) return undefined;
      try {
        reader ??= response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
        // The upstream's silence counts only while we wait for it: a caller that reads slowly is not its fault.
        if (contentCame) watch.expectBefore(performance.now() + timeouts.idleMs);
        const { done, value } = await reader.read();
        if (watch.signal.aborted) throw watch.signal.reason;
        if (contentCame) watch.extendTo(watch.endsAt);
        if (!done) return value;
        ended = true;
        return undefined;
      } catch (error) {
        throw explain(error);
      }
    },
    async json() {
      try {
        watch.expectBefore(performance.now() + timeouts.idleMs);
        const value = await readJson(call, provider);
        ended = true;
        return value;
      } catch (error) {
        throw error instanceof SyntaxError ? notJson(provider) : explain(error);
      }
    },
    contentSeen() {
      if (contentCame) return;
      contentCame = true;
      watch.extendTo(watch.endsAt);
    },
    finish() {
      if (ended || draining) return call.close();
      draining = true;
      contentCame = false;
      watch.expectBefore(performance.now() + DRAIN_MS);
      void drain();
    },
    close() {
      if (draining) return;
      watch.stop();
      if (!ended) watch.abort();
      ended = true;
    },
  };
  /** The answer is complete already: an upstream that never ends its stream only loses its socket. */
  const drain = async (): Promise<void> => {
    while ((await call.read().catch(() => undefined)) !== undefined);
    draining = false;
    call.close();
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
  const connectTimer = setTimeout(checkReachable, request.timeouts.connectMs, request, watch);
  let call: OpenCall;
  try {
    call = openCall(await send(request, watch), watch, request);
  } catch (error) {
    watch.stop();
    const explained = watch.explain(error);
    throw explained === error ? networkError(request.provider, error) : explained;
  } finally {
    clearTimeout(connectTimer);
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
    const bytes = await readBounded(call, maxBytes, "throw", request.provider);
    return { bytes, mediaType: call.response.headers.get("content-type")?.split(";")[0] ?? "application/octet-stream" };
  } finally {
    call.close();
  }
};
