/**
 * Undoes what was done to a whole JSON text: escaped once too often or for Markdown, put into quotes, written in HTML entities, its first
 * brace left out.
 */
import { keyIsAhead, type Repair } from "./json-reader.ts";

type Layer = { text: string; repairs: Repair[] };

const ENTITIES: Record<string, string> = { quot: '"', apos: "'", "#39": "'", "#34": '"', lt: "<", gt: ">", amp: "&" };

/** The unwrapped forms of the text, most likely first; the text itself is last. */
export const unwrapLayers = (text: string): Layer[] => {
  const layers: Layer[] = [];
  const add = (unwrapped: string, repair: Repair): void => void layers.push({ text: unwrapped, repairs: [repair] });
  if (/^["'`]\s*[{[]/.test(text)) add(unescapeOnce(text.slice(1).replace(/["'`]\s*;?$/, "")).trim(), "json_in_string");
  if (isEscaped(text)) add(unescapeOnce(text), "json_in_string");
  if (/^[{[][\s{[]*&(?:quot|#34);/.test(text)) add(decodeEntities(text), "html_entities");
  if (/^\\?[{[]/.test(text) && MARKDOWN_BRACKET.test(text)) add(text.replace(MARKDOWN_ESCAPE, "$1"), "backslash");
  if (text.startsWith('"') && keyIsAhead(text, 0)) add(`{${text}`, "missing_braces");
  return [...layers, { text, repairs: [] }];
};

/** `\{"a": 1\}`, `"tags": \["x"\]`: a bracket of the JSON itself, not one in a string. */
const MARKDOWN_BRACKET = /^\\\{|"\s*:\s*\\[[{]/;
const MARKDOWN_ESCAPE = /\\([[\]{}_*~#|<>-])/g;

const isEscaped = (text: string): boolean =>
  /^[{[](?:\s|\\n|[{[])*\\+"/.test(text) || (/^[{[]/.test(text) && isEscapedThroughout(text));

/** Quotes begin keys or values, and a backslash stands before each. */
const isEscapedThroughout = (text: string): boolean => /[{[,:]\s*\\"/.test(text) && !/(?<!\\)"/.test(text);

/** `{\"a\": \"b\"}` as it was before it was put into a string; text that was not escaped stays. */
const unescapeOnce = (text: string): string =>
  isEscaped(text)
    ? text.replace(/\\(["\\/nrt])/g, (_whole, char: string) => ({ n: "\n", r: "\r", t: "\t" })[char] ?? char)
    : text;

const decodeEntities = (text: string): string =>
  text.replace(/&(quot|apos|#39|#34|lt|gt|amp);/g, (_whole, name: string) => ENTITIES[name] ?? "");
