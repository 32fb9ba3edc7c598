/** All errors that a caller can get: one closed table of types, and one small constructor for each situation (decisions §4). */

/** docs/answers.md has a row for each. */
export const STATUS_OF = {
  invalid_request: 400,
  content_policy_violation: 400,
  authentication_error: 401,
  insufficient_tier: 403,
  limit_exceeded: 403,
  permission_denied: 403,
  policy_blocked: 403,
  not_found: 404,
  method_not_allowed: 405,
  document_processing: 409,
  idempotency_in_progress: 409,
  conflict: 409,
  request_too_large: 413,
  unsupported_media_type: 415,
  schema_validation_failed: 422,
  idempotency_mismatch: 422,
  rate_limit_exceeded: 429,
  budget_exceeded: 429,
  server_error: 500,
  service_unavailable: 503,
} as const;

export type ApiErrorType = keyof typeof STATUS_OF;

type ApiErrorOptions = {
  status?: number;
  /** Dotted path of the offending request field: `messages.0.content`. */
  param?: string | undefined;
  /** A finer, machine-readable reason (`context_length_exceeded`, `model_not_found`, …). */
  code?: string | undefined;
  retryAfterSeconds?: number;
  /** False tells SDKs not to retry by themselves (decisions §4). */
  shouldRetry?: boolean;
  /** Additional members inside `error`. */
  details?: Record<string, unknown>;
  /** Members beside `error` in the body (`content_evaluation`, `policy_evaluation`). */
  beside?: Record<string, unknown>;
  headers?: Record<string, string>;
};

export class ApiError extends Error {
  readonly status: number;
  constructor(
    readonly type: ApiErrorType,
    message: string,
    readonly options: ApiErrorOptions = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = options.status ?? STATUS_OF[type];
  }
}

export const invalidRequest = (message: string, param?: string, code?: string): ApiError =>
  new ApiError("invalid_request", message, { param, code });

export const notFound = (what: string): ApiError => new ApiError("not_found", `${what} was not found.`);

/** `what` begins the sentence; `nearest` is a name that may have been meant. */
export const modelNotFound = (id: string, what = "The model", param = "model", nearest?: string): ApiError =>
  new ApiError(
    "not_found",
    `${what} "${id.slice(0, 100)}" was not found. ${nearest === undefined ? "" : `Did you mean ${nearest}? `}GET /v1/models lists what can be called; chat models can be added under \`models\` in signalbox.yaml.`,
    { param, code: "model_not_found" },
  );

/** spec.md fixes the text; expired and revoked keys get the same, so that nothing can be probed. */
export const invalidApiKey = (): ApiError => new ApiError("authentication_error", "Invalid API key");

export const insufficientTier = (feature: string, requiredTier: string, currentTier: string): ApiError => {
  const message = `${feature} can be used from the ${requiredTier} tier on; this project is on ${currentTier}.`;
  return new ApiError("insufficient_tier", message, { details: { required_tier: requiredTier, current_tier: currentTier } });
};

/** The project's tier holds no more of `what` (documents, policies, …); `current` is what the project has now. */
export const limitExceeded = (what: string, limit: number, current: number): ApiError => {
  const message = `This project's tier holds ${limit} ${what}; there are ${current}. Delete what is not needed, or choose a higher tier.`;
  return new ApiError("limit_exceeded", message, { details: { limit, current } });
};

export const permissionDenied = (message: string, param?: string): ApiError =>
  new ApiError("permission_denied", message, { param });

export const conflict = (message: string, param?: string): ApiError => new ApiError("conflict", message, { param });

export const requestTooLarge = (maxBytes: number): ApiError =>
  new ApiError("request_too_large", `The request body is larger than the ${maxBytes} bytes this endpoint accepts.`);

/** `given`: the header's value, if there is one; clients that send none may send an empty one. */
export const unsupportedMediaType = (expected: string, given: string | null): ApiError => {
  const sent = !given ? "has no Content-Type" : `was sent as ${given.slice(0, 100)}`;
  const isCurls = expected.startsWith("application/json") && given?.startsWith("application/x-www-form-urlencoded");
  return new ApiError("unsupported_media_type", `This endpoint takes ${expected}; the body ${sent}${isCurls ? CURLS_WAY : ""}.`);
};
/** What a first `curl -d` runs into. */
const CURLS_WAY = ', as curl does unless it is told: -H "Content-Type: application/json"';

/** Nobody receives it; the call's log row has the usage. */
export const callerHungUp = (): ApiError => new ApiError("server_error", "The caller hung up.", { status: 499 });

/** `variable`: of the environment, that holds the provider's key. */
export const notConfigured = (modelId: string, variable: string | undefined): ApiError =>
  serviceUnavailable(`The provider of ${modelId} is not configured${variable ? `: set ${variable}` : ""}.`, 60, false);

/** All providers failed or are cooling down, or none is configured. `shouldRetry` is false after our own retries. */
export const serviceUnavailable = (message: string, retryAfterSeconds = 5, shouldRetry = true): ApiError =>
  new ApiError("service_unavailable", message, { retryAfterSeconds, shouldRetry });
