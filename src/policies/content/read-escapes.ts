/** A text with the escapes of JSON in it read, so that `\u0040` hides no `@` where nobody knows what is JSON, and the way back to its own offsets. */

import { lastUpTo } from "../../lib/last-up-to.ts";

type ReadText = {
  text: string;
  /** Where what stands at `index` of the text as it is written, or comes next, stands in the one that is read. */
  inward(index: number): number;
  /** Where the character at `index` of the read text begins in the written one. */
  outward(index: number): number;
  /** `index` of the written text; the beginning of the escape that it stands within. */
  before(index: number): number;
  /** `index` of the written text; the end of the escape that it stands within. */
  after(index: number): number;
};

/** JSON within a string of JSON doubles its backslashes, or writes them `\u005c`. Of a longer run, nobody reads the end. */
const ESCAPE = /(?<!\\)\\(?:\\|u005c){0,64}(?:u([0-9a-f]{4})|(["/bfnrt]))/gi;
/** An escape whose end may still come. */
const UNFINISHED = /(?<!\\)\\(?:\\|u005c){0,64}(?:u[0-9a-f]{0,3})?$/i;
const LONGEST_UNFINISHED = 330;

/** Blanks and controls are a blank: the lines of a text are those that it is written in. */
const characterOf = (hex: string | undefined, mark: string | undefined): string => {
  const character = hex === undefined ? mark! : String.fromCharCode(Number.parseInt(hex, 16));
  return character < " " || /[a-z]/i.test(mark ?? "") ? " " : character;
};

/** Undefined where there is nothing to read. An escape that has begun and may go on, unless the text has `ended`, is left out at the end. */
export const readEscapes = (written: string, ended: boolean): ReadText | undefined => {
  if (!written.includes("\\")) return undefined;
  const tail = ended ? -1 : written.slice(-LONGEST_UNFINISHED).search(UNFINISHED);
  const end = tail < 0 ? written.length : Math.max(0, written.length - LONGEST_UNFINISHED) + tail;
  // From inner[k] on, the read text is the written one from outer[k] on.
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
  const inward = (index: number): number => {
    const piece = lastUpTo(outer, index);
    return Math.min(inner[piece]! + index - outer[piece]!, inner[piece + 1] ?? text.length);
  };
  const outward = (index: number): number => {
    const piece = lastUpTo(inner, index);
    return outer[piece]! + index - inner[piece]!;
  };
  const after = (index: number): number => (index >= end ? index : outward(inward(index)));
  text += written.slice(at, end);
  return {
    text,
    inward,
    outward,
    before: (index) => (after(index) > index ? outward(inward(index) - 1) : index),
    after,
  };
};
