/** Reading JSON Schemas for the instance builder: what `$ref` refers to, two schemas as one, the types that a schema allows. */

import { isContainer, isRecord } from "../../../lib/is-record.ts";
import { valueAtPointer } from "../../../lib/json-pointer.ts";
import { ownValue } from "../../../lib/own-value.ts";

export type Schema = Record<string, unknown>;

/** What `$ref` refers to in the same document: `#`, `#/a/pointer` or `#anchor`. Anything else is never fetched, and reads as an empty schema. */
export function resolveRef(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  return valueAtPointer(root, ref) ?? (ref.startsWith("#") ? findAnchor(root, ref.slice(1), 0) : undefined) ?? {};
}

function findAnchor(place: unknown, name: string, depth: number): unknown {
  if (depth > 32 || !isContainer(place)) return undefined;
  if (isRecord(place) && (place["$anchor"] === name || place["$dynamicAnchor"] === name || place["$id"] === `#${name}`))
    return place;
  for (const child of Object.values(place)) {
    const found = findAnchor(child, name, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One schema for both: in general, what fits the result fits each of them. */
export function mergeSchemas(a: Schema, b: Schema): Schema {
  const merged: Schema = { ...a, ...b };
  for (const { keys, fits, merge } of RULES)
    for (const key of keys) if (fits(a[key]) && fits(b[key])) merged[key] = merge(a[key], b[key]);
  return merged;
}

/** How keywords that both schemas have become one, where `fits` is true of either's; of others the second schema's counts. */
type Rule = { keys: readonly string[]; fits(value: unknown): boolean; merge(a: any, b: any): unknown };

const isNumber = (value: unknown): boolean => typeof value === "number";

const RULES: readonly Rule[] = [
  { keys: ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"], fits: isNumber, merge: Math.max },
  { keys: ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"], fits: isNumber, merge: Math.min },
  { keys: ["required"], fits: Array.isArray, merge: (a, b) => [...new Set([...a, ...b])] },
  { keys: ["enum"], fits: Array.isArray, merge: common },
  { keys: ["type"], fits: (value) => value !== undefined, merge: commonTypes },
  { keys: ["properties", "patternProperties"], fits: isRecord, merge: mergeMembers },
  { keys: ["items"], fits: isRecord, merge: mergeSchemas },
];

function mergeMembers(a: Schema, b: Schema): Schema {
  const entries = Object.entries(b).map(([key, right]) => {
    const left = ownValue(a, key);
    return [key, isRecord(left) && isRecord(right) ? mergeSchemas(left, right) : (right ?? left)] as const;
  });
  return { ...a, ...Object.fromEntries(entries) };
}

function common(a: readonly unknown[], b: readonly unknown[]): unknown[] {
  const known = new Set(b.map((value) => JSON.stringify(value)));
  return a.filter((value) => known.has(JSON.stringify(value)));
}

function commonTypes(a: unknown, b: unknown): unknown {
  const right = [b].flat();
  const both = [a].flat().filter((type) => right.includes(type) || (type === "number" && right.includes("integer")));
  return both.map((type) => (type === "number" && !right.includes("number") ? "integer" : type));
}

/** The types that a schema allows, told by its keywords if it names none. Null comes last, because a value is more useful. */
export function typesOf(schema: Schema): string[] {
  const named = [schema["type"]].flat().filter((type): type is string => typeof type === "string");
  if (named.length > 0) return [...named].sort((a, b) => Number(a === "null") - Number(b === "null"));
  const has = (...keys: string[]): boolean => keys.some((key) => schema[key] !== undefined);
  if (has("properties", "required", "additionalProperties", "patternProperties", "minProperties", "propertyNames"))
    return ["object"];
  if (has("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains")) return ["array"];
  if (has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")) return ["number"];
  return ["string"];
}
