/** The turn rules of vendors that want user and assistant in strict alternation: what both Anthropic and Gemini need. */

import type { ChatMessage } from "../provider.ts";

/** `system`: what is said to the model in the middle, with those that take it there. */
export type Turn<Block> = { role: "user" | "assistant" | "system"; blocks: Block[] };

/** Joins neighbours of the same role; turns without content fall away. */
export const mergeTurns = <Block>(turns: Turn<Block>[]): Turn<Block>[] => {
  const merged: Turn<Block>[] = [];
  for (const turn of turns) {
    if (turn.blocks.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === turn.role) last.blocks.push(...turn.blocks);
    else merged.push({ role: turn.role, blocks: [...turn.blocks] });
  }
  return merged;
};

/**
 * Tool calls and results that have their counterpart. Vendors refuse a result without its call and a call without its
 * result; a history that was cut to fit the window has both kinds.
 */
export const pairedToolIds = (messages: ChatMessage[]): Set<string> => {
  const called = new Set(
    messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []).map((call) => call.id) : [])),
  );
  return new Set(
    messages.flatMap((message) => (message.role === "tool" && called.has(message.toolCallId) ? [message.toolCallId] : [])),
  );
};

/** A conversation has to begin and end with the user; an answer to be continued is followed by the wish for it. */
export const frameTurns = <Block>(
  turns: Turn<Block>[],
  textBlock: (text: string) => Block,
  fallbackText: string,
): Turn<Block>[] => {
  if (turns.length === 0) return [{ role: "user", blocks: [textBlock(fallbackText || "Begin.")] }];
  const framed = turns[0]!.role === "assistant" ? [{ role: "user" as const, blocks: [textBlock("Begin.")] }, ...turns] : turns;
  return framed.at(-1)!.role === "assistant" ? [...framed, { role: "user", blocks: [textBlock("Continue.")] }] : framed;
};
