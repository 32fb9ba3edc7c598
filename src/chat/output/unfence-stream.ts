/** JSON that was asked for, without the code fence that many models set around it, while it flows: as whole answers leave. */

import type { ChatEvent } from "../../providers/provider.ts";

/** What is to be handed on of an event. Held back is only what may yet be part of a fence. */
type Unfence = (event: ChatEvent) => readonly ChatEvent[];

/** A fence's first line, and how the object or list in it begins. */
const OPENED = /^\s*```[\w+-]*[ \t]*\r?\n\s*(?=[{[])/;
/** May still become that. */
const MAY_OPEN = /^\s*(?:`{0,2}|```[\w+-]*[ \t]*\r?|```[\w+-]*[ \t]*\r?\n\s*)$/;
/** No string of JSON holds a line's end, so this is none of its text. */
const CLOSING = /\n[ \t]*```/;
const ENDS_TEXT: ReadonlySet<ChatEvent["type"]> = new Set(["tool-start", "refusal", "finish"]);
/** Longer runs of blanks are no fence any more: so much is looked at again with each piece. */
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

/** How many of the last characters may belong to a closing fence: blanks and backticks. */
const endOfFenceIn = (text: string): number => {
  let at = text.length;
  while (at > 0 && text.length - at < LONGEST_HELD && " \t\r\n`".includes(text[at - 1]!)) at--;
  return text.length - at;
};
