/** An answer that does not fit its schema as it must have been meant: place by place, its strings and its shape are mended until it fits. */
import type { CompiledSchema } from "../compile/compile-schema.ts";
import type { SchemaError } from "../compile/describe-errors.ts";
import type { Repair } from "../repair/json-reader.ts";
import { mendShape, propertyNamesOf } from "./mend-shape.ts";
import { type Mended, mendBareWord, mendString, type Numerals, wordsOf } from "./mend-string.ts";
import type { Spellings } from "./spellings.ts";

type Fitted = { value: unknown; repairs: Repair[] };
type Known = { words: Spellings; names: Spellings; numerals: Numerals; shaped: Set<string> };

/** A check tells of some errors at a time. */
const MAX_ROUNDS = 50;

/**
 * The value as it fits, `undefined` where these mendings alone do not make it fit. The value given is not changed. `numerals`: the numbers
 * as the answer writes them.
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
      // What else was wrong there was said of another value.
      const repair = mended.has(error.path) ? undefined : mendAt(holder, error, known);
      if (repair === undefined) continue;
      mended.add(error.path);
      repairs.add(repair);
    }
    if (mended.size === 0) return undefined;
  }
  return undefined;
};

/** What was mended at the error's place, `undefined` where nothing can be. */
const mendAt = (holder: object, error: SchemaError, known: Known): Repair | undefined => {
  const steps = error.path.split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = steps.pop()!;
  let place: unknown = holder;
  for (const step of steps) place = ownValue(place, step);
  const said = ownValue(place, key);
  if (said === undefined) return undefined;
  if (said === null && isDropped(place, key)) return "extra_property";
  const mend = typeof said === "string" ? mendString(said, error, known.words) : mendBareWord(said, error, known);
  const mended = mend ?? reshape(said, error, known);
  if (mended) Object.defineProperty(place, key, { value: mended.value, enumerable: true, writable: true, configurable: true });
  return mended?.repair;
};

/** A property that is null where null does not fit was meant to be absent; where it is required, that does not fit either. */
const isDropped = (holder: unknown, key: string): boolean =>
  typeof holder === "object" && holder !== null && !Array.isArray(holder) && key !== "" && Reflect.deleteProperty(holder, key);

const ownValue = (holder: unknown, key: string): unknown => Object.getOwnPropertyDescriptor(Object(holder), key)?.value;

/** Once in each way at each place: what one way undoes another must not do again. */
const reshape = (said: unknown, error: SchemaError, { names, shaped }: Known): Mended | undefined => {
  const mended = mendShape(said, error, names);
  const step = `${mended?.repair} ${error.path}`;
  if (mended === undefined || shaped.has(step)) return undefined;
  shaped.add(step);
  return mended;
};
