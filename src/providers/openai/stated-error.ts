/** Errors in answers of status 200: under `error`, in Groq's own field, bare in a frame (Mistral, Alibaba), or as MiniMax's status. */

import { isRecord } from "../../lib/is-record.ts";
import { numberAt, textAt, valueAt } from "../../lib/json-at.ts";

/** OpenAI's error codes for MiniMax's status codes. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [1002, "rate_limit_exceeded"],
  [1039, "rate_limit_exceeded"],
  [1041, "rate_limit_exceeded"],
  [1004, "invalid_api_key"],
  [2049, "invalid_api_key"],
  [1008, "insufficient_quota"],
  [1026, "content_filter"],
  [1027, "content_filter"],
]);
const INVALID_PARAMS = 2013;

/** `base_resp: {status_code, status_msg}`; 0 is success. */
const minimaxError = (base: unknown): unknown => {
  const status = numberAt(base, "status_code") ?? 0;
  const type = status === INVALID_PARAMS ? "invalid_request_error" : "";
  return status === 0 ? undefined : { code: NAMES.get(status) ?? "", type, message: textAt(base, "status_msg") };
};

/** Some servers send an error without content in each frame. */
const saysSomething = (error: unknown): boolean => (isRecord(error) ? Object.values(error).some(Boolean) : Boolean(error));

/** What has a message or a detail in place of choices. */
const isBare = ({ code, message, detail }: Record<string, unknown>): boolean =>
  (typeof message === "string" && message !== "" && Boolean(code)) || (typeof detail === "string" && detail !== "");

export const statedError = (answer: Record<string, unknown>): unknown =>
  (saysSomething(answer["error"]) ? answer["error"] : undefined) ??
  (answer["x_groq"] ? valueAt(answer, "x_groq", "error") : undefined) ??
  (answer["object"] === "error" || (answer["choices"] === undefined && isBare(answer)) ? answer : undefined) ??
  (answer["base_resp"] ? minimaxError(answer["base_resp"]) : undefined);
