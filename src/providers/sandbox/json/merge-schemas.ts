/** Reading JSON Schemas for the instance builder: what `$ref` refers to, two schemas as one, the types that a schema allows. */

import { isRecord } from "../../../lib/is-record.ts";
import { valueAtPointer } from "../../../lib/json-pointer.ts";
import { ownValue } from "../../../lib/own-value.ts";

export type Schema = Record<string, unknown>;

/** What `$ref` refers to in the same document: `#`, `#/a/pointer` or `#anchor`. Anything else is never fetched, and reads as an empty schema. */
export function resolveRef(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  return valueAtPointer(root, ref) ?? (ref.startsWith("#") ? findAnchor(root, ref.slice(1), 0) : undefined) ?? {};
}

function findAnchor(place: unknown, name: string, depth: number): unknown {
  if (depth > 32 || typeof place !== "object" || place === null) return undefined;
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
  for (const key of ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"])
    narrow(merged, a, b, key, Math.max);
  for (const key of ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"])
    narrow(merged, a, b, key, Math.min);
  if (Array.isArray(a["required"]) && Array.isArray(b["required"]))
    merged["required"] = [...new Set([...a["required"], ...b["required"]])];
  if (Array.isArray(a["enum"]) && Array.isArray(b["enum"])) merged["enum"] = common(a["enum"], b["enum"]);
  if (a["type"] !== undefined && b["type"] !== undefined) merged["type"] = commonTypes(a["type"], b["type"]);
  for (const key of ["properties", "patternProperties", "items"]) {
    const [left, right] = [a[key], b[key]];
    if (isRecord(left) && isRecord(right)) merged[key] = key === "items" ? mergeSchemas(left, right) : mergeMembers(left, right);
  }
  return merged;
}

function narrow(merged: Schema, a: Schema, b: Schema, key: string, pick: (x: number, y: number) => number): void {
  const [left, right] = [a[key], b[key]];
  if (typeof left === "number" && typeof right === "number") merged[key] = pick(left, right);
}

function mergeMembers(a: Schema, b: Schema): Schema {
  const entries = [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => {
    const left = ownValue(a, key);
    const right = ownValue(b, key);
    return [key, isRecord(left) && isRecord(right) ? mergeSchemas(left, right) : (right ?? left)] as const;
  });
  return Object.fromEntries(entries);
}

const common = (a: readonly unknown[], b: readonly unknown[]): unknown[] => {
  const known = new Set(b.map((value) => JSON.stringify(value)));
  return a.filter((value) => known.has(JSON.stringify(value)));
};

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
