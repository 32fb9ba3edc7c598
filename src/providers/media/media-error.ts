/** Classifies a media vendor's error (field-notes §2.5); moderation has many names. */

import { listAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { mapOpenAiError } from "../openai/map-error.ts";
import { says } from "../upstream/refusal-phrases.ts";
import { type Failure, failureMessage, upstreamError } from "../upstream/upstream-failure.ts";
import { UpstreamError, type UpstreamErrorKind } from "../upstream-error.ts";

/** Wordings of moderation beyond those of chat; compared in lower case. */
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
  // Google's.
  "responsible ai",
  "usage guidelines",
];

export const soundsModerated = (text: string): boolean => {
  const lower = text.slice(0, 4_000).toLowerCase();
  return says("content rejected", lower) || MODERATION_WORDS.some((word) => lower.includes(word));
};

/**
 * The body decides only the class; its text never reaches the caller (decisions §4). Limits, keys and accounts are classified as for chat.
 */
export const mediaError = (failure: Failure): UpstreamError => {
  const message = wordsOf(failure.body);
  const { kind, details } = mapOpenAiError(failure);
  return upstreamError(failure, { kind: kindOf(failure.status, message, kind), retryAfterMs: details.retryAfterMs, message });
};

/** fal repeats the caller's input beside its error message; that part is ignored. */
const wordsOf = (body: unknown): string => {
  const complaints = recordsAt(body, "detail").map((complaint) =>
    `${listAt(complaint, "loc").join(".")} ${textAt(complaint, "type")}: ${textAt(complaint, "msg")}`.trim(),
  );
  if (complaints.length > 0) return complaints.join("; ");
  return typeof body === "string" ? body : (JSON.stringify(body) ?? "");
};

const kindOf = (status: number, message: string, kind: UpstreamErrorKind): UpstreamErrorKind => {
  if (status < 500 && status !== 429 && soundsModerated(message)) return "content_filter";
  // Luma's status for it.
  if (status === 400 && kind === "bad_request" && says("no balance", message)) return "billing";
  // We bound media prompts and cannot leave out parameters, so these count as faults of the request.
  return kind === "context_length" || kind === "unsupported_param" ? "bad_request" : kind;
};

/** The error that an adapter throws if the answer itself reports moderation. */
export const moderated = (): UpstreamError =>
  new UpstreamError("content_filter", failureMessage("The upstream", "content_filter"));

/** A job that ended without a result. */
export const failedJob = (wasModerated: boolean): UpstreamError =>
  wasModerated ? moderated() : new UpstreamError("server", "The upstream's job failed.", { accepted: true });

/** The answer had none of what was asked for. */
export const emptyAnswer = (what: string): UpstreamError =>
  new UpstreamError("server", `The upstream's answer contains no ${what}.`, { accepted: true });

/** Text of an answer that is useless without it. */
export const required = (what: string, text: string): string => {
  if (text === "") throw emptyAnswer(what);
  return text;
};
