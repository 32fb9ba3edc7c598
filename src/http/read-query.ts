/** A query string as typed values: numbers and booleans are read from their text, the rest is checked as a body would be. */

import { Kind, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { invalidRequest } from "../api-error.ts";
import { firstProblem } from "../lib/first-problem.ts";

/** Unknown parameters are ignored; an empty one counts as absent; of a repeated one the last counts. */
export const readQuery = <Schema extends TObject>(request: Request, schema: Schema): Static<Schema> => {
  const start = request.url.indexOf("?");
  const params = new URLSearchParams(start < 0 ? "" : request.url.slice(start + 1));
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = params.getAll(name).at(-1);
    if (text !== undefined && text !== "") query[name] = fromText(property, text);
    else if (property.default !== undefined) query[name] = property.default;
  }
  if (Value.Check(schema, query)) return query as Static<Schema>;
  const { path, message } = firstProblem(schema, query);
  throw invalidRequest(message, path);
};

/** No digit could belong to two of its parts: ten thousand of them are read once. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Text that is no number stays text, so that the complaint quotes it. */
const fromText = (schema: TSchema, text: string): unknown => {
  if (schema["type"] === "integer" || schema["type"] === "number") {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    // 1e300 is a whole number for JavaScript, but not one that SQLite would count with.
    const usable = schema["type"] === "integer" ? Math.abs(value) <= Number.MAX_SAFE_INTEGER : Number.isFinite(value);
    return usable ? value : text;
  }
  if (schema["type"] === "boolean" || schema[Kind] === "Boolean") {
    if (/^(true|1)$/i.test(text)) return true;
    if (/^(false|0)$/i.test(text)) return false;
  }
  return text;
};
