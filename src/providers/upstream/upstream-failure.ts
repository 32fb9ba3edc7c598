/** Turns a provider's error into an UpstreamError: what the map-error.ts of all dialects share. */

import { valueAt } from "../../lib/json-at.ts";
import type { TokenUsage } from "../provider.ts";
import type { AnswerHeaders } from "../transport/answer-headers.ts";
import { type Refusal, UpstreamError, type UpstreamErrorKind } from "../upstream-error.ts";
import { retryHeader, retryHint } from "./retry-hint.ts";

/** A failed response. `body` is the parsed JSON, or the raw text if it is not JSON. */
export type Failure = {
  /** The provider's display name. */
  provider: string;
  /** HTTP status; 0 for an error inside a stream that names none. */
  status: number;
  headers?: AnswerHeaders;
  body: unknown;
  /** Whether the provider had begun to answer. */
  accepted?: boolean;
  usage?: TokenUsage;
};

/** A dialect's reading of a failure. */
type Verdict = {
  kind: UpstreamErrorKind;
  /** Path of the refused parameter in the request body. */
  param?: string | undefined;
  once?: Refusal["once"];
  /** Of this request, although it sounds like the model's or the account's. */
  isDoubtful?: boolean;
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

/** The sentence for callers and logs; it contains nothing of the provider's own text. */
export const failureMessage = (provider: string, kind: UpstreamErrorKind): string => `${provider} ${PHRASES[kind]}.`;

/** The provider accepted the request, but its answer is invalid or incomplete. */
export const brokenAnswer = (kind: "server" | "truncated", provider: string, usage?: TokenUsage): UpstreamError =>
  new UpstreamError(kind, failureMessage(provider, kind), { accepted: true, usage });

/** `what` was sent. No honest answer is as long. */
export const tooLong = (what: string, provider = "The provider"): UpstreamError =>
  new UpstreamError("server", `${provider} sent ${what} beyond the size limit.`, { accepted: true });

const STATUS_KINDS: Record<number, UpstreamErrorKind> = {
  401: "auth",
  402: "billing",
  403: "auth",
  404: "model_gone",
  405: "model_gone",
  407: "network",
  408: "timeout",
  409: "server",
  410: "model_gone",
  413: "context_length",
  421: "server",
  // Text Generation Inference's status for a generation that failed.
  424: "server",
  425: "server",
  429: "rate_limit",
  // Tavily's status for a spent plan or key.
  432: "billing",
  433: "billing",
  451: "auth",
  498: "overloaded",
  // A proxy's status for a call that it gave up.
  499: "server",
  503: "overloaded",
  504: "timeout",
  524: "timeout",
  529: "overloaded",
};

/** The kind of failure by status alone. */
export const kindOfStatus = (status: number): UpstreamErrorKind =>
  STATUS_KINDS[status] ?? (status >= 400 && status < 500 ? "bad_request" : "server");

const shouldRetryOf = (headers: AnswerHeaders | undefined): boolean | undefined => {
  const value = headers?.get("x-should-retry");
  return value === "true" ? true : value === "false" ? false : undefined;
};

/** Providers repeat parts of a bad key in their error text. */
const KEY_SHAPE = /(?:sk|gsk|xai|pk|rk|AIza|tvly|Bearer)[-_ ][\w*.-]{4,}|AIza[\w-]{10,}/g;
const ADDRESS_SHAPE = /https?:\/\/[^\s"'<>)]+/g;

const shorten = (message: string): string =>
  message.slice(0, 2000).replace(KEY_SHAPE, "[key]").replace(ADDRESS_SHAPE, "[address]").slice(0, 500);

/** Providers send their limits with every answer, so they are a wait only if the failure was a rate limit. */
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
    ...(verdict.once && { once: verdict.once }),
    ...(verdict.isDoubtful && { isDoubtful: true }),
    ...(failure.accepted && { accepted: true }),
    ...(failure.usage && { usage: failure.usage }),
    ...(verdict.message && { upstreamMessage: shorten(verdict.message) }),
  });
};

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

/** The `error` of a body, or of its first element where the body is a list (Gemini); the first where there are several (Cloudflare). */
export const errorMemberOf = (body: unknown): unknown => firstOf(valueAt(firstOf(body), "error")) ?? valueAt(body, "errors", 0);
