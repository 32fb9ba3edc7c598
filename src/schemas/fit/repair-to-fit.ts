/** Turns a model's answer into JSON that fits its schema; if no reading fits, corrects the most likely one, or unwraps it. */
import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt } from "../../lib/json-at.ts";
import type { CompiledSchema } from "../compile/compile-schema.ts";
import type { Repair } from "../repair/json-reader.ts";
import { repairJson } from "../repair/repair-json.ts";
import { fitValue } from "./fit-value.ts";
import { propertyNamesOf, spellingOfKey } from "./mend-shape.ts";
import { numeralsIn, wordMeant, wordsOf } from "./mend-string.ts";
import { readLines } from "./read-lines.ts";

/** `{"person": {"details": {…}}}` has two wrappers around the answer. */
const MAX_WRAPPERS = 2;
const MAX_WRAPPED = 20;
const LONGEST_WORD = 200;
/** Markdown and punctuation around a word. */
const MARKS_AROUND = /^[\s*_`"'“”]+|[\s*_`"'“”.!]+$/g;

type Repaired = ReturnType<typeof repairJson>;
type Fitted = ReturnType<typeof fitValue>;
type Fit = (value: unknown) => Fitted;

export const repairToFit = (schema: CompiledSchema, text: string): Repaired => {
  const repaired = repairJson(text, schema);
  if (repaired.ok) return repaired;
  const likeliest = repairJson(text);
  const numerals = numeralsIn(text);
  const fit = (value: unknown): Fitted => fitValue(schema, value, numerals);
  const fitted = likeliest.ok
    ? (fit(likeliest.value) ??
      fitWrapped(schema, fit, likeliest.value, MAX_WRAPPERS) ??
      (isUnnamed(schema, likeliest) ? fitUnnamed(schema, fit, likeliest.value) : undefined))
    : readWord(schema, fit, text);
  if (fitted) return { ok: true, value: fitted.value, repairs: [...(likeliest.ok ? likeliest.repairs : []), ...fitted.repairs] };
  return fitLines(schema, fit, text) ?? repaired;
};

const fitLines = (schema: CompiledSchema, fit: Fit, text: string): Repaired | undefined => {
  const lines = readLines(propertyNamesOf(schema.source), text);
  const fitted = lines && (fit(lines.value) ?? (Array.isArray(lines.value) ? fitUnnamed(schema, fit, lines.value) : undefined));
  return fitted && { ok: true, value: fitted.value, repairs: [...new Set([...fitted.repairs, ...lines!.repairs])] };
};

/** Several lists amid prose are references, as in "see [1], [2]". */
const isProse = (repairs: readonly Repair[]): boolean =>
  repairs.includes("concatenated_values") && repairs.includes("surrounding_text");

/** An answer of one word counts as data if the schema lists it: `Positive`, `**positive**.` */
const readWord = (schema: CompiledSchema, fit: Fit, text: string): Fitted => {
  if (text.length > LONGEST_WORD) return undefined;
  const said = text.replace(MARKS_AROUND, "");
  const value = wordMeant(said, wordsOf(schema.source));
  if (value === undefined) return undefined;
  const repairs: Repair[] = value === said ? ["unquoted"] : ["enum_spelling", "unquoted"];
  return schema.check(value).valid ? { value, repairs } : fitUnnamed(schema, fit, value);
};

/** A list, a number, a boolean, or an object of properties that the schema has only further in. */
const isUnnamed = (schema: CompiledSchema, { value, repairs }: Extract<Repaired, { ok: true }>): boolean => {
  if (Array.isArray(value)) return !isProse(repairs);
  if (isBare(value)) return true;
  const outer = recordAt(schema.source, "properties");
  const known = propertyNamesOf(schema.source);
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return keys.length > 0 && keys.every((key) => known.get(spellingOfKey(key)) === key && !Object.hasOwn(outer, key));
};

const onlyNameIn = ({ source }: CompiledSchema): string | undefined => {
  const required = listAt(source, "required");
  const names = required.length > 0 ? required : Object.keys(recordAt(source, "properties"));
  return names.length === 1 ? String(names[0]) : undefined;
};

const isBare = (value: unknown): boolean => typeof value === "number" || typeof value === "boolean";

/** The only required property of an object, without the object: `[…]` for `{"items": […]}`, `7` for `{"score": 7}`. */
const fitUnnamed = (schema: CompiledSchema, fit: Fit, value: unknown): Fitted => {
  const name = onlyNameIn(schema);
  const fitted = name === undefined ? undefined : fit({ [name]: value });
  // To make an object the only item of a list would be a guess, and so would any change of a number.
  const isGuess = isRecord(value) ? fitted?.repairs.includes("one_item_list") : isBare(value) && fitted?.repairs.length !== 0;
  return fitted && !isGuess ? { ...fitted, repairs: [...fitted.repairs, "missing_braces"] } : undefined;
};

/** The only value inside an object that fits; if two do, it cannot be told which one is the answer. */
const fitWrapped = (schema: CompiledSchema, fit: Fit, value: unknown, wrappers: number): Fitted => {
  if (wrappers === 0 || !isRecord(value)) return undefined;
  const held = Object.values(value).filter(mayHoldAnswer).slice(0, MAX_WRAPPED);
  const fitting = held.map(fit).filter((fitted) => fitted !== undefined && isWhole(schema, fitted.value));
  if (fitting.length > 1) return undefined;
  const fitted = fitting[0] ?? (held.length === 1 ? fitWrapped(schema, fit, held[0], wrappers - 1) : undefined);
  return fitted && { ...fitted, repairs: [...fitted.repairs, "wrapper"] };
};

/** An object with none of the schema's own properties is only a part of an answer, even if the schema requires none of them. */
const isWhole = ({ source }: CompiledSchema, value: unknown): boolean => {
  const names = Object.keys(recordAt(source, "properties"));
  return names.length === 0 || names.some((name) => Object.hasOwn(Object(value), name));
};

const mayHoldAnswer = (value: unknown): boolean =>
  (typeof value === "object" && value !== null) || (typeof value === "string" && /^\s*[{[]/.test(value));
