/** From a provider's refusal to an UpstreamError in our words: what every dialect's map-error.ts shares. */

import { valueAt } from "../../lib/json-at.ts";
import type { TokenUsage } from "../provider.ts";
import { UpstreamError, type UpstreamErrorKind } from "../upstream-error.ts";
import { retryHeader, retryHint } from "./retry-hint.ts";

/** An answer that is no answer. `body` is the parsed JSON, or the raw text where it was none. */
export type Failure = {
  /** The provider's display name. */
  provider: string;
  /** HTTP status; 0 for an error inside a stream that names none. */
  status: number;
  headers?: Headers;
  body: unknown;
  /** The provider had begun to answer. */
  accepted?: boolean;
  usage?: TokenUsage;
};

/** What a dialect makes of a failure. */
type Verdict = {
  kind: UpstreamErrorKind;
  /** Path of the refused parameter in the request body. */
  param?: string | undefined;
  /** Refused as this request used it, not for good. */
  once?: boolean;
  /** Read from the body; headers win. */
  retryAfterMs?: number | undefined;
  message?: string | undefined;
};

export type MapError = (failure: Failure) => UpstreamError;

const PHRASES: Record<UpstreamErrorKind, string> = {
  rate_limit: "is limiting the rate of requests",
  overloaded: "is overloaded",
  server: "failed to answer",
  network: "could not be reached",
  timeout: "took too long to answer",
  truncated: "broke off its answer",
  auth: "refused the configured credentials",
  billing: "refused because of its account's quota or balance",
  context_length: "says the prompt does not fit the model's context window",
  content_filter: "rejected the prompt by its safety system",
  unsupported_param: "does not take a parameter of the request",
  bad_request: "refused the request as malformed",
  model_gone: "does not serve the model",
};

/** The sentence for callers and logs: nothing of the provider's own text is in it. */
export const failureMessage = (provider: string, kind: UpstreamErrorKind): string => `${provider} ${PHRASES[kind]}.`;

/** The provider had taken the request on, but what came is no answer, or only its beginning. */
export const brokenAnswer = (kind: "server" | "truncated", provider: string, usage?: TokenUsage): UpstreamError =>
  new UpstreamError(kind, failureMessage(provider, kind), { accepted: true, ...(usage && { usage }) });

const STATUS_KINDS: Record<number, UpstreamErrorKind> = {
  401: "auth",
  402: "billing",
  403: "auth",
  404: "model_gone",
  408: "timeout",
  409: "server",
  410: "model_gone",
  413: "context_length",
  429: "rate_limit",
  // Tavily's, of what a plan or a key may spend.
  432: "billing",
  433: "billing",
  498: "overloaded",
  503: "overloaded",
  504: "timeout",
  524: "timeout",
  529: "overloaded",
};

/** What a status says by itself, where the body says no more. */
export const kindOfStatus = (status: number): UpstreamErrorKind =>
  STATUS_KINDS[status] ?? (status >= 400 && status < 500 ? "bad_request" : "server");

const shouldRetryOf = (headers: Headers | undefined): boolean | undefined => {
  const value = headers?.get("x-should-retry");
  return value === "true" ? true : value === "false" ? false : undefined;
};

/** Providers repeat parts of a bad key in their error text. */
const KEY_SHAPE = /(?:sk|gsk|xai|pk|rk|AIza|tvly|Bearer)[-_ ][\w*.-]{4,}|AIza[\w-]{10,}/g;
const ADDRESS_SHAPE = /https?:\/\/[^\s"'<>)]+/g;

const shorten = (message: string): string =>
  message.slice(0, 2000).replace(KEY_SHAPE, "[key]").replace(ADDRESS_SHAPE, "[address]").slice(0, 500);

/** Limits are told with every answer: only where one was met is it what has to be waited for. */
const waitOf = ({ headers }: Failure, { kind, retryAfterMs, message }: Verdict): number | undefined =>
  kind === "rate_limit" ? retryHint(headers, retryAfterMs, message, Date.now()) : (retryHeader(headers) ?? retryAfterMs);

export const upstreamError = (failure: Failure, verdict: Verdict): UpstreamError => {
  const retryAfterMs = waitOf(failure, verdict);
  const shouldRetry = shouldRetryOf(failure.headers);
  return new UpstreamError(verdict.kind, failureMessage(failure.provider, verdict.kind), {
    ...(failure.status > 0 && { status: failure.status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(shouldRetry !== undefined && { shouldRetry }),
    ...(verdict.param !== undefined && { param: verdict.param }),
    ...(verdict.once && { once: true }),
    ...(failure.accepted && { accepted: true }),
    ...(failure.usage && { usage: failure.usage }),
    ...(verdict.message && { upstreamMessage: shorten(verdict.message) }),
  });
};

/** The `error` member of a body, or of its first element where the body is a list (Gemini). */
export const errorMemberOf = (body: unknown): unknown => valueAt(Array.isArray(body) ? body[0] : body, "error");
