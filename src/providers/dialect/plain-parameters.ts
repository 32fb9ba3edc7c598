/**
 * A tool's parameters in few terms: of a field, its type, description, enum, items, properties and anyOf, which is all that Ollama keeps of
 * it. What else a schema says is put in these terms, or in words. Ollama refuses a field whose schema is `true`, and fields that are a list
 * (as PHP writes an empty map).
 */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt } from "../../lib/json-at.ts";
import { valueAtPointer } from "../../lib/json-pointer.ts";
import { BOUNDS, intoDescription, mapSchema, mergeAll, type Schema } from "./map-schema.ts";
import { toToolSchema } from "./tool-schema.ts";

/**
 * References are followed this deep, and until this many characters of definitions were copied: a small schema may refer to a large
 * definition, or definitions to each other, thousands of times.
 */
const MOST_NESTED = 16;
const MOST_COPIED = 50_000;

const IN_WORDS = [...BOUNDS, "default", "format", "pattern"];

const schemaOrAny = (schema: unknown): Schema => (isRecord(schema) ? schema : {});

const inPlainTerms = (part: Schema): Schema => {
  const { oneOf, const: constant, ...rest } = mergeAll(part);
  const { anyOf = oneOf, properties } = rest;
  return intoDescription(
    {
      ...rest,
      ...(constant !== undefined && { enum: [constant] }),
      ...(Array.isArray(anyOf) && { anyOf: anyOf.map(schemaOrAny) }),
      ...(properties !== undefined && {
        properties: Object.fromEntries(Object.entries(recordAt(properties)).map(([name, field]) => [name, schemaOrAny(field)])),
      }),
    },
    IN_WORDS,
  );
};

/** Each reference is replaced by what it refers to, except in a definition that contains itself. */
export const toPlainParameters = (schema: Schema | undefined): Schema => {
  const whole = toToolSchema(schema);
  const { $defs, definitions: _, ...root } = whole;
  let room = MOST_COPIED;
  let refersOn = false;
  const targetOf = (name: string, open: readonly string[]): Schema | undefined => {
    if (open.includes(name) || open.length >= MOST_NESTED || room <= 0) return undefined;
    const target = valueAtPointer(whole, name);
    if (!isRecord(target)) return undefined;
    room -= JSON.stringify(target).length;
    return room >= 0 ? target : undefined;
  };
  const inline = (part: Schema, open: readonly string[]): Schema =>
    mapSchema(part, (each) => {
      const { $ref: name, ...own } = each;
      if (typeof name !== "string") return inPlainTerms(each);
      const target = targetOf(name, open);
      refersOn ||= target === undefined;
      return inPlainTerms(target ? { ...inline(target, [...open, name]), ...own } : each);
    });
  const inlined = inline(root, []);
  return refersOn ? { ...inlined, $defs } : inlined;
};
