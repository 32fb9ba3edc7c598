/**
 * The one caller behind every media and search adapter: sends what an adapter built, bounds what comes back in bytes and time,
 * never follows a redirect (it would carry the key along), and turns each failure into an UpstreamError.
 */

import { type CallContext, UpstreamError } from "../provider.ts";
import { mediaError } from "./media-error.ts";

export type MediaEndpoint = {
  /** No trailing slash. */
  baseUrl: string;
  key?: string;
  /** Pause between two looks at an upstream job. */
  pollMs?: number;
  /** Our voice names → the upstream's; a name without an entry goes as it is. */
  voices?: Readonly<Record<string, string>>;
  firstByteMs?: number;
};

export type MediaRequest = {
  url: string;
  headers?: Record<string, string>;
  /** Present: POST as JSON. */
  json?: unknown;
  /** Present: POST as multipart. */
  form?: FormData;
};

export type MediaAnswer = { status: number; headers: Headers; body: ReadableStream<Uint8Array> | null };

/** Room for ten large base64 images in one JSON answer. */
const JSON_BYTES = 160_000_000;
const ERROR_BYTES = 64_000;
const DEFAULT_FIRST_BYTE_MS = 60_000;

/** Resolves on any 2xx with the body unread. */
export const sendMediaRequest = async (
  request: MediaRequest,
  context: CallContext,
  firstByteMs = DEFAULT_FIRST_BYTE_MS,
): Promise<MediaAnswer> => {
  const deadline = AbortSignal.timeout(Math.max(1, Math.min(context.remainingMs, firstByteMs)));
  // Only the wait for the headers is bounded here: a body may take longer than its first byte.
  const until = new AbortController();
  const giveUp = () => until.abort(deadline.reason);
  deadline.addEventListener("abort", giveUp);
  let response: Response;
  try {
    response = await fetch(request.url, { ...init(request, context), signal: AbortSignal.any([context.signal, until.signal]) });
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    if (deadline.aborted) throw new UpstreamError("timeout", "The upstream did not answer in time.");
    throw new UpstreamError(
      "network",
      `The upstream could not be reached (${(error as { code?: string }).code ?? "network error"}).`,
    );
  } finally {
    deadline.removeEventListener("abort", giveUp);
  }
  if (response.status >= 200 && response.status < 300) return response;
  const body = await readBytes(response.body, ERROR_BYTES, context).catch(() => new Uint8Array());
  throw mediaError(response.status, response.headers, new TextDecoder().decode(body));
};

const init = (request: MediaRequest, context: CallContext): RequestInit => ({
  method: request.json === undefined && request.form === undefined ? "GET" : "POST",
  redirect: "manual",
  headers: {
    ...(request.json !== undefined && { "content-type": "application/json" }),
    ...(context.traceparent !== undefined && { traceparent: context.traceparent }),
    ...request.headers,
  },
  ...(request.json !== undefined && { body: JSON.stringify(request.json) }),
  ...(request.form !== undefined && { body: request.form }),
});

export const sendForJson = async (request: MediaRequest, context: CallContext, firstByteMs?: number): Promise<unknown> => {
  const answer = await sendMediaRequest(request, context, firstByteMs);
  return readJsonAnswer(answer, context);
};

export const readJsonAnswer = async (answer: MediaAnswer, context: CallContext): Promise<unknown> => {
  const bytes = await readBytes(answer.body, JSON_BYTES, context);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new UpstreamError("server", "The upstream's answer is not JSON.", { accepted: true });
  }
};

/** Reads a body to its end; an endless one is cut at `maxBytes`. */
export const readBytes = async (body: MediaAnswer["body"], maxBytes: number, context: CallContext): Promise<Uint8Array> => {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(stop, Math.max(1, context.remainingMs));
  context.signal.addEventListener("abort", stop);
  const sink = new Bun.ArrayBufferSink();
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      total += value.byteLength;
      if (total > maxBytes) {
        stop();
        throw new UpstreamError("server", `The upstream's answer is larger than ${maxBytes} bytes.`, { accepted: true });
      }
      sink.write(value);
    }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    throw error instanceof UpstreamError
      ? error
      : new UpstreamError("truncated", "The upstream's answer broke off.", { accepted: true });
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener("abort", stop);
  }
  return new Uint8Array(sink.end() as ArrayBuffer);
};

/** Waits between two polls; wakes at once when the call is given up. */
export const pause = (ms: number, context: CallContext): Promise<void> =>
  new Promise((resolve, reject) => {
    if (context.signal.aborted) return reject(context.signal.reason);
    const wake = () => {
      clearTimeout(timer);
      reject(context.signal.reason);
    };
    const timer = setTimeout(() => {
      context.signal.removeEventListener("abort", wake);
      resolve();
    }, ms);
    context.signal.addEventListener("abort", wake, { once: true });
  });

/** Asks `look` until it has a value, the call's time is up or it is given up. */
export const pollUntil = async <T>(look: () => Promise<T | undefined>, pollMs: number, context: CallContext): Promise<T> => {
  const end = performance.now() + context.remainingMs;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (performance.now() + pollMs > end)
      throw new UpstreamError("timeout", "The upstream's job did not finish in time.", { accepted: true });
    await pause(pollMs, context);
  }
};

/** Appends the version to a base URL that does not carry it yet: SDKs disagree about who adds it. */
export const withVersion = (baseUrl: string, version: string): string => {
  const base = baseUrl.replace(/\/$/, "");
  return base.endsWith(version) ? base : base + version;
};

/**
 * Whether a URL that an upstream named may be asked with its key: the same scheme, and the base URL's host or a sibling
 * under the same domain (BFL answers with a regional host).
 */
export const isSamePlace = (url: string, baseUrl: string): boolean => {
  if (!URL.canParse(url)) return false;
  const [named, base] = [new URL(url), new URL(baseUrl)];
  if (named.protocol !== base.protocol || named.username !== "" || named.port !== base.port) return false;
  if (named.hostname === base.hostname) return true;
  const labels = base.hostname.split(".");
  const isName = labels.length >= 2 && !/^[\d.]+$/.test(base.hostname) && !base.hostname.includes(":");
  return isName && named.hostname.endsWith(`.${labels.slice(-2).join(".")}`);
};
