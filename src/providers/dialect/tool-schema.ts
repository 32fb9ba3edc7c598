/**
 * A tool's parameter schema in a form that every vendor accepts: an object at the root with named fields. OpenAI and Anthropic reject a
 * whole request for a choice between objects at the root, and OpenAI for an array without items; schemas of MCP servers have both.
 */

import { isRecord } from "../../lib/is-record.ts";
import { listAt } from "../../lib/json-at.ts";
import { intoDescription, isObjectSchema, mapSchema, mergeAll, resolvePointer, without } from "./schema-subset.ts";

type Schema = Record<string, unknown>;

const CHOICES = ["anyOf", "oneOf"];
/** Moved into the description; callers check their tools' arguments themselves. */
const REFUSED_AT_ROOT = [...CHOICES, "not", "enum", "const"];

/** Without a schema, that of a tool without parameters. */
export const toToolSchema = (schema: Schema = {}): Schema => {
  const root = withoutChoice(deref(schema, without(schema, ["$schema"])));
  const whole: Schema = { ...root, type: "object", properties: root["properties"] ?? {} };
  return lacksItems(whole) ? (mapSchema(whole, withItems) as Schema) : whole;
};

/** Resolves a reference at the root: some generators put the object itself among the definitions. */
const deref = (root: Schema, { $ref, ...rest }: Schema): Schema => {
  const target = typeof $ref === "string" ? resolvePointer(root, $ref) : undefined;
  return isRecord(target) ? { ...target, ...rest } : { ...($ref !== undefined && { $ref }), ...rest };
};

/** One object with the fields of all alternatives; required are those that all of them require. */
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

/** A field whose alternatives differ becomes a choice itself. */
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
