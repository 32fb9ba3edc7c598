/**
 * A value of an answer in the shape that the schema wants in its place: one item without its list or a list around one item, a
 * property under the schema's own name for it, and without the properties that the schema does not allow.
 */
import type { SchemaError } from "./compile/describe-errors.ts";
import type { Mended } from "./mend-string.ts";

/** The names of properties anywhere in the schema, by their spelling; `undefined` where two differ in it alone. */
export type PropertyNames = ReadonlyMap<string, string | undefined>;

/** A string that may itself be a list: which of its words are the items is a guess, and what begins as JSON is no item. */
const MAY_BE_LIST = /[,;|\n]|^\s*[[{]/;
const REFUSES_PROPERTIES = /^must not have the (?:additional|unevaluated) properties/;
const WANTS_LIST = /^must be (?:either )?array/;

export const mendShape = (value: unknown, { message }: SchemaError, names: PropertyNames): Mended | undefined => {
  if (Array.isArray(value)) return value.length === 1 ? { value: value[0], repair: "one_item_list" } : undefined;
  if (WANTS_LIST.test(message)) {
    const isOneItem = value !== null && (typeof value !== "string" || !MAY_BE_LIST.test(value));
    return isOneItem ? { value: [value], repair: "one_item_list" } : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  return renameProperties(value, names) ?? (REFUSES_PROPERTIES.test(message) ? dropProperties(value, names) : undefined);
};

const renameProperties = (object: object, names: PropertyNames): Mended | undefined => {
  const renamed = Object.entries(object).map(([key, value]) => {
    const name = names.get(spellingOfKey(key));
    return [name === undefined || Object.hasOwn(object, name) ? key : name, value] as const;
  });
  const isNew = renamed.some(([key]) => !Object.hasOwn(object, key));
  const isWhole = new Set(renamed.map(([key]) => key)).size === renamed.length;
  return isNew && isWhole ? { value: Object.fromEntries(renamed), repair: "property_spelling" } : undefined;
};

/** A name that the schema knows elsewhere may have come to the wrong place: what was meant with it is not known. */
const dropProperties = (object: object, names: PropertyNames): Mended | undefined => {
  const known = Object.entries(object).filter(([key]) => names.has(spellingOfKey(key)));
  const dropped = Object.keys(object).length - known.length;
  return dropped > 0 ? { value: Object.fromEntries(known), repair: "extra_property" } : undefined;
};

/** `firstName`, `First name` and `first_name` are one. */
const spellingOfKey = (key: string): string => key.toLowerCase().replace(/[\s_-]+/g, "");

export const propertyNamesOf = (schema: unknown): PropertyNames => {
  const names = new Map<string, string | undefined>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { properties } = node as { properties?: unknown };
    if (typeof properties === "object" && properties !== null) {
      for (const name of Object.keys(properties)) {
        const spelling = spellingOfKey(name);
        names.set(spelling, names.has(spelling) && names.get(spelling) !== name ? undefined : name);
      }
    }
    Object.values(node).forEach(visit);
  };
  visit(schema);
  return names;
};
