/** Reads and changes what messages hold: texts, among them the caller's last one, and other parts. */

import type { Mode } from "../../accounts/api-key.ts";
import { plainText } from "../../providers/dialect/message-parts.ts";
import type { ChatMessage, ChatRequest, ContentPart } from "../../providers/provider.ts";
import { withoutTriggers } from "../../providers/sandbox/read-faults.ts";

/** It is used for searching, checked against, and logged as the prompt. */
export const lastUserText = (messages: readonly ChatMessage[]): string =>
  plainText(messages.findLast(({ role }) => role === "user")?.content ?? "");

/** What the caller asked, without the sandbox's fault triggers. */
export const askedText = (mode: Mode, messages: readonly ChatMessage[]): string =>
  mode === "test" ? withoutTriggers(lastUserText(messages)) : lastUserText(messages);

/** The conversation as it is classified: without the triggers in its last question. */
export const askedMessages = (mode: Mode, messages: ChatMessage[]): ChatMessage[] => {
  const last = mode === "test" ? messages.findLastIndex(({ role }) => role === "user") : -1;
  return last === -1 ? messages : messages.with(last, asked(messages[last]!));
};

const asked = (message: ChatMessage): ChatMessage =>
  typeof message.content === "string"
    ? { ...message, content: withoutTriggers(message.content) }
    : ({
        ...message,
        content: message.content.map((part) => (part.type === "text" ? { ...part, text: withoutTriggers(part.text) } : part)),
      } as ChatMessage);

/** One text, unless there are other parts. */
export const textOrParts = (parts: ContentPart[]): string | ContentPart[] =>
  parts.every(({ type }) => type === "text") ? plainText(parts) : parts;

/** Joins neighbouring text parts, since the model reads them as one text: a match of a policy may begin in one and end in the next. */
export const joinTexts = (parts: readonly ContentPart[]): ContentPart[] => {
  const joined: ContentPart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before?.type === "text" && part.type === "text")
      joined[joined.length - 1] = { type: "text", text: `${before.text}\n${part.text}` };
    else joined.push(part);
  }
  return joined;
};

/** Messages whose content is one text have no parts to change. */
export const mapParts = (request: ChatRequest, change: (part: ContentPart) => ContentPart): ChatRequest => {
  if (request.messages.every(({ content }) => typeof content === "string")) return request;
  const messages = request.messages.map((message) =>
    typeof message.content === "string" ? message : { ...message, content: message.content.map(change) },
  );
  return { ...request, messages };
};
