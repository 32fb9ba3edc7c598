/** What a text says for a form field, by the words of its key. */

import { type FactKind, type Facts, wordsOfKey } from "./read-facts.ts";
import { keySentences } from "./sentences.ts";
import { findSum } from "./work-out.ts";

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

/** Of a key in words. */
export const kindOf = (words: readonly string[]): FactKind | undefined =>
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
export function textFor(key: string, facts: Facts): string | undefined {
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
