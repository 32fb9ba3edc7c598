/** For formats whose tool results hold only text: the pictures and files that tools returned follow in a user message. */

import type { ChatMessage, ContentPart } from "../provider.ts";
import { partsOf } from "./message-parts.ts";

export const mediaAfterResults = (messages: ChatMessage[]): ChatMessage[] => {
  if (!messages.some(({ role, content }) => role === "tool" && typeof content !== "string")) return messages;
  const turns: ChatMessage[] = [];
  let media: ContentPart[] = [];
  const show = (): void => {
    if (media.length > 0) turns.push({ role: "user", content: media });
    media = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      const parts = partsOf(message.content);
      media.push(...parts.filter(({ type }) => type !== "text"));
      turns.push({ ...message, content: parts.map(inWords).join("\n") });
    } else if (message.role === "user" && media.length > 0) {
      turns.push({ ...message, content: [...media, ...partsOf(message.content)] });
      media = [];
    } else {
      show();
      turns.push(message);
    }
  }
  show();
  return turns;
};

const inWords = (part: ContentPart): string => (part.type === "text" ? part.text : `(the ${part.type} follows)`);
