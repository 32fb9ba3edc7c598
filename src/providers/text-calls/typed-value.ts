/** The values of calls that are written between tags: only the tool's schema tells whether `5` is a number or a text. */

import { jsonOf } from "../../lib/is-json.ts";
import { isRecord } from "../../lib/is-record.ts";
import { listAt, textAt, valueAt } from "../../lib/json-at.ts";
import { valueAtPointer } from "../../lib/json-pointer.ts";

const CHOICES = ["anyOf", "oneOf", "allOf"];

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

/**
 * All types that a schema names, `integer` as `number`; none if it takes any. `root`: the schema that holds its definitions. Each part is
 * read once, however many refer to it.
 */
const typesIn = (schema: unknown, root: unknown, read = new Set<unknown>()): string[] => {
  if (!isRecord(schema) || read.has(schema)) return [];
  read.add(schema);
  const named = [schema["type"], ...listAt(schema, "type")].filter((type) => typeof type === "string");
  if (named.length > 0) return named.map((type) => (type === "integer" ? "number" : type));
  const values = "const" in schema ? [schema["const"]] : listAt(schema, "enum");
  if (values.length > 0) return values.map(typeOf);
  const parts = [valueAtPointer(root, textAt(schema, "$ref")), ...CHOICES.flatMap((name) => listAt(schema, name))];
  return parts.flatMap((part) => typesIn(part, root, read));
};

/** As Python writes them, in JSON. */
export const PYTHON_CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/** Some templates give each value lines of its own. */
const withoutOwnLines = (raw: string): string => {
  const found = /^\r?\n(?:([\s\S]*?)\r?\n)?$/.exec(raw);
  return found === null ? raw : (found[1] ?? "");
};

/**
 * The value of the parameter `name` as JSON text. What does not fit its schema is passed on as text: the caller checks its tools'
 * arguments.
 */
export const typedValue = (raw: string, parameters: Record<string, unknown>, name: string): string => {
  const text = withoutOwnLines(raw);
  const types = typesIn(valueAt(parameters, "properties", name), parameters);
  const json = PYTHON_CONSTANTS.get(text.trim()) ?? text.trim();
  const value = jsonOf(json);
  const isMeant = value !== undefined && (types.length === 0 || types.includes(typeOf(value)));
  return isMeant && typeof value !== "string" ? json : JSON.stringify(text);
};
