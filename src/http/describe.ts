/** What the OpenAPI document says of a route, given beside the route: the document is made from the routes and cannot miss one. */

import type { TObject, TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";

export type RouteDescription = {
  summary: string;
  description?: string;
  tags?: string[];
  /** JSON body. */
  body?: TSchema;
  /** A multipart body, in words of JSON Schema; files as `{type: "string", format: "binary"}`. */
  multipart?: TSchema;
  query?: TObject;
  /** The 2xx answer: its schema, or the media types of what is not JSON of one shape. */
  response?: TSchema | { mediaType: string | string[] };
  status?: number;
  /** Other forms of the success, where the caller asks for them: an event stream, subtitles. */
  otherMediaTypes?: string[];
  /** A `Range` is answered with 206. */
  inRanges?: true;
  /** Further statuses than those every keyed route has (400 with a body, 401, 403, 429, 500). */
  errors?: number[];
};

/** A route as the app lists it; `hooks.detail` holds what `describe` and the guard said. */
export type RouteEntry = { method: string; path: string; hooks: any };

/** Elysia carries `detail` through untouched; http/openapi reads it back. */
export const describe = (description: RouteDescription): DocumentDecoration => ({ signalbox: description }) as DocumentDecoration;
