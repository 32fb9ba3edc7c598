/** The keywords of draft-07 and 2020-12: which hold schemas, and what shape the others have. */

import { isRecord } from "../../lib/is-record.ts";

/**
 * What a keyword holds: one schema, a list of them, a map of them under the caller's own names, or (draft-07 `items`) one or a list. In the
 * map of `dependencies` there may also be lists of names.
 */
type Holds = "one" | "list" | "map" | "one or list";
/**
 * What the keyword's schemas apply to: the `same` value as the schema around them, items or properties of that value, names of properties,
 * or nothing by themselves (definitions).
 */
type AppliesTo = "same" | "items" | "items by place" | "properties" | "properties by name" | "names" | "nothing";

/** The keywords that hold schemas. */
export const SCHEMA_KEYWORDS: ReadonlyMap<string, { holds: Holds; appliesTo: AppliesTo }> = new Map(
  (
    [
      ["allOf", "list", "same"],
      ["anyOf", "list", "same"],
      ["oneOf", "list", "same"],
      ["not", "one", "same"],
      ["if", "one", "same"],
      ["then", "one", "same"],
      ["else", "one", "same"],
      ["dependencies", "map", "same"],
      ["dependentSchemas", "map", "same"],
      ["items", "one or list", "items"],
      ["additionalItems", "one", "items"],
      ["contains", "one", "items"],
      ["unevaluatedItems", "one", "items"],
      ["prefixItems", "list", "items by place"],
      ["properties", "map", "properties by name"],
      ["patternProperties", "map", "properties"],
      ["additionalProperties", "one", "properties"],
      ["unevaluatedProperties", "one", "properties"],
      ["propertyNames", "one", "names"],
      ["contentSchema", "one", "nothing"],
      ["$defs", "map", "nothing"],
      ["definitions", "map", "nothing"],
    ] as const
  ).map(([keyword, holds, appliesTo]) => [keyword, { holds, appliesTo }]),
);

/** Whether the keyword's schemas apply to the same value as the schema around them; a loop through these alone never ends. */
export const appliesInPlace = (keyword: string): boolean => SCHEMA_KEYWORDS.get(keyword)?.appliesTo === "same";

const TYPES = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

type Rule = { fits: (value: unknown) => boolean; says: string };

const areDistinct = (values: unknown[]): boolean => new Set(values).size === values.length;
const isStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string") && areDistinct(value);
const isTypeName = (value: unknown): boolean => typeof value === "string" && TYPES.has(value);

const text: Rule = { fits: (value) => typeof value === "string", says: "must be a string" };
const flag: Rule = { fits: (value) => typeof value === "boolean", says: "must be true or false" };
const number: Rule = { fits: (value) => typeof value === "number", says: "must be a number" };
const count: Rule = {
  fits: (value) => Number.isInteger(value) && (value as number) >= 0,
  says: "must be an integer of at least 0",
};
const anchor: Rule = {
  fits: (value) => typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
  says: "must be a name of letters, digits, `-`, `.` and `_` that begins with a letter or `_`",
};
const strings: Rule = { fits: isStrings, says: "must be an array of strings, none of them twice" };

/** The shapes of the other keywords. Keywords in neither table are annotations and ignored. */
export const KEYWORD_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...["$schema", "$id", "$ref", "$dynamicRef", "$comment"].map((name) => [name, text] as const),
  ...["$anchor", "$dynamicAnchor"].map((name) => [name, anchor] as const),
  ...["title", "description", "format", "pattern", "contentEncoding", "contentMediaType"].map((name) => [name, text] as const),
  ...["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"].map((name) => [name, number] as const),
  ...["maxLength", "minLength", "maxItems", "minItems"].map((name) => [name, count] as const),
  ...["maxProperties", "minProperties", "maxContains", "minContains"].map((name) => [name, count] as const),
  ...["uniqueItems", "readOnly", "writeOnly", "deprecated"].map((name) => [name, flag] as const),
  ["multipleOf", { fits: (value) => typeof value === "number" && value > 0, says: "must be a number greater than 0" }],
  ["required", strings],
  ["enum", { fits: Array.isArray, says: "must be an array" }],
  ["examples", { fits: Array.isArray, says: "must be an array" }],
  [
    "type",
    {
      fits: (value) =>
        isTypeName(value) || (Array.isArray(value) && value.length > 0 && value.every(isTypeName) && areDistinct(value)),
      says: `must be one of ${[...TYPES].join(", ")}, or an array of them, none twice`,
    },
  ],
  [
    "dependentRequired",
    {
      fits: (value) => isRecord(value) && Object.values(value).every(isStrings),
      says: "must be an object of arrays of strings, none of them twice",
    },
  ],
  [
    "dependencies",
    {
      fits: (value) => isRecord(value) && Object.values(value).every((each) => !Array.isArray(each) || isStrings(each)),
      says: "must be an object of schemas or arrays of strings, none of them twice",
    },
  ],
]);
