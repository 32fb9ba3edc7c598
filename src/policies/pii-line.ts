/** The line tool `signalbox pii --jsonl [--types a,b]`: one JSON object in, one out (decisions §12). */

import { findPersonalData, PERSONAL_DATA_TYPES, type PersonalDataType } from "./content/find-personal-data.ts";

export function piiLine(line: { id?: string | number; text: string }, wanted?: ReadonlySet<PersonalDataType>) {
  const entities = findPersonalData(line.text, wanted).map(({ type, start, end, value }) => ({ type, start, end, value }));
  return { ...(line.id !== undefined && { id: line.id }), entities };
}

/** Reads `--types a,b`; throws an Error that names the unknown type and those there are. */
export function readTypes(list: string): Set<PersonalDataType> {
  const types = list.split(",").map((name) => name.trim());
  for (const type of types)
    if (!PERSONAL_DATA_TYPES.some((known) => known === type))
      throw new Error(`Unknown type "${type}"; there are ${PERSONAL_DATA_TYPES.join(", ")}.`);
  return new Set(types as PersonalDataType[]);
}
