/** Puts what tools returned beside text back into their results: Anthropic's tools may return pictures and documents. */

import { partsOf } from "../dialect/message-parts.ts";
import type { ChatMessage, ContentPart } from "../provider.ts";

/** Elsewhere, such parts stand in the user message that follows the results. */
export const putMediaIntoResults = (messages: ChatMessage[]): ChatMessage[] => {
  if (!messages.some(({ content }) => typeof content !== "string" && content.some(isReturned))) return messages;
  const put: ChatMessage[] = [];
  for (const message of messages) {
    if (message.role !== "user" || typeof message.content === "string") put.push(message);
    else put.push({ ...message, content: message.content.filter((part) => !isReturned(part) || !putIntoLast(put, part)) });
  }
  return put;
};

const isReturned = ({ resultOf }: ContentPart): boolean => resultOf !== undefined;

/** False if the result is not among those that end `messages`. */
const putIntoLast = (messages: ChatMessage[], part: ContentPart): boolean => {
  for (let at = messages.length - 1; messages[at]?.role === "tool"; at--) {
    const result = messages[at] as ChatMessage & { role: "tool" };
    if (result.toolCallId !== part.resultOf) continue;
    messages[at] = { ...result, content: [...partsOf(result.content), part] };
    return true;
  }
  return false;
};
