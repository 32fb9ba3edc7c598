/**
 * Puts turns into the order that Mistral requires: system first, every result beside its call, an answer between results and the user's
 * next message, and the user or a tool last.
 */

import { pairedToolIds } from "../dialect/merge-turns.ts";
import { plainText, systemText } from "../dialect/message-parts.ts";
import type { ChatMessage } from "../provider.ts";

const BRIDGE: ChatMessage = { role: "assistant", content: "OK." };

/** A message without its unpaired calls or results; undefined if nothing is left. Names are refused there. */
const placed = (message: ChatMessage, paired: Set<string>): ChatMessage | undefined => {
  switch (message.role) {
    case "system":
      return undefined;
    case "user":
      return { role: "user", content: message.content };
    case "tool":
      return paired.has(message.toolCallId) ? message : undefined;
    case "assistant": {
      const toolCalls = (message.toolCalls ?? []).filter(({ id }) => paired.has(id));
      if (toolCalls.length > 0) return { ...message, toolCalls };
      return plainText(message.content).trim() === "" ? undefined : { role: "assistant", content: message.content };
    }
  }
};

export const strictTurns = (messages: ChatMessage[]): ChatMessage[] => {
  const paired = pairedToolIds(messages);
  const system = systemText(messages);
  const turns: ChatMessage[] = system === "" ? [] : [{ role: "system", content: system }];
  for (const message of messages) {
    const turn = placed(message, paired);
    if (turn === undefined) continue;
    if (turn.role === "user" && turns.at(-1)?.role === "tool") turns.push(BRIDGE);
    turns.push(turn);
  }
  if (turns.at(-1)?.role === "assistant") turns.push({ role: "user", content: "Continue." });
  return turns;
};
