/** Which fields of a body its API does not know here, for `svc.ignored_parameters`: nothing is left out in silence. */

import type { TObject, TSchema } from "@sinclair/typebox";
import { isRecord } from "../../lib/is-record.ts";

const MOST_NAMES = 20;
const LONGEST_NAME = 64;

/** Also of the objects in it (`reasoning.summary`). What is null, false or an empty list asks for nothing. */
export const ignoredFields = (body: object, schema: TObject): string[] => namesIn(body, schema).slice(0, MOST_NAMES);

const namesIn = (body: object, { properties }: TObject): string[] =>
  Object.entries(body).flatMap(([name, value]) => {
    if (value === null || value === false || (Array.isArray(value) && value.length === 0)) return [];
    if (!Object.hasOwn(properties, name)) return [name.slice(0, LONGEST_NAME)];
    const inner = isRecord(value) ? objectOf(properties[name]!) : undefined;
    return inner === undefined ? [] : namesIn(value as object, inner).map((below) => `${name}.${below}`);
  });

/** Undefined for what is no object of one form, or of any. */
const objectOf = (schema: TSchema): TObject | undefined => {
  const [only, ...others] = (schema["anyOf"] as TSchema[] | undefined)?.filter(({ type }) => type !== "null") ?? [schema];
  return others.length === 0 && Object.keys(only?.["properties"] ?? {}).length > 0 ? (only as TObject) : undefined;
};
