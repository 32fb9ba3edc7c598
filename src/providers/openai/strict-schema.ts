/** OpenAI's strict form of a schema, to which its grammar holds the model. */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt } from "../../lib/json-at.ts";
import {
  anySchema,
  HELD_FORMATS,
  has,
  hasNoClosedForm,
  intoDescription,
  isObjectSchema,
  mapSchema,
  type Schema,
} from "../dialect/map-schema.ts";

const saysWhatItIs = (schema: Schema): boolean =>
  schema["type"] === "array" ? isRecord(schema["items"]) : has(schema, ["type", "anyOf", "$ref", "enum", "const"]);

/** A reference to what the strict form keeps. */
const KEPT_PLACE = /^#(?:$|\/(?:\$defs|definitions|properties|items|anyOf)(?:\/|$))/;

const breaksStrictness = (schema: Schema): boolean => {
  if (hasNoClosedForm(schema, ["allOf", "oneOf", "prefixItems"])) return true;
  if (typeof schema["$ref"] === "string" && !KEPT_PLACE.test(schema["$ref"])) return true;
  if (!isObjectSchema(schema)) return !saysWhatItIs(schema);
  const required = new Set(listAt(schema, "required"));
  return Object.keys(recordAt(schema, "properties")).some((name) => !required.has(name));
};

const only = (schema: Schema, names: readonly string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));

/** Any other keyword is refused; what it would say, our own check asks for, or it says nothing about the value. */
const STRICT_KEYWORDS = [
  ...["$ref", "$defs", "definitions", "title", "description", "type", "enum", "const", "anyOf"],
  ...["properties", "required", "additionalProperties", "items", "minItems", "maxItems"],
  ...["pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
];

const unheldByOpenAi = ({ format, pattern }: Schema): string[] => [
  "default",
  "minLength",
  "maxLength",
  "uniqueItems",
  ...(HELD_FORMATS.includes(format as string) ? [] : ["format"]),
  // Look-ahead and look-behind.
  ...(typeof pattern === "string" && /\(\?<?[=!]/.test(pattern) ? ["pattern"] : []),
];

/**
 * OpenAI's strict form, or undefined if the schema has no equivalent: an optional field would have to become nullable, and the caller's own
 * schema would refuse the null. Without it the schema is sent as a guide, not as a grammar.
 */
export const toStrictSchema = (schema: Schema): Schema | undefined => {
  if (!isObjectSchema(schema) || "anyOf" in schema || anySchema(schema, breaksStrictness)) return undefined;
  return mapSchema(schema, (part) => {
    // Only the definitions at the root may stand beside a reference.
    if (typeof part["$ref"] === "string" && part["$defs"] === undefined) return { $ref: part["$ref"] };
    const unheld = unheldByOpenAi(part);
    const kept = intoDescription(only(part, [...STRICT_KEYWORDS, ...unheld]), unheld);
    // The lists are demanded even where they are empty.
    return isObjectSchema(kept) ? { properties: {}, required: [], ...kept, additionalProperties: false } : kept;
  });
};
