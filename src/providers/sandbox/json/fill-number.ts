/** Numbers for a form field: from the text where it has one for the field, else one that fits. */

import { kindOf } from "../text/facts-for-key.ts";
import { type Facts, wordsOfKey } from "../text/read-facts.ts";
import { contentWords } from "../text/sentences.ts";
import type { Schema } from "./merge-schemas.ts";

export const boundOf = (value: unknown, otherwise: number): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

/** A number within the schema's bounds, from the text where it has one for the key. */
export function numberFor(schema: Schema, key: string, facts: Facts | undefined, isInteger: boolean): number | undefined {
  const found = facts && key !== "" ? numberInText(key, facts) : undefined;
  const given = [schema["default"], ...(Array.isArray(schema["examples"]) ? schema["examples"] : [])].find(
    (value) => typeof value === "number",
  );
  const { low, high, step } = rangeOf(schema, isInteger);
  if (low > high) return between(schema);
  const wanted = Math.min(high, Math.max(low, found ?? (typeof given === "number" ? given : 1)));
  return onStep(wanted, step, low, high);
}

/** The bounds a number keeps, exclusive ones moved inwards, and what it is a multiple of (0: of nothing). */
export function rangeOf(schema: Schema, isInteger: boolean): { low: number; high: number; step: number } {
  const exclusiveMinimum = schema["exclusiveMinimum"];
  const exclusiveMaximum = schema["exclusiveMaximum"];
  const step = boundOf(schema["multipleOf"], isInteger ? 1 : 0);
  // The next value that an exclusive bound allows; for steps just beyond it, from where the next step is taken.
  const nudge = isInteger ? 1 : step > 0 ? step / 1_000_000 : 0.5;
  let low = boundOf(schema["minimum"], Number.NEGATIVE_INFINITY);
  let high = boundOf(schema["maximum"], Number.POSITIVE_INFINITY);
  if (typeof exclusiveMinimum === "number") low = Math.max(low, exclusiveMinimum + nudge);
  else if (exclusiveMinimum === true) low += nudge;
  if (typeof exclusiveMaximum === "number") high = Math.min(high, exclusiveMaximum - nudge);
  else if (exclusiveMaximum === true) high -= nudge;
  return { low, high, step: isInteger && step < 1 ? 1 : step };
}

/** Between two exclusive bounds that lie close together. */
function between(schema: Schema): number {
  const low = Math.max(
    boundOf(schema["minimum"], Number.NEGATIVE_INFINITY),
    boundOf(schema["exclusiveMinimum"], Number.NEGATIVE_INFINITY),
  );
  const high = Math.min(
    boundOf(schema["maximum"], Number.POSITIVE_INFINITY),
    boundOf(schema["exclusiveMaximum"], Number.POSITIVE_INFINITY),
  );
  return (low + high) / 2;
}

function onStep(value: number, step: number, low: number, high: number): number {
  if (step <= 0) return value;
  const nearest = Math.round(value / step) * step;
  const clean = Number(nearest.toPrecision(12));
  if (clean < low) return Number((Math.ceil(low / step) * step).toPrecision(12));
  return clean > high ? Number((Math.floor(high / step) * step).toPrecision(12)) : clean;
}

function numberInText(key: string, facts: Facts): number | undefined {
  const said = /-?\d[\d,]*(?:\.\d+)?/.exec(facts.said(key) ?? "")?.[0];
  if (said !== undefined) return toNumber(said);
  const kind = kindOf(wordsOfKey(key));
  const [thing] = contentWords(wordsOfKey(key).at(-1) ?? "");
  const count = thing === undefined || kind !== undefined ? undefined : facts.counted(thing);
  if (count !== undefined) return toNumber(count);
  const numeric = kind === "money" || kind === "age" || kind === "year" || kind === "percent" ? facts.take(kind) : undefined;
  const fact = numeric ?? facts.take("number");
  return fact === undefined ? undefined : toNumber(fact);
}

const toNumber = (text: string): number | undefined => {
  const value = Number(text.replaceAll(",", ""));
  return Number.isFinite(value) ? value : undefined;
};
