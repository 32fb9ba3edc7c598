/**
 * Reduces a caller's JSON Schema to the subset that a provider's structured output supports. Constraints beyond it move into the
 * description, where the model still reads them; our own validation checks the original schema in any case.
 */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt } from "../../lib/json-at.ts";
import { valueAtPointer } from "../../lib/json-pointer.ts";

type Schema = Record<string, unknown>;

const SUBSCHEMA_MAPS = ["properties", "$defs", "definitions"];
const SUBSCHEMA_LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SUBSCHEMAS = ["items", "additionalItems", "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties"];

/** Rebuilds a schema bottom-up. The members named here hold schemas; all others are data and stay unchanged. */
export const mapSchema = (schema: unknown, change: (schema: Schema) => Schema): unknown => {
  if (!isRecord(schema)) return schema;
  return change(Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, mapMember(name, value, change)])));
};

const mapMember = (name: string, value: unknown, change: (schema: Schema) => Schema): unknown => {
  if (SUBSCHEMA_MAPS.includes(name) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, schema]) => [key, mapSchema(schema, change)]));
  }
  const isList = SUBSCHEMA_LISTS.includes(name) || name === "items";
  if (isList && Array.isArray(value)) return value.map((schema) => mapSchema(schema, change));
  return SUBSCHEMAS.includes(name) ? mapSchema(value, change) : value;
};

const anySchema = (schema: unknown, test: (schema: Schema) => boolean): boolean => {
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

const without = (schema: Schema, names: readonly string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));

const only = (schema: Schema, names: readonly string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));

const LOOSE_OBJECTS = [
  "patternProperties",
  "unevaluatedProperties",
  "minProperties",
  "maxProperties",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
];
const CONDITIONS = ["not", "if", "then", "else", "allOf", "oneOf", "contains", "prefixItems"];
const has = (schema: Schema, names: readonly string[]): boolean => names.some((name) => name in schema);

/** An object of fields that the schema does not name; closed, it would lose them. */
const allowsMore = (schema: Schema): boolean => {
  const { properties, additionalProperties: more } = schema;
  return isObjectSchema(schema) && more !== false && (more !== undefined || !isRecord(properties));
};
const propertyNamesOf = (schema: Schema): string[] => Object.keys(recordAt(schema, "properties"));

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

const saysWhatItIs = (schema: Schema): boolean =>
  schema["type"] === "array" ? isRecord(schema["items"]) : has(schema, ["type", "anyOf", "$ref", "enum", "const"]);

/** A reference to what the strict form keeps. */
const KEPT_PLACE = /^#(?:$|\/(?:\$defs|definitions|properties|items|anyOf)(?:\/|$))/;

const breaksStrictness = (schema: Schema): boolean => {
  if (has(schema, CONDITIONS) || has(schema, LOOSE_OBJECTS) || isCombined(schema)) return true;
  if (typeof schema["$ref"] === "string" && !KEPT_PLACE.test(schema["$ref"])) return true;
  if (!isObjectSchema(schema)) return !saysWhatItIs(schema);
  const required = new Set(listAt(schema, "required"));
  return allowsMore(schema) || propertyNamesOf(schema).some((name) => !required.has(name));
};

/** What bounds a number, a text or a list, and that few vendors enforce. */
export const BOUNDS = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems"],
];

const STRICT_FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

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
  ...(STRICT_FORMATS.includes(format as string) ? [] : ["format"]),
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
  }) as Schema;
};

const ANTHROPIC_FORMATS = [...STRICT_FORMATS, "uri"];
const ANTHROPIC_UNHELD = [...BOUNDS, "uniqueItems", "pattern"];
const ANTHROPIC_UNKNOWN = ["not", "if", "then", "else", "contains", "prefixItems", ...LOOSE_OBJECTS];

/** A reference to a schema that contains it has no finite grammar. Each target is followed once. */
const isRecursive = (schema: Schema): boolean => {
  const open = new Set<string>(["#"]);
  const done = new Set<string>();
  const leadsBack = (target: string): boolean => {
    if (open.has(target)) return true;
    if (done.has(target)) return false;
    open.add(target);
    const found = follow(valueAtPointer(schema, target));
    open.delete(target);
    done.add(target);
    return found;
  };
  const follow = (part: unknown): boolean => {
    if (Array.isArray(part)) return part.some(follow);
    if (!isRecord(part)) return false;
    if (typeof part["$ref"] === "string" && leadsBack(part["$ref"])) return true;
    return Object.entries(part).some(([name, value]) => name !== "$defs" && name !== "definitions" && follow(value));
  };
  return follow(schema);
};

/** Anthropic's native form, or undefined if there is none and a forced tool has to serve. */
export const toAnthropicSchema = (schema: Schema): Schema | undefined => {
  const hasNoForm = (part: Schema): boolean => has(part, ANTHROPIC_UNKNOWN) || isCombined(part) || allowsMore(part);
  if (anySchema(schema, hasNoForm)) return undefined;
  if (isRecursive(schema)) return undefined;
  return mapSchema(schema, (part) => {
    const formatUnknown = typeof part["format"] === "string" && !ANTHROPIC_FORMATS.includes(part["format"]);
    const kept = intoDescription(
      without(part, ["$schema", "$id", "examples"]),
      formatUnknown ? [...ANTHROPIC_UNHELD, "format"] : ANTHROPIC_UNHELD,
    );
    if (Array.isArray(kept["oneOf"])) {
      kept["anyOf"] ??= kept["oneOf"];
      delete kept["oneOf"];
    }
    return isObjectSchema(kept) ? { ...kept, additionalProperties: false } : kept;
  }) as Schema;
};

const GOOGLE_UNHELD = [
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
const GOOGLE_UNKNOWN = ["$schema", "examples", "not", "if", "then", "else", "contains", ...LOOSE_OBJECTS];

const GOOGLE_FORMATS = ["date-time", "date", "time"];

const unheldByGoogle = ({ format }: Schema): string[] =>
  GOOGLE_FORMATS.includes(format as string) ? GOOGLE_UNHELD : [...GOOGLE_UNHELD, "format"];

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
    const described = intoDescription(without(merged, GOOGLE_UNKNOWN), unheldByGoogle(merged));
    return typeof constant === "string" ? { ...described, type: "string", enum: [constant] } : described;
  }) as Schema;

export const mergeAll = ({ allOf, ...rest }: Schema): Schema => {
  const parts = (allOf as unknown[]).filter(isRecord);
  const properties = Object.assign({}, ...[...parts, rest].map((part) => recordAt(part, "properties")));
  const required = [...parts, rest].flatMap((part) => listAt(part, "required"));
  return {
    ...Object.assign({}, ...parts),
    ...rest,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
};
