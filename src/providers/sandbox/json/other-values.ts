/** What a repeated value can be instead, so that it still fits its schema: for lists whose items must differ and for further keys. */

import { isRecord } from "../../../lib/is-record.ts";
import { boundOf, rangeOf } from "./fill-number.ts";
import type { Schema } from "./merge-schemas.ts";
import { patternMatcher } from "./pattern-instance.ts";

const MOST_OTHERS = 1_000;
/** So many texts in a row that do not fit their pattern: it leaves no choice. */
const MOST_MISSES = 300;
const DIGITS = "0123456789";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** `resolve` makes a flat schema of one that refers or chooses. The likeliest come first; one may be as the value itself. */
function* otherValues(schema: Schema, value: unknown, resolve: (schema: unknown) => Schema): Generator<unknown> {
  if ("const" in schema) return;
  if (Array.isArray(schema["enum"])) yield* schema["enum"];
  else if (typeof value === "boolean") yield !value;
  else if (typeof value === "number") yield* otherNumbers(schema, value);
  else if (typeof value === "string") yield* otherTexts(schema, value);
  else if (isRecord(value) && isRecord(schema["properties"])) {
    for (const [key, member] of Object.entries(value))
      if (Object.hasOwn(schema["properties"], key))
        for (const other of otherValues(resolve(schema["properties"][key]), member, resolve)) yield { ...value, [key]: other };
  }
}

function* otherNumbers(schema: Schema, value: number): Generator<number> {
  const { low, high, step } = rangeOf(schema, Number.isInteger(value) && schema["type"] !== "number");
  const width = high - low;
  const stride = step > 0 ? step : width < MOST_OTHERS ? width / MOST_OTHERS : 1;
  for (const direction of [stride, -stride])
    for (let steps = 1; steps <= MOST_OTHERS; steps += 1) {
      const other = Number((value + steps * direction).toPrecision(12));
      if (other < low || other > high) break;
      yield other;
    }
}

/** Numbered; one with a form of its own has a digit or a letter changed, digits first and from the end. */
export function* otherTexts(schema: Schema, text: string): Generator<string> {
  const pattern = typeof schema["pattern"] === "string" ? schema["pattern"] : undefined;
  const most = boundOf(schema["maxLength"], Number.POSITIVE_INFINITY);
  if (pattern === undefined && schema["format"] === undefined)
    for (let number = 2; number <= MOST_OTHERS && String(number).length + 1 < most; number += 1)
      yield `${text.slice(0, most - String(number).length - 1)} ${number}`;
  yield* changedTexts(text, pattern === undefined ? () => true : patternMatcher(pattern));
}

function* changedTexts(text: string, fits: (text: string) => boolean): Generator<string> {
  let misses = 0;
  for (const kind of [DIGITS, LETTERS, LETTERS.toUpperCase()])
    for (let at = text.length - 1; at >= 0; at -= 1) {
      if (!kind.includes(text[at]!)) continue;
      for (const character of kind) {
        if (character === text[at]) continue;
        const other = text.slice(0, at) + character + text.slice(at + 1);
        misses = fits(other) ? 0 : misses + 1;
        if (misses === 0) yield other;
        else if (misses === MOST_MISSES) return;
      }
    }
}

/** The items with each repeated one made another; one that nothing else fits goes. `schemaAt` is the flat schema of an item's place. */
export function distinctItems(
  items: readonly unknown[],
  schemaAt: (index: number) => Schema,
  resolve: (schema: unknown) => Schema,
): unknown[] {
  const seen = new Map<string, Generator<unknown> | undefined>();
  const distinct: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const name = JSON.stringify(item);
    let other = item;
    if (seen.has(name)) {
      const others = seen.get(name) ?? otherValues(schemaAt(index), item, resolve);
      seen.set(name, others);
      const unseen = nextUnseen(others, seen);
      if (unseen === undefined) continue;
      other = unseen.value;
    }
    const key = JSON.stringify(other);
    if (!seen.has(key)) seen.set(key, undefined);
    distinct.push(other);
  }
  return distinct;
}

/** Iterated by hand: a `for` loop that is left would end the generator for the next item too. */
function nextUnseen(others: Generator<unknown>, seen: ReadonlyMap<string, unknown>): { value: unknown } | undefined {
  for (let next = others.next(); !next.done; next = others.next())
    if (!seen.has(JSON.stringify(next.value))) return { value: next.value };
  return undefined;
}
