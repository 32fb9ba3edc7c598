/** The keywords of draft-07 and 2020-12: the shape of each, and where they contain schemas. */

/** `map` holds schemas under the caller's own names, `list` in an array; `either` is a schema or a list of them (draft-07 `items`). */
type SchemaHolder = "one" | "map" | "list" | "either";

export const SCHEMA_HOLDERS: ReadonlyMap<string, SchemaHolder> = new Map([
  ["additionalItems", "one"],
  ["additionalProperties", "one"],
  ["contains", "one"],
  ["contentSchema", "one"],
  ["else", "one"],
  ["if", "one"],
  ["not", "one"],
  ["propertyNames", "one"],
  ["then", "one"],
  ["unevaluatedItems", "one"],
  ["unevaluatedProperties", "one"],
  ["items", "either"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["prefixItems", "list"],
  ["$defs", "map"],
  ["definitions", "map"],
  ["dependentSchemas", "map"],
  ["patternProperties", "map"],
  ["properties", "map"],
]);

/** Keywords whose schemas apply to the same value as the schema around them; a loop through these alone never ends. */
export const IN_PLACE_KEYWORDS: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "dependencies",
  "dependentSchemas",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
]);

const TYPES = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

type Rule = { fits: (value: unknown) => boolean; says: string };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
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

/** Shapes of the keywords without schemas; keywords in neither table are annotations and ignored. */
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
      fits: (value) => isObject(value) && Object.values(value).every(isStrings),
      says: "must be an object of arrays of strings, none of them twice",
    },
  ],
  [
    "dependencies",
    {
      fits: (value) => isObject(value) && Object.values(value).every((each) => !Array.isArray(each) || isStrings(each)),
      says: "must be an object of schemas or arrays of strings, none of them twice",
    },
  ],
]);

export { isObject };
