/** Maps Anthropic's errors, in answers and in streams. */

import { textAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { refusedBound } from "../dialect/output-limit.ts";
import { type RefusalWords, refusalByWords } from "../dialect/refusal-by-words.ts";
import { kindOfClosedAccount, kindOfDenial, kindOfOwnFailure, says } from "../upstream/refusal-phrases.ts";
import { errorMemberOf, type Failure, kindOfStatus, upstreamError } from "../upstream/upstream-failure.ts";
import type { Refusal, UpstreamError, UpstreamErrorKind } from "../upstream-error.ts";
import { BOTH_SAMPLINGS, GRAMMARS, LONG_CONTEXT, SYSTEM_TURNS, THOUGHTS, TOOL_SCHEMAS } from "./drop-parameter.ts";

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

/** Troubles of the account that last, and are reported as a rate limit or as the request's fault. */
const KIND_OF_CODE: Record<string, UpstreamErrorKind> = {
  enforced_spend_limit_reached: "billing",
  contract_spend_limit_reached: "billing",
  organization_on_hold: "auth",
  claude_code_key_creator_not_member: "auth",
  cmek_key_disabled: "auth",
  cmek_key_network_blocked: "auth",
};

/** For accounts without it, with 400 or as a rate limit, however short the prompt. */
const NO_LONG_CONTEXT = /\blong context beta is not yet available|\bextra usage is required for (?:long|1M) context/i;

const REFUSALS: readonly RefusalWords[] = [
  [NO_LONG_CONTEXT, LONG_CONTEXT, true],
  // Drafts before 2020-12, and what no draft knows, such as `type: "any"`.
  [/\binput_schema: JSON schema is invalid/i, TOOL_SCHEMAS, "schemas"],
  // Thinking from elsewhere, changed, or missing where required; or sealed by OpenAI, behind a relay. Other conversations are not affected.
  [/expected `?thinking`? or `?redacted_thinking|thinking`? block|encrypted[ _]content\b.{0,100}could not be/i, THOUGHTS, true],
  [/thinking.*(?:signature|cannot be modified|cannot contain|binding)/is, THOUGHTS, true],
  [/(?:signature|cannot be modified|cannot contain|binding).*thinking/is, THOUGHTS, true],
  [/clear_thinking/, "context_management", true],
  // Not in this place of one conversation, or nowhere.
  [/role ["'`]system["'`] must (?:precede|follow)/i, SYSTEM_TURNS, true],
  [/role ["'`]system["'`]/i, SYSTEM_TURNS],
  [/anthropic-beta/i, "betas", true],
  // Each of them may come alone.
  [/\btemperature\b.{1,30}?\btop_p\b.{1,5}?cannot both/i, BOTH_SAMPLINGS],
  [/not support the effort parameter/i, "output_config.effort", true],
];

/** "tools.0.custom.strict: Extra inputs are not permitted": left out of all tools. */
const MEMBER =
  /\b(tools|thinking)(?:\.(?:\d{1,4}|custom|adaptive|enabled)){0,2}\.(strict|input_examples|eager_input_streaming|block_binding|display): extra inputs/;

/** "temperature is deprecated for this model", "`top_p` cannot both be specified", "output_config.format: Extra inputs …" */
const PARAMETERS = /output_config(?:\.(?:format|effort))?|thinking|top_[pk]|temperature|tool_choice|metadata|context_management/g;
const REFUSED = /not supported|unsupported|deprecated|extra inputs|cannot both|may only be set|does not support|not permitted/;

/** Refused beside something else of this request. */
const BESIDE = /cannot both|may only be set|\b(?:when|while)\b|\bwith (?:extended )?thinking/;

/** A model that rejects one effort may know others, and the rest depends on the request's beta features. */
const BY_REQUEST = ["output_config.effort", "context_management", "thinking.block_binding", "thinking.display"];

/** Their values differ with the model, and with the server. One that is refused, in whatever words, is left out. */
const MAY_NOT_FIT = /\b(?:output_config\.effort|top_[kp])\b/;

/** The first parameter named is the refused one, the rest is advice; of two that exclude each other, the second is dropped. */
const namedIn = (text: string): string | undefined => {
  if (!REFUSED.test(text)) return undefined;
  const named = new Set(text.match(PARAMETERS));
  return [...named].at(text.includes("cannot both") ? -1 : 0);
};

/** The parameter to leave out. */
const refusalOf = (message: string): Refusal | undefined => {
  const bound = refusedBound(message);
  if (bound) return bound;
  if (says("grammar too large", message)) return { param: GRAMMARS, once: "schemas" };
  const text = message.slice(0, 500).toLowerCase();
  const [, field, member] = MEMBER.exec(text) ?? [];
  const known = field ? undefined : refusalByWords(REFUSALS, message);
  if (known) return known;
  const named = field ? `${field}.${member}` : namedIn(text);
  if (named) return { param: named, once: BY_REQUEST.includes(named) || BESIDE.test(text) };
  const unfit = MAY_NOT_FIT.exec(text)?.[0];
  return unfit === undefined ? undefined : { param: unfit, once: true };
};

const kindOf = (type: string, message: string, status: number): UpstreamErrorKind => {
  if (NO_LONG_CONTEXT.test(message.slice(0, 500))) return "unsupported_param";
  const known = ownValue(KIND_OF_TYPE, type);
  if (known !== undefined) return (known === "server" ? kindOfOwnFailure(message) : undefined) ?? known;
  // Z.ai's and others'; Anthropic's own rate limits are known by their type.
  if (status === 429 && says("no balance", message)) return "billing";
  if (status !== 0 && status !== 400 && status !== 422) return kindOfDenial(status, message) ?? kindOfStatus(status);
  if (says("no balance", message)) return "billing";
  if (says("model unknown", message)) return "model_gone";
  const closed = kindOfClosedAccount(message);
  if (closed) return closed;
  if (says("context too long", message)) return "context_length";
  if (refusalOf(message)) return "unsupported_param";
  if (says("content rejected", message)) return "content_filter";
  return type === "invalid_request_error" || status !== 0 ? "bad_request" : "server";
};

export const mapAnthropicError = (failure: Failure): UpstreamError => {
  const error = errorMemberOf(failure.body) ?? failure.body;
  const message = textAt(error, "message") || textAt(error);
  const cause = ownValue(KIND_OF_CODE, textAt(error, "details", "error_code"));
  const kind = cause ?? kindOf(textAt(error, "type"), message, failure.status);
  return upstreamError(failure, { kind, message, ...(kind === "unsupported_param" && refusalOf(message)) });
};
