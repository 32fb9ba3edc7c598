/** Corrects an answer that does not fit its schema, place by place, until it fits: strings first, then shapes. */

import { isRecord } from "../../lib/is-record.ts";
import { unescapeStep } from "../../lib/json-pointer.ts";
import { ownValue } from "../../lib/own-value.ts";
import type { CompiledSchema } from "../compile/compile-schema.ts";
import type { SchemaError } from "../compile/describe-errors.ts";
import type { Repair } from "../repair/json-reader.ts";
import { mendShape, propertyNamesOf, refusesProperties, spellingOfKey } from "./mend-shape.ts";
import { type Mended, mendBareWord, mendString, type Numerals, wordsOf } from "./mend-string.ts";
import type { Spellings } from "./spellings.ts";

type Fitted = { value: unknown; repairs: Repair[] };
type Known = { words: Spellings; names: Spellings; numerals: Numerals; shaped: Set<string> };

/** A check reports only some errors at a time. */
const MAX_ROUNDS = 50;

/**
 * The corrected value, or `undefined` if these corrections cannot make it fit. Does not change the given value. `numerals`: the numbers as
 * the answer writes them.
 */
export const fitValue = (schema: CompiledSchema, value: unknown, numerals: Numerals): Fitted | undefined => {
  const holder = { "": structuredClone(value) };
  const words = wordsOf(schema.source);
  const names = propertyNamesOf(schema.source);
  const known: Known = { words, names, numerals, shaped: new Set() };
  const repairs = new Set<Repair>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { valid, errors } = schema.check(holder[""]);
    if (valid) return { value: holder[""], repairs: [...repairs] };
    const mended = new Set<string>();
    for (const error of errors) {
      // Other errors at this place referred to the previous value.
      const repair = mended.has(error.path) || isForLater(error, errors, names) ? undefined : mendAt(holder, error, known);
      if (repair === undefined) continue;
      mended.add(error.path);
      repairs.add(repair);
    }
    if (mended.size === 0) return undefined;
  }
  return undefined;
};

/** Properties are left out only when nothing inside them is left to correct. Those that the schema names stay anyway. */
const isForLater = (error: SchemaError, errors: readonly SchemaError[], names: Spellings): boolean => {
  const inside = `${error.path}/`;
  const isLeftOut = (path: string) => !names.has(spellingOfKey(unescapeStep(path.slice(inside.length).split("/")[0]!)));
  return refusesProperties(error) && errors.some(({ path }) => path.startsWith(inside) && isLeftOut(path));
};

/** Corrects the error's place and returns how; `undefined` if nothing can be done. */
const mendAt = (holder: object, error: SchemaError, known: Known): Repair | undefined => {
  const steps = error.path.split("/").map(unescapeStep);
  const key = steps.pop()!;
  let place: unknown = holder;
  for (const step of steps) place = ownValue(Object(place), step);
  const said: unknown = ownValue(Object(place), key);
  if (said === undefined) return undefined;
  if (said === null && known.names.has(spellingOfKey(key)) && isDropped(place, key)) return "extra_property";
  const mend = typeof said === "string" ? mendString(said, error, known.words) : mendBareWord(said, error, known);
  const mended = mend ?? reshape(said, error, known);
  if (mended) Object.defineProperty(place, key, { value: mended.value, enumerable: true, writable: true, configurable: true });
  return mended?.repair;
};

/** Removes a property that is null where null does not fit: it was meant to be absent. If it is required, that does not fit either. */
const isDropped = (holder: unknown, key: string): boolean =>
  isRecord(holder) && key !== "" && Reflect.deleteProperty(holder, key);

/** Makes each correction only once at each place, so that two cannot undo each other for ever. */
const reshape = (said: unknown, error: SchemaError, { names, words, shaped }: Known): Mended | undefined => {
  const mended = mendShape(said, error, names, words);
  const step = `${mended?.repair} ${error.path}`;
  if (mended === undefined || shaped.has(step)) return undefined;
  shaped.add(step);
  return mended;
};
