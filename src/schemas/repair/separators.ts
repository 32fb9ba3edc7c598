/** Reads what stands between the parts of an object or list: separators, things left out, and the bracket at the end. */
import { closesTooOften, isBalanced, matchAt, peek, type Reader, skipFiller, take } from "./json-reader.ts";

const COMMA = /[,，、;]/y;
const NEXT_MEMBER = /\s*,\s*"[^"\\\n]{1,100}"\s*:/y;
const NEXT_VALUE = /\s*,\s*["{[\d-]/y;
/** Something is left out here: `...`, `[truncated]`, `(output cut off)`. */
const ELLIPSIS =
  /(?:\.\.\.+\w*|…)|[([<][\s.…]{0,4}(?:\w{1,12} ){0,4}(?:truncated|continue[sd]?|cut off|omitted)(?: \w{1,12}){0,5}[\s.…]{0,4}[)\]>]/iy;

/**
 * Whether the container ends here, and steps over what ends it. A bracket that closes a container further out ends this one too and
 * stays. One that closes nothing was meant to close this one, and so was any other if no bracket of the text is missing.
 */
export const ends = (reader: Reader): boolean => {
  skipFiller(reader);
  const char = peek(reader);
  if (char === "") reader.repairs.add("truncated");
  if (!isCloser(char)) return char === "";
  const isDue = char === reader.closers.at(-1);
  if (!isDue) reader.repairs.add("mismatched_bracket");
  if (isDue || !reader.closers.includes(char) || isBalanced(reader)) reader.at++;
  return true;
};

/** Steps over separators. `due`: one must stand here, because something was read before. */
export const skipSeparators = (reader: Reader, due: boolean): void => {
  let commas = 0;
  for (;;) {
    skipFiller(reader);
    if (take(reader, COMMA) !== undefined) {
      if (reader.text[reader.at - 1] !== ",") reader.repairs.add("quotes");
      commas++;
    } else if (take(reader, ELLIPSIS) !== undefined) reader.repairs.add("ellipsis");
    else if (due && isSurplus(reader)) {
      reader.at++;
      reader.repairs.add("mismatched_bracket");
    } else break;
  }
  const char = peek(reader);
  if (commas > (due ? 1 : 0) || (commas > 0 && isCloser(char))) reader.repairs.add("extra_comma");
  if (due && commas === 0 && char !== "" && !isCloser(char)) reader.repairs.add("missing_comma");
};

/** `[{"a": 1}}, {"a": 2}]`, `[{"a": [1]]}]`: whether a bracket was written twice, and the container goes on. */
const isSurplus = (reader: Reader): boolean => {
  const { text, at, closers } = reader;
  const char = text[at] ?? "";
  const due = closers.at(-1);
  if (!isCloser(char) || char === due) return false;
  const before = text.slice(Math.max(0, at - 40), at).trimEnd();
  if (!before.endsWith(char)) return false;
  if (closers.includes(char)) return closesTooOften(reader, char);
  return matchAt(due === "}" ? NEXT_MEMBER : NEXT_VALUE, text, at + 1) !== undefined;
};

const isCloser = (char: string): boolean => char === "}" || char === "]" || char === ")";
