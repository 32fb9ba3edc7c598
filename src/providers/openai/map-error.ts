/** Maps OpenAI-style errors, in the variants of other vendors (Mistral's `detail`, xAI's string, OpenRouter's numeric code). */

import { textAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { refusedBound } from "../dialect/output-limit.ts";
import { SYSTEM, TOOL_SCHEMAS } from "../google/drop-parameter.ts";
import { mapGoogleError } from "../google/map-error.ts";
import { kindOfClosedAccount, kindOfDenial, kindOfOwnFailure, says, saysNothingOfCause } from "../upstream/refusal-phrases.ts";
import { limitReset } from "../upstream/retry-hint.ts";
import { errorMemberOf, type Failure, kindOfStatus, upstreamError } from "../upstream/upstream-failure.ts";
import { faultOf, type Refusal, UpstreamError, type UpstreamErrorKind } from "../upstream-error.ts";
import { behindRelay, type Complaint, complaintOf, isRelayed, rawIn } from "./refusals/read-complaint.ts";
import { refusedMessages, refusedSchema } from "./refusals/refused-in-words.ts";
import { NO_ENDPOINT, refusedParameter } from "./refusals/refused-parameter.ts";

/** Codes and types of errors; numbers of four digits are Z.ai's. */
const CODES: Partial<Record<UpstreamErrorKind, readonly string[]>> = {
  unsupported_param: ["unsupported_parameter", "unsupported_value"],
  context_length: ["context_length_exceeded", "1261"],
  content_filter: [
    ...["content_policy_violation", "image_content_policy_violation", "misalignment_policy_violation", "bio_policy"],
    ...["content_filter", "moderation_blocked", "1301"],
  ],
  billing: [
    ...["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "exceeded_current_quota_error"],
    ...["credit_balance_exhausted", "organization_spend_limit_exceeded", "project_spend_limit_exceeded"],
    ...["organization_usage_limit_exceeded", "insufficient_balance_error", "spend_limit_reached"],
    // LiteLLM's and One API's, of keys that they gave out; Groq's, where the account has spent what its owner allowed.
    ...["budget_exceeded", "insufficient_user_quota", "blocked_api_access"],
    ...["1113", "1308", "1309", "1310"],
  ],
  auth: ["invalid_api_key", "invalid_authentication_error", "organization_restricted"],
  model_gone: [
    ...["model_not_found", "model_not_available", "model_decommissioned", "invalid_model", "model_not_supported"],
    ...["unknown_model", "unavailable_model"],
    // Groq's, whose owner or terms close one model; Volcengine's and Tencent's of what the account may use of one.
    ...["model_permission_blocked_org", "model_permission_blocked_project", "model_terms_required"],
    ...["SetLimitExceeded", "401008"],
    ...["1211", "1311"],
  ],
  rate_limit: ["rate_limit_exceeded", "rate_limit_error", "too_many_requests"],
  // A relay's, of its own vendor.
  timeout: ["request_timeout"],
  // Groq enforces tools and formats; that the model missed them is not the request's fault.
  server: ["server_error", "internal_error", "tool_use_failed", "json_validate_failed"],
  overloaded: [
    ...["overloaded_error", "engine_overloaded_error", "server_is_overloaded", "slow_down", "service_unavailable"],
    "1305",
  ],
};

const KIND_OF_CODE: ReadonlyMap<string, UpstreamErrorKind> = new Map(
  Object.entries(CODES).flatMap(([kind, codes]) => codes.map((code) => [code, kind as UpstreamErrorKind])),
);

/** Alibaba reports a limit per minute with the code and words of a spent account. */
const MINUTES_LIMIT = /allocated quota exceeded|#token-limit/i;

/** What is reported as the request's fault, but is not. */
const kindOfMisblamed = (status: number, message: string): UpstreamErrorKind | undefined => {
  // Cloudflare's gateway; of other servers the status is a failure of theirs.
  if (status === 424) return says("content rejected", message) ? "content_filter" : undefined;
  if (status === 412) return kindOfClosedAccount(message);
  // An error in a stream may have nothing but words.
  if (status !== 400 && status !== 0) return undefined;
  if (says("key refused", message)) return "auth";
  // Anthropic's, repeated by LiteLLM and OpenRouter.
  if (/credit balance is too low/i.test(message)) return "billing";
  if (says("model unknown", message)) return "model_gone";
  if (says("model broken", message) || saysNothingOfCause(message)) return "server";
  return says("wait", message) ? "rate_limit" : kindOfClosedAccount(message);
};

const kindOf = ({ message, code, type, status }: Complaint): UpstreamErrorKind => {
  // Reported as a rate limit if a single request exceeds the limit per minute; waiting would not help.
  if (status === 413 || /^request too large/i.test(message)) return "context_length";
  if (status === 429 && MINUTES_LIMIT.test(message)) return "rate_limit";
  const known = KIND_OF_CODE.get(code) ?? KIND_OF_CODE.get(type);
  const own = status === 500 || known === "server" ? kindOfOwnFailure(message) : undefined;
  if (own) return own;
  if (known) return known === "server" && kindOfStatus(status) === "overloaded" ? "overloaded" : known;
  if (NO_ENDPOINT.test(message)) return "unsupported_param";
  if (status === 429) return says("no balance", message) ? "billing" : "rate_limit";
  const denied = kindOfDenial(status, message);
  if (denied) return denied;
  const misblamed = kindOfMisblamed(status, message);
  if (misblamed) return misblamed;
  if (status !== 0 && (status < 400 || status > 422 || [401, 402, 403, 404].includes(status))) return kindOfStatus(status);
  if (says("context too long", message)) return "context_length";
  if (says("content rejected", message) || says("content rejected", code)) return "content_filter";
  return status === 0 ? (type === "invalid_request_error" ? "bad_request" : "server") : kindOfStatus(status);
};

/** Statuses of a request that its server found invalid. */
const REFUSALS = [400, 422];

/** OpenRouter names a bound that the account's balance pays for. */
const REFUSALS_OF_BOUNDS = [...REFUSALS, 402];

/** llama.cpp and Ollama's cloud call a schema that they cannot read their own failure. */
const REFUSALS_OF_SCHEMAS = [...REFUSALS, 500];

/** OpenRouter's 404, and others', for a model that takes no tools or pictures: it serves requests without them. */
const LACKS_FEATURE = /^no endpoints found that support\b/i;

/** OpenRouter puts the rate-limit headers into the body. */
const resetInBody = (body: unknown): number | undefined =>
  limitReset(textAt(errorMemberOf(body), "metadata", "headers", "X-RateLimit-Reset"));

/** Google's own error format, which its servers of this dialect keep: `status` in capitals. */
const isGoogles = (body: unknown): boolean => /^[A-Z]+(?:_[A-Z]+)*$/.test(textAt(errorMemberOf(body), "status"));

/** What Google calls a part of a request → the name under which its refusal is met in this format. */
const NAME_OF_GOOGLES: Readonly<Record<string, string>> = {
  response_mime_type: "response_format",
  thinking_config: "reasoning_effort",
  topP: "top_p",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  [SYSTEM]: "messages.system",
  [TOOL_SCHEMAS]: "tools.parameters",
};

const mapGoogles = (failure: Failure, isOfOneProvider: boolean): UpstreamError => {
  const error = mapGoogleError(failure);
  const { param = "", once = isOfOneProvider } = error.details;
  if (error.kind !== "unsupported_param") return error;
  return new UpstreamError(error.kind, error.message, {
    ...error.details,
    param: ownValue(NAME_OF_GOOGLES, param) ?? param,
    once,
  });
};

/** What is refused in words that leave no doubt, whichever code is beside them. */
const plainRefusal = (status: number, message: string, isOfOneProvider: boolean): Refusal | undefined => {
  const ofMessages = refusedMessages(message);
  if (ofMessages) return ofMessages;
  // A failure that is not the request's may quote the model's own words.
  const bound = REFUSALS_OF_BOUNDS.includes(status) ? refusedBound(message) : undefined;
  if (bound) return { ...bound, once: bound.once || isOfOneProvider };
  const schema = REFUSALS_OF_SCHEMAS.includes(status) ? refusedSchema(message) : undefined;
  return schema && { ...schema, once: schema.once || (isOfOneProvider && "schemas") };
};

const mapComplaint = (asked: Failure): UpstreamError => {
  const failure = behindRelay(asked);
  // The next call may reach another provider of the model, which has another limit, or knows more of schemas.
  const isOfOneProvider = rawIn(asked.body) !== "";
  const fields = complaintOf(failure);
  const { message } = fields;
  const plain = plainRefusal(failure.status, message, isOfOneProvider);
  if (plain) return upstreamError(failure, { kind: "unsupported_param", ...plain, message });
  if (isGoogles(failure.body)) return mapGoogles(failure, isOfOneProvider);
  const kind = kindOf(fields);
  const mayNameOne = kind === "bad_request" || kind === "unsupported_param";
  const refused = mayNameOne ? refusedParameter(fields, failure.body) : undefined;
  const isDoubtful = LACKS_FEATURE.test(message) || (fields.status === 400 && saysNothingOfCause(message));
  const verdict = refused
    ? { kind: "unsupported_param" as const, ...refused }
    : { kind: mayNameOne ? ("bad_request" as const) : kind, param: fields.param, isDoubtful };
  return upstreamError({ ...failure, status: fields.status }, { ...verdict, retryAfterMs: resetInBody(asked.body), message });
};

/** An account that a vendor behind the server refuses is not that of the server's other models. */
export const mapOpenAiError = (failure: Failure): UpstreamError => {
  const error = mapComplaint(failure);
  if (faultOf(error.kind) !== "account" || !isRelayed(failure.body)) return error;
  return upstreamError(failure, { kind: "model_gone", message: error.details.upstreamMessage ?? "" });
};
