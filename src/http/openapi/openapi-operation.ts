/** A route as an operation of the OpenAPI document. */

import type { TObject, TSchema } from "@sinclair/typebox";
import { leastTierWith } from "../../limits/require-tier.ts";
import type { RouteDescription, RouteEntry } from "../describe.ts";
import type { GuardRule } from "../guarded.ts";
import { takingNulls } from "../leave-out-nulls.ts";
import { headers, type Json, RATE_HEADERS } from "./openapi-components.ts";

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

const CACHE_CONTROL: Json = {
  name: "Cache-Control",
  in: "header",
  required: false,
  schema: {
    type: "string",
    description:
      "`max-age=N`: an answer to the same question that is at most N seconds old will do; `no-cache`: a model is asked, and its answer kept; `no-store`: neither",
  },
};

export const operationOf = (route: RouteEntry, path: string, described: RouteDescription): Json => {
  const guard = route.hooks?.detail?.signalboxGuard as GuardRule | undefined;
  const body = requestBody(described);
  const idempotent = guard !== undefined && route.method === "POST";
  return {
    operationId: `${route.method.toLowerCase()}_${path.replace(/[^a-z0-9]+/gi, "_").replace(/^_|_$/g, "")}`,
    summary: described.summary,
    ...describedBy(described, guard),
    tags: described.tags ?? [path.split("/")[2] ?? "general"],
    ...(guard === undefined && { security: [] }),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(described.query),
      ...(idempotent ? [IDEMPOTENCY_KEY] : []),
      ...(described.headers?.includes("X-Svc-Cache") ? [CACHE_CONTROL] : []),
    ],
    ...(body && { requestBody: body }),
    responses: {
      [String(described.status ?? 200)]: {
        description: "Success",
        headers: headers(
          "X-Svc-Request-Id",
          ...(guard?.group === undefined ? [] : RATE_HEADERS),
          ...(idempotent ? (["X-Svc-Idempotent-Replay"] as const) : []),
          ...(described.headers ?? []),
        ),
        ...successContent(described),
      },
      ...(described.isFile && fileAnswers(described)),
      ...Object.fromEntries(
        errorStatuses(path, described, guard, idempotent).map((status) => [
          String(status),
          { $ref: `#/components/responses/Error${status}` },
        ]),
      ),
    },
  };
};

const fileAnswers = (described: RouteDescription): Json => ({
  206: {
    description: "The range that was asked for",
    headers: headers("X-Svc-Request-Id", "Content-Range", ...(described.headers ?? [])),
    ...successContent(described),
  },
  304: {
    description: "The caller already has the file (`If-None-Match`)",
    headers: headers("X-Svc-Request-Id", ...(described.headers ?? [])),
  },
});

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
      // For a stream, the schema is that of each event.
      ...Object.fromEntries(
        otherMediaTypes.map((type) => [type, type === "text/event-stream" ? {} : { schema: { type: "string" } }]),
      ),
    },
  };
};

const requestBody = (described: RouteDescription): Json | undefined => {
  if (described.body === undefined && described.multipart === undefined) return undefined;
  return {
    required: true,
    content: {
      ...(described.body && { "application/json": { schema: plain(takingNulls(described.body)) } }),
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

/** TypeBox schemas are JSON Schema except for their symbols, and for unions of constants, which generators know as `enum`. */
const plain = (schema: TSchema): Json =>
  JSON.parse(JSON.stringify(schema), (_, value) => (Array.isArray(value?.anyOf) ? withEnum(value) : value)) as Json;

const isWord = ({ type, const: word, ...more }: Json): boolean =>
  type === "string" && word !== undefined && Object.keys(more).length === 0;

const withEnum = ({ anyOf, ...rest }: Json & { anyOf: Json[] }): Json => {
  const words = anyOf.filter(isWord).map((variant) => variant["const"]);
  if (words.length < 2) return { anyOf, ...rest };
  const others = anyOf.filter((variant) => !isWord(variant));
  const oneOf = { type: "string", enum: words };
  return others.length === 0 ? { ...oneOf, ...rest } : { anyOf: [oneOf, ...others], ...rest };
};
