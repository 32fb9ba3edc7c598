/** An answer's text and thinking, interleaved in their original order. Thinking of vendors who sign nothing comes before the text. */

import type { ChatResult, Thought } from "../../providers/provider.ts";

type Piece = { type: "text"; text: string } | { type: "thought"; thought: Thought };

export const placeThoughts = (result: Pick<ChatResult, "text" | "thoughts" | "reasoning">): Piece[] => {
  const { text, reasoning, thoughts = reasoning ? [{ thought: { text: reasoning }, textBefore: 0 }] : [] } = result;
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
