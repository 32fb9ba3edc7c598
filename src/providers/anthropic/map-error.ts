/** Anthropic's errors, in answers and in streams. */

import { isRecord } from "../../lib/is-record.ts";
import type { UpstreamError, UpstreamErrorKind } from "../provider.ts";
import {
  errorMemberOf,
  type Failure,
  kindOfStatus,
  saysContentRejected,
  saysContextTooLong,
  saysNoBalance,
  textOf,
  upstreamError,
} from "../upstream/upstream-failure.ts";

const KIND_OF_TYPE: Record<string, UpstreamErrorKind> = {
  authentication_error: "auth",
  permission_error: "auth",
  billing_error: "billing",
  not_found_error: "model_gone",
  request_too_large: "context_length",
  rate_limit_error: "rate_limit",
  overloaded_error: "overloaded",
  timeout_error: "timeout",
  api_error: "server",
};

/** "temperature is deprecated for this model", "`top_p` cannot both be specified", "output_config.format: Extra inputs …" */
const PARAMETERS = [
  "output_config.format",
  "output_config.effort",
  "output_config",
  "thinking",
  "top_p",
  "top_k",
  "temperature",
  "tool_choice",
  "metadata",
];
const REFUSALS = [
  "not supported",
  "unsupported",
  "deprecated",
  "extra inputs",
  "cannot both",
  "may only be set",
  "does not support",
  "not permitted",
];

/** The first one named is the one refused, what follows is advice; of two that exclude each other the second goes. */
const refusedParameter = (message: string): string | undefined => {
  const text = message.slice(0, 500).toLowerCase();
  if (!REFUSALS.some((phrase) => text.includes(phrase))) return undefined;
  const named = PARAMETERS.filter((name) => text.includes(name)).sort((a, b) => text.indexOf(a) - text.indexOf(b));
  return text.includes("cannot both") ? named.at(-1) : named[0];
};

const kindOf = (type: string, message: string, status: number): UpstreamErrorKind => {
  if (KIND_OF_TYPE[type]) return KIND_OF_TYPE[type];
  if (status !== 0 && status !== 400 && status !== 422) return kindOfStatus(status);
  if (saysNoBalance(message)) return "billing";
  if (saysContextTooLong(message)) return "context_length";
  if (refusedParameter(message)) return "unsupported_param";
  if (saysContentRejected(message)) return "content_filter";
  return type === "invalid_request_error" || status !== 0 ? "bad_request" : "server";
};

export const mapAnthropicError = (failure: Failure): UpstreamError => {
  const error = errorMemberOf(failure.body) ?? failure.body;
  const type = isRecord(error) ? textOf(error["type"]) : "";
  const message = isRecord(error) ? textOf(error["message"]) : textOf(error);
  const kind = kindOf(type, message, failure.status);
  return upstreamError(failure, { kind, param: kind === "unsupported_param" ? refusedParameter(message) : undefined, message });
};
