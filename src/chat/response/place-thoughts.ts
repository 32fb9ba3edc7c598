/** An answer's text with its thoughts between, each where it was thought. */

import { type ChatResult, isPlain, type Thought } from "../../providers/provider.ts";

type Piece = { type: "text"; text: string } | { type: "thought"; thought: Thought };

export const placeThoughts = ({ text, thoughts = [] }: Pick<ChatResult, "text" | "thoughts">): Piece[] => {
  const pieces: Piece[] = [];
  let at = 0;
  const textUntil = (end: number): void => {
    if (end <= at) return;
    pieces.push({ type: "text", text: text.slice(at, end) });
    at = end;
  };
  for (const { thought, textBefore } of thoughts) {
    textUntil(textBefore);
    pieces.push({ type: "thought", thought });
  }
  textUntil(text.length);
  return pieces;
};

/** The thoughts that are plain text, for the vendors that want them back so. */
export const plainThoughts = ({ thoughts = [] }: Pick<ChatResult, "thoughts">): string =>
  thoughts.map(({ thought }) => (isPlain(thought) ? thought.text : "")).join("");
