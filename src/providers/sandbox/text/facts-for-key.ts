/** What a text says for a field of a form, by the words of the field's key. */

import { type FactKind, type Facts, wordsOfKey } from "./read-facts.ts";
import { findSum } from "./work-out.ts";

/** The words of keys that ask for a kind of fact; the first row that fits wins. */
const KINDS: readonly [kind: FactKind, words: string][] = [
  ["email", "email mail"],
  ["url", "url link website homepage uri"],
  ["phone", "phone telephone mobile tel"],
  ["date", "date day deadline birthday born birthdate dob due when timestamp at"],
  ["money", "price cost amount total sum fee salary budget revenue"],
  ["age", "age"],
  ["symbol", "ticker symbol"],
  ["year", "year"],
  ["percent", "percent percentage"],
  ["place", "city town country place location address state region destination origin where"],
  ["code", "id code sku reference ref number"],
  [
    "name",
    "name person people author customer client employee contact user sender recipient buyer seller patient who title company organization " +
      "vendor supplier participant attendee guest member speaker host",
  ],
];

const has = (words: readonly string[], list: string): boolean => words.some((word) => list.split(" ").includes(word));

export const kindOf = (keyWords: readonly string[]): FactKind | undefined => {
  const singular = keyWords.map((word) => word.replace(/s$/, ""));
  return KINDS.find(([, list]) => has(keyWords, list) || has(singular, list))?.[0];
};

/** All facts of the kind that the key asks for, which fill a list. */
export const factsFor = (key: string, facts: Facts): readonly string[] => {
  const kind = kindOf(wordsOfKey(key));
  return kind === undefined ? [] : facts.all(kind);
};

const SENTENCE =
  "summary description text content abstract overview reason explanation answer message body note comment result response analysis";
/** Fields that take the request itself. */
const QUERY = "query question prompt input search q expression request";
const CALCULATION = "expression formula equation calculation";
const FROM = "from origin departure";
const TO = "to destination arrival";

/** The beginning of a request to search, before what is searched for. */
const SEARCH_ORDER =
  /^\s*(?:please\s)?(?:search|look up|google|find)(?:\s(?:the\s)?(?:web|internet|docs|documents|documentation))?(?:\sfor)?\s/i;

const currencyIn = (text: string): string =>
  /\b(USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|BRL|MXN)\b/.exec(text)?.[1] ??
  (text.includes("€") ? "EUR" : text.includes("£") ? "GBP" : text.includes("¥") ? "JPY" : "USD");

/** What the text says for the key; undefined if nothing. */
export function textFor(key: string, facts: Facts): string | undefined {
  const words = wordsOfKey(key);
  const kind = kindOf(words);
  const isUnmistakable = kind === "email" || kind === "url" || kind === "date" || kind === "phone";
  const said = (isUnmistakable ? facts.take(kind) : undefined) ?? facts.said(key);
  if (said !== undefined) return said;
  if (has(words, "currency")) return currencyIn(facts.text);
  const way = has(words, FROM) ? "from" : has(words, TO) ? "to" : undefined;
  const place = way && (facts.nameAfter(way) ?? facts.take("email"));
  if (place !== undefined) return place;
  if (has(words, "timezone") || (has(words, "time") && has(words, "zone"))) return facts.zone();
  const sum = has(words, CALCULATION) ? findSum(facts.text) : undefined;
  if (sum !== undefined) return sum.expression;
  if (kind !== undefined) return facts.take(kind) ?? (kind === "place" ? facts.nameAfter("for") : undefined);
  if (has(words, QUERY)) return facts.text.slice(0, 500).replace(SEARCH_ORDER, "").trim() || undefined;
  return has(words, SENTENCE) ? facts.keySentence() : undefined;
}
