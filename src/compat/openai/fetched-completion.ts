/** A chat completion as it is fetched later, and the messages before it, from what the log has. */

import type { IsCustom } from "../../chat/custom-tools.ts";
import { answerOf } from "../../chat/response/fetched-answer.ts";
import { callFormOf, completionOf, toWireToolCall } from "../../chat/response/shape-completion.ts";
import type { ChatBody } from "../../chat/wire.ts";
import { callIdAs } from "../../lib/ids.ts";
import type { FetchableKind, FetchedAnswer } from "../../logs/fetch-answer.ts";
import type { ChatMessage, ContentPart } from "../../providers/provider.ts";

/** As at OpenAI, only what was asked to be stored. Signalbox's own paths answer in the same form. */
export const COMPLETION: FetchableKind = {
  what: "chat completion",
  routes: ["/v1/chat/completions", "/v1/chat", "/v1/chat/stream"],
  isKept: false,
};

/** The request, as far as the form of calls depends on it. */
const bodyOf = ({ details }: FetchedAnswer): ChatBody => ({ messages: [], ...details.echo });

export const toFetchedCompletion = (fetched: FetchedAnswer) => ({
  ...completionOf(answerOf(fetched), callFormOf(bodyOf(fetched))),
  metadata: fetched.entry.metadata.custom,
});

export const messagesOf = (fetched: FetchedAnswer) => {
  const { isCustom } = callFormOf(bodyOf(fetched));
  const id = callIdAs("chatcmpl-", fetched.entry.call_id);
  return fetched.messages.map((message, index) => ({ id: `${id}-${index}`, ...toWireMessage(message, isCustom) }));
};

const toWireMessage = (message: ChatMessage, isCustom: IsCustom) => {
  const { role, content } = message;
  const isText = typeof content === "string";
  return {
    role,
    content: isText ? content : null,
    content_parts: isText ? null : content.map(toWirePart),
    name: ("name" in message && message.name) || null,
    ...(role === "tool" && { tool_call_id: message.toolCallId }),
    ...(role === "assistant" &&
      message.toolCalls && { tool_calls: message.toolCalls.map((call) => toWireToolCall(call, isCustom)) }),
  };
};

/** Of media the log has the URL, or only kind and size. */
const toWirePart = (part: ContentPart) =>
  part.type === "image" && part.url ? { type: "image_url" as const, image_url: { url: part.url } } : part;
