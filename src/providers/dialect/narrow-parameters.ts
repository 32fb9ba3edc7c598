/**
 * A tool's parameters in the few terms that all servers know, for those that refuse a request because of a schema. Every field gets a type
 * of its own or a choice of them; lists of types, references, and what bounds a value are put in these terms, or in words.
 */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt, recordsAt } from "../../lib/json-at.ts";
import { intoDescription, isObjectSchema, mapSchema, type Schema } from "./map-schema.ts";
import { toPlainParameters } from "./plain-parameters.ts";

const NULL = "null";
const ANY = ["string", "number", "boolean", "object", "array"];
const TYPES: readonly unknown[] = [...ANY, "integer", NULL];

const typesOf = (part: Schema): unknown[] => {
  const types = [part["type"]].flat().filter((type) => TYPES.includes(type));
  const values = listAt(part, "enum");
  if (types.length > 0) return values.includes(null) ? [...types, NULL] : types;
  if (isObjectSchema(part) || "$ref" in part) return ["object"];
  if ("items" in part) return ["array"];
  return values.length > 0 ? values.map((value) => (value === null ? NULL : typeof value)) : ANY;
};

const itemsOf = ({ items }: Schema): Schema => {
  const one = Array.isArray(items) ? items[0] : items;
  return isRecord(one) ? one : { type: "string" };
};

/** Gemini refuses an empty text among the values. */
const isName = (value: unknown): boolean => typeof value === "string" && value !== "";

const ofType = (part: Schema, type: unknown): Schema => {
  if (type === "array") return { type, items: itemsOf(part) };
  const values = listAt(part, "enum");
  const names = values.includes("") ? [] : values.filter(isName);
  if (type !== "object") return { type, ...(type === "string" && names.length > 0 && { enum: names }) };
  const properties = recordAt(part, "properties");
  const fields = Object.keys(properties);
  const demanded = new Set(listAt(part, "required"));
  const required = fields.filter((name) => demanded.has(name));
  // With an empty map, a grammar would leave no fields to an object of any.
  return { type, ...(fields.length > 0 && { properties }), ...(required.length > 0 && { required }) };
};

const narrowed = (part: Schema): Schema => {
  const isNamed = listAt(part, "enum").every((value) => value === null || isName(value));
  const { description } = isNamed ? part : intoDescription(part, ["enum"]);
  const given = isRecord(part["properties"]) ? [] : recordsAt(part, "anyOf");
  const choice = given.flatMap((one) => ("anyOf" in one ? recordsAt(one, "anyOf") : [one]));
  const alternatives = choice.length > 0 ? choice : [...new Set(typesOf(part))].map((type) => ofType(part, type));
  const [first = {}, ...others] = alternatives;
  const words = [description, first["description"]].filter(Boolean).join(" ");
  const described = { ...first, ...(words !== "" && { description: words }) };
  // Beside a choice, Vertex takes no other member.
  return others.length > 0 ? { anyOf: [described, ...others] } : described;
};

/** The map of fields is demanded at the root even where it is empty (LM Studio). */
export const toNarrowParameters = (schema: Schema): Schema => ({
  properties: {},
  ...mapSchema(toPlainParameters(schema), narrowed),
});

/** Changes the schema in that field of a tool, if there is one. */
export const narrowedIn =
  (field: string) =>
  (tool: Schema): Schema =>
    isRecord(tool[field]) ? { ...tool, [field]: toNarrowParameters(tool[field]) } : tool;
