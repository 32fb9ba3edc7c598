/** Reads a query string, or the fields of a form, as typed values: numbers, booleans and lists are parsed, the rest is checked like a body. */

import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { invalidRequest } from "../api-error.ts";
import { firstProblem } from "../lib/first-problem.ts";

/** Unknown parameters are ignored; an empty one counts as absent; of a repeated one the last counts. */
export const readQuery = <Schema extends TObject>(request: Request, schema: Schema): Static<Schema> => {
  const start = request.url.indexOf("?");
  const params = new URLSearchParams(start < 0 ? "" : request.url.slice(start + 1));
  return readTexts(schema, (name) => params.getAll(name).at(-1));
};

/** An empty text counts as absent. Throws 400 with the `param`. */
export const readTexts = <Schema extends TObject>(
  schema: Schema,
  textOf: (name: string) => string | undefined,
): Static<Schema> => {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = textOf(name);
    if (text !== undefined && text !== "") values[name] = fromText(property, text);
    else if (property.default !== undefined) values[name] = property.default;
  }
  if (Value.Check(schema, values)) return values as Static<Schema>;
  const { path, message } = firstProblem(schema, values);
  throw invalidRequest(message, path);
};

/** No character can match two parts of the pattern, so it takes linear time. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Text that is not a number stays text, so that the error quotes it. A list is written with commas. */
const fromText = (schema: TSchema, text: string): unknown => {
  if (schema["type"] === "integer" || schema["type"] === "number") {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    // 1e300 is an integer in JavaScript, but SQLite could not calculate with it.
    const usable = schema["type"] === "integer" ? Math.abs(value) <= Number.MAX_SAFE_INTEGER : Number.isFinite(value);
    return usable ? value : text;
  }
  if (schema["type"] === "boolean") {
    if (/^(true|1)$/i.test(text)) return true;
    if (/^(false|0)$/i.test(text)) return false;
  }
  return schema["type"] === "array" ? text.split(",") : text;
};
