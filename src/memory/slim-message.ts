/** What is remembered of a message: its words and tool calls. Pictures, sound and files are named, not kept; thoughts are forgotten. */
import { type ChatMessage, type ContentPart, withoutThoughts } from "../providers/provider.ts";

export const slimMessage = (message: ChatMessage): ChatMessage =>
  ({ ...withoutThoughts(message), content: wordsOf(message.content) }) as ChatMessage;

const wordsOf = (content: string | ContentPart[]): string =>
  typeof content === "string" ? content : content.map(wordsOfPart).join("\n");

const wordsOfPart = (part: ContentPart): string => {
  if (part.type === "text") return part.text;
  return part.type === "document" && part.name !== undefined ? `[document: ${part.name}]` : `[${part.type}]`;
};

/** As a person reads it: the words, or the calls where there are only those. */
export const readableText = (message: ChatMessage): string => {
  const words = wordsOf(message.content);
  if (words !== "" || message.role !== "assistant") return words;
  return (message.toolCalls ?? []).map((call) => `${call.name}(${call.arguments})`).join("\n");
};
