/** Parses a whole generateContent answer. */

import { recordAt, textAt } from "../../lib/json-at.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import type { ReadOptions } from "../dialect/wire-dialect.ts";
import { type ChatResult, noUsage } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { mapGoogleError } from "./map-error.ts";
import {
  blockedPrompt,
  blockReasonOf,
  candidateOf,
  finishReasonOf,
  partsOfCandidate,
  readUsage,
  toolCallId,
  wholeOf,
} from "./read-candidate.ts";

export const parseGoogleResponse = (body: unknown, { provider }: ReadOptions): ChatResult => {
  const record = wholeOf(body);
  if (record["error"]) throw mapGoogleError({ provider, status: 0, body, accepted: true });
  const usage = readUsage(record["usageMetadata"]);
  const candidate = candidateOf(record);
  const blockReason = blockReasonOf(record);
  if (!candidate && blockReason) throw blockedPrompt(provider, blockReason, usage);
  if (!candidate) throw brokenAnswer("server", provider, usage);
  const parts = partsOfCandidate(candidate);
  const toolCalls = parts.flatMap((part) => {
    const call = recordAt(part, "functionCall");
    const name = textAt(call, "name");
    return name ? [{ id: toolCallId(part, call), name, arguments: argumentsText(call["args"]) }] : [];
  });
  const textWhere = (thought: boolean): string =>
    parts.map((part) => ((part["thought"] === true) === thought ? textAt(part, "text") : "")).join("");
  const reasoning = textWhere(true);
  const id = textAt(record, "responseId");
  return {
    ...(id && { id }),
    text: textWhere(false),
    ...(reasoning && { reasoning }),
    toolCalls,
    finishReason: blockReason
      ? "content_filter"
      : finishReasonOf(textAt(candidate, "finishReason"), toolCalls.length > 0, provider, usage),
    usage: usage ?? noUsage(),
    usageSource: usage ? "provider" : "none",
  };
};
