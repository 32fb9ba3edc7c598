/** A whole chat answer, which each route shapes into its own wire format. */

import type { ChatResult, Thought } from "../../providers/provider.ts";
import type { ChatInput } from "../request/chat-input.ts";
import type { Svc } from "./completion-schema.ts";
import type { StreamPart } from "./outlet.ts";

export type Answer = {
  requestId: string;
  createdAtMs: number;
  /** Catalog id of the model that answered. */
  model: string;
  result: ChatResult;
  svc: Svc;
};

/** The answer without its thinking, unless the caller's API shows it. */
export const shown = ({ showsThinking }: ChatInput, result: ChatResult): ChatResult => {
  if (showsThinking !== undefined) return result;
  const { thoughts: _thoughts, reasoning: _reasoning, ...rest } = result;
  return rest;
};

type Piece = { type: "text"; text: string } | { type: "thought"; thought: Thought };

/** Its text and thinking, interleaved in their original order. Thinking of vendors who sign nothing comes before the text. */
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

/** The parts of a stream that sends all of it at once. */
export const partsOf = (result: ChatResult): StreamPart[] => {
  const { refusal, toolCalls, pictures = [] } = result;
  const parts: StreamPart[] = placeThoughts(result).map((part) =>
    part.type === "text" && refusal !== undefined ? { ...part, refusal } : part,
  );
  parts.push(...pictures.map((url) => ({ type: "picture" as const, url })));
  for (const [index, { id, name, arguments: text }] of toolCalls.entries())
    parts.push({ type: "tool-start", index, id, name }, { type: "tool-arguments", index, text });
  return parts;
};
