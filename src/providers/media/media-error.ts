/** A media vendor's refusal in the classes that decide what happens next (field-notes §2.5); moderation has many names. */

import {
  type Failure,
  failureMessage,
  kindOfStatus,
  saysContentRejected,
  saysNoBalance,
  upstreamError,
} from "../upstream/upstream-failure.ts";
import { UpstreamError, type UpstreamErrorKind } from "../upstream-error.ts";

/** Words by which vendors say that their safety system refused, beyond those of chat; compared in lower case. */
const MODERATION_WORDS = [
  "moderated",
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
  return saysContentRejected(lower) || MODERATION_WORDS.some((word) => lower.includes(word));
};

/** The body is read for its class only; its text never reaches the caller (decisions §4). */
export const mediaError = (failure: Failure): UpstreamError => {
  const body = typeof failure.body === "string" ? failure.body : (JSON.stringify(failure.body) ?? "");
  return upstreamError(failure, { kind: kindOf(failure.status, body), message: body });
};

const kindOf = (status: number, body: string): UpstreamErrorKind => {
  const refusal = status >= 400 && status < 500;
  if (status === 429) return saysNoBalance(body) ? "billing" : "rate_limit";
  if (refusal && soundsModerated(body)) return "content_filter";
  // Media prompts are bounded by us: a body that is too large is a fault of this request, not of a context window.
  return status === 413 ? "bad_request" : kindOfStatus(status);
};

/** The refusal an adapter throws when the answer itself says that the safety system stepped in. */
export const moderated = (): UpstreamError =>
  new UpstreamError("content_filter", failureMessage("The upstream", "content_filter"));

/** The answer had none of what was asked for. */
export const emptyAnswer = (what: string): UpstreamError =>
  new UpstreamError("server", `The upstream's answer holds no ${what}.`, { accepted: true });
