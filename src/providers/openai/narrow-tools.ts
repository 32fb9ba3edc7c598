/**
 * Tools in the few terms that all servers know, for those that refuse a request because of a schema: Gemini behind a server of this format
 * that copies schemas into its older field, Moonshot, and servers that make a grammar of each schema (llama.cpp, Fireworks). Every field
 * gets a type of its own or a choice; lists of types, references, and what bounds a value are put in these terms, or in words.
 */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt, recordsAt } from "../../lib/json-at.ts";
import { toPlainParameters } from "../dialect/plain-parameters.ts";
import { intoDescription, isObjectSchema, mapSchema } from "../dialect/schema-subset.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";

type Schema = Record<string, unknown>;

/** The names under which such refusals are learned: of the schemas of tools, and of one that may also be the answer's. */
export const TOOL_PARAMETERS = "parameters of tools";
export const SCHEMA = "schema of tools or answer";

/** `…at 'tools[0].function_declarations[3].parameters.properties[1].value'`, "functionDeclaration `parameters.x` schema …"; Moonshot. */
const TOOLS_REFUSED = /function_?declarations?\b.{0,20}?\bparameters\b|tools\.function\.parameters is not a valid/i;

/** llama.cpp (three), Fireworks. */
const SCHEMA_REFUSED =
  /json schema conversion failed|failed to parse grammar|error parsing grammar|json schema not supported: could not understand/i;

export const refusedSchema = (message: string): string | undefined => {
  const text = message.slice(0, 1_000);
  return TOOLS_REFUSED.test(text) ? TOOL_PARAMETERS : SCHEMA_REFUSED.test(text) ? SCHEMA : undefined;
};

const NULL = "null";
const ANY = ["string", "number", "boolean", "object", "array"];

const typesOf = (part: Schema): unknown[] => {
  const types = [part["type"]].flat().filter((type) => typeof type === "string");
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

const ofType = (part: Schema, type: unknown): Schema => {
  if (type === "array") return { type, items: itemsOf(part) };
  const texts = listAt(part, "enum").filter((value) => typeof value === "string");
  if (type !== "object") return { type, ...(type === "string" && texts.length > 0 && { enum: texts }) };
  const properties = recordAt(part, "properties");
  const names = Object.keys(properties);
  const required = names.filter((name) => listAt(part, "required").includes(name));
  // With an empty map, a grammar would leave no fields to an object of any.
  return { type, ...(names.length > 0 && { properties }), ...(required.length > 0 && { required }) };
};

const narrowed = (part: Schema): Schema => {
  const isNamed = listAt(part, "enum").every((value) => value === null || typeof value === "string");
  const { description } = isNamed ? part : intoDescription(part, ["enum"]);
  const choice = isRecord(part["properties"]) ? [] : recordsAt(part, "anyOf");
  const alternatives = choice.length > 0 ? choice : [...new Set(typesOf(part))].map((type) => ofType(part, type));
  const [first = {}, ...others] = alternatives;
  const words = [description, first["description"]].filter(Boolean).join(" ");
  const described = { ...first, ...(words !== "" && { description: words }) };
  // Beside a choice, Vertex takes no other member.
  return others.length > 0 ? { anyOf: [described, ...others] } : described;
};

const parametersOf = (tool: WireBody): unknown =>
  mapSchema(toPlainParameters(recordAt(tool, "function", "parameters")), narrowed);

export const withNarrowParameters = (tools: WireBody[]): WireBody[] =>
  tools.map((tool) => ({ ...tool, function: { ...recordAt(tool, "function"), parameters: parametersOf(tool) } }));
