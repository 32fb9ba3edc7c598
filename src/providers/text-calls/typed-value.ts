/** The values of calls that are written between tags: only the tool's schema tells whether `5` is a number or a text. */

import { jsonOf } from "../../lib/is-json.ts";
import { isRecord } from "../../lib/is-record.ts";
import { listAt, textAt, valueAt } from "../../lib/json-at.ts";
import { valueAtPointer } from "../../lib/json-pointer.ts";

const MOST_LEVELS = 8;
const CHOICES = ["anyOf", "oneOf", "allOf"];

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

/** All types that a schema names, `integer` as `number`; none if it takes any. `root`: the schema that holds its definitions. */
const typesIn = (schema: unknown, root: unknown, levels = MOST_LEVELS): string[] => {
  if (!isRecord(schema) || levels === 0) return [];
  const named = [textAt(schema, "type"), ...listAt(schema, "type")].filter((type) => typeof type === "string" && type !== "");
  const types = named.length > 0 ? named.map((type) => (type === "integer" ? "number" : type)) : typesOfValues(schema);
  if (types.length > 0) return types as string[];
  const target = valueAtPointer(root, textAt(schema, "$ref"));
  const parts = [...CHOICES.flatMap((name) => listAt(schema, name)), ...("$ref" in schema ? [target] : [])];
  return parts.flatMap((part) => typesIn(part, root, levels - 1));
};

const typesOfValues = (schema: Record<string, unknown>): string[] =>
  ("const" in schema ? [schema["const"]] : listAt(schema, "enum")).map(typeOf);

/** Models of Python's world. */
const PYTHON: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/** Some templates give each value lines of its own. */
const withoutOwnLines = (raw: string): string =>
  /^\r?\n([\s\S]*?)\r?\n$/.exec(raw)?.[1] ?? (raw.trim() === "" ? raw.trim() : raw);

/**
 * The value of the parameter `name` as JSON text. What does not fit its schema is passed on as text: the caller checks its tools' arguments.
 */
export const typedValue = (raw: string, parameters: Record<string, unknown>, name: string): string => {
  const text = withoutOwnLines(raw);
  const types = typesIn(valueAt(parameters, "properties", name), parameters);
  const json = PYTHON.get(text.trim()) ?? text.trim();
  const value = jsonOf(json);
  const isMeant = value !== undefined && (types.length === 0 || types.includes(typeOf(value)));
  return isMeant && typeof value !== "string" ? json : JSON.stringify(text);
};
