/** The words of the last user message: what is classified, searched for, checked against, and logged as the prompt. */

import type { ChatMessage, ContentPart } from "../providers/provider.ts";

export const lastUserText = (messages: readonly ChatMessage[]): string =>
  textOf(messages.findLast(({ role }) => role === "user")?.content ?? "");

export const textOf = (content: string | ContentPart[]): string =>
  typeof content === "string"
    ? content
    : content
        .filter((part) => part.type === "text")
        .map((part) => part.text)
        .join("\n");
