/**
 * Corrects a string where the schema wants something else: a quoted number, boolean or null, JSON written as a string, an `enum` word in
 * another case.
 */
import type { SchemaError } from "../compile/describe-errors.ts";
import { jsonInside } from "../repair/json-inside.ts";
import type { Repair } from "../repair/json-reader.ts";
import { type Vocabulary, wordMeant } from "./vocabulary.ts";

export type Mended = { value: unknown; repair: Repair };

const LITERAL = /^(?:-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:e[+-]?\d{1,2})?|true|false|null|none)$/i;
const CURRENCY = "(?:[$€£¥]|USD|EUR|GBP|JPY|CHF|CAD|AUD|CNY|INR)";
const NUMBER = "[1-9]\\d{0,2}(?:,\\d{3})+(?:\\.\\d+)?|(?:0|[1-9]\\d*)(?:\\.\\d+)?|\\.\\d+";
/** `1,299.50`, `€1,299`, `$5`, `12.50 EUR`, `+12` or `.5`. */
const AMOUNT = new RegExp(`^(?:\\+|${CURRENCY} ?)?(${NUMBER})(?: ?${CURRENCY})?$`);
/** How people write an empty value. */
const NOTHING = /^(?:|-+|—|n\/?a|nil|undefined)$/i;
const WANTS_NULL = /\bnull\b/;
const WANTS_NUMBER = /^must be (?:either )?(?:number|integer)/;
const WANTS_BOOLEAN = /^must be (?:either )?boolean/;
const YES_OR_NO = new Map([
  ["yes", true],
  ["no", false],
]);

const WANTS_WORD = /^must be (?:one of|")/;
const WANTS_STRING = /^must be (?:either )?string/;

/**
 * A bare number or boolean where the schema lists it as a word (`5` of `["1", …, "5"]`), or a number where a string is wanted, as it was
 * written: `{"zip": 12345}`, `{"version": 2.0}`, `{"phone": +1555…}`.
 */
export const mendBareWord = (said: unknown, { message }: SchemaError, { words, numerals }: Vocabulary): Mended | undefined => {
  const written = WANTS_STRING.test(message) && typeof said === "number" ? numerals.get(said) : undefined;
  if (written !== undefined) return { value: written, repair: "unquoted" };
  const word = WANTS_WORD.test(message) && /^(?:number|boolean)$/.test(typeof said) ? wordMeant(String(said), words) : undefined;
  return word === undefined ? undefined : { value: word, repair: "unquoted" };
};

/** Undefined if the string can only be meant as a string. */
export const mendString = (said: string, { message }: SchemaError, { words }: Vocabulary): Mended | undefined => {
  const word = wordMeant(said, words);
  if (word !== undefined && word !== said) return { value: word, repair: "enum_spelling" };
  // Models write blanks that JSON does not know.
  const text = said.trim();
  if (LITERAL.test(text)) return { value: JSON.parse(text.toLowerCase().replace("none", "null")), repair: "quoted_literal" };
  const yes = WANTS_BOOLEAN.test(message) ? YES_OR_NO.get(text.toLowerCase()) : undefined;
  if (yes !== undefined) return { value: yes, repair: "quoted_literal" };
  const amount = WANTS_NUMBER.test(message) ? AMOUNT.exec(text) : null;
  if (amount) return { value: Number(amount[1]!.replaceAll(",", "")), repair: "quoted_literal" };
  if (NOTHING.test(text) && WANTS_NULL.test(message)) return { value: null, repair: "quoted_literal" };
  const inner = jsonInside(text);
  return inner === undefined ? undefined : { value: inner, repair: "json_in_string" };
};
