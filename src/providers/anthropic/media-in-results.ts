/** Puts what tools returned beside text back into their results: Anthropic's tools may return pictures and documents. */

import { partsOf } from "../dialect/message-parts.ts";
import type { ChatMessage, ContentPart } from "../provider.ts";

/** Elsewhere, such parts stand in the user message that follows the results. */
export const putMediaIntoResults = (messages: ChatMessage[]): ChatMessage[] => {
  if (!messages.some(({ content }) => typeof content !== "string" && content.some(isReturned))) return messages;
  const put: ChatMessage[] = [];
  for (const message of messages)
    put.push(typeof message.content === "string" ? message : putBack(put, message, message.content));
  return put;
};

const isReturned = ({ resultOf }: ContentPart): boolean => resultOf !== undefined;

/** Moves parts of `message` into the results that end `before`, and returns what is left of it. */
const putBack = (before: ChatMessage[], message: ChatMessage, content: ContentPart[]): ChatMessage => {
  const returned = Map.groupBy(content.filter(isReturned), ({ resultOf }) => resultOf);
  const moved = new Set<string | undefined>();
  for (let at = before.length - 1; moved.size < returned.size; at--) {
    const result = before[at];
    if (result?.role !== "tool") break;
    const media = returned.get(result.toolCallId) ?? [];
    if (media.length === 0 || moved.has(result.toolCallId)) continue;
    before[at] = { ...result, content: [...partsOf(result.content), ...media] };
    moved.add(result.toolCallId);
  }
  return moved.size === 0 ? message : { ...message, content: content.filter(({ resultOf }) => !moved.has(resultOf)) };
};
