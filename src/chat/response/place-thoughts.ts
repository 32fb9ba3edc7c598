/** An answer's text and thinking, interleaved in their original order. */

import { type ChatResult, isPlain, type Thought } from "../../providers/provider.ts";

type Thoughts = NonNullable<ChatResult["thoughts"]>;
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

/** The thinking for callers that asked for it: that of vendors who sign nothing comes before the text. */
export const shownThoughts = ({ thoughts = [], reasoning }: Pick<ChatResult, "thoughts" | "reasoning">): Thoughts =>
  thoughts.length > 0 || !reasoning ? thoughts : [{ thought: { text: reasoning }, textBefore: 0 }];

/** Thinking in plain text, for vendors that want it back in that form. */
export const plainThoughts = ({ thoughts = [] }: Pick<ChatResult, "thoughts">): string =>
  thoughts.map(({ thought }) => (isPlain(thought) ? thought.text : "")).join("");
