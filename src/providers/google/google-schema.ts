/** Schemas as Gemini's JSON Schema fields take them. */

import { isRecord } from "../../lib/is-record.ts";
import { intoDescription, LOOSE_OBJECTS, mapSchema, mergeAll, type Schema, without } from "../dialect/map-schema.ts";

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
const UNKNOWN = ["$schema", "examples", "not", "if", "then", "else", "contains", ...LOOSE_OBJECTS];

const FORMATS = ["date-time", "date", "time"];

const unheldBy = ({ format }: Schema): string[] => (FORMATS.includes(format as string) ? UNHELD : [...UNHELD, "format"]);

/** Draft-07's `definitions` is not supported there. */
const underDefs = ({ definitions, ...rest }: Schema): Schema =>
  isRecord(definitions) ? { ...rest, $defs: { ...definitions, ...(rest["$defs"] as Schema | undefined) } } : rest;

/** Gemini's JSON Schema fields (`responseJsonSchema`, `parametersJsonSchema`): unknown keywords are dropped, `allOf` is merged. */
export const toGoogleSchema = (schema: Schema): Schema =>
  mapSchema(schema, (original) => {
    const part = underDefs(original);
    const merged = Array.isArray(part["allOf"]) ? mergeAll(part) : part;
    const reference = merged["$ref"];
    // Only the definitions at the root may stand beside a reference.
    if (typeof reference === "string") {
      const $ref = reference.replace(/(?<!\/properties)\/definitions(?=\/)/g, "/$defs");
      return { $ref, ...(merged["$defs"] !== undefined && { $defs: merged["$defs"] }) };
    }
    const constant = merged["const"];
    const described = intoDescription(without(merged, UNKNOWN), unheldBy(merged));
    return typeof constant === "string" ? { ...described, type: "string", enum: [constant] } : described;
  });
