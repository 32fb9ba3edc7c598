/**
 * A route's description for the OpenAPI document, written beside the route: since the document is made from the routes, it cannot miss one.
 */

import type { TObject, TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import type { ErrorStatus, HeaderName, Tag } from "./openapi/openapi-components.ts";

export type RouteDescription = {
  summary: string;
  description?: string;
  tags?: Tag[];
  /** JSON body. */
  body?: TSchema;
  /** A multipart body as JSON Schema; files as `{type: "string", format: "binary"}`. */
  multipart?: TSchema;
  query?: TObject;
  /** The 2xx answer: its schema, or media types if it is not JSON of one shape. */
  response?: TSchema | { mediaType: string | string[] };
  status?: number;
  /** Headers of the success, beside those of every route. */
  headers?: HeaderName[];
  /** Other media types of the success, if the caller asks for them: an event stream, subtitles. */
  otherMediaTypes?: string[];
  /** The answer is a file: `Range` requests get a 206, and `If-None-Match` a 304. */
  isFile?: true;
  /**
   * Further statuses than the route itself tells: 500; with a key 401, 403, 429 and 503; with a body 400, 413 and 415; with an id in its path
   * 400 and 404; as a POST also 409 and 422, for its `Idempotency-Key`.
   */
  errors?: ErrorStatus[];
};

/** A route as the app lists it; `hooks.detail` holds the data of `describe` and the guard. */
export type RouteEntry = { method: string; path: string; hooks: any };

/** Elysia carries `detail` through untouched; http/openapi reads it back. */
export const describe = (description: RouteDescription): DocumentDecoration => ({ signalbox: description }) as DocumentDecoration;
