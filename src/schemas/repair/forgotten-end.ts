/** Where a string ends whose closing quote was forgotten. */
import { matchAt, type Reader, type Role } from "./json-reader.ts";

const KEY_TAIL = /[^"\\\n:,{}]{1,60}"\s*:/y;
const ELEMENT_TAIL = /[^"\\\n\s][^"\\\n]{0,100}"\s*(?:,\s*["\d{[\]tfn-]|\])/y;
/** How far is looked from a quote. */
export const MAX_LOOK_AHEAD = 400;

/** Where the string should have ended, if the quote at `at` looks like the start of the next key or element. */
export const forgottenEnd = (reader: Reader, start: number, at: number, role: Role): number | undefined => {
  const { text } = reader;
  if (role === "key") {
    const colon = text.slice(start, at).indexOf(":");
    return colon < 0 ? undefined : start + colon;
  }
  let before = at - 1;
  while (before > start && at - before < MAX_LOOK_AHEAD && /\s/.test(text[before] as string)) before--;
  const comma = text[before] === ",";
  const onOwnLine = text.slice(before + 1, at).includes("\n");
  const end = comma ? before : before + 1;
  if ((comma || onOwnLine) && matchAt(KEY_TAIL, text, at + 1)) {
    const closed = closedBefore(reader, start, end);
    if (role === "member" || closed < end) return closed;
  }
  if (role === "element" && comma && matchAt(ELEMENT_TAIL, text, at + 1)) return before;
  return undefined;
};

/** `"red], "b": …`: where brackets that the string did not open begin to close what is open, `end` where none do. */
const closedBefore = ({ text, closers }: Reader, start: number, end: number): number => {
  const due = [...closers].reverse().join("");
  let from = end;
  while (from > start && end - from < MOST_CLOSERS && /[\s}\])]/.test(text[from - 1] as string)) from--;
  for (; from < end; from++) {
    const closing = text.slice(from, end).replace(/\s/g, "");
    if (closing !== "" && due.startsWith(closing) && isEven(text, Math.max(start, from - MAX_LOOK_AHEAD), from)) return from;
  }
  return end;
};
const MOST_CLOSERS = 40;

/** As many brackets close there as open. */
const isEven = (text: string, from: number, to: number): boolean => {
  let open = 0;
  for (let at = from; at < to; at++) {
    const char = text[at];
    if (char === "{" || char === "[") open++;
    else if (char === "}" || char === "]") open--;
  }
  return open === 0;
};

/** Where the brackets at the end begin to close what is open; brackets before them, as in `"see (b)]`, belong to the string. */
export const closedFrom = ({ text, closers }: Reader, start: number): number => {
  const tail = /[\s}\])]*$/.exec(text.slice(Math.max(start, text.length - MAX_LOOK_AHEAD)))![0];
  const due = [...closers].reverse().join("");
  for (let from = text.length - tail.length; from < text.length; from++) {
    const closing = text.slice(from).replace(/\s/g, "");
    if (closing !== "" && due.startsWith(closing)) return from;
    // A quote within speaks for more than one string: then the brackets are not the string's own.
    if (text.indexOf('"', start) >= 0) break;
  }
  return text.length;
};
