/**
 * Decodes escapes of JSON and of Markdown (`\_`) in a text of any kind, and the `@` of addresses in URLs, so that neither `\u0040` nor `\@`
 * nor `%40` can hide one, and maps offsets back to the original.
 */

import { type OffsetMap, offsetMap } from "./offset-map.ts";

/** The decoded text, mapped to the written one. */
type ReadText = OffsetMap & {
  text: string;
  /** `index` of the written text, moved back to the beginning of an escape around it. */
  before(index: number): number;
  /** `index` of the written text, moved on to the end of an escape around it. */
  after(index: number): number;
};

/** JSON inside a JSON string doubles its backslashes, or writes them `\u005c`. Longer runs are not decoded. */
const ESCAPE = /(?<!\\)\\(?:\\|u005c){0,64}(?:u([0-9a-f]{4})|([bfnrt!-/:-@[\]^-`{-~]))|%40/gi;
/** An escape that may be incomplete. */
const UNFINISHED = /(?<!\\)\\(?:\\|u005c){0,64}(?:u[0-9a-f]{0,3})?$|%4?$/i;
const LONGEST_UNFINISHED = 330;

/** Line ends and control characters decode to a blank, so that the decoded text has the lines of the written one. */
const characterOf = (hex: string | undefined, mark: string | undefined): string => {
  const character = hex === undefined ? (mark ?? "@") : String.fromCharCode(Number.parseInt(hex, 16));
  return character < " " || /[a-z]/i.test(mark ?? "") ? " " : character;
};

/** Undefined if there are no escapes. An incomplete escape at the end is left out, unless the text has `ended`. */
export const readEscapes = (written: string, ended: boolean): ReadText | undefined => {
  if (!written.includes("\\") && !written.includes("%")) return undefined;
  const tail = ended ? -1 : written.slice(-LONGEST_UNFINISHED).search(UNFINISHED);
  const end = tail < 0 ? written.length : Math.max(0, written.length - LONGEST_UNFINISHED) + tail;
  const inner = [0];
  const outer = [0];
  let text = "";
  let at = 0;
  for (const { index, 0: sequence, 1: hex, 2: mark } of written.slice(0, end).matchAll(ESCAPE)) {
    text += written.slice(at, index);
    at = index + sequence.length;
    inner.push(text.length, text.length + 1);
    outer.push(index, at);
    text += characterOf(hex, mark);
  }
  if (at === 0 && tail < 0) return undefined;
  text += written.slice(at, end);
  const { inward, outward } = offsetMap(inner, outer, text.length);
  const after = (index: number): number => (index >= end ? index : outward(inward(index)));
  const before = (index: number): number => (after(index) > index ? outward(inward(index) - 1) : index);
  return { text, inward, outward, before, after };
};
