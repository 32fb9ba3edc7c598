/** Maps Google's errors: `{error: {code, message, status, details[]}}`, sometimes inside a list, with the waiting time in the details. */

import { numberAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { refusedBound } from "../dialect/output-limit.ts";
import { type RefusalWords, refusalByWords } from "../dialect/refusal-by-words.ts";
import { says } from "../upstream/refusal-phrases.ts";
import { errorMemberOf, type Failure, kindOfStatus, upstreamError } from "../upstream/upstream-failure.ts";
import type { Refusal, UpstreamError, UpstreamErrorKind } from "../upstream-error.ts";
import { ANSWER_SCHEMA, SIGNATURES, SYSTEM, TOOL_SCHEMAS } from "./drop-parameter.ts";

const KIND_OF_STATUS: Record<string, UpstreamErrorKind> = {
  UNAUTHENTICATED: "auth",
  PERMISSION_DENIED: "auth",
  NOT_FOUND: "model_gone",
  RESOURCE_EXHAUSTED: "rate_limit",
  UNAVAILABLE: "overloaded",
  DEADLINE_EXCEEDED: "timeout",
  INTERNAL: "server",
  ABORTED: "server",
  CANCELLED: "server",
  UNKNOWN: "server",
  INVALID_ARGUMENT: "bad_request",
  // The account may not be used from this region, or not without billing.
  FAILED_PRECONDITION: "auth",
};

const NAMED = ["presence_penalty", "frequency_penalty", "penalty", "temperature", "top_p", "top_k", "seed"];

const REFUSALS: readonly RefusalWords[] = [
  // The signature is of another account or model, or missing; other conversations are not affected.
  [/thought[ _]signature/i, SIGNATURES, true],
  [/(?:developer|system)[ _]?instruction/i, SYSTEM],
  // A part of this schema is not taken (`….properties[a].type: must be specified`).
  [/schema in GenerationConfig|generation_config\.response_(?:json_)?schema\b/i, ANSWER_SCHEMA, "schemas"],
  [/function_?declarations?\b.{0,20}?\bparameters/i, TOOL_SCHEMAS, "schemas"],
  [/^(?:the thinking )?budget \S+ is invalid/i, "thinking_config", true],
];

/** `Thinking level … is not supported`, `Unknown name "x"`, `Penalty is not enabled` → the member of the request. */
const refusedParameter = (message: string): Refusal | undefined => {
  const text = message.slice(0, 500);
  const bound = refusedBound(text);
  if (bound) return bound;
  if (says("grammar too large", text)) return { param: ANSWER_SCHEMA, once: "schemas" };
  const known = refusalByWords(REFUSALS, text);
  if (known) return known;
  // Gemini takes smaller ranges of them than other vendors do, and others with each model.
  const beyond = /\bhas an? (temperature|top[PK]|(?:presence|frequency)Penalty) value of /.exec(text)?.[1];
  if (beyond) return { param: beyond, once: true };
  const unknown = /Unknown name "([A-Za-z_]{1,60})"/.exec(text)?.[1];
  if (unknown) return { param: unknown };
  const lower = text.toLowerCase();
  if (!["not supported", "unsupported", "not enabled", "invalid value"].some((phrase) => lower.includes(phrase)))
    return undefined;
  // An unknown thinking level says nothing about the others.
  if (lower.includes("thinking")) return { param: "thinking_config", once: lower.includes("thinking level") };
  if (["response mime type", "json mode", "response schema", "response_json_schema"].some((name) => lower.includes(name)))
    return { param: ANSWER_SCHEMA, once: /function calling|schema/.test(lower) && "schemas" };
  const param = NAMED.find((name) => lower.includes(name) || lower.includes(name.replace("_", " ")));
  return param === undefined ? undefined : { param, once: lower.includes("invalid value") };
};

/** The delay of a google.rpc.RetryInfo, such as "26.66s". */
const retryDelayMs = (details: Record<string, unknown>[]): number | undefined => {
  const delay = details.map((detail) => textAt(detail, "retryDelay")).find((text) => text !== "");
  const seconds = delay === undefined ? Number.NaN : Number.parseFloat(delay);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
};

/** A file that the caller names is not there, not this account's, or not ready. */
const NO_FILE = /\bthe File\b.{0,200}\b(?:may not exist|ACTIVE state)/i;

/** A daily quota does not return within a minute, whatever the hint says. */
const isDailyQuota = (details: Record<string, unknown>[]): boolean =>
  details.some((detail) => recordsAt(detail, "violations").some((entry) => textAt(entry, "quotaId").includes("PerDay")));

const kindOf = (status: string, message: string, httpStatus: number, details: Record<string, unknown>[]): UpstreamErrorKind => {
  // Spent prepaid credits are reported as exhausted resources, too.
  if (httpStatus === 402) return "billing";
  if (NO_FILE.test(message.slice(0, 500))) return "bad_request";
  const kind = ownValue(KIND_OF_STATUS, status) ?? (httpStatus === 0 ? "server" : kindOfStatus(httpStatus));
  // Free accounts have none of some models.
  if (kind === "rate_limit" && /\blimit: 0(?![.\d])/.test(message)) return "model_gone";
  if (kind === "rate_limit")
    return isDailyQuota(details) || says("no balance", message.replace("billing details", "")) ? "billing" : kind;
  // Vertex AI's for a model that the project may not use.
  if (status === "FAILED_PRECONDITION" && says("model unknown", message)) return "model_gone";
  if (kind !== "bad_request") return kind;
  if (details.some((detail) => detail["reason"] === "API_KEY_INVALID") || says("key refused", message)) return "auth";
  if (says("context too long", message)) return "context_length";
  return refusedParameter(message) ? "unsupported_param" : kind;
};

export const mapGoogleError = (failure: Failure): UpstreamError => {
  const error = errorMemberOf(failure.body);
  const details = recordsAt(error, "details");
  const message = textAt(error, "message") || textAt(failure.body);
  const code = numberAt(error, "code") ?? 0;
  const status = failure.status || code;
  const kind = kindOf(textAt(error, "status"), message, status, details);
  const hint = kind === "billing" || kind === "model_gone" ? undefined : retryDelayMs(details);
  return upstreamError(
    { ...failure, status },
    { kind, retryAfterMs: hint, message, ...(kind === "unsupported_param" && refusedParameter(message)) },
  );
};
