/** Shared parts of the OpenAPI document: errors, headers, the key. */

export type Json = Record<string, unknown>;

const text = { type: "string" };

const POLICY_EVALUATION: Json = {
  type: "object",
  description: "with `code` POLICY_BLOCKED; as `svc.policy_evaluation` of chat",
  required: ["result", "violations"],
  properties: {
    result: { const: "hard_block" },
    violations: {
      type: "array",
      items: {
        type: "object",
        required: ["policy_name", "rule", "message"],
        properties: { policy_name: text, rule: text, message: text },
        additionalProperties: true,
      },
    },
  },
  additionalProperties: true,
};

const ERROR_SCHEMA: Json = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["type", "message"],
      properties: {
        type: { type: "string" },
        message: { type: "string" },
        param: { type: ["string", "null"] },
        code: { type: ["string", "null"] },
        retry_after: { type: "number", description: "seconds" },
        request_id: { type: "string" },
        required_tier: { type: "string", description: "with `insufficient_tier`" },
        current_tier: { type: "string", description: "with `insufficient_tier`" },
        limit: { type: "number", description: "with `limit_exceeded`" },
        current: { type: "number", description: "with `limit_exceeded`" },
        errors: {
          type: "array",
          description: "with `schema_validation_failed`",
          items: { type: "object", properties: { path: { type: "string" }, message: { type: "string" } } },
        },
      },
    },
    policy_evaluation: POLICY_EVALUATION,
    content_evaluation: { type: "object", description: "with `code` CONTENT_BLOCKED; as `svc.content_evaluation` of chat" },
    type: { const: "error", description: "on Anthropic's paths" },
    request_id: { type: "string", description: "on Anthropic's paths" },
  },
};

/** The body of a routing policy's `hard_block` on the service's own paths (spec.md, "Errors"). */
const POLICY_BLOCKED_SCHEMA: Json = {
  type: "object",
  required: ["error", "code", "message", "policy_evaluation"],
  properties: {
    error: { type: "string" },
    code: { const: "POLICY_BLOCKED" },
    message: { type: "string" },
    policy_evaluation: POLICY_EVALUATION,
  },
};

const REASONS = {
  400: "A field is missing or wrong; `param` names it",
  401: "Missing, invalid, expired or revoked API key",
  403: "Not allowed: tier, scope, stock or policy",
  404: "Not found in this project",
  409: "Not now: still processing (`retry_after` says when to come again), or already there",
  413: "The body is too large",
  415: "Wrong content type or compression",
  416: "No such range of the file",
  422: "The output does not fit the schema, or an idempotency key was reused",
  429: "A limit or budget is used up; `retry_after` says when to come again",
  500: "Internal error; quote `request_id`",
  503: "No provider can answer now",
};
export type ErrorStatus = keyof typeof REASONS;

const HEADERS = {
  "X-Svc-Request-Id": { description: "Also `x-request-id`; of a call, the log's `call_id`", schema: { type: "string" } },
  "X-Svc-Model": { description: "The model that answered", schema: { type: "string" } },
  "X-Svc-Fallback": { description: "Whether a fallback model was asked", schema: { type: "boolean" } },
  "X-Svc-Latency-Ms": { schema: { type: "integer" } },
  "X-Svc-Cache": {
    description: "`hit` if an earlier answer was given again, `miss` if there was none; absent if none was wanted",
    schema: { enum: ["hit", "miss"] },
  },
  Age: { description: "With `X-Svc-Cache: hit`: seconds since the answer was new", schema: { type: "integer" } },
  "X-Svc-Model-Used": { schema: { type: "string" } },
  "X-Svc-Cost-Usd": { schema: { type: "number" } },
  "X-Svc-Audio-Duration-Seconds": { schema: { type: "number" } },
  "X-Svc-Idempotent-Replay": {
    description: "`true` where this is the stored response to an earlier request with the same `Idempotency-Key`",
    schema: { type: "boolean" },
  },
  "X-RateLimit-Limit": {
    description: "Where the route's group has a limit: for the minute, or the day where that is nearer",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": { description: "What is left of it", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "Unix seconds", schema: { type: "integer" } },
  "Retry-After": { description: "Seconds; also `retry-after-ms`", schema: { type: "integer" } },
  "X-Should-Retry": { description: "`false` where repeating the request soon cannot help", schema: { type: "boolean" } },
  "Content-Disposition": { schema: { type: "string" } },
  "Content-Range": { schema: { type: "string" } },
  "Accept-Ranges": { schema: { type: "string" } },
  ETag: { schema: { type: "string" } },
};
export type HeaderName = keyof typeof HEADERS;

export const RATE_HEADERS: HeaderName[] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

const HEADERS_OF_ERROR: Record<string, HeaderName[]> = {
  401: [],
  403: [...RATE_HEADERS, "X-Svc-Idempotent-Replay"],
  409: [...RATE_HEADERS, "Retry-After"],
  416: ["Content-Range"],
  422: [...RATE_HEADERS, "X-Svc-Idempotent-Replay"],
  429: [...RATE_HEADERS, "Retry-After", "X-Should-Retry"],
  503: [...RATE_HEADERS, "Retry-After", "X-Should-Retry"],
};

export const headers = (...names: HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const errorSchema = (status: string): Json => {
  const error = { $ref: "#/components/schemas/Error" };
  return status === "403" ? { anyOf: [error, { $ref: "#/components/schemas/PolicyBlocked" }] } : error;
};

export const COMPONENTS: Json = {
  securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "pk_live_… or pk_test_…" } },
  schemas: { Error: ERROR_SCHEMA, PolicyBlocked: POLICY_BLOCKED_SCHEMA },
  headers: HEADERS,
  responses: Object.fromEntries(
    Object.entries(REASONS).map(([status, description]) => [
      `Error${status}`,
      {
        description,
        headers: headers("X-Svc-Request-Id", ...(HEADERS_OF_ERROR[status] ?? RATE_HEADERS)),
        content: { "application/json": { schema: errorSchema(status) } },
      },
    ]),
  ),
};

/** The groups of operations. A route without a tag belongs to that of its path. */
export const TAGS = {
  anthropic: "Anthropic's Messages API, over the same story as chat",
  chat: "Conversations, answered by the model that fits",
  documentation: "This document, and the page made from it",
  documents: "Uploads, and what is found in them",
  files: "Generated media, by signed link",
  health: "Whether the process is up and takes work",
  logs: "Every call: what it was, what was decided, what it cost",
  media: "Images, video, speech, transcription",
  memory: "Sessions that chat remembers",
  metrics: "Sums over calls",
  openai: "OpenAI's API, over the same story as chat",
  policies: "A project's rules for models, money, personal data and words",
  routing: "Decisions explained without a call",
  schemas: "Saved JSON Schemas for structured output",
  tools: "Web search, and texts ranked against a query",
  usage: "What was used of each limit",
};
export type Tag = keyof typeof TAGS;
