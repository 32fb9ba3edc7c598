/**
 * What a tool takes, as every vendor takes it: an object at the root that names its fields. OpenAI and Anthropic refuse a choice between objects
 * there, with the whole request, and OpenAI an array without items; the schemas of MCP servers have both.
 */

import { isRecord } from "../../lib/is-record.ts";
import { listAt } from "../../lib/json-at.ts";
import { intoDescription, isObjectSchema, mapSchema, mergeAll, resolvePointer, without } from "./schema-subset.ts";

type Schema = Record<string, unknown>;

const CHOICES = ["anyOf", "oneOf"];
/** Said in words instead: our own callers check what their tools are given. */
const REFUSED_AT_ROOT = [...CHOICES, "not", "enum", "const"];

/** Also for a tool that takes nothing. */
export const toToolSchema = (schema: Schema = {}): Schema => {
  const root = withoutChoice(deref(schema, without(schema, ["$schema"])));
  const whole: Schema = { ...root, type: "object", properties: root["properties"] ?? {} };
  return lacksItems(whole) ? (mapSchema(whole, withItems) as Schema) : whole;
};

/** Some generators keep the object itself among the definitions. */
const deref = (root: Schema, { $ref, ...rest }: Schema): Schema => {
  const target = typeof $ref === "string" ? resolvePointer(root, $ref) : undefined;
  return isRecord(target) ? { ...target, ...rest } : { ...($ref !== undefined && { $ref }), ...rest };
};

/** One object with the fields of all that may be chosen, of which those are required that are so in each. */
const withoutChoice = (schema: Schema): Schema => {
  const partsOf = (of: Schema, name: string): Schema[] =>
    listAt(of, name)
      .filter(isRecord)
      .map((part) => deref(schema, part));
  const merged = Array.isArray(schema["allOf"]) ? mergeAll({ ...schema, allOf: partsOf(schema, "allOf") }) : schema;
  if (!REFUSED_AT_ROOT.some((name) => name in merged)) return merged;
  const choices = CHOICES.flatMap((name) => partsOf(merged, name)).filter(
    (part) => isObjectSchema(part) || Array.isArray(part["required"]),
  );
  const inAll = listAt(choices[0], "required").filter((name) => choices.every((part) => listAt(part, "required").includes(name)));
  const required = [...new Set([...listAt(merged, "required"), ...inAll])];
  return {
    ...intoDescription(merged, REFUSED_AT_ROOT),
    properties: { ...fieldsOf(choices), ...(isRecord(merged["properties"]) && merged["properties"]) },
    ...(required.length > 0 && { required }),
  };
};

/** A field that is something else in each of them is a choice itself. */
const fieldsOf = (choices: readonly Schema[]): Schema => {
  const fields = new Map<string, Map<string, unknown>>();
  for (const { properties } of choices) {
    for (const [name, schema] of Object.entries(isRecord(properties) ? properties : {})) {
      const known = fields.get(name) ?? new Map();
      fields.set(name, known.set(JSON.stringify(schema), schema));
    }
  }
  return Object.fromEntries(
    [...fields].map(([name, known]) => [name, known.size > 1 ? { anyOf: [...known.values()] } : [...known.values()][0]]),
  );
};

const missesItems = ({ type, items }: Schema): boolean =>
  (type === "array" || (Array.isArray(type) && type.includes("array"))) && items === undefined;

const lacksItems = (part: unknown): boolean =>
  Array.isArray(part) ? part.some(lacksItems) : isRecord(part) && (missesItems(part) || Object.values(part).some(lacksItems));

const withItems = (part: Schema): Schema => (missesItems(part) ? { ...part, items: {} } : part);
