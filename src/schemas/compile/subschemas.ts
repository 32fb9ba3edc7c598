/** The schemas inside a schema, and errors that name a place in it. */
import { type ApiError, invalidRequest } from "../../api-error.ts";
import { isRecord } from "../../lib/is-record.ts";
import { SCHEMA_KEYWORDS } from "./schema-keywords.ts";

export type Draft = "draft-07" | "2020-12";
export type SchemaObject = Record<string, unknown>;

/** `place` is a JSON pointer into the schema. */
export const invalidSchema = (place: string, problem: string): ApiError =>
  invalidRequest(`The schema is not usable: ${place === "" ? "it" : `"${place}"`} ${problem}.`, "schema");

/** In draft-07 a `$ref` disables every keyword beside it. */
export const standsAlone = (schema: SchemaObject, draft: Draft): boolean =>
  draft === "draft-07" && typeof schema["$ref"] === "string";

/** How often typebox applies the schema of `contains` to each item: by itself, and for each of its bounds. */
export const timesOfContains = (schema: SchemaObject): number =>
  1 + Number(Object.hasOwn(schema, "minContains")) + Number(Object.hasOwn(schema, "maxContains"));

export const escapePointer = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The schemas directly inside one, with their keyword and place; a keyword of the wrong shape is refused. */
export function* subschemas(schema: SchemaObject, place: string): Generator<[string, unknown, string]> {
  for (const [keyword, value] of Object.entries(schema)) {
    const here = `${place}/${keyword}`;
    const holds = SCHEMA_KEYWORDS.get(keyword)?.holds;
    if (holds === "one" || (holds === "one or list" && !Array.isArray(value))) yield [keyword, value, here];
    else if (holds === "map") yield* mappedSchemas(keyword, value, here);
    else if (holds !== undefined) {
      if (!Array.isArray(value) || value.length === 0) throw invalidSchema(here, "must be an array of at least one schema");
      for (const [index, child] of value.entries()) yield [keyword, child, `${here}/${index}`];
    }
  }
}

function* mappedSchemas(keyword: string, value: unknown, place: string): Generator<[string, unknown, string]> {
  if (!isRecord(value)) throw invalidSchema(place, "must be an object of schemas");
  for (const [name, child] of Object.entries(value)) {
    if (keyword === "dependencies" && Array.isArray(child)) continue;
    yield [keyword, child, `${place}/${escapePointer(name)}`];
  }
}
