/**
 * A tool's parameter schema in a form that every vendor accepts: an object at the root with named fields. OpenAI and Anthropic reject a
 * whole request for a choice between objects at the root, OpenAI for an array without items, others for a field whose schema is `true`;
 * schemas of MCP servers have all of these.
 */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt, recordsAt } from "../../lib/json-at.ts";
import { valueAtPointer } from "../../lib/json-pointer.ts";
import { intoDescription, isObjectSchema, mapSchema, mergeAll, type Schema } from "./map-schema.ts";

const CHOICES = ["anyOf", "oneOf"];
/** Moved into the description; callers check their tools' arguments themselves. */
const REFUSED_AT_ROOT = [...CHOICES, "not", "enum", "const"];

/** Without a schema, that of a tool without parameters. */
export const toToolSchema = (schema: Schema = {}): Schema => {
  const { $schema: _, $ref, ...own } = schema;
  const target = targetOf(schema, schema);
  const root = withoutChoice(target ? { ...target, ...own } : $ref === undefined ? own : { $ref, ...own });
  // PHP writes an empty map as a list, and Go an empty list as null.
  const whole: Schema = { ...root, type: "object", properties: recordAt(root, "properties") };
  if (!Array.isArray(whole["required"])) delete whole["required"];
  return isLoose(whole) ? mapSchema(whole, withItems) : whole;
};

/** The definition that a part refers to: some generators put even the object at the root among the definitions. */
const targetOf = (root: Schema, { $ref }: Schema): Schema | undefined => {
  const target = typeof $ref === "string" ? valueAtPointer(root, $ref) : undefined;
  return isRecord(target) ? target : undefined;
};

/** One object with the fields of all alternatives; required are those that all of them require. */
const withoutChoice = (schema: Schema): Schema => {
  const merged = Array.isArray(schema["allOf"]) ? mergeAll({ ...schema, allOf: allParts(schema) }) : schema;
  if (!REFUSED_AT_ROOT.some((name) => name in merged)) return merged;
  const choices = CHOICES.flatMap((name) => recordsAt(merged, name))
    .map((part) => fieldsOf(part, targetOf(schema, part)))
    .filter((fields) => isObjectSchema(fields) || Array.isArray(fields["required"]));
  const required = new Set([...listAt(merged, "required"), ...requiredByAll(choices)]);
  return {
    ...intoDescription(merged, REFUSED_AT_ROOT),
    properties: { ...joinedProperties(choices), ...recordAt(merged, "properties") },
    ...(required.size > 0 && { required: [...required] }),
  };
};

/** Here and below, each definition is read once, because a caller may refer to a large one thousands of times. */
const allParts = (schema: Schema): Schema[] => [
  ...new Set(
    recordsAt(schema, "allOf").flatMap((part) => {
      const target = targetOf(schema, part);
      const { $ref: _, ...rest } = part;
      return target ? [target, rest] : [part];
    }),
  ),
];

const fieldsOf = (part: Schema, target: Schema = {}): Schema => ({
  type: part["type"] ?? target["type"],
  properties: part["properties"] ?? target["properties"],
  required: part["required"] ?? target["required"],
});

const requiredByAll = (choices: readonly Schema[]): Set<unknown> => {
  const lists = new Set(choices.map(({ required }) => required));
  const [first = new Set(), ...others] = [...lists].map((names) => new Set<unknown>(listAt(names)));
  return others.reduce((common, names) => common.intersection(names), first);
};

/** A field whose alternatives differ becomes a choice itself. */
const joinedProperties = (choices: readonly Schema[]): Schema => {
  const fields = new Map<string, Map<string, unknown>>();
  for (const properties of new Set(choices.map((choice) => choice["properties"]))) {
    for (const [name, schema] of Object.entries(recordAt(properties))) {
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

/** Whether there may be something to put in other words: an array without items, or a schema that is `true`. */
const isLoose = (part: unknown): boolean =>
  Array.isArray(part)
    ? part.some(isLoose)
    : part === true || (isRecord(part) && (missesItems(part) || Object.values(part).some(isLoose)));

const withItems = (part: Schema): Schema => (missesItems(part) ? { ...part, items: {} } : part);
