/**
 * Puts turns into the order that Mistral requires: system first, an answer between results and the user's next message, and the user or a
 * tool last.
 */

import { plainText, systemText } from "../dialect/message-parts.ts";
import type { ChatMessage } from "../provider.ts";

const BRIDGE: ChatMessage = { role: "assistant", content: "OK." };

const saysNothing = (message: ChatMessage): boolean =>
  message.role === "assistant" && !message.toolCalls?.length && plainText(message.content).trim() === "";

export const strictTurns = (messages: ChatMessage[]): ChatMessage[] => {
  const system = systemText(messages);
  const turns: ChatMessage[] = system === "" ? [] : [{ role: "system", content: system }];
  for (const message of messages) {
    if (message.role === "system" || saysNothing(message)) continue;
    if (message.role === "user" && turns.at(-1)?.role === "tool") turns.push(BRIDGE);
    // Mistral refuses names of users.
    turns.push(message.role === "user" ? { role: "user", content: message.content } : message);
  }
  const last = turns.at(-1)?.role;
  if (last !== "user" && last !== "tool") turns.push({ role: "user", content: last === "assistant" ? "Continue." : "Begin." });
  return turns;
};
