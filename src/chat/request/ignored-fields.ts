/** Fields of a body that have no effect here, for `svc.ignored_parameters`. */

import type { TObject, TSchema } from "@sinclair/typebox";
import { isRecord } from "../../lib/is-record.ts";

/** At most this many fields are named, and as many places. */
const MOST_NAMES = 20;
const LONGEST_NAME = 64;

/**
 * Includes fields of nested objects (`stream_options.include_obfuscation`). A value of null, false or an empty list requests nothing.
 * `places` are values without effect in fields that have one, such as a tool that cannot be called.
 */
export const ignoredFields = (body: object, schema: TObject, places: readonly string[] = []): string[] =>
  namesIn(body, schema).slice(0, MOST_NAMES).concat(places.slice(0, MOST_NAMES));

const namesIn = (body: object, { properties }: TObject): string[] =>
  Object.entries(body).flatMap(([name, value]) => {
    if (value === null || value === false || (Array.isArray(value) && value.length === 0)) return [];
    if (!Object.hasOwn(properties, name)) return [name.slice(0, LONGEST_NAME)];
    const inner = isRecord(value) ? objectOf(properties[name]!) : undefined;
    return inner === undefined ? [] : namesIn(value as object, inner).map((below) => `${name}.${below}`);
  });

/** Undefined if the schema is not an object, or a union of several. */
const objectOf = (schema: TSchema): TObject | undefined => {
  const [only, ...others] = (schema["anyOf"] as TSchema[] | undefined)?.filter(({ type }) => type !== "null") ?? [schema];
  return others.length === 0 && Object.keys(only?.["properties"] ?? {}).length > 0 ? (only as TObject) : undefined;
};
