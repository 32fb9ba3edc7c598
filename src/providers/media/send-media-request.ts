/** Requests of media and search adapters and how they are sent, with the media dialects' classification of failures. */

import type { Timeouts } from "../../config/defaults.ts";
import { pause } from "../../lib/pause.ts";
import type { CallContext, Provider } from "../provider.ts";
import type { Transport } from "../transport/transport.ts";
import { callBytes, callJson, openUpstream } from "../upstream/call-upstream.ts";
import type { OpenCall } from "../upstream/open-call.ts";
import type { UpstreamRequest } from "../upstream/upstream-request.ts";
import { faultOf, UpstreamError } from "../upstream-error.ts";
import { mediaError } from "./media-error.ts";

export type MediaEndpoint = {
  /** The provider's display name, for messages. */
  name: string;
  /** No trailing slash. */
  baseUrl: string;
  /** Empty for servers without keys. */
  key: string;
  /** Further headers: those that the operator configured, and in `vendorApi` the vendor's. */
  headers?: Readonly<Record<string, string>>;
  transport: Transport;
  timeouts: Timeouts;
  /** Pause between two polls of a job that the caller waits for. */
  pollMs?: number;
};

/** What a vendor offers, at an endpoint. */
export type Adapter<Service extends keyof Provider> = (endpoint: MediaEndpoint) => Required<Pick<Provider, Service>>;

/** The vendor's API at this endpoint, below `version`, with the headers that every request of the vendor has. */
export const vendorApi = (endpoint: MediaEndpoint, version: string, headers: Record<string, string>): MediaEndpoint => ({
  ...endpoint,
  baseUrl: withVersion(endpoint.baseUrl, version),
  headers: { ...headers, ...endpoint.headers },
});

/** The usual header with the key; none for servers without keys. */
export const bearer = ({ key }: MediaEndpoint): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {});

/** `url`: a whole URL, or a path below the endpoint's. A POST if it has `json` or `form`, unless `method` says otherwise. */
export type MediaRequest = { url: string; headers?: Record<string, string>; method?: "PUT"; json?: unknown; form?: FormData };

const toUpstream = (endpoint: MediaEndpoint, request: MediaRequest, context: CallContext): UpstreamRequest => ({
  provider: endpoint.name,
  url: request.url.startsWith("/") ? endpoint.baseUrl + request.url : request.url,
  ...(request.method && { method: request.method }),
  headers: {
    ...(request.json !== undefined && { "content-type": "application/json" }),
    ...(context.traceparent && { traceparent: context.traceparent }),
    ...request.headers,
    ...endpoint.headers,
  },
  ...(request.json !== undefined && { body: JSON.stringify(request.json) }),
  ...(request.form !== undefined && { body: request.form }),
  transport: endpoint.transport,
  timeouts: endpoint.timeouts,
  context,
  mapError: mediaError,
});

export const sendForJson = (endpoint: MediaEndpoint, request: MediaRequest, context: CallContext): Promise<unknown> =>
  callJson(toUpstream(endpoint, request, context));

/** Creates a job that costs money at the upstream: never sent twice, not even over a stale connection. */
export const sendOnceForJson = (endpoint: MediaEndpoint, request: MediaRequest, context: CallContext): Promise<unknown> =>
  callJson({ ...toUpstream(endpoint, request, context), once: true });

export const sendForBytes = (endpoint: MediaEndpoint, request: MediaRequest, context: CallContext, maxBytes: number) =>
  callBytes(toUpstream(endpoint, request, context), maxBytes);

/** The open answer, for adapters that read its headers first. The caller must close it. */
export const sendForAnswer = (endpoint: MediaEndpoint, request: MediaRequest, context: CallContext): Promise<OpenCall> =>
  openUpstream({ ...toUpstream(endpoint, request, context), form: "stream" });

const POLL_MS = 700;
const CANCELLATION_MS = 10_000;

/** So many polls may fail in a row, with growing pauses. */
const FAILED_POLLS = 3;

/**
 * Polls `look` until it returns a value or the call's time is up. A vendor that cannot be asked for a moment is asked again: the job runs on
 * and is paid for.
 */
export const pollUntil = async <T>(
  { pollMs = POLL_MS }: MediaEndpoint,
  look: () => Promise<T | undefined>,
  context: CallContext,
): Promise<T> => {
  const end = performance.now() + context.remainingMs;
  for (let failed = 0; ; ) {
    try {
      const value = await look();
      if (value !== undefined) return value;
      failed = 0;
    } catch (error) {
      if (!isPassing(error) || ++failed > FAILED_POLLS) throw error;
    }
    const waitMs = pollMs * 2 ** failed;
    if (performance.now() + waitMs > end)
      throw new UpstreamError("timeout", "The upstream's job did not finish in time.", { accepted: true });
    if (!(await pause(waitMs, context.signal))) throw context.signal.reason;
  }
};

/** The same, and if nobody waits for the job any more, it is cancelled, without waiting for the result. */
export const pollOrCancel = async <T>(
  endpoint: MediaEndpoint,
  look: () => Promise<T | undefined>,
  context: CallContext,
  cancellation: MediaRequest,
): Promise<T> => {
  try {
    return await pollUntil(endpoint, look, context);
  } catch (error) {
    const patience = { ...context, signal: new AbortController().signal, remainingMs: CANCELLATION_MS };
    if (context.signal.aborted || isUnderWay(error)) sendForJson(endpoint, cancellation, patience).catch(() => undefined);
    throw error;
  }
};

/**
 * Whether the job may still run: it took too long, or a poll failed. A job that ended is reported by an answer, which has no error status.
 */
const isUnderWay = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError && (error.kind === "timeout" || error.kind === "network" || error.details.status !== undefined);

/** Whether a poll failed by a fault that may be over in a moment. */
const isPassing = (error: unknown): boolean => isUnderWay(error) && faultOf(error.kind) === "service";

/** Appends the version to a base URL that does not carry it yet: SDKs disagree about who adds it. */
export const withVersion = (baseUrl: string, version: string): string =>
  baseUrl.endsWith(version) ? baseUrl : baseUrl + version;

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
  const isName = labels.length >= 2 && !/^[\d.]+$/.test(base.hostname);
  return isName && named.hostname.endsWith(`.${labels.slice(-2).join(".")}`);
};
