/** Renders all errors: spec.md's envelope, or the form that OpenAI's and Anthropic's clients expect (decisions §4, §11). */

import { ApiError, type ApiErrorType, invalidApiKey, serviceUnavailable } from "../api-error.ts";
import { isUnwritable } from "../database/unwritable.ts";
import { given } from "../lib/given.ts";
import { requestIdHeaders } from "./exchange.ts";

/** Paths that spec.md does not have; the rest of OpenAI's are its own too (decisions §11, "Bodies of refusals"). */
const COMPATIBILITY_PATHS = [
  "/v1/chat/completions",
  "/v1/completions",
  "/v1/responses",
  "/v1/embeddings",
  "/v1/moderations",
  "/v1/models",
  "/v1/images/edits",
  "/v1/audio/translations",
];
const OPENAI_PATHS = [...COMPATIBILITY_PATHS, "/v1/images/", "/v1/audio/"];
const ANTHROPIC_PATH = "/v1/messages";

const ANTHROPIC_TYPES: Record<number, string> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  405: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  499: "api_error",
  500: "api_error",
  503: "overloaded_error",
};

/** OpenAI's codes, by which its users tell errors apart, for errors without a code of their own. */
const OPENAI_CODES: Partial<Record<ApiErrorType, string>> = {
  authentication_error: "invalid_api_key",
  rate_limit_exceeded: "rate_limit_exceeded",
  budget_exceeded: "insufficient_quota",
  content_policy_violation: "content_policy_violation",
};

type Asked = { path: string; requestId: string };

/** On the path that both APIs have, all of Anthropic's clients send this header, and none of OpenAI's. */
export const isAnthropic = (request: Request): boolean => request.headers.has("anthropic-version");

/** `request`: tells, on a path of several APIs, whose form its client expects. */
export const errorResponse = (error: ApiError, asked: Asked, request?: Request): Response =>
  Response.json(errorBody(error, asked, request), {
    status: error.status,
    headers: { ...headersOf(error), ...requestIdHeaders(asked), "x-content-type-options": "nosniff" },
  });

/** In the form that the path's clients expect. */
export const errorBody = (error: ApiError, { path, requestId }: Asked, request?: Request): Record<string, unknown> => {
  const isModels = path.startsWith("/v1/models");
  if (path.startsWith(ANTHROPIC_PATH) || (isModels && request && isAnthropic(request))) return anthropicBody(error, requestId);
  const { message, options } = error;
  if (error.type === "policy_blocked" && !isCompatibilityPath(path))
    return { error: "Policy blocked", code: "POLICY_BLOCKED", message, ...options.beside };
  return { error: errorMember(error, requestId, isOpenAiPath(path)), ...options.beside };
};

/** The `error` member alone, for an event in an open stream. */
export const errorMember = (error: ApiError, requestId: string, openAi = false): Record<string, unknown> => ({
  type: error.type,
  ...(openAi && { param: null, code: OPENAI_CODES[error.type] ?? null }),
  ...toldBy(error),
  ...(error.status >= 500 && { request_id: requestId }),
});

export const anthropicBody = (error: ApiError, requestId: string): { type: "error" } & Record<string, unknown> => ({
  type: "error",
  error: { type: ANTHROPIC_TYPES[error.status] ?? "invalid_request_error", ...toldBy(error) },
  request_id: requestId,
  ...error.options.beside,
});

const toldBy = (error: ApiError): Record<string, unknown> => {
  const { param, code, details } = error.options;
  return { message: error.message, ...given({ param, code, retry_after: secondsToWait(error) }), ...details };
};

const isCompatibilityPath = (path: string): boolean => COMPATIBILITY_PATHS.some((prefix) => path.startsWith(prefix));

const isOpenAiPath = (path: string): boolean => OPENAI_PATHS.some((prefix) => path.startsWith(prefix));

/** Whole seconds, at least one. */
const secondsToWait = ({ options: { retryAfterSeconds } }: ApiError): number | undefined =>
  retryAfterSeconds === undefined ? undefined : Math.max(1, Math.ceil(retryAfterSeconds));

const headersOf = (error: ApiError): Record<string, string> => {
  const { shouldRetry, headers } = error.options;
  const wait = secondsToWait(error);
  return {
    "content-type": "application/json",
    ...(wait !== undefined && { "retry-after": String(wait), "retry-after-ms": String(1_000 * wait) }),
    ...(shouldRetry === false && { "x-should-retry": "false" }),
    ...headers,
  };
};

/** The error for the caller: anything but an ApiError, a disk failure, and the deletion of the caller's project is a bug of ours. */
export const refusalOf = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  // What a project owns refers to the project's row, which was deleted during the request, and its keys with it.
  if ((error as { code?: string } | null)?.code === "SQLITE_CONSTRAINT_FOREIGNKEY") return invalidApiKey();
  return isUnwritable(error) ? serviceUnavailable("The database cannot be written at the moment.") : serverError();
};

const serverError = (): ApiError =>
  new ApiError("server_error", "Something went wrong on our side. Quote the request id when you report it.");
