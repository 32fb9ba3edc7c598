/** The OpenAPI document, made from the routes themselves: what is reachable is in it, what is in it is reachable. */

import type { TObject, TSchema } from "@sinclair/typebox";
import { leastTierWith } from "../limits/require-tier.ts";
import type { RouteDescription, RouteEntry } from "./describe.ts";
import type { GuardRule } from "./guarded.ts";

type Json = Record<string, unknown>;

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
    policy_evaluation: { type: "object", description: "with `code` POLICY_BLOCKED" },
    content_evaluation: { type: "object", description: "with `code` CONTENT_BLOCKED" },
    type: { const: "error", description: "on Anthropic's paths" },
    request_id: { type: "string", description: "on Anthropic's paths" },
  },
};

/** What a routing policy's `hard_block` answers on the service's own paths (spec.md, "Errors"). */
const POLICY_BLOCKED_SCHEMA: Json = {
  type: "object",
  required: ["error", "code", "message", "policy_evaluation"],
  properties: {
    error: { type: "string" },
    code: { const: "POLICY_BLOCKED" },
    message: { type: "string" },
    policy_evaluation: { type: "object" },
  },
};

const REASONS: Record<string, string> = {
  400: "A field is missing or wrong; `param` names it",
  401: "Missing, invalid, expired or revoked API key",
  403: "Not allowed: tier, scope, stock or policy",
  404: "Not found in this project",
  409: "Not now: still processing, or already there",
  413: "The body is too large",
  415: "Wrong content type",
  416: "No such range of the file",
  422: "The output does not fit the schema, or an idempotency key was reused",
  429: "A limit or budget is used up; `retry_after` says when to come again",
  500: "Internal error; quote `request_id`",
  503: "No provider can answer now",
};

export const openApiDocument = (routes: readonly RouteEntry[], version: string): Json => {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const described = route.hooks?.detail?.signalbox as RouteDescription | undefined;
    if (described === undefined || route.method === "OPTIONS") continue;
    const path = route.path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, path, described) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Signalbox",
      version,
      description: "One API in front of many AI models: it decides, checks, falls back, and writes down why.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: tagsOf(paths).map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "pk_live_… or pk_test_…" } },
      schemas: { Error: ERROR_SCHEMA, PolicyBlocked: POLICY_BLOCKED_SCHEMA },
      headers: HEADERS,
      responses: Object.fromEntries(
        statusesOf(paths).map((status) => [
          `Error${status}`,
          {
            description: REASONS[status]!,
            headers: headers("X-Svc-Request-Id", ...(["429", "503"].includes(status) ? (["Retry-After"] as const) : [])),
            content: { "application/json": { schema: errorSchema(status) } },
          },
        ]),
      ),
    },
  };
};

const HEADERS = {
  "X-Svc-Request-Id": { description: "Also `x-request-id`; of a call, the log's `call_id`", schema: { type: "string" } },
  "X-RateLimit-Limit": {
    description: "Of the group, for the minute, or the day where that is nearer",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": { description: "What is left of it", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "Unix seconds", schema: { type: "integer" } },
  "Retry-After": { description: "Seconds; also `retry-after-ms`", schema: { type: "integer" } },
};
const RATE_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

const headers = (...names: (keyof typeof HEADERS)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const operationsIn = (paths: Record<string, Json>): Json[] =>
  Object.values(paths).flatMap((item) => Object.values(item) as Json[]);

const tagsOf = (paths: Record<string, Json>): string[] =>
  [...new Set(operationsIn(paths).flatMap((each) => each["tags"] as string[]))].sort();

/** Of the refusals, those that some operation names. */
const statusesOf = (paths: Record<string, Json>): string[] =>
  [...new Set(operationsIn(paths).flatMap((each) => Object.keys(each["responses"] as Json)))].filter(
    (status) => status in REASONS,
  );

const TAGS: Record<string, string> = {
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
  tools: "Web search",
  usage: "What was used of each limit",
};

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: {
    type: "string",
    minLength: 1,
    maxLength: 255,
    description: "The same key and body within 24 hours are answered with the stored response",
  },
};

const errorSchema = (status: string): Json => {
  const error = { $ref: "#/components/schemas/Error" };
  return status === "403" ? { anyOf: [error, { $ref: "#/components/schemas/PolicyBlocked" }] } : error;
};

const operation = (route: RouteEntry, path: string, described: RouteDescription): Json => {
  const guard = route.hooks?.detail?.signalboxGuard as GuardRule | undefined;
  const body = requestBody(described);
  const idempotent = guard !== undefined && route.method === "POST";
  return {
    operationId: `${route.method.toLowerCase()}_${path.replace(/[^a-z0-9]+/gi, "_").replace(/^_|_$/g, "")}`,
    summary: described.summary,
    ...describedBy(described, guard),
    tags: described.tags ?? [path.split("/")[2] ?? "general"],
    ...(guard === undefined && { security: [] }),
    parameters: [...pathParameters(path), ...queryParameters(described.query), ...(idempotent ? [IDEMPOTENCY_KEY] : [])],
    ...(body && { requestBody: body }),
    responses: {
      [String(described.status ?? 200)]: {
        description: "Success",
        headers: headers("X-Svc-Request-Id", ...(guard?.group === undefined ? [] : RATE_HEADERS)),
        ...successContent(described),
      },
      ...(described.inRanges && { 206: { description: "The range that was asked for", ...successContent(described) } }),
      ...Object.fromEntries(
        errorStatuses(path, described, guard, idempotent).map((status) => [
          String(status),
          { $ref: `#/components/responses/Error${status}` },
        ]),
      ),
    },
  };
};

const describedBy = ({ description }: RouteDescription, guard: GuardRule | undefined): { description?: string } => {
  const words = [
    ...(description === undefined ? [] : [description]),
    ...(guard === undefined ? [] : [`Scope \`${guard.scope}\`.`]),
    ...(guard?.feature === undefined ? [] : [`Needs the ${leastTierWith(guard.feature)} tier or above.`]),
  ];
  return words.length === 0 ? {} : { description: words.join(" ") };
};

const errorStatuses = (
  path: string,
  described: RouteDescription,
  guard: GuardRule | undefined,
  idempotent: boolean,
): number[] => {
  const hasBody = described.body !== undefined || described.multipart !== undefined;
  const hasPathId = path.includes("{");
  const statuses = [
    500,
    ...(hasBody || described.query || hasPathId || idempotent ? [400] : []),
    ...(guard !== undefined ? [401, 403, 429, 503] : []),
    ...(hasPathId ? [404] : []),
    ...(hasBody ? [413, 415] : []),
    ...(idempotent ? [409, 413, 422] : []),
    ...(described.errors ?? []),
  ];
  return [...new Set(statuses)].sort();
};

const successContent = ({ response, otherMediaTypes = [] }: RouteDescription): { content?: Json } => {
  if (response === undefined) return {};
  return {
    content: {
      ...("mediaType" in response
        ? Object.fromEntries([response["mediaType"]].flat().map((type) => [type, {}]))
        : { "application/json": { schema: plain(response) } }),
      ...Object.fromEntries(otherMediaTypes.map((type) => [type, { schema: { type: "string" } }])),
    },
  };
};

const requestBody = (described: RouteDescription): Json | undefined => {
  if (described.body === undefined && described.multipart === undefined) return undefined;
  return {
    required: true,
    content: {
      ...(described.body && { "application/json": { schema: plain(described.body) } }),
      ...(described.multipart && { "multipart/form-data": { schema: plain(described.multipart) } }),
    },
  };
};

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema: { type: "string" } }));

const queryParameters = (query: TObject | undefined): Json[] =>
  Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: schema.default === undefined && (query!.required?.includes(name) ?? false),
    schema: plain(schema),
    ...(schema.description !== undefined && { description: schema.description }),
  }));

/** TypeBox schemas are JSON Schema already but for their symbols. */
const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;
