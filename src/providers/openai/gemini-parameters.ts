/**
 * Tools as a server of this format can hand them to Gemini that copies their schemas into its older field. That takes a few members of
 * OpenAPI and refuses the whole request for any other, for a list of types, and for an enum of anything but texts.
 */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt, recordsAt } from "../../lib/json-at.ts";
import { toPlainParameters } from "../dialect/plain-parameters.ts";
import { intoDescription, isObjectSchema, mapSchema } from "../dialect/schema-subset.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";

type Schema = Record<string, unknown>;

/** The name under which such a refusal is learned. */
export const GEMINI_PARAMETERS = "parameters of tools";

/** `…at 'tools[0].function_declarations[3].parameters.properties[1].value'`, "functionDeclaration `parameters.x` schema …" */
export const refusesParameters = (message: string): boolean =>
  /function_?declarations?\b.{0,20}?\bparameters\b/i.test(message.slice(0, 1_000));

const NULL = "null";
const ANYTHING: Schema = { type: "string" };

/** Each schema needs a type there; what says nothing of its type may be anything, so also a text. */
const typesOf = (part: Schema): unknown[] => {
  const types = [part["type"]].flat().filter((type) => typeof type === "string" && type !== NULL);
  if (types.length > 0) return types;
  const [value] = listAt(part, "enum");
  return [
    isObjectSchema(part) || "$ref" in part ? "object" : "items" in part ? "array" : value === undefined ? "string" : typeof value,
  ];
};

const ofType = (part: Schema, type: unknown, texts: readonly unknown[]): Schema => {
  if (type === "array")
    return { type, items: isRecord(part["items"]) ? part["items"] : (recordsAt(part, "items")[0] ?? ANYTHING) };
  if (type !== "object") return { type, ...(type === "string" && texts.length > 0 && { enum: texts }) };
  const properties = recordAt(part, "properties");
  const required = listAt(part, "required").filter((name) => typeof name === "string" && Object.hasOwn(properties, name));
  return { type, properties, ...(required.length > 0 && { required }) };
};

const narrowed = (part: Schema): Schema => {
  if (part["type"] === NULL) return { type: NULL };
  const choice = isRecord(part["properties"]) ? [] : recordsAt(part, "anyOf");
  const alternatives = choice.filter(({ type }) => type !== NULL);
  const values = listAt(part, "enum").filter((value) => value !== null);
  const texts = values.every((value) => typeof value === "string") ? values : [];
  const { description } = texts.length < values.length ? intoDescription(part, ["enum"]) : part;
  const isNullable =
    alternatives.length < choice.length || listAt(part, "type").includes(NULL) || listAt(part, "enum").includes(null);
  const said = { ...(description !== undefined && { description }), ...(isNullable && { nullable: true }) };
  const found = alternatives.length > 0 ? alternatives : typesOf(part).map((type) => ofType(part, type, texts));
  // Beside a choice, Vertex takes no other member.
  const each = found.map((alternative) => ({ ...said, ...alternative }));
  return each.length > 1 ? { anyOf: each } : each[0]!;
};

/** A tool without parameters has no schema, because Gemini refuses an object without fields. */
const parametersOf = (tool: WireBody): Schema | undefined => {
  const parameters = mapSchema(toPlainParameters(recordAt(tool, "function", "parameters")), narrowed) as Schema;
  return Object.keys(recordAt(parameters, "properties")).length > 0 ? parameters : undefined;
};

export const withGeminiParameters = (tools: WireBody[]): WireBody[] =>
  tools.map((tool) => ({ ...tool, function: { ...recordAt(tool, "function"), parameters: parametersOf(tool) } }));
