/** An upstream's refusal, whatever its dialect, in the classes that decide what happens next (field-notes §2.5). */

import { UpstreamError, type UpstreamErrorKind } from "../provider.ts";

/** Words by which vendors say that their safety system refused; compared in lower case. */
const MODERATION_WORDS = [
  "moderation",
  "moderated",
  "content_policy",
  "content policy",
  "safety system",
  "safety filter",
  "safety check",
  "content_filter",
  "content filter",
  "image_safety",
  "nsfw",
  "sensitive content",
  "prohibited_content",
];

export const soundsModerated = (text: string): boolean => {
  const lower = text.slice(0, 4_000).toLowerCase();
  return MODERATION_WORDS.some((word) => lower.includes(word));
};

/** `body` is read for its class only; its text never reaches the caller (decisions §4). */
export const mediaError = (status: number, headers: Headers, body: string): UpstreamError => {
  const kind = kindOf(status, body);
  const retryAfterMs = readRetryAfter(headers);
  return new UpstreamError(kind, MESSAGE_OF[kind] ?? `The upstream answered ${status}.`, {
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
};

const MESSAGE_OF: Partial<Record<UpstreamErrorKind, string>> = {
  content_filter: "The prompt was rejected by the upstream's safety system.",
  auth: "The upstream refused its key.",
  billing: "The upstream account is out of credit.",
  rate_limit: "The upstream's rate limit is reached.",
  overloaded: "The upstream is overloaded.",
  model_gone: "The upstream does not know the model.",
};

const kindOf = (status: number, body: string): UpstreamErrorKind => {
  if (status >= 300 && status < 400) return "server";
  if (status === 402) return "billing";
  if (status === 429) return body.includes("insufficient_quota") ? "billing" : "rate_limit";
  if (status === 503 || status === 529) return "overloaded";
  if (status === 408 || status === 504) return "timeout";
  if (status >= 500) return "server";
  if (soundsModerated(body)) return "content_filter";
  if (status === 401 || status === 403) return "auth";
  if (status === 404 || status === 410) return "model_gone";
  return "bad_request";
};

const readRetryAfter = (headers: Headers): number | undefined => {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
};

/** The refusal an adapter throws when the answer itself says that the safety system stepped in. */
export const moderated = (): UpstreamError => new UpstreamError("content_filter", MESSAGE_OF.content_filter!);

/** The answer had none of what was asked for. */
export const emptyAnswer = (what: string): UpstreamError =>
  new UpstreamError("server", `The upstream's answer holds no ${what}.`, { accepted: true });
