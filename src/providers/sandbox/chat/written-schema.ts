/** A JSON Schema written into a prompt, as libraries do for models without structured output. */

import { jsonOf } from "../../../lib/is-json.ts";
import { isRecord } from "../../../lib/is-record.ts";
import type { Schema } from "../json/merge-schemas.ts";

/** `text`: the schema as the prompt writes it. */
export type WrittenSchema = { schema: Schema; text: string };

/** Bounds of the search: characters of the prompt, and opening braces tried. */
const READ_CHARACTERS = 20_000;
const TRIES = 50;

/** The last schema in the text, because an example that explains schemas may come first. */
export const writtenSchema = (words: string): WrittenSchema | undefined =>
  objectsIn(words.slice(0, READ_CHARACTERS)).findLast(
    ({ schema }) => isRecord(schema["properties"]) || isRecord(schema["items"]),
  );

/** The outermost JSON objects. */
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

/** The index after the brace that closes the one at `start`. Skips strings, also one that never ends, which keeps this linear. */
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
