/** Finds the end of a string whose closing quote was forgotten. */
import { matchAt, type Reader, type Role } from "./json-reader.ts";

const KEY_TAIL = /[^"\\\n:,{}]{1,60}"\s*:/y;
const ELEMENT_TAIL = /[^"\\\n\s][^"\\\n]{0,400}(?:\\.[^"\\\n]{0,400}){0,20}"\s*(?:,\s*["\d{[\]tfn-]|\])/y;
/** How many characters around a quote are looked at. */
export const MAX_LOOK_AHEAD = 400;

/** The offset at which the string should have ended, if the quote at `at` looks like the start of the next key or element. */
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
  const inNext = /[{[]/.test(text[before]!);
  const end = comma ? before : before + 1;
  if ((comma || onOwnLine || inNext) && matchAt(KEY_TAIL, text, at + 1)) {
    const closed = closedBefore(reader, start, end);
    if ((role === "member" && !inNext) || closed < end) return closed;
  }
  if (role === "element" && comma && matchAt(ELEMENT_TAIL, text, at + 1)) return before;
  return undefined;
};

/**
 * In `"red], "b": …` and `"red]}, {"b": …`: the offset of the first bracket that closes an open container; `end` if there is none. `end` is
 * behind what opens the next one.
 */
const closedBefore = ({ text, closers }: Reader, start: number, end: number): number => {
  const due = [...closers].reverse().join("");
  const found: number[] = [];
  for (let at = end - 1; at >= start && end - at < MAX_LOOK_AHEAD && found.length < MOST_CLOSERS; at--) {
    const char = text[at] as string;
    if (/[}\])]/.test(char)) found.unshift(at);
    else if (!/[\s,{[]/.test(char)) break;
  }
  const closing = found.map((at) => text[at]).join("");
  const isClosing = (from: number, index: number): boolean =>
    due.startsWith(closing.slice(index)) && isEven(text, Math.max(start, from - MAX_LOOK_AHEAD), from);
  let first = found.find(isClosing);
  if (first === undefined) return end;
  while (first > start && /\s/.test(text[first - 1]!)) first--;
  return first;
};
const MOST_CLOSERS = 20;

/** Whether as many brackets close as open between `from` and `to`. */
const isEven = (text: string, from: number, to: number): boolean => {
  let open = 0;
  for (let at = from; at < to; at++) {
    const char = text[at];
    if (char === "{" || char === "[") open++;
    else if (char === "}" || char === "]") open--;
  }
  return open === 0;
};

/** The offset at the end of the text from which brackets close the open containers; those before, as in `"see (b)]`, belong to the string. */
export const closedFrom = ({ text, closers }: Reader, start: number): number => {
  const tail = /[\s}\])]*$/.exec(text.slice(Math.max(start, text.length - MAX_LOOK_AHEAD)))![0];
  const due = [...closers].reverse().join("");
  for (let from = text.length - tail.length; from < text.length; from++) {
    const closing = text.slice(from).replace(/\s/g, "");
    if (closing !== "" && due.startsWith(closing)) return from;
    // A quote in between suggests several strings, and then the brackets are not part of this one.
    if (text.indexOf('"', start) >= 0) break;
  }
  return text.length;
};
