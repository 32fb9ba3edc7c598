/** OpenAI-style errors, in the shapes of the vendors that copied them (Mistral's `detail`, xAI's string, OpenRouter's numeric code). */

import { isRecord } from "../../lib/is-record.ts";
import type { UpstreamError, UpstreamErrorKind } from "../provider.ts";
import { recordAt } from "../token-counts.ts";
import {
  errorMemberOf,
  type Failure,
  kindOfStatus,
  saysContentRejected,
  saysContextTooLong,
  saysKeyRefused,
  saysModelUnknown,
  saysNoBalance,
  textOf,
  upstreamError,
} from "../upstream-failure.ts";

type Fields = { message: string; code: string; type: string; param: string | undefined; status: number };

const KIND_OF_CODE: Record<string, UpstreamErrorKind> = {
  context_length_exceeded: "context_length",
  unsupported_parameter: "unsupported_param",
  unsupported_value: "unsupported_param",
  content_policy_violation: "content_filter",
  content_filter: "content_filter",
  moderation_blocked: "content_filter",
  insufficient_quota: "billing",
  billing_hard_limit_reached: "billing",
  billing_not_active: "billing",
  exceeded_current_quota_error: "billing",
  invalid_api_key: "auth",
  invalid_authentication_error: "auth",
  model_not_found: "model_gone",
  model_not_available: "model_gone",
  model_decommissioned: "model_gone",
  invalid_model: "model_gone",
  rate_limit_exceeded: "rate_limit",
  server_error: "server",
  internal_error: "server",
  // Groq holds the model to its own tools and formats: that it missed them is no fault of the request.
  tool_use_failed: "server",
  json_validate_failed: "server",
  overloaded_error: "overloaded",
  engine_overloaded_error: "overloaded",
  service_unavailable: "overloaded",
};

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** "Unsupported parameter: 'x'", "Argument not supported on this model: x", "property 'x' is unsupported", … */
const NAMED_PARAMETER =
  /(?:unsupported parameter|not supported on this model|unrecognized request argument supplied|unknown parameter|unknown field|property|unexpected keyword argument|extra inputs are not permitted)[: ]{1,3}[`'"]?([A-Za-z_][\w.]{1,60})/i;

/** Mistral names fields by a path: `{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"…"}]}`. */
const forbiddenField = (body: unknown): string | undefined => {
  const detail = isRecord(body)
    ? (body["detail"] ?? (isRecord(body["message"]) ? body["message"]["detail"] : undefined))
    : undefined;
  const first = Array.isArray(detail)
    ? detail.find((entry) => isRecord(entry) && entry["type"] === "extra_forbidden")
    : undefined;
  return isRecord(first) && Array.isArray(first["loc"])
    ? textOf(first["loc"].find((step) => step !== "body")) || undefined
    : undefined;
};

const fieldsOf = ({ body, status }: Failure): Fields => {
  const error = errorMemberOf(body) ?? body;
  if (!isRecord(error)) return { message: textOf(error), code: "", type: "", param: undefined, status };
  const code = error["code"] ?? (isRecord(body) ? body["code"] : undefined);
  const message = textOf(error["message"]) || JSON.stringify(error["detail"] ?? error["message"] ?? "").slice(0, 500);
  // OpenRouter says "Provider returned error", and what that provider said stands beside it.
  const raw = textOf(recordAt(error, "metadata")["raw"]);
  return {
    message: raw ? `${message}: ${raw}` : message,
    code: textOf(code),
    type: textOf(error["type"]),
    param: textOf(error["param"]) || undefined,
    status: status || (typeof code === "number" ? code : 0),
  };
};

const namesRefusedParameter = (fields: Fields, body: unknown): boolean =>
  forbiddenField(body) !== undefined || NAMED_PARAMETER.test(fields.message.slice(0, 500));

const refusedParameter = (fields: Fields, body: unknown): string | undefined => {
  const named = NAMED_PARAMETER.exec(fields.message.slice(0, 500))?.[1];
  return forbiddenField(body) ?? fields.param ?? (named ? snake(named) : undefined);
};

const kindOf = ({ message, code, type, status }: Fields): UpstreamErrorKind => {
  const known = KIND_OF_CODE[code] ?? KIND_OF_CODE[type];
  if (known) return known;
  if (status === 429) return saysNoBalance(message) ? "billing" : "rate_limit";
  if (status === 403 && saysContentRejected(message)) return "content_filter";
  if (status === 403 && saysNoBalance(message)) return "billing";
  if (status === 400 && saysKeyRefused(message)) return "auth";
  if (status === 400 && saysModelUnknown(message)) return "model_gone";
  if (status !== 0 && (status < 400 || status > 422 || [401, 402, 403, 404].includes(status))) return kindOfStatus(status);
  if (saysContextTooLong(message)) return "context_length";
  if (saysContentRejected(message)) return "content_filter";
  return status === 0 ? (type === "invalid_request_error" ? "bad_request" : "server") : kindOfStatus(status);
};

const FORMAT_WORDS = ["response_format", "response format", "json mode", "json_schema", "structured output"];
/** What is wrong is this schema, or the tools beside it, not formats as such. */
const FORMAT_HERE = ["invalid schema", "combined", "tool", "stream"];

const saysAny = (message: string, words: readonly string[]): boolean => {
  const text = message.slice(0, 500).toLowerCase();
  return words.some((word) => text.includes(word));
};

const refusesFormat = ({ param, message }: Fields): boolean =>
  param?.startsWith("response_format") === true || saysAny(message, FORMAT_WORDS);

/** Of the messages only a role can be given another name; a message itself cannot be left out. */
const isDroppable = (param: string | undefined): boolean =>
  param !== undefined && param !== "model" && (!param.startsWith("messages") || param.endsWith("role"));

export const mapOpenAiError = (failure: Failure): UpstreamError => {
  const fields = fieldsOf(failure);
  const refused = refusedParameter(fields, failure.body);
  let kind = kindOf(fields);
  if ((kind === "bad_request" || kind === "unsupported_param") && refusesFormat(fields)) {
    const once = saysAny(fields.message, FORMAT_HERE);
    const verdict = { kind: "unsupported_param" as const, param: "response_format", once, message: fields.message };
    return upstreamError({ ...failure, status: fields.status }, verdict);
  }
  if (kind === "bad_request" && namesRefusedParameter(fields, failure.body)) kind = "unsupported_param";
  if (kind === "unsupported_param" && !isDroppable(refused)) kind = "bad_request";
  const param = kind === "unsupported_param" ? refused : fields.param;
  return upstreamError({ ...failure, status: fields.status }, { kind, param, message: fields.message });
};
