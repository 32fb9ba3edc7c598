/** Turns a model's answer into JSON that fits its schema; if no reading fits, corrects the most likely one, or unwraps it. */
import { isContainer, isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt } from "../../lib/json-at.ts";
import type { CompiledSchema } from "../compile/compile-schema.ts";
import type { Repair } from "../repair/json-reader.ts";
import type { Candidate } from "../repair/read-passage.ts";
import { type Repaired, repairJson } from "../repair/repair-json.ts";
import { type Fitted, fitValue, type Target } from "./fit-value.ts";
import { readLines } from "./read-lines.ts";
import { spellingOfKey, vocabularyOf, wordMeant } from "./vocabulary.ts";

/** `{"person": {"details": {…}}}` has two wrappers around the answer. */
const MAX_WRAPPERS = 2;
const MAX_WRAPPED = 20;
const LONGEST_WORD = 200;
/** Markdown and punctuation around a word. */
const MARKS_AROUND = /^[\s*_`"'“”]+|[\s*_`"'“”.!]+$/g;

export const repairToFit = (schema: CompiledSchema, text: string): Repaired => {
  const repaired = repairJson(text, schema);
  if (repaired.ok) return repaired;
  const { likeliest } = repaired;
  const target: Target = { schema, vocabulary: vocabularyOf(schema.source, text) };
  const fitted = likeliest
    ? (fitValue(target, likeliest.value) ??
      fitWrapped(target, likeliest.value, MAX_WRAPPERS) ??
      (isUnnamed(target, likeliest) ? fitUnnamed(target, likeliest.value) : undefined))
    : readWord(target, text);
  if (fitted) return { ok: true, value: fitted.value, repairs: [...(likeliest?.repairs ?? []), ...fitted.repairs] };
  return fitLines(target, text) ?? repaired;
};

const fitLines = (target: Target, text: string): Repaired | undefined => {
  const lines = readLines(target.vocabulary.names, text);
  const fitted =
    lines && (fitValue(target, lines.value) ?? (Array.isArray(lines.value) ? fitUnnamed(target, lines.value) : undefined));
  return fitted && { ok: true, value: fitted.value, repairs: [...new Set([...fitted.repairs, ...lines!.repairs])] };
};

/** Several lists amid prose are references, as in "see [1], [2]". */
const isProse = (repairs: readonly Repair[]): boolean =>
  repairs.includes("concatenated_values") && repairs.includes("surrounding_text");

/** An answer of one word counts as data if the schema lists it: `Positive`, `**positive**.` */
const readWord = (target: Target, text: string): Fitted | undefined => {
  if (text.length > LONGEST_WORD) return undefined;
  const said = text.replace(MARKS_AROUND, "");
  const value = wordMeant(said, target.vocabulary.words);
  if (value === undefined) return undefined;
  const repairs: Repair[] = value === said ? ["unquoted"] : ["enum_spelling", "unquoted"];
  return target.schema.check(value).valid ? { value, repairs } : fitUnnamed(target, value);
};

/** A list, a number, a boolean, or an object of properties that the schema has only further in. */
const isUnnamed = ({ schema, vocabulary }: Target, { value, repairs }: Candidate): boolean => {
  if (Array.isArray(value)) return !isProse(repairs);
  if (isBare(value)) return true;
  const outer = recordAt(schema.source, "properties");
  const keys = isContainer(value) ? Object.keys(value) : [];
  return keys.length > 0 && keys.every((key) => vocabulary.names.get(spellingOfKey(key)) === key && !Object.hasOwn(outer, key));
};

const onlyNameIn = ({ source }: CompiledSchema): string | undefined => {
  const required = listAt(source, "required");
  const names = required.length > 0 ? required : Object.keys(recordAt(source, "properties"));
  return names.length === 1 ? String(names[0]) : undefined;
};

const isBare = (value: unknown): boolean => typeof value === "number" || typeof value === "boolean";

/** The only required property of an object, without the object: `[…]` for `{"items": […]}`, `7` for `{"score": 7}`. */
const fitUnnamed = (target: Target, value: unknown): Fitted | undefined => {
  const name = onlyNameIn(target.schema);
  const fitted = name === undefined ? undefined : fitValue(target, { [name]: value });
  // To make an object the only item of a list would be a guess, and so would any change of a number.
  const isGuess = isRecord(value) ? fitted?.repairs.includes("one_item_list") : isBare(value) && fitted?.repairs.length !== 0;
  return fitted && !isGuess ? { ...fitted, repairs: [...fitted.repairs, "missing_braces"] } : undefined;
};

/** The only value inside an object that fits; if two do, it cannot be told which one is the answer. */
const fitWrapped = (target: Target, value: unknown, wrappers: number): Fitted | undefined => {
  if (wrappers === 0 || !isRecord(value)) return undefined;
  const held = Object.values(value).filter(mayHoldAnswer).slice(0, MAX_WRAPPED);
  const fitting = held
    .map((each) => fitValue(target, each))
    .filter((fitted) => fitted !== undefined && isWhole(target.schema, fitted.value));
  if (fitting.length > 1) return undefined;
  const fitted = fitting[0] ?? (held.length === 1 ? fitWrapped(target, held[0], wrappers - 1) : undefined);
  return fitted && { ...fitted, repairs: [...fitted.repairs, "wrapper"] };
};

/** An object with none of the schema's own properties is only a part of an answer, even if the schema requires none of them. */
const isWhole = ({ source }: CompiledSchema, value: unknown): boolean => {
  const names = Object.keys(recordAt(source, "properties"));
  return names.length === 0 || names.some((name) => Object.hasOwn(Object(value), name));
};

const mayHoldAnswer = (value: unknown): boolean => isContainer(value) || (typeof value === "string" && /^\s*[{[]/.test(value));
