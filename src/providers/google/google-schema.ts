/** Schemas as Gemini's JSON Schema fields take them. */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt } from "../../lib/json-at.ts";
import { intoDescription, mapSchema, mergeAll, type Schema, UNENFORCED, without } from "../dialect/map-schema.ts";

const UNHELD = [
  "multipleOf",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "pattern",
  "uniqueItems",
  "default",
  "const",
];
const UNKNOWN = ["$schema", "examples", ...UNENFORCED];

const FORMATS = ["date-time", "date", "time"];

/** Gemini refuses an enum with an empty text; without that one, the enum would say something else. */
const unheldBy = (schema: Schema): string[] => [
  ...UNHELD,
  ...(FORMATS.includes(schema["format"] as string) ? [] : ["format"]),
  ...(listAt(schema, "enum").includes("") ? ["enum"] : []),
];

/** Draft-07's `definitions` is not supported there. */
const underDefs = ({ definitions, ...rest }: Schema): Schema =>
  isRecord(definitions) ? { ...rest, $defs: { ...definitions, ...(rest["$defs"] as Schema | undefined) } } : rest;

const KEYWORDS_OF = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items", "prefixItems", "minItems", "maxItems"],
};

/** Gemini refuses keywords that say nothing about a value of the schema's type. */
const ofItsType = (schema: Schema): Schema => {
  const types = [schema["type"]].flat();
  const idle = Object.entries(KEYWORDS_OF).flatMap(([type, names]) => (types.includes(type) ? [] : names));
  return schema["type"] === undefined ? schema : without(schema, idle);
};

/** Gemini refuses a required name that is no property. In a closed object, where such a name cannot stand, it is left out. */
const withAllRequired = (schema: Schema): Schema => {
  const properties = recordAt(schema, "properties");
  const required = listAt(schema, "required").filter((name) => typeof name === "string");
  const isThere = (name: string): boolean => Object.hasOwn(properties, name);
  if (required.every(isThere)) return schema;
  if (schema["additionalProperties"] === false) return { ...schema, required: required.filter(isThere) };
  const missing = required.filter((name) => !isThere(name)).map((name) => [name, {}]);
  return { ...schema, properties: { ...properties, ...Object.fromEntries(missing) } };
};

/** Gemini's JSON Schema fields (`responseJsonSchema`, `parametersJsonSchema`): unknown keywords are dropped, `allOf` is merged. */
export const toGoogleSchema = (schema: Schema): Schema =>
  mapSchema(schema, (original) => {
    const merged = mergeAll(underDefs(original));
    const reference = merged["$ref"];
    // Only the definitions at the root may stand beside a reference.
    if (typeof reference === "string") {
      const $ref = reference.replace(/(?<!\/properties)\/definitions(?=\/)/g, "/$defs");
      return { $ref, ...(merged["$defs"] !== undefined && { $defs: merged["$defs"] }) };
    }
    const constant = merged["const"];
    const fitting = withAllRequired(ofItsType(without(merged, UNKNOWN)));
    const described = intoDescription(fitting, unheldBy(merged));
    return typeof constant === "string" && constant !== "" ? { ...described, type: "string", enum: [constant] } : described;
  });
