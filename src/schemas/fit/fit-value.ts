/** Corrects an answer that does not fit its schema, place by place, until it fits: strings first, then shapes. */

import { isRecord } from "../../lib/is-record.ts";
import { unescapeStep } from "../../lib/json-pointer.ts";
import { ownValue, setOwn } from "../../lib/own-value.ts";
import type { CompiledSchema } from "../compile/compile-schema.ts";
import type { SchemaError } from "../compile/describe-errors.ts";
import type { Repair } from "../repair/json-reader.ts";
import { mendShape, refusesProperties } from "./mend-shape.ts";
import { type Mended, mendBareWord, mendString } from "./mend-string.ts";
import { spellingOfKey, type Vocabulary } from "./vocabulary.ts";

export type Fitted = { value: unknown; repairs: Repair[] };
/** What an answer shall fit. */
export type Target = { schema: CompiledSchema; vocabulary: Vocabulary };

/** A check reports only some errors at a time. */
const MAX_ROUNDS = 50;

/** The corrected value, or `undefined` if these corrections cannot make it fit. Does not change the given value. */
export const fitValue = ({ schema, vocabulary }: Target, value: unknown): Fitted | undefined => {
  const holder = { "": structuredClone(value) };
  const shaped = new Set<string>();
  const repairs = new Set<Repair>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { valid, errors } = schema.check(holder[""]);
    if (valid) return { value: holder[""], repairs: [...repairs] };
    const mended = new Set<string>();
    for (const error of errors) {
      // Other errors at this place referred to the previous value.
      if (mended.has(error.path) || isForLater(error, errors, vocabulary)) continue;
      const repair = mendAt(holder, error, vocabulary, shaped);
      if (repair === undefined) continue;
      mended.add(error.path);
      repairs.add(repair);
    }
    if (mended.size === 0) return undefined;
  }
  return undefined;
};

/** Properties are left out only when nothing inside them is left to correct. Those that the schema names stay anyway. */
const isForLater = (error: SchemaError, errors: readonly SchemaError[], { names }: Vocabulary): boolean => {
  const inside = `${error.path}/`;
  const isLeftOut = (path: string) => !names.has(spellingOfKey(unescapeStep(path.slice(inside.length).split("/")[0]!)));
  return refusesProperties(error) && errors.some(({ path }) => path.startsWith(inside) && isLeftOut(path));
};

/** Corrects the error's place and returns how; `undefined` if nothing can be done. */
const mendAt = (holder: object, error: SchemaError, vocabulary: Vocabulary, shaped: Set<string>): Repair | undefined => {
  const steps = error.path.split("/").map(unescapeStep);
  const key = steps.pop()!;
  let place: unknown = holder;
  for (const step of steps) place = ownValue(Object(place), step);
  const said: unknown = ownValue(Object(place), key);
  if (said === undefined) return undefined;
  if (said === null && vocabulary.names.has(spellingOfKey(key)) && isDropped(place, key)) return "extra_property";
  const mend = typeof said === "string" ? mendString(said, error, vocabulary) : mendBareWord(said, error, vocabulary);
  const mended = mend ?? reshape(said, error, vocabulary, shaped);
  if (mended) setOwn(place as object, key, mended.value);
  return mended?.repair;
};

/** Removes a property that is null where null does not fit: it was meant to be absent. If it is required, that does not fit either. */
const isDropped = (holder: unknown, key: string): boolean =>
  isRecord(holder) && key !== "" && Reflect.deleteProperty(holder, key);

/** Makes each correction only once at each place, so that two cannot undo each other for ever. */
const reshape = (said: unknown, error: SchemaError, vocabulary: Vocabulary, shaped: Set<string>): Mended | undefined => {
  const mended = mendShape(said, error, vocabulary);
  const step = `${mended?.repair} ${error.path}`;
  if (mended === undefined || shaped.has(step)) return undefined;
  shaped.add(step);
  return mended;
};
