/** Many clients send null for fields they leave out; such fields are removed, in linear time. */

import { Kind, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { meantVariant } from "../lib/first-problem.ts";
import { isContainer, isRecord } from "../lib/is-record.ts";
import { orNull } from "../lib/nullable.ts";

/** Changes `value`: removes null where a field is optional and not nullable. Fields outside the schema stay as they are. */
export const leaveOutNulls = (schema: TSchema, value: unknown): void => {
  if (!isContainer(value)) return;
  if (schema[Kind] === "Union") {
    // A value that already fits one of several variants is left alone.
    const meant = Value.Check(schema, value) ? undefined : meantVariant(schema, value);
    if (meant !== undefined) leaveOutNulls(meant, value);
  } else if (Array.isArray(value)) {
    const items = schema["items"] as TSchema | undefined;
    if (items !== undefined) for (const item of value) leaveOutNulls(items, item);
  } else if (isRecord(value)) leaveOutOfRecord(schema, value);
};

const leaveOutOfRecord = (schema: TSchema, value: Record<string, unknown>): void => {
  const required = (schema["required"] ?? []) as string[];
  const properties = (schema["properties"] ?? {}) as Record<string, TSchema>;
  const [others] = Object.values((schema["patternProperties"] ?? {}) as Record<string, TSchema>);
  for (const name of Object.keys(others === undefined ? properties : value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : others;
    if (property === undefined) continue;
    if (value[name] !== null) leaveOutNulls(property, value[name]);
    else if (!required.includes(name) && !Value.Check(property, null)) delete value[name];
  }
};

/** The schema of what callers may send: null is allowed for optional fields. */
export const takingNulls = (schema: TSchema): TSchema => {
  if (schema["anyOf"] !== undefined) return { ...schema, anyOf: (schema["anyOf"] as TSchema[]).map(takingNulls) };
  if (schema["items"] !== undefined) return { ...schema, items: takingNulls(schema["items"] as TSchema) };
  if (schema["properties"] === undefined) return schema;
  const required = (schema["required"] ?? []) as string[];
  const properties = Object.entries(schema["properties"] as Record<string, TSchema>).map(([name, property]) => {
    const isDecided = required.includes(name) || Value.Check(property, null);
    return [name, isDecided ? takingNulls(property) : orNull(takingNulls(property))];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
};
