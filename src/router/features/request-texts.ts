/** Which texts of a conversation tell what is asked: however long it is, no others are read. */

import type { ChatMessage, ContentPart } from "../../providers/provider.ts";
import { asksForMore } from "./ask-for-more.ts";

export type RequestTexts = {
  /** The last user message that asks for something. */
  text: string;
  system?: string;
  /** The last user message before that does more than ask for more. */
  before?: string;
  /** The last message before that is long enough to give a text to ask about. */
  giving?: string;
};

/** Shorter messages ask for something and give no text with it, or only a sentence. */
const GIVING_CHARACTERS = 200;

export const textsOf = (messages: readonly ChatMessage[]): RequestTexts => {
  const lastUser = lastAsking(messages);
  const system = messages.findLast(({ role }) => role === "system");
  const before = messages.findLast(
    ({ role, content }, i) => role === "user" && i < lastUser && !asksForMore(paragraphsOf(content)),
  );
  const giving = messages.findLast(
    ({ role, content }, i) => role === "user" && i < lastUser && paragraphsOf(content).length >= GIVING_CHARACTERS,
  );
  return {
    text: lastUser < 0 ? "" : paragraphsOf(messages[lastUser]!.content),
    ...(system && { system: paragraphsOf(system.content) }),
    ...(before && { before: paragraphsOf(before.content) }),
    ...(giving && { giving: paragraphsOf(giving.content) }),
  };
};

/** What an agent adds right behind a tool's result («analyze it, or call the next tool») continues the request before it. */
const lastAsking = (messages: readonly ChatMessage[]): number => {
  let asking = messages.findLastIndex(({ role }) => role === "user");
  while (messages[asking - 1]?.role === "tool") {
    const earlier = messages.findLastIndex(({ role }, i) => role === "user" && i < asking);
    if (earlier < 0) break;
    asking = earlier;
  }
  return asking;
};

export const paragraphsOf = (content: string | ContentPart[]): string => {
  if (typeof content === "string") return content;
  let text = "";
  for (const part of content) if (part.type === "text") text += text === "" ? part.text : `\n\n${part.text}`;
  return text;
};
