/**
 * Puts turns into the order that Mistral requires: system first, an answer between results and the user's next message, and the user or a
 * tool last.
 */

import { plainText, systemText } from "../dialect/message-parts.ts";
import type { ChatMessage } from "../provider.ts";

const BRIDGE: ChatMessage = { role: "assistant", content: "OK." };

const saysNothing = (message: ChatMessage): boolean =>
  message.role === "assistant" && !message.toolCalls?.length && plainText(message.content).trim() === "";

/** Mistral refuses them. */
const withoutName = (message: ChatMessage): ChatMessage => {
  if (!("name" in message)) return message;
  const { name: _, ...rest } = message;
  return rest;
};

export const strictTurns = (messages: ChatMessage[]): ChatMessage[] => {
  const system = systemText(messages);
  const turns: ChatMessage[] = system === "" ? [] : [{ role: "system", content: system }];
  for (const message of messages) {
    if (message.role === "system" || saysNothing(message)) continue;
    if (message.role === "user" && turns.at(-1)?.role === "tool") turns.push(BRIDGE);
    turns.push(withoutName(message));
  }
  const last = turns.at(-1)?.role;
  if (last !== "user" && last !== "tool") turns.push({ role: "user", content: last === "assistant" ? "Continue." : "Begin." });
  return turns;
};
