/** A model's answer as JSON that fits its schema; where no reading does, the likeliest mended until it fits, or what it wraps. */
import type { CompiledSchema } from "../compile/compile-schema.ts";
import { repairJson } from "../repair/repair-json.ts";
import { fitValue } from "./fit-value.ts";
import { wordMeant, wordsOf } from "./mend-string.ts";

/** `{"person": {"details": {…}}}` is two wrappers around the answer. */
const MAX_WRAPPERS = 2;
const MAX_WRAPPED = 20;
const LONGEST_WORD = 200;
/** What Markdown and the end of a sentence set around a word. */
const MARKS_AROUND = /^[\s*_`"'“”]+|[\s*_`"'“”.!]+$/g;

type Repaired = ReturnType<typeof repairJson>;

export const repairToFit = (schema: CompiledSchema, text: string): Repaired => {
  const repaired = repairJson(text, schema);
  if (repaired.ok) return repaired;
  const likeliest = repairJson(text);
  if (!likeliest.ok) return readWord(schema, text) ?? repaired;
  const fitted = fitValue(schema, likeliest.value) ?? fitWrapped(schema, likeliest.value, MAX_WRAPPERS);
  return fitted ? { ok: true, value: fitted.value, repairs: [...likeliest.repairs, ...fitted.repairs] } : repaired;
};

/** An answer of words alone is data where it is one of those that the schema lists: `Positive`, `**positive**.` */
const readWord = (schema: CompiledSchema, text: string): Repaired | undefined => {
  if (text.length > LONGEST_WORD) return undefined;
  const said = text.replace(MARKS_AROUND, "");
  const value = wordMeant(said, wordsOf(schema.source));
  if (value === undefined || !schema.check(value).valid) return undefined;
  return { ok: true, value, repairs: value === said ? ["unquoted"] : ["enum_spelling", "unquoted"] };
};

/** Of what an object holds, the only value that fits; with two that do, which of them is the answer cannot be told. */
const fitWrapped = (schema: CompiledSchema, value: unknown, wrappers: number): ReturnType<typeof fitValue> => {
  if (wrappers === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const held = Object.values(value).filter(mayHoldAnswer).slice(0, MAX_WRAPPED);
  const fitting = held.map((inner) => fitValue(schema, inner)).filter((fitted) => fitted !== undefined);
  if (fitting.length > 1) return undefined;
  const fitted = fitting[0] ?? (held.length === 1 ? fitWrapped(schema, held[0], wrappers - 1) : undefined);
  return fitted && { ...fitted, repairs: [...fitted.repairs, "wrapper"] };
};

const mayHoldAnswer = (value: unknown): boolean =>
  (typeof value === "object" && value !== null) || (typeof value === "string" && /^\s*[{[]/.test(value));
