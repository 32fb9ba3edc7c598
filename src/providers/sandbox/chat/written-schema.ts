/** A JSON Schema in the words of a prompt: how libraries ask for structure from models that have no structured output. */

import { jsonOf } from "../../../lib/is-json.ts";
import { isRecord } from "../../../lib/is-record.ts";
import type { Schema } from "../json/merge-schemas.ts";

/** `text` is how it stands in the prompt. */
export type WrittenSchema = { schema: Schema; text: string };

/** Beyond this much text, and after so many braces that begin no JSON, nothing is looked for. */
const READ_CHARACTERS = 20_000;
const TRIES = 50;

/** The last one, for the first may explain what a schema is. */
export const writtenSchema = (words: string): WrittenSchema | undefined =>
  objectsIn(words.slice(0, READ_CHARACTERS)).findLast(
    ({ schema }) => isRecord(schema["properties"]) || isRecord(schema["items"]),
  );

/** The outermost objects that can be read. */
const objectsIn = (words: string): WrittenSchema[] => {
  const found: WrittenSchema[] = [];
  let at = words.indexOf("{");
  for (let tried = 0; at !== -1 && tried < TRIES; tried++) {
    const text = words.slice(at, endOfObject(words, at));
    const schema = readObject(text);
    if (schema !== undefined) found.push({ schema, text });
    at = words.indexOf("{", at + (schema === undefined ? 1 : text.length));
  }
  return found;
};

/** Behind the brace that closes the one at `start`; braces in strings are none. A string that never ends is one, so that this stays linear. */
const endOfObject = (words: string, start: number): number => {
  const token = /"(?:[^"\\]|\\.)*"?|[{}]/gs;
  token.lastIndex = start;
  let depth = 0;
  for (let match = token.exec(words); match; match = token.exec(words)) {
    if (match[0] === "{") depth++;
    if (match[0] === "}" && --depth === 0) return token.lastIndex;
  }
  return words.length;
};

const readObject = (text: string): Schema | undefined => {
  const value = jsonOf(text);
  return isRecord(value) ? value : undefined;
};
