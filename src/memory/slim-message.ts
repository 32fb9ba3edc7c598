/**
 * Reduces a message to what is remembered: its text and tool calls. Pictures, sound and files are named, not stored; thinking is dropped.
 */
import { callsAsText } from "../logs/call.ts";
import { type ChatMessage, type ContentPart, withoutThoughts } from "../providers/provider.ts";

export const slimMessage = (message: ChatMessage): ChatMessage =>
  ({ ...withoutThoughts(message), content: wordsOf(message.content) }) as ChatMessage;

const wordsOf = (content: string | ContentPart[]): string =>
  typeof content === "string" ? content : content.map(wordsOfPart).join("\n");

const wordsOfPart = (part: ContentPart): string => {
  if (part.type === "text") return part.insteadOf === undefined ? part.text : wordsOfPart(part.insteadOf);
  return part.type === "document" && part.name !== undefined ? `[document: ${part.name}]` : `[${part.type}]`;
};

/** As a person reads it: the text, or the calls if there is none. */
export const readableText = (message: ChatMessage): string => {
  const words = wordsOf(message.content);
  if (words !== "" || message.role !== "assistant") return words;
  return callsAsText(message.toolCalls ?? []);
};
