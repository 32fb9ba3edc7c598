/**
 * Reads and rebuilds callers' JSON Schemas, for the subset of them that a provider knows. Constraints beyond it move into the description,
 * where the model still reads them; our own validation checks the original schema in any case.
 */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt } from "../../lib/json-at.ts";

export type Schema = Record<string, unknown>;

const SUBSCHEMA_MAPS = ["properties", "$defs", "definitions"];
const SUBSCHEMA_LISTS = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];
const SUBSCHEMAS = ["items", "additionalItems", "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties"];

/**
 * Rebuilds a schema bottom-up. The members named here hold schemas; all others are data and stay unchanged. The schema `true`, as which Go
 * and Rust write a field of any kind, becomes the empty one, which says the same: Gemini, Fireworks and chat templates refuse a boolean.
 */
export const mapSchema = (schema: Schema, change: (schema: Schema) => Schema): Schema =>
  change(Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, mapMember(name, value, change)])));

const mapMember = (name: string, value: unknown, change: (schema: Schema) => Schema): unknown => {
  const map = (one: unknown): unknown => {
    if (one === true && name !== "additionalProperties") return change({});
    return isRecord(one) ? mapSchema(one, change) : one;
  };
  if (SUBSCHEMA_MAPS.includes(name) && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]));
  if (Array.isArray(value)) return SUBSCHEMA_LISTS.includes(name) ? value.map(map) : value;
  return SUBSCHEMAS.includes(name) ? map(value) : value;
};

/** Whether any schema within this one, or it itself, is so. */
export const anySchema = (schema: Schema, test: (schema: Schema) => boolean): boolean => {
  let found = false;
  mapSchema(schema, (part) => {
    found ||= test(part);
    return part;
  });
  return found;
};

export const isObjectSchema = (schema: Schema): boolean =>
  schema["type"] === "object" ||
  (Array.isArray(schema["type"]) && schema["type"].includes("object")) ||
  isRecord(schema["properties"]);

/** Moves the keywords `names` of a schema into its description. */
export const intoDescription = (schema: Schema, names: readonly string[]): Schema => {
  const said: string[] = [];
  const rest: Schema = {};
  for (const [name, value] of Object.entries(schema)) {
    if (names.includes(name)) said.push(`${name}: ${JSON.stringify(value)}`);
    else rest[name] = value;
  }
  if (said.length === 0) return rest;
  const before = typeof rest["description"] === "string" ? `${rest["description"]} ` : "";
  return { ...rest, description: `${before}(${said.join(", ")})` };
};

export const without = (schema: Schema, names: readonly string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));

/** What no vendor holds a model to. */
export const UNENFORCED = [
  ...["not", "if", "then", "else", "contains", "propertyNames", "patternProperties", "unevaluatedProperties"],
  ...["minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies"],
];

export const has = (schema: Schema, names: readonly string[]): boolean => names.some((name) => name in schema);

/** An object of fields that the schema does not name; closed, it would lose them. */
const allowsMore = (schema: Schema): boolean => {
  const { properties, additionalProperties: more } = schema;
  return isObjectSchema(schema) && more !== false && (more !== undefined || !isRecord(properties));
};

/**
 * Whether an object's properties are named in several places that hold together. Closed in each of them, it could have no property at
 * all.
 */
const isCombined = (schema: Schema): boolean => {
  const namesProperties = (part: unknown): boolean =>
    isRecord(part) && has(part, ["properties", "$ref", "allOf", "anyOf", "oneOf"]);
  const places = [
    has(schema, ["properties"]),
    has(schema, ["$ref"]),
    ...listAt(schema, "allOf").map(namesProperties),
    listAt(schema, "anyOf").some(namesProperties),
    listAt(schema, "oneOf").some(namesProperties),
  ];
  return places.filter(Boolean).length > 1;
};

/** Whether it says what no form with closed objects can say. `unknown`: keywords that this form does not have. */
export const hasNoClosedForm = (schema: Schema, unknown: readonly string[]): boolean =>
  has(schema, [...UNENFORCED, ...unknown]) || isCombined(schema) || allowsMore(schema);

/** What bounds a number, a text or a list, and that few vendors enforce. */
export const BOUNDS = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems"],
];

/** Formats that OpenAI and Anthropic hold to. */
export const HELD_FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/** The schema as one with the parts of its `allOf`. */
export const mergeAll = (schema: Schema): Schema => {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = allOf.filter(isRecord);
  const properties = Object.assign({}, ...[...parts, rest].map((part) => recordAt(part, "properties")));
  const required = [...parts, rest].flatMap((part) => listAt(part, "required"));
  return {
    ...Object.assign({}, ...parts),
    ...rest,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
};
