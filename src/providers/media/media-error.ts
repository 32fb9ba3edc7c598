/** A media vendor's refusal in the classes that decide what happens next (field-notes §2.5); moderation has many names. */

import { recordsAt, textAt } from "../../lib/json-at.ts";
import { mapOpenAiError } from "../openai/map-error.ts";
import { saysContentRejected, saysNoBalance } from "../upstream/refusal-phrases.ts";
import { type Failure, failureMessage, upstreamError } from "../upstream/upstream-failure.ts";
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

/** The body is read for its class only; its text never reaches the caller (decisions §4). Limits, keys and accounts are told as for chat. */
export const mediaError = (failure: Failure): UpstreamError => {
  const message = wordsOf(failure.body);
  const { kind, details } = mapOpenAiError(failure);
  return upstreamError(failure, { kind: kindOf(failure.status, message, kind), retryAfterMs: details.retryAfterMs, message });
};

/** Beside its complaint fal repeats what the caller wrote, which says nothing of the failure. */
const wordsOf = (body: unknown): string => {
  const complaints = recordsAt(body, "detail").map((complaint) => `${textAt(complaint, "type")}: ${textAt(complaint, "msg")}`);
  if (complaints.length > 0) return complaints.join("; ");
  return typeof body === "string" ? body : (JSON.stringify(body) ?? "");
};

const kindOf = (status: number, message: string, kind: UpstreamErrorKind): UpstreamErrorKind => {
  if (status >= 400 && status < 500 && status !== 429 && soundsModerated(message)) return "content_filter";
  // Luma's status for it.
  if (status === 400 && kind === "bad_request" && saysNoBalance(message)) return "billing";
  // Media prompts are bounded by us, and no parameter is ours to leave out: these are faults of this request.
  return kind === "context_length" || kind === "unsupported_param" ? "bad_request" : kind;
};

/** The refusal an adapter throws when the answer itself says that the safety system stepped in. */
export const moderated = (): UpstreamError =>
  new UpstreamError("content_filter", failureMessage("The upstream", "content_filter"));

/** The answer had none of what was asked for. */
export const emptyAnswer = (what: string): UpstreamError =>
  new UpstreamError("server", `The upstream's answer holds no ${what}.`, { accepted: true });
