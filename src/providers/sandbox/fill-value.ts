/** Strings, numbers and booleans for a form field: from the text where it says something of the field, else something that fits. */

import type { Schema } from "./merge-schemas.ts";
import { patternInstance, patternMatcher } from "./pattern-instance.ts";
import { type FactKind, type Facts, wordsOfKey } from "./read-facts.ts";
import { contentWords, keySentences } from "./sentences.ts";
import { findSum } from "./work-out.ts";

const MAX_TEXT = 100_000;

const FORMATS: Record<string, string> = {
  "date-time": "2026-01-15T09:30:00Z",
  date: "2026-01-15",
  time: "09:30:00Z",
  duration: "PT1H",
  email: "ada@example.com",
  "idn-email": "ada@example.com",
  hostname: "example.com",
  "idn-hostname": "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  "uri-reference": "/path",
  iri: "https://example.com/",
  "iri-reference": "/path",
  url: "https://example.com/",
  "uri-template": "/items/{id}",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  "json-pointer": "/a",
  "relative-json-pointer": "1/a",
  regex: "^a+$",
  byte: "YQ==",
};

/** Which kind of fact a field asks for, by the words of its key; the first rule that fits wins. */
const KINDS: readonly [words: string, kind: FactKind][] = [
  ["email mail", "email"],
  ["url link website homepage uri", "url"],
  ["phone telephone mobile tel", "phone"],
  ["date day deadline birthday born birthdate dob due when timestamp at", "date"],
  ["price cost amount total sum fee salary budget revenue", "money"],
  ["age", "age"],
  ["ticker symbol", "symbol"],
  ["year", "year"],
  ["percent percentage", "percent"],
  ["city town country place location address state region destination origin where", "place"],
  ["id code sku reference ref number", "code"],
  [
    "name person people author customer client employee contact user sender recipient buyer seller patient who title company organization " +
      "vendor supplier participant attendee guest member speaker host",
    "name",
  ],
];

const SENTENCE_WORDS =
  "summary description text content abstract overview reason explanation answer message body note comment result response analysis";

/** Fields that take the request itself. */
const QUERY_WORDS = new Set(["query", "question", "prompt", "input", "search", "q", "expression", "request"]);

const kindOf = (words: readonly string[]): FactKind | undefined =>
  KINDS.find(([list]) =>
    words.some((word) => list.split(" ").includes(word) || list.split(" ").includes(word.replace(/s$/, ""))),
  )?.[1];

/** Every fact of the kind that the key asks for: what a list field is filled with. */
export const factsFor = (key: string, facts: Facts): readonly string[] => {
  const kind = kindOf(wordsOfKey(key));
  return kind === undefined ? [] : facts.all(kind);
};

const SUM_WORDS = new Set(["expression", "formula", "equation", "calculation"]);
const SEARCH_ORDER =
  /^\s*(?:please\s)?(?:search|look up|google|find)(?:\s(?:the\s)?(?:web|internet|docs|documents|documentation))?(?:\sfor)?\s/i;

/** The zone of the first city that names one. */
const zoneIn = (text: string): string =>
  Intl.supportedValuesOf("timeZone").find((zone) => {
    const city = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
    return zone.includes("/") && text.includes(city);
  }) ?? "UTC";

const WAYS: readonly [words: string, way: "from" | "to"][] = [
  ["from origin departure", "from"],
  ["to destination arrival", "to"],
];

const currencyOf = (text: string): string =>
  /\b(USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|BRL|MXN)\b/.exec(text)?.[1] ??
  (text.includes("€") ? "EUR" : text.includes("£") ? "GBP" : text.includes("¥") ? "JPY" : "USD");

/** What the text says for the key, undefined when nothing. */
function textFor(key: string, facts: Facts): string | undefined {
  const words = wordsOfKey(key);
  const kind = kindOf(words);
  if (kind === "email" || kind === "url" || kind === "date" || kind === "phone") {
    const fact = facts.take(kind);
    if (fact !== undefined) return fact;
  }
  const said = facts.said(key);
  if (said !== undefined) return said;
  if (words.includes("currency")) return currencyOf(facts.text);
  const way = WAYS.find(([list]) => words.some((word) => list.split(" ").includes(word)))?.[1];
  const place = way && (facts.behind([way]) ?? facts.take("email"));
  if (place !== undefined) return place;
  if (words.includes("timezone") || (words.includes("time") && words.includes("zone"))) return zoneIn(facts.text);
  if (words.some((word) => SUM_WORDS.has(word))) {
    const sum = findSum(facts.text);
    if (sum !== undefined) return sum.expression;
  }
  if (kind !== undefined) return facts.take(kind) ?? (kind === "place" ? facts.behind(["for"]) : undefined);
  if (words.some((word) => QUERY_WORDS.has(word))) return facts.text.slice(0, 500).replace(SEARCH_ORDER, "").trim() || undefined;
  return words.some((word) => SENTENCE_WORDS.split(" ").includes(word)) ? keySentences(facts.text, 1)[0] : undefined;
}

/** A string that fits the schema, or undefined when the text has none for a field that may as well be null. */
export function stringFor(schema: Schema, key: string, facts: Facts | undefined, nullable: boolean): string | undefined {
  const found = facts && key !== "" ? textFor(key, facts) : undefined;
  if (found === undefined && nullable && facts) return undefined;
  const fitting = found === undefined ? undefined : inFormat(schema, found);
  const pattern = typeof schema["pattern"] === "string" ? schema["pattern"] : undefined;
  const [least, most] = [boundOf(schema["minLength"], 0), boundOf(schema["maxLength"], MAX_TEXT)];
  if (pattern !== undefined) {
    if (fitting !== undefined && fitting.length >= least && fitting.length <= most && patternMatcher(pattern)(fitting))
      return fitting;
    return patternInstance(pattern, Math.min(least, 1_000), most) ?? "";
  }
  const format = typeof schema["format"] === "string" ? FORMATS[schema["format"]] : undefined;
  return fitLength(fitting ?? format ?? sampleOf(schema, key), least, most);
}

/** The text in the form that `format` asks for; undefined when it cannot take it. */
function inFormat({ format }: Schema, text: string): string | undefined {
  if (format === "date") return /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  if (format === "date-time")
    return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : Number.isNaN(Date.parse(text)) ? undefined : text;
  if (format === "email") return /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(text) ? text : undefined;
  if (format === "uri" || format === "url") return /^https?:\/\/\S+$/.test(text) ? text : undefined;
  return typeof format === "string" && FORMATS[format] !== undefined ? undefined : text;
}

function sampleOf(schema: Schema, key: string): string {
  const given = [schema["default"], ...(Array.isArray(schema["examples"]) ? schema["examples"] : [])].find(
    (value) => typeof value === "string",
  );
  if (typeof given === "string") return given;
  return key === "" ? "text" : `sample ${wordsOfKey(key).join(" ")}`.trim();
}

function fitLength(text: string, least: number, most: number): string {
  const characters = [...text];
  if (characters.length > most) return characters.slice(0, most).join("").trimEnd().padEnd(Math.min(least, most), ".");
  return characters.length < least ? text.padEnd(text.length + Math.min(least, MAX_TEXT) - characters.length, ".") : text;
}

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

export const boundOf = (value: unknown, otherwise: number): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

/** Verdicts are favourable unless the text says otherwise: the sandbox judges nothing. */
const AFFIRMATIVE = new Set([
  "passed",
  "pass",
  "ok",
  "valid",
  "success",
  "satisfied",
  "meets",
  "correct",
  "fulfilled",
  "acceptable",
]);

/** True unless the text denies the key's words (`not urgent`, `urgent: no`) or never mentions them. */
export function booleanFor(key: string, facts: Facts | undefined): boolean {
  if (!facts || key === "") return true;
  const said = facts.said(key)?.toLowerCase();
  if (said !== undefined) return !/^(?:no|false|not|none|off|0)\b/.test(said);
  if (wordsOfKey(key).some((part) => AFFIRMATIVE.has(part))) return true;
  const word = wordsOfKey(key).filter((part) => !["is", "has", "was", "can", "should"].includes(part))[0] ?? "";
  const text = facts.text.toLowerCase();
  const at = text.indexOf(word);
  return at !== -1 && !/(?:\bnot|n't|\bno|\bnever|\bwithout)\s{1,3}(?:an?\s)?$/.test(text.slice(Math.max(0, at - 14), at));
}
