/** What parts of Gemini's frames mean: finish reasons, usage, blocks, ids of calls. */

import { isRecord } from "../../lib/is-record.ts";
import { recordsAt, textAt } from "../../lib/json-at.ts";
import { countOf, disjoint, firstCount } from "../dialect/token-counts.ts";
import { newToolCallId, withSignature } from "../dialect/tool-call-ids.ts";
import type { FinishReason, TokenUsage } from "../provider.ts";
import { failureMessage } from "../upstream/upstream-failure.ts";
import { UpstreamError } from "../upstream-error.ts";

const FILTERED = [
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "LANGUAGE",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
  // A filter that customers put before and after a model.
  "MODEL_ARMOR",
  "ESCALATION",
];
/** The answer's bound, or the vendor's own for one request. */
const CUT = ["MAX_TOKENS", "CONTINUATION"];
const FAILED = [
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "OTHER",
  "NO_IMAGE",
  "IMAGE_OTHER",
  "MISSING_THOUGHT_SIGNATURE",
  "MALFORMED_RESPONSE",
  // The account may be used no more, or less.
  "PUP_LIMITED_DISABLED",
];

/** Empty while there is none: some servers send the default, `…_UNSPECIFIED`, in every frame. */
const statedReason = (reason: string): string => (reason.endsWith("_UNSPECIFIED") ? "" : reason);

/** Why the answer ended; empty while it goes on. */
export const reasonOf = (candidate: Record<string, unknown>): string => statedReason(textAt(candidate, "finishReason"));

/** Why the prompt was blocked; empty if it was not. */
export const blockReasonOf = (frame: Record<string, unknown>): string =>
  statedReason(textAt(frame, "promptFeedback", "blockReason"));

/** Whether a safety filter ended the answer. */
export const isFiltered = (reason: string): boolean => FILTERED.includes(reason);

const failed = (
  kind: "server" | "content_filter",
  provider: string,
  upstreamMessage: string,
  usage: TokenUsage | undefined,
): UpstreamError => new UpstreamError(kind, failureMessage(provider, kind), { accepted: true, upstreamMessage, usage });

/** A failed attempt is billed anyway, and may succeed the next time. */
export const finishReasonOf = (
  reason: string,
  sawToolCall: boolean,
  provider: string,
  usage: TokenUsage | undefined,
): FinishReason => {
  if (FAILED.includes(reason)) {
    throw failed("server", provider, reason, usage);
  }
  if (CUT.includes(reason)) return "length";
  if (isFiltered(reason)) return "content_filter";
  return sawToolCall ? "tool_calls" : "stop";
};

/**
 * Thinking tokens are separate from the candidates' tokens, except in one API variant that includes them; the total shows which. If the
 * candidates' count is missing, it is what remains of the total.
 */
export const readUsage = (metadata: unknown): TokenUsage | undefined => {
  if (!isRecord(metadata)) return undefined;
  if (firstCount(metadata, "promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount") === undefined) return undefined;
  const prompt = (firstCount(metadata, "promptTokenCount") ?? 0) + (firstCount(metadata, "toolUsePromptTokenCount") ?? 0);
  const thoughts = firstCount(metadata, "thoughtsTokenCount") ?? 0;
  const total = firstCount(metadata, "totalTokenCount") ?? 0;
  const candidates = firstCount(metadata, "candidatesTokenCount") ?? Math.max(0, total - prompt - thoughts);
  const isFoldedIn = thoughts > 0 && candidates >= thoughts && total === prompt + candidates;
  const completion = isFoldedIn ? candidates : candidates + thoughts;
  const cacheRead = firstCount(metadata, "cachedContentTokenCount") ?? 0;
  const counts = disjoint({ prompt, cacheRead, completion, reasoning: thoughts });
  const heard = heardIn(metadata, "promptTokensDetails");
  if (heard === 0) return counts;
  // None is left, and that is told, where all of the sound came from the cache.
  const inputAudio = Math.max(0, heard - heardIn(metadata, "cacheTokensDetails"));
  return { ...counts, inputAudio: Math.min(counts.input, inputAudio) };
};

const heardIn = (metadata: Record<string, unknown>, details: string): number =>
  recordsAt(metadata, details).reduce(
    (sum, each) => sum + (each["modality"] === "AUDIO" ? (countOf(each["tokenCount"]) ?? 0) : 0),
    0,
  );

/** The failure for a blocked prompt, with the usage to bill. */
export const blockedPrompt = (provider: string, reason: string, usage: TokenUsage | undefined): UpstreamError =>
  failed("content_filter", provider, reason, usage);

/** The id given out: Gemini's own or a new one, with the thought signature inside. */
export const toolCallId = (part: Record<string, unknown>, call: Record<string, unknown>): string =>
  withSignature(textAt(call, "id") || newToolCallId(), "google", textAt(part, "thoughtSignature"));
