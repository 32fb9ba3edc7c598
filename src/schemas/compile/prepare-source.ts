/** Prepares a schema and the documents that its references may name for typebox. */
import type { XSchema } from "typebox/schema";
import { isRecord } from "../../lib/is-record.ts";
import { type Preparation, prepareSchema } from "./prepare-schema.ts";

/** Further schemas by URI. */
export type Documents = Record<string, XSchema>;

/** `homes`: where the targets of references stand in the prepared schema, as references; empty if they stay where they are. */
export type Source = { schema: unknown; documents: Documents; homes: ReadonlyMap<unknown, string> };

/**
 * The targets of references get a list of their own at the root, because preparing may move what stands inside others. `targets` maps schemas
 * with references to what these mean.
 */
export const homesIn = (
  schema: unknown,
  targets: ReadonlyMap<object, unknown[]>,
  isSchema: (value: object) => boolean,
): ReadonlyMap<unknown, string> => {
  const homes = new Map([[schema, "#"]]);
  for (const [from, [target]] of targets) {
    if (!("$ref" in from) || !isRecord(target) || !isSchema(target) || homes.has(target)) continue;
    homes.set(target, `#/${HOMES}/${homes.size - 1}`);
  }
  return homes;
};
const HOMES = "$targets";

export const prepareSource = ({ schema, documents, homes }: Source, preparation: Preparation): [Documents, XSchema] => [
  Object.fromEntries(
    Object.entries(documents).map(([uri, document]) => [uri, prepareSchema(document, { ...preparation, isSchema: () => true })]),
  ),
  prepareRoot(schema, [...homes.keys()].slice(1), preparation),
];

/**
 * The empty `$schema` saves typebox from looking through the whole schema for each reference that it follows, in case its target has another
 * base. Without an `$id` there is no other base.
 */
const prepareRoot = (schema: unknown, homed: unknown[], preparation: Preparation): XSchema => {
  const prepared = prepareSchema(schema, preparation);
  if (!isRecord(prepared)) return prepared;
  const root = homed.length > 0 ? { ...prepared, [HOMES]: homed.map((target) => prepareSchema(target, preparation)) } : prepared;
  return JSON.stringify(schema).includes('"$id"') ? root : { $schema: "", ...root };
};
