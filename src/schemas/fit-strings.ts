/**
 * Strings of an answer as what the schema wants in their place: a number, a truth value or null that a model put in quotes, JSON
 * written as a string, a word of an `enum` in another case. Only where the string itself does not fit, and only what can be meant.
 */
import type { CompiledSchema } from "./compile/compile-schema.ts";
import type { Repair } from "./repair/json-reader.ts";
import { nestingOf } from "./repair/nesting-of.ts";
import { MAX_DEPTH } from "./repair/read-json-value.ts";

type Mended = { value: unknown; repair: Repair };
type Words = ReadonlyMap<string, string | undefined>;

const LITERAL = /^(?:-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?|true|false|null|True|False|None)$/;
/** A check tells of some errors at a time. */
const MAX_ROUNDS = 50;

/** The value as it fits, `undefined` where its strings alone do not keep it from fitting. The value given is not changed. */
export const fitStrings = (schema: CompiledSchema, value: unknown): { value: unknown; repairs: Repair[] } | undefined => {
  const holder = { "": structuredClone(value) };
  const words = wordsOf(schema.source);
  const repairs = new Set<Repair>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { valid, errors } = schema.check(holder[""]);
    if (valid) return { value: holder[""], repairs: [...repairs] };
    const mended = errors.map(({ path }) => mendAt(holder, path, words)).filter((repair) => repair !== undefined);
    if (mended.length === 0) return undefined;
    for (const repair of mended) repairs.add(repair);
  }
  return undefined;
};

/** What was mended at that JSON pointer, `undefined` where nothing can be. */
const mendAt = (holder: object, path: string, words: Words): Repair | undefined => {
  const steps = path.split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = steps.pop()!;
  let place: unknown = holder;
  for (const step of steps) place = Object.getOwnPropertyDescriptor(Object(place), step)?.value;
  const said = Object.getOwnPropertyDescriptor(Object(place), key)?.value;
  const mended = typeof said === "string" ? mend(said, words) : undefined;
  if (mended) (place as Record<string, unknown>)[key] = mended.value;
  return mended?.repair;
};

const mend = (said: string, words: Words): Mended | undefined => {
  const word = words.get(spellingOf(said));
  if (word !== undefined && word !== said) return { value: word, repair: "enum_spelling" };
  // JSON knows fewer blanks than a model writes.
  const text = said.trim();
  if (LITERAL.test(text)) return { value: text === "None" ? null : JSON.parse(text.toLowerCase()), repair: "quoted_literal" };
  return /^[{[]/.test(text) ? readInner(text) : undefined;
};

const readInner = (text: string): Mended | undefined => {
  if (nestingOf(text) > MAX_DEPTH) return undefined;
  try {
    return { value: JSON.parse(text), repair: "json_in_string" };
  } catch {
    return undefined;
  }
};

/** Case, blanks, underscores and hyphens do not make another word. */
const spellingOf = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");

/** The words that any `enum` or `const` of the schema names, by their spelling; `undefined` where two differ in it alone. */
const wordsOf = (schema: unknown): Words => {
  const words = new Map<string, string | undefined>();
  const add = (word: unknown): void => {
    if (typeof word !== "string") return;
    const spelling = spellingOf(word);
    words.set(spelling, words.has(spelling) && words.get(spelling) !== word ? undefined : word);
  };
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { enum: allowed, const: only } = node as { enum?: unknown; const?: unknown };
    if (Array.isArray(allowed)) allowed.forEach(add);
    add(only);
    Object.values(node).forEach(visit);
  };
  visit(schema);
  return words;
};
