/** Maps errors of OpenAI Responses, in answers, failed responses and streams: those of chat completions with other field names. */

import { isRecord } from "../../lib/is-record.ts";
import { textAt } from "../../lib/json-at.ts";
import { mapOpenAiError } from "../openai/map-error.ts";
import { errorMemberOf, type Failure } from "../upstream/upstream-failure.ts";
import type { UpstreamError } from "../upstream-error.ts";
import { PHASE, SUMMARY } from "./drop-parameter.ts";

/**
 * Field names are translated to those of chat completions, so that a refusal is learned for both formats and callers see familiar names.
 */
const CHAT_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^input\b.{0,40}\.phase$/, PHASE],
  [/^input\b/, "messages"],
  [/^reasoning\.summary\b/, SUMMARY],
  [/^reasoning\b/, "reasoning_effort"],
  [/^text\.verbosity$/, "verbosity"],
  [/^text\b/, "response_format"],
];

const chatName = (param: string): string => CHAT_NAMES.find(([pattern]) => pattern.test(param))?.[1] ?? param;

/** A failed response says what went wrong, but not whose fault it was. */
const isCallers = (code: string): boolean => code.startsWith("invalid_") || code.includes("image");

const inChatWords = (error: Record<string, unknown>): Record<string, unknown> => {
  const param = textAt(error, "param");
  const type = textAt(error, "type");
  const isUntold = type === "" || type === "error";
  return {
    ...error,
    ...(param && { param: chatName(param) }),
    ...(isUntold && { type: isCallers(textAt(error, "code")) ? "invalid_request_error" : "" }),
  };
};

export const mapResponsesError = (failure: Failure): UpstreamError => {
  const error = errorMemberOf(failure.body);
  return mapOpenAiError(isRecord(error) ? { ...failure, body: { error: inChatWords(error) } } : failure);
};
