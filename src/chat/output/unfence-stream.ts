/** Removes the code fence that many models put around requested JSON from a stream, as is done with whole answers. */

import type { ChatEvent } from "../../providers/provider.ts";

/** Returns what may be sent on after an event; holds back only text that may still belong to a fence. */
type Unfence = (event: ChatEvent) => readonly ChatEvent[];

/** The first line of a fence, and the beginning of the object or list in it. */
const OPENED = /^\s*```[\w+-]*[ \t]*\r?\n\s*(?=[{[])/;
/** A beginning that may still become `OPENED`. */
const MAY_OPEN = /^\s*(?:`{0,2}|```[\w+-]*[ \t]*\r?|```[\w+-]*[ \t]*\r?\n\s*)$/;
/** JSON strings cannot contain a line break, so this cannot be part of one. */
const CLOSING = /\n[ \t]*```/;
const ENDS_TEXT: ReadonlySet<ChatEvent["type"]> = new Set(["tool-start", "refusal", "finish"]);
/** Longer runs of blanks do not count as a fence; this much is searched again with each piece. */
const LONGEST_HELD = 256;

export const createUnfence = (): Unfence => {
  let state: "opening" | "inside" | "open" | "closed" = "opening";
  let held = "";

  const open = (): string => {
    const first = OPENED.exec(held.slice(0, LONGEST_HELD))?.[0];
    if (first === undefined && held.length < LONGEST_HELD && MAY_OPEN.test(held)) return "";
    state = first === undefined ? "open" : "inside";
    if (first === undefined) return release(held.length);
    held = held.slice(first.length);
    return inside();
  };
  const inside = (): string => {
    const closing = CLOSING.exec(held);
    if (closing === null) return release(held.length - Math.min(LONGEST_HELD, endOfFenceIn(held)));
    state = "closed";
    return release(closing.index);
  };
  const release = (length: number): string => {
    const text = held.slice(0, length);
    held = held.slice(length);
    return text;
  };
  const pushText = (text: string): string => {
    if (state === "open") return text;
    if (state === "closed") return "";
    held += text;
    return state === "opening" ? open() : inside();
  };
  const flush = (): string => {
    const rest = state === "closed" ? "" : state === "inside" ? held.replace(/\s*```\s*$/, "") : held;
    state = "open";
    held = "";
    return rest;
  };
  const asEvents = (text: string): ChatEvent[] => (text === "" ? [] : [{ type: "text", text }]);
  return (event) => {
    if (event.type === "text") return asEvents(pushText(event.text));
    return ENDS_TEXT.has(event.type) ? [...asEvents(flush()), event] : [event];
  };
};

/** How many of the last characters (blanks and backticks) may belong to a closing fence. */
const endOfFenceIn = (text: string): number => {
  let at = text.length;
  while (at > 0 && text.length - at < LONGEST_HELD && " \t\r\n`".includes(text[at - 1]!)) at--;
  return text.length - at;
};
