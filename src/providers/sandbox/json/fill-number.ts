/** A number for a field: from the text if it has one for the field, else one that fits the schema. */

import { listAt, numberAt } from "../../../lib/json-at.ts";
import { kindOf } from "../text/facts-for-key.ts";
import { type Facts, wordsOfKey } from "../text/read-facts.ts";
import { contentWords, numberOf } from "../text/sentences.ts";
import type { Schema } from "./merge-schemas.ts";

/** `nth`: of several that shall differ. */
export function numberFor(schema: Schema, key: string, facts: Facts | undefined, isInteger: boolean, nth: number): number {
  const found = facts && key !== "" ? numberInText(key, facts) : undefined;
  const range = rangeOf(schema, isInteger);
  if (range.low > range.high) return betweenBounds(schema);
  return numberFrom(nearestIn(range, [found, ...suggestionsOf(schema)].find(isWritable) ?? 1), nth, range);
}

/** Upwards as far as the range goes, then downwards; the first again if there are no more. */
function numberFrom(first: number, nth: number, { low, high, step }: Range): number {
  if (nth === 0 || low === high) return first;
  const stride = step > 0 ? step : Math.min(1, (high - low) / 1_000);
  const above = Math.floor((high - first) / stride);
  const other = Number((first + (nth <= above ? nth : above - nth) * stride).toPrecision(12));
  return other < low ? first : other;
}

/** JSON has no number beyond what the runtime can calculate with. */
const isWritable = (value: unknown): value is number => Number.isFinite(value);

/** The schema's default and examples. */
export const suggestionsOf = (schema: Schema): unknown[] => [schema["default"], ...listAt(schema, "examples")];

/** `step`: what the numbers are multiples of; 0 for any number. */
type Range = { low: number; high: number; step: number };

/** The numbers that the schema allows; exclusive bounds are moved inwards. */
function rangeOf(schema: Schema, isInteger: boolean): Range {
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const step = numberAt(schema, "multipleOf") ?? (isInteger ? 1 : 0);
  // From an exclusive bound to the next number, or, with steps, to one from which the next step is found.
  const nudge = isInteger ? 1 : step > 0 ? step / 1_000_000 : 0.5;
  let low = numberAt(schema, "minimum") ?? Number.NEGATIVE_INFINITY;
  let high = numberAt(schema, "maximum") ?? Number.POSITIVE_INFINITY;
  if (typeof exclusiveMinimum === "number") low = Math.max(low, exclusiveMinimum + nudge);
  else if (exclusiveMinimum === true) low += nudge;
  if (typeof exclusiveMaximum === "number") high = Math.min(high, exclusiveMaximum - nudge);
  else if (exclusiveMaximum === true) high -= nudge;
  return { low, high, step: isInteger && step < 1 ? 1 : step };
}

/** For exclusive bounds that are close together. */
function betweenBounds(schema: Schema): number {
  const bounds = (...names: string[]): number[] => names.flatMap((name) => numberAt(schema, name) ?? []);
  return (Math.max(...bounds("minimum", "exclusiveMinimum")) + Math.min(...bounds("maximum", "exclusiveMaximum"))) / 2;
}

function nearestIn({ low, high, step }: Range, wanted: number): number {
  const value = Math.min(high, Math.max(low, wanted));
  if (step <= 0) return value;
  const multiple = (round: (steps: number) => number, of: number): number => Number((round(of / step) * step).toPrecision(12));
  const nearest = multiple(Math.round, value);
  if (nearest < low) return multiple(Math.ceil, low);
  return nearest > high ? multiple(Math.floor, high) : nearest;
}

function numberInText(key: string, facts: Facts): number | undefined {
  const said = /-?\d[\d,]*(?:\.\d+)?/.exec(facts.said(key) ?? "")?.[0];
  if (said !== undefined) return numberOf(said);
  const kind = kindOf(wordsOfKey(key));
  const [thing] = contentWords(wordsOfKey(key).at(-1) ?? "");
  const count = thing === undefined || kind !== undefined ? undefined : facts.counted(thing);
  if (count !== undefined) return numberOf(count);
  const numeric = kind === "money" || kind === "age" || kind === "year" || kind === "percent" ? facts.take(kind) : undefined;
  const fact = numeric ?? facts.take("number");
  return fact === undefined ? undefined : numberOf(fact);
}
