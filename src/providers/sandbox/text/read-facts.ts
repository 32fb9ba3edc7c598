/** Values in a text that forms can be filled with: addresses, dates, numbers, names, `key: value` pairs. */

import { trimEnds } from "../../../lib/trim-ends.ts";
import { countOf, keySentences } from "./sentences.ts";

export type FactKind = keyof typeof FINDERS;

export type Facts = {
  text: string;
  /** All facts of a kind, in the order of the text, without repeats. */
  all(kind: FactKind): readonly string[];
  /** The next fact of a kind that was not taken yet, or the last one if all were; undefined if there is none. */
  take(kind: FactKind): string | undefined;
  /** The first name after the word (`from Berlin`). */
  nameAfter(word: keyof typeof NAME_AFTER): string | undefined;
  /** The value of a key that the text gives as `key: value`, `key = value` or `key is value`. */
  said(key: string): string | undefined;
  /** The number before a word (24 of `24 trains`). */
  counted(word: string): string | undefined;
  /** The sentence that says most; undefined if there is none. */
  keySentence(): string | undefined;
  /** The first time zone whose city the text names. */
  zone(): string | undefined;
};

/** Only this much of a text is read. */
const READ_CHARACTERS = 40_000;

const MONTHS = "january february march april may june july august september october november december".split(" ");

export function readFacts(whole: string): Facts {
  const text = whole.slice(0, READ_CHARACTERS);
  const found = new Map<FactKind, readonly string[]>();
  const taken = new Map<FactKind, number>();
  const all = (kind: FactKind) => found.getOrInsertComputed(kind, () => [...new Set(FINDERS[kind](text))]);
  return {
    text,
    all,
    take: (kind) => {
      const index = taken.get(kind) ?? 0;
      taken.set(kind, index + 1);
      return all(kind)[index] ?? all(kind).at(-1);
    },
    nameAfter: (word) => matches(text, NAME_AFTER[word])[0],
    // Lists ask for the same in each of their items.
    said: remembered((key) => said(text, key)),
    counted: remembered((word) => countOf(word, text)),
    keySentence: remembered(() => keySentences(text, 1)[0]),
    zone: remembered(() => zoneIn(text)),
  };
}

/** Each look goes through the whole text, so a form with more fields than this gets samples for the others. */
const MOST_WORDS = 300;

/** `find`, called once for each word. */
const remembered = (find: (word: string) => string | undefined): ((word?: string) => string | undefined) => {
  const found = new Map<string, string | undefined>();
  return (word = "") => {
    if (!found.has(word) && found.size < MOST_WORDS) found.set(word, find(word));
    return found.get(word);
  };
};

const zoneIn = (text: string): string =>
  Intl.supportedValuesOf("timeZone").find((zone) => {
    const city = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
    return zone.includes("/") && text.includes(city);
  }) ?? "UTC";

/** `orderDate`, `order_date` and `order-date` are the words `order date`. */
export const wordsOfKey = (key: string): string[] =>
  key
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

const tokensOf = (text: string): string[] =>
  text.split(/\s+/).map((token) => trimEnds(token, { leading: /[<("'[]/, trailing: /[>)"'\],;:!?]/ }));
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([whole, ...groups]) => groups.find((group) => group !== undefined) ?? whole);

const FINDERS = {
  email: (text: string) =>
    tokensOf(text).flatMap((token) =>
      token.length <= 254 && /^[\w.+-]+@[\w-]+(\.[\w-]+)+\.?$/.test(token) ? [token.replace(/\.$/, "")] : [],
    ),
  url: (text: string) => tokensOf(text).flatMap((token) => (/^https?:\/\/\S/.test(token) ? [token.replace(/\.$/, "")] : [])),
  date: readDates,
  phone: (text: string) => matches(text, /(?<![\w.])(\+?\(?\d{2,4}\)?[ -]\d{2,4}[ -]\d{2,6}(?:[ -]\d{2,6})?)(?![\w-])/g),
  money: (text: string) =>
    matches(
      text,
      /[$€£]\s?(\d[\d,]{0,15}(?:\.\d{1,2})?)|\b(\d[\d,]{0,15}(?:\.\d{1,2})?)\s?(?:USD|EUR|GBP|dollars|euros|pounds)\b/g,
    ),
  age: (text: string) =>
    matches(
      text,
      /\b(\d{1,3})[ -]?(?:years?|yrs?)\b|\baged? (?:of )?(\d{1,3})\b|\p{Ll},? \(?(\d{1,3})\)?(?=[,.;)]| and\b| \(|$)/gu,
    ),
  year: (text: string) => matches(text, /\b((?:1[5-9]|20)\d\d)\b/g),
  percent: (text: string) => matches(text, /(\d{1,3}(?:\.\d+)?)\s?%/g),
  number: (text: string) => matches(withoutDates(text), /(?<![\w.@-])(-?\d(?:[\d,]{0,14}\d)?(?:\.\d{1,9})?)(?![\w@-])/g),
  name: readNames,
  // May name its state: `San Francisco, CA`.
  place: (text: string) => matches(text, new RegExp(`\\b(?:in|from|at|near|to) (${PROPER_NAME}(?:, [A-Z]{2}(?!\\p{L}))?)`, "gu")),
  symbol: (text: string) => matches(text, /(?<![\p{L}\p{N}])([A-Z]{2,5})(?![\p{L}\p{N}])/gu),
  code: (text: string) => matches(text, /(?<![\w-])#?((?=[A-Z0-9-]{0,20}\d)[A-Z][A-Z0-9]{0,10}-?[A-Z0-9-]{1,20})(?![\w-])/g),
};

/** Up to three capitalised words. */
const PROPER_NAME = "\\p{Lu}[\\p{L}'-]{1,40}(?: \\p{Lu}[\\p{L}'-]{1,40}){0,2}";

const NAME_AFTER = {
  for: new RegExp(`\\bfor (${PROPER_NAME})`, "gu"),
  from: new RegExp(`\\bfrom (${PROPER_NAME})`, "gu"),
  to: new RegExp(`\\bto (${PROPER_NAME})`, "gu"),
};

const ISO_DATE = /\b(\d{4}-\d{2}-\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?/g;
const WORD_DATE = new RegExp(
  `\\b(?:(\\d{1,2})(?:st|nd|rd|th)? )?(${MONTHS.join("|")})(?: (\\d{1,2})(?:st|nd|rd|th)?(?!\\d))?,? (\\d{4})\\b`,
  "gi",
);

const WEEKDAY = /\b((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b/g;

/** ISO dates and dates with a month's name, all as `YYYY-MM-DD`; then days of the week as written. */
function readDates(text: string): string[] {
  const written = [...text.matchAll(WORD_DATE)].map(([, before, month, after, year]) => {
    const number = MONTHS.indexOf((month as string).toLowerCase()) + 1;
    return `${year}-${String(number).padStart(2, "0")}-${(before ?? after ?? "1").padStart(2, "0")}`;
  });
  return [...matches(text, ISO_DATE), ...written, ...matches(text, WEEKDAY)];
}

const withoutDates = (text: string): string => text.replace(ISO_DATE, " ").replace(WORD_DATE, " ");

/** Capitalised words that begin sentences and are not names. */
const NO_NAMES = new Set(
  (
    "the a an and or but if in on at to for from with of by as is are was were be it its this that these those he she they we you i my your our their " +
    "his her what who when where why how which please extract return find list give get write summarize summarise classify translate explain tell " +
    "answer question text json user name names email date person people order invoice total yes no not dear hello hi hey thanks thank subject " +
    "output input create generate make show read use using here there then also now today tomorrow yesterday monday tuesday wednesday thursday " +
    "friday saturday sunday context document passage data fields field schema object array information details following"
  )
    .split(" ")
    .concat(MONTHS),
);

/** In any script: `a customer named '你好'`. */
const QUOTED_NAME = /\b(?:named|called|name(?: is)?:?)\s["'“‘«]([^\s"'”’»][^"'”’»\n]{0,80})["'”’»]/giu;

/** Names in quotes, then runs of up to four capitalised words. Runs of several come first, so that `Ada Lovelace` comes before `London`. */
function readNames(text: string): string[] {
  const runs: string[] = [];
  let run: string[] = [];
  const close = (): void => {
    if (run.length > 0) runs.push(run.join(" "));
    run = [];
  };
  let before = "";
  for (const [token] of text.matchAll(/[\p{L}\p{M}'’-]+|[^\p{L}\p{M}\s]|\n/gu)) {
    const isName =
      /^\p{Lu}[\p{L}\p{M}'’-]*$/u.test(token) && !/^[\p{Lu}-]{2,}$/u.test(token) && !NO_NAMES.has(token.toLowerCase());
    if (!isName || run.length === 4) close();
    // The name after "in" is a place.
    if (isName && before !== "in") run.push(token.replace(/['’]s$/, ""));
    before = token;
  }
  close();
  return [
    ...matches(text, QUOTED_NAME),
    ...runs.filter((name) => name.includes(" ")),
    ...runs.filter((name) => !name.includes(" ")),
  ];
}

function said(text: string, key: string): string | undefined {
  const words = wordsOfKey(key).slice(0, 6);
  if (words.length === 0) return undefined;
  const phrase = words.map((word) => word.slice(0, 40).replace(/[^\p{L}\p{N}]/gu, "")).join("[ _-]?");
  const match = new RegExp(
    `(?<![\\p{L}\\p{N}])${phrase}["']?[ \\t]{0,4}(?::|=|\\bis\\b|\\bwas\\b|\\bare\\b)[ \\t]{0,4}["']?((?:[^\\n,;"']|,(?=\\d)){1,120})`,
    "iu",
  ).exec(text);
  const value = match?.[1]?.split(/[.!?](?:\s|$)| and (?:my|his|her|their|the)\b/)[0]?.trim();
  return value === "" ? undefined : value;
}
