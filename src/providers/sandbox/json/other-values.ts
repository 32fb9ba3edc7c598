/** Other values that fit the same schema: for lists without repeated items, and for additional keys. */

import { isRecord } from "../../../lib/is-record.ts";
import { numberAt, recordAt, textAt } from "../../../lib/json-at.ts";
import { rangeOf } from "./fill-number.ts";
import type { Schema } from "./merge-schemas.ts";
import type { Patterns } from "./patterns.ts";

const MOST_OTHERS = 1_000;
/** After this many texts in a row that do not match the pattern, it probably has only one. */
const MOST_MISSES = 300;
const DIGITS = "0123456789";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** `resolve` makes a flat schema of one with references or choices. */
type Tools = { resolve(schema: unknown): Schema; patterns: Patterns };

/** The value itself may be among them. */
function* otherValues(schema: Schema, value: unknown, tools: Tools): Generator<unknown> {
  if ("const" in schema) return;
  if (Array.isArray(schema["enum"])) yield* schema["enum"];
  else if (typeof value === "boolean") yield !value;
  else if (typeof value === "number") yield* otherNumbers(schema, value);
  else if (typeof value === "string") yield* otherTexts(schema, value, tools.patterns);
  else if (isRecord(value)) {
    const properties = recordAt(schema, "properties");
    for (const [key, member] of Object.entries(value))
      if (Object.hasOwn(properties, key))
        for (const other of otherValues(tools.resolve(properties[key]), member, tools)) yield { ...value, [key]: other };
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

/** The text with a number added, as long as that fits; then with a digit or else a letter changed, beginning at the end. */
export function* otherTexts(schema: Schema, text: string, patterns: Patterns): Generator<string> {
  const pattern = textAt(schema, "pattern");
  const fits = pattern === "" ? () => true : (patterns(pattern)?.matches ?? (() => false));
  const most = numberAt(schema, "maxLength") ?? Number.POSITIVE_INFINITY;
  const joint = pattern === "" ? " " : "";
  for (let number = 2; schema["format"] === undefined && number <= MOST_OTHERS; number += 1) {
    const added = `${joint}${number}`;
    const other = text.slice(0, Math.max(0, most - added.length)) + added;
    if (other.length > most || !fits(other)) break;
    yield other;
  }
  yield* changedTexts(text, fits);
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

/** Replaces each repeated item by another value, or removes it if there is none. `schemaAt`: the flat schema of a place. */
export function distinctItems(items: readonly unknown[], schemaAt: (index: number) => Schema, tools: Tools): unknown[] {
  const seen = new Set<string>();
  /** The values that may replace an item. Its next repetition continues where the last one stopped. */
  const replacements = new Map<string, Generator<unknown>>();
  const replaced = (item: unknown, name: string, index: number): unknown[] => {
    const others = replacements.getOrInsertComputed(name, () => otherValues(schemaAt(index), item, tools));
    // By hand, because leaving a `for` loop would end the generator.
    for (let next = others.next(); !next.done; next = others.next())
      if (!seen.has(JSON.stringify(next.value))) return [next.value];
    return [];
  };
  return items.flatMap((item, index) => {
    const name = JSON.stringify(item);
    const kept = seen.has(name) ? replaced(item, name, index) : [item];
    for (const value of kept) seen.add(JSON.stringify(value));
    return kept;
  });
}
