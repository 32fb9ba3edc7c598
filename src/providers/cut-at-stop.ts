/**
 * Ends answers at the caller's stop sequences, since many vendors support only four or five, and some none. If a vendor stops by itself,
 * nothing is found here.
 */

import type { ChatEvent, ChatRequest, TakeEvents } from "./provider.ts";

/** A stop sequence, how much of it has been matched, and where to fall back on a mismatch (Knuth-Morris-Pratt). */
type Sequence = { text: string; borders: Uint32Array; matched: number };

/** For each prefix, the length of the longest shorter prefix that it ends with. */
const bordersOf = (text: string): Uint32Array => {
  const borders = new Uint32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1]!;
    if (text[at] === text[length]) length++;
    borders[at] = length;
  }
  return borders;
};

const advance = (sequence: Sequence, letter: string): void => {
  const { text, borders } = sequence;
  while (sequence.matched > 0 && text[sequence.matched] !== letter) sequence.matched = borders[sequence.matched - 1]!;
  if (text[sequence.matched] === letter) sequence.matched++;
};

type Scan = { text: string; sequence?: string };

/**
 * Scans in linear time: returns what may be sent of each piece, and the sequence once one is complete. Text that may begin a sequence is
 * held back.
 */
const createScanner = (stop: readonly string[]) => {
  const sequences = stop.map((text): Sequence => ({ text, borders: bordersOf(text), matched: 0 }));
  let held = "";
  return {
    push: (piece: string): Scan => {
      const text = held + piece;
      for (let at = held.length; at < text.length; at++) {
        for (const sequence of sequences) advance(sequence, text[at]!);
        const longest = longestOf(sequences);
        if (longest === undefined) continue;
        return { text: text.slice(0, at + 1 - longest.length), sequence: longest };
      }
      const waiting = Math.max(...sequences.map(({ matched }) => matched));
      held = waiting === 0 ? "" : text.slice(-waiting);
      return { text: text.slice(0, text.length - waiting) };
    },
    /** Call it at the end: returns what was held back. */
    rest: (): string => {
      const text = held;
      held = "";
      for (const sequence of sequences) sequence.matched = 0;
      return text;
    },
  };
};

/** Of the sequences that are complete at this character, the one that began first. */
const longestOf = (sequences: readonly Sequence[]): string | undefined => {
  let longest: string | undefined;
  for (const { text, matched } of sequences) if (matched === text.length && text.length > (longest?.length ?? 0)) longest = text;
  return longest;
};

/** Tool calls after the sequence are left out as well; an upstream that still streams is told that no more is wanted. */
export const cutAtStop = (take: TakeEvents, { stop = [] }: Pick<ChatRequest, "stop">): TakeEvents => {
  if (stop.length === 0) return take;
  const scanner = createScanner(stop);
  return (events) => {
    const cut: ChatEvent[] = [];
    for (const [index, event] of events.entries()) {
      const scan: Scan = event.type === "text" ? scanner.push(event.text) : { text: endsText(event) ? scanner.rest() : "" };
      if (scan.text !== "") cut.push({ type: "text", text: scan.text });
      if (scan.sequence !== undefined) return endAt(scan.sequence, cut, events.slice(index + 1), take);
      if (event.type !== "text") cut.push(event);
    }
    return cut.length === 0 || take(cut);
  };
};

const endsText = ({ type }: ChatEvent): boolean => type !== "usage" && type !== "reasoning";

/** Usage in the same batch is still passed on. */
const endAt = (
  stopSequence: string,
  cut: readonly ChatEvent[],
  after: readonly ChatEvent[],
  take: TakeEvents,
): false | Promise<false> => {
  const usage = after.filter(({ type }) => type === "usage");
  const finish = after.find((event) => event.type === "finish") ?? ({ type: "finish", isCut: true } as const);
  const goesOn = take([...cut, ...usage, { ...finish, reason: "stop", stopSequence }]);
  return typeof goesOn === "boolean" ? false : goesOn.then(() => false as const);
};
