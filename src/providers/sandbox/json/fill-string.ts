/** A string for a field: from the text if it says something for the field, else one that fits the schema. */

import { numberAt, textAt } from "../../../lib/json-at.ts";
import { ownValue } from "../../../lib/own-value.ts";
import { textFor } from "../text/facts-for-key.ts";
import { type Facts, wordsOfKey } from "../text/read-facts.ts";
import { suggestionsOf } from "./fill-number.ts";
import type { Schema } from "./merge-schemas.ts";
import type { Patterns } from "./patterns.ts";
import { DIGITS, LETTERS, nthSpelling } from "./texts-of-program.ts";

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

/** Undefined if the text has none and the field may be null. `nth`: of several that shall differ. */
export function stringFor(
  schema: Schema,
  key: string,
  { facts, patterns, nth }: { facts: Facts | undefined; patterns: Patterns; nth: number },
  nullable: boolean,
): string | undefined {
  const found = facts && textFor(key, facts);
  if (found === undefined && nullable && facts) return undefined;
  const fitting = found === undefined ? undefined : inFormat(schema, found);
  const [least, most] = [numberAt(schema, "minLength") ?? 0, numberAt(schema, "maxLength") ?? MAX_TEXT];
  const format = ownValue(FORMATS, textAt(schema, "format"));
  if (textAt(schema, "pattern") !== "") {
    const pattern = patterns(textAt(schema, "pattern"));
    const fits = (text: string | undefined) =>
      text !== undefined && text.length >= least && text.length <= most && pattern?.matches(text);
    const instance = (number: number) => pattern?.instance(Math.min(least, 1_000), most, number);
    return (nth === 0 ? [fitting, format].find(fits) : instance(nth)) ?? instance(0) ?? "";
  }
  const text = fitting ?? format ?? sampleOf(schema, key);
  return fitLength(nth === 0 ? text : otherText(schema, text, nth, most), least, most);
}

/** The text with a number added, if that fits; else with other digits, or if it has none with other letters. */
function otherText({ format }: Schema, text: string, nth: number, most: number): string {
  const numbered = `${text} ${nth + 1}`;
  if (format === undefined && numbered.length <= most) return numbered;
  const kinds = /\d/.test(text) ? [DIGITS] : [LETTERS, LETTERS.toUpperCase()];
  const choices = [...text.slice(0, most)].map((character) => {
    const kind = kinds.find((each) => each.includes(character)) ?? character;
    const at = kind.indexOf(character);
    return kind.slice(at) + kind.slice(0, at);
  });
  return nthSpelling(choices, nth) ?? text;
}

/** The text in the form of `format`; undefined if it has no such form. */
function inFormat({ format }: Schema, text: string): string | undefined {
  if (format === "date") return /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  if (format === "date-time")
    return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : Number.isNaN(Date.parse(text)) ? undefined : text;
  if (format === "email") return /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(text) ? text : undefined;
  if (format === "uri" || format === "url") return /^https?:\/\/\S+$/.test(text) ? text : undefined;
  return typeof format === "string" && Object.hasOwn(FORMATS, format) ? undefined : text;
}

function sampleOf(schema: Schema, key: string): string {
  const given = suggestionsOf(schema).find((value) => typeof value === "string");
  return given ?? (key === "" ? "text" : `sample ${wordsOfKey(key).join(" ")}`.trim());
}

function fitLength(text: string, least: number, most: number): string {
  const characters = [...text];
  if (characters.length > most) return characters.slice(0, most).join("").trimEnd().padEnd(Math.min(least, most), ".");
  return characters.length < least ? text.padEnd(text.length + Math.min(least, MAX_TEXT) - characters.length, ".") : text;
}
