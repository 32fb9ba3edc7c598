/** Errors of OpenAI Responses, in answers, in failed responses and in streams: those of chat completions, about fields of other names. */

import { isRecord } from "../../lib/is-record.ts";
import { textAt } from "../../lib/json-at.ts";
import { mapOpenAiError } from "../openai/map-error.ts";
import { errorMemberOf, type Failure } from "../upstream/upstream-failure.ts";
import type { UpstreamError } from "../upstream-error.ts";
import { PHASE } from "./build-request.ts";

/** Learned under one name, a refusal holds for both formats; and callers know the names of chat completions. */
const CHAT_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^input\b.{0,40}\.phase$/, PHASE],
  [/^input\b/, "messages"],
  [/^reasoning\b/, "reasoning_effort"],
  [/^text\b/, "response_format"],
];

const chatName = (param: string): string => CHAT_NAMES.find(([pattern]) => pattern.test(param))?.[1] ?? param;

/** A response that failed says only what went wrong, not whose fault it was. */
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
