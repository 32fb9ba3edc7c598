/**
 * Decodes escapes of JSON and of Markdown (`\_`), the signs that URLs escape and references to characters of HTML, which Markdown shows too, in
 * a text of any kind, so that neither `\u0040` nor `\@` nor `%40` nor `&#64;` can hide an address, and maps offsets back to the original.
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

/** Signs with their names in HTML. Those of letters hide no number and no address. */
const NAMED: ReadonlyMap<string, string> = new Map(
  [
    ["@", "commat"],
    [".", "period"],
    ["_", "lowbar"],
    ["-", "hyphen dash ndash mdash"],
    ["/", "sol"],
    [":", "colon"],
    ["+", "plus"],
    ["(", "lpar"],
    [")", "rpar"],
    ["#", "num"],
    ["&", "amp"],
    ["<", "lt"],
    [">", "gt"],
    ["'", "apos"],
    ['"', "quot"],
    [" ", "nbsp ensp emsp thinsp"],
    ["\xad", "shy zwj"],
  ].flatMap(([sign = "", names = ""]) => names.split(" ").map((name) => [name, sign] as const)),
);

/** JSON inside a JSON string doubles its backslashes, or writes them `\u005c`. Longer runs are not decoded. */
const ESCAPE = new RegExp(
  "(?<!\\\\)\\\\(?:\\\\|u005c){0,64}(?:u([0-9a-f]{4})|([bfnrt!-/:-@[\\]^-`{-~]))" +
    `|%(2[089bd]|2f(?=\\d)|40)|&(?:#x([0-9a-f]{1,4})|#(\\d{1,5})|(${[...NAMED.keys()].join("|")}));`,
  "gi",
);
/** An escape that may be incomplete. */
const UNFINISHED = /(?<!\\)\\(?:\\|u005c){0,64}(?:u[0-9a-f]{0,3})?$|%(?:[24]|2f)?$|&#?[0-9a-z]{0,6}$/i;
const LONGEST_UNFINISHED = 330;
const OPENS_ESCAPE = /[\\%&]/;

/** Line ends and control characters decode to a blank, so that the decoded text has the lines of the written one. */
const characterOf = ([, json, mark, url, hex, decimal, name]: readonly (string | undefined)[]): string => {
  if (name !== undefined) return NAMED.get(name.toLowerCase())!;
  if (mark !== undefined) return /[a-z]/i.test(mark) ? " " : mark;
  const code = decimal === undefined ? Number.parseInt((json ?? url ?? hex)!, 16) : Number(decimal);
  return code < 0x20 || code > 0xffff ? " " : String.fromCharCode(code);
};

/** Undefined if there are no escapes. An incomplete escape at the end is left out, unless the text has `ended`. */
export const readEscapes = (written: string, ended: boolean): ReadText | undefined => {
  if (!OPENS_ESCAPE.test(written)) return undefined;
  const tail = ended ? -1 : written.slice(-LONGEST_UNFINISHED).search(UNFINISHED);
  const end = tail < 0 ? written.length : Math.max(0, written.length - LONGEST_UNFINISHED) + tail;
  const inner = [0];
  const outer = [0];
  let text = "";
  let at = 0;
  for (const match of written.slice(0, end).matchAll(ESCAPE)) {
    const { index } = match;
    text += written.slice(at, index);
    at = index + match[0].length;
    inner.push(text.length, text.length + 1);
    outer.push(index, at);
    text += characterOf(match);
  }
  if (at === 0 && tail < 0) return undefined;
  text += written.slice(at, end);
  const { inward, outward } = offsetMap(inner, outer, text.length);
  const after = (index: number): number => (index >= end ? index : outward(inward(index)));
  const before = (index: number): number => (after(index) > index ? outward(inward(index) - 1) : index);
  return { text, inward, outward, before, after };
};
