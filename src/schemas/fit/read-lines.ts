/** Reads an answer that was written in lines instead of JSON: `Name: value`, as in YAML and Markdown, or a list of items. */
import { jsonOf } from "../../lib/is-json.ts";
import { extractPassages } from "../repair/extract-json.ts";
import type { Repair } from "../repair/json-reader.ts";
import { type Spellings, spellingOfKey } from "./vocabulary.ts";

const LONGEST = 4_000;
/** `age: 36`, `- **Age:** 36`. */
const MEMBER = /^(?:[-*•] )?(?:\*\*|__)?(\p{L}[\p{L}\p{N} _-]{0,60})(?:\*\*|__)?[:：](?:\*\*|__)?\s+(\S.*)$/u;
/** `- red`, `2. red`. */
const ITEM = /^(?:[-*•]|\d{1,3}[.)])\s+(\S.*)$/;
const QUOTES = /^(?:'([^'\\]*)'|`([^`\\]*)`)$/;

type Lines = { value: Record<string, string> | string[]; repairs: Repair[] };

/** `names`: those of the schema's properties. Undefined if any line is something else. */
export const readLines = (names: Spellings, text: string): Lines | undefined => {
  if (text.length > LONGEST) return undefined;
  for (const passage of extractPassages(text)) {
    if (passage.kind === "embedded") continue;
    const lines = passage.text.split("\n").flatMap((line) => line.trim() || []);
    const value = readMembers(names, lines) ?? readItems(lines);
    if (value !== undefined) return { value, repairs: [...passage.repairs, "missing_braces"] };
  }
  return undefined;
};

/** Undefined if a name is unknown to the schema or repeated. */
const readMembers = (names: Spellings, lines: readonly string[]): Record<string, string> | undefined => {
  const record = new Map<string, string>();
  for (const line of lines) {
    const [, said = "", value = ""] = MEMBER.exec(line) ?? [];
    const name = names.get(spellingOfKey(said));
    if (name === undefined || record.has(name)) return undefined;
    record.set(name, withoutQuotes(value));
  }
  return record.size === 0 ? undefined : Object.fromEntries(record);
};

/** A single item may as well be a sentence. */
const readItems = (lines: readonly string[]): string[] | undefined => {
  const items = lines.flatMap((line) => ITEM.exec(line)?.[1] ?? []);
  return items.length > 1 && items.length === lines.length ? items.map(withoutQuotes) : undefined;
};

const withoutQuotes = (value: string): string => {
  const json = value.startsWith('"') ? jsonOf(value) : undefined;
  return typeof json === "string" ? json : value.replace(QUOTES, "$1$2");
};
