/** Maps Anthropic's errors, in answers and in streams. */

import { textAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { refusedBound } from "../dialect/output-limit.ts";
import {
  kindOfClosedAccount,
  kindOfDenial,
  kindOfOwnFailure,
  saysContentRejected,
  saysContextTooLong,
  saysGrammarTooLarge,
  saysModelUnknown,
  saysNoBalance,
} from "../upstream/refusal-phrases.ts";
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
  "context_management",
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

/** "tools.0.custom.strict: Extra inputs are not permitted": left out of all tools. */
const MEMBER =
  /\b(tools|thinking)(?:\.(?:\d{1,4}|custom|adaptive|enabled)){0,2}\.(strict|input_examples|eager_input_streaming|block_binding|display): extra inputs/;

const refusedMember = (message: string): string | undefined => {
  const [, field, member] = MEMBER.exec(message.slice(0, 500).toLowerCase()) ?? [];
  return field && `${field}.${member}`;
};

/** Two sampling fields, of which each may come alone. */
const EXCLUSIVE = /\btemperature\b.{1,30}?\btop_p\b.{1,5}?cannot both/i;

/** Refused beside something else of this request. */
const BESIDE = /cannot both|may only be set|\b(?:when|while)\b|\bwith (?:extended )?thinking/i;

/** The first parameter named is the refused one, the rest is advice; of two that exclude each other, the second is dropped. */
const refusedParameter = (message: string): string | undefined => {
  const text = message.slice(0, 500).toLowerCase();
  if (!REFUSALS.some((phrase) => text.includes(phrase))) return undefined;
  const named = PARAMETERS.filter((name) => text.includes(name)).sort((a, b) => text.indexOf(a) - text.indexOf(b));
  return text.includes("cannot both") ? named.at(-1) : named[0];
};

/** Thinking from elsewhere, changed, or missing where required; or sealed by OpenAI, behind a relay. Other conversations are not affected. */
const refusesThoughts = (message: string): boolean => {
  const text = message.slice(0, 500).toLowerCase().replaceAll("`", "");
  return (
    ["expected thinking or redacted_thinking", "thinking block"].some((words) => text.includes(words)) ||
    (text.includes("thinking") &&
      ["signature", "cannot be modified", "cannot contain", "binding"].some((words) => text.includes(words))) ||
    /encrypted[ _]content\b.{0,100}could not be/.test(text)
  );
};

/** Drafts before 2020-12, and what no draft knows, such as `type: "any"`. */
const SCHEMA_INVALID = /\binput_schema: JSON schema is invalid/i;

/** Either nowhere, or not in this place of one conversation. */
const SYSTEM_ROLE = /role ["'`]system["'`](?<misplaced> must (?:precede|follow))?/i;

/** Learned for this request only: a model that rejects one effort may know others, and the rest depends on the request's beta features. */
const BY_REQUEST = ["output_config.effort", "context_management", "thinking.block_binding", "thinking.display"];

const NO_EFFORT = /not support the effort parameter/i;

/** Their values differ with the model, and with the server. One that is refused, in whatever words, is left out. */
const MAY_NOT_FIT = /\b(?:output_config\.effort|top_[kp])\b/;

/** For accounts without it, with 400 or as a rate limit, however short the prompt. */
const NO_LONG_CONTEXT = /\blong context beta is not yet available|\bextra usage is required for (?:long|1M) context/i;

/** What to leave out. */
const refusalOf = (message: string): Refusal | undefined => {
  if (NO_LONG_CONTEXT.test(message.slice(0, 500))) return { param: LONG_CONTEXT, once: true };
  const bound = refusedBound(message);
  if (bound) return bound;
  const member = refusedMember(message);
  if (member !== undefined) return { param: member, once: BY_REQUEST.includes(member) };
  if (SCHEMA_INVALID.test(message.slice(0, 500))) return { param: TOOL_SCHEMAS, once: "schemas" };
  if (saysGrammarTooLarge(message)) return { param: GRAMMARS, once: "schemas" };
  if (refusesThoughts(message)) return { param: THOUGHTS, once: true };
  if (message.includes("clear_thinking")) return { param: "context_management", once: true };
  const system = SYSTEM_ROLE.exec(message.slice(0, 500));
  if (system) return { param: SYSTEM_TURNS, once: system.groups?.["misplaced"] !== undefined };
  if (message.toLowerCase().includes("anthropic-beta")) return { param: "betas", once: true };
  if (EXCLUSIVE.test(message.slice(0, 500))) return { param: BOTH_SAMPLINGS };
  const param = NO_EFFORT.test(message.slice(0, 500)) ? "output_config.effort" : refusedParameter(message);
  if (param !== undefined) return { param, once: BY_REQUEST.includes(param) || BESIDE.test(message.slice(0, 500)) };
  const unfit = MAY_NOT_FIT.exec(message.slice(0, 500))?.[0];
  return unfit === undefined ? undefined : { param: unfit, once: true };
};

const kindOf = (type: string, message: string, status: number): UpstreamErrorKind => {
  if (NO_LONG_CONTEXT.test(message.slice(0, 500))) return "unsupported_param";
  const known = ownValue(KIND_OF_TYPE, type);
  if (known !== undefined) return (known === "server" ? kindOfOwnFailure(message) : undefined) ?? known;
  // Z.ai's and others'; Anthropic's own rate limits are known by their type.
  if (status === 429 && saysNoBalance(message)) return "billing";
  if (status !== 0 && status !== 400 && status !== 422) return kindOfDenial(status, message) ?? kindOfStatus(status);
  if (saysNoBalance(message)) return "billing";
  if (saysModelUnknown(message)) return "model_gone";
  const closed = kindOfClosedAccount(message);
  if (closed) return closed;
  if (saysContextTooLong(message)) return "context_length";
  if (refusalOf(message)) return "unsupported_param";
  if (saysContentRejected(message)) return "content_filter";
  return type === "invalid_request_error" || status !== 0 ? "bad_request" : "server";
};

export const mapAnthropicError = (failure: Failure): UpstreamError => {
  const error = errorMemberOf(failure.body) ?? failure.body;
  const message = textAt(error, "message") || textAt(error);
  const cause = ownValue(KIND_OF_CODE, textAt(error, "details", "error_code"));
  const kind = cause ?? kindOf(textAt(error, "type"), message, failure.status);
  return upstreamError(failure, { kind, message, ...(kind === "unsupported_param" && refusalOf(message)) });
};
