/** Shapes whole answers in Anthropic's format. */

import { type Answer, placeThoughts } from "../../chat/response/whole-answer.ts";
import { callIdAs } from "../../lib/ids.ts";
import { argumentsObject, parseDataUrl } from "../../providers/dialect/message-parts.ts";
import {
  type ChatResult,
  type Citation,
  completionTokens,
  type FinishReason,
  type Thought,
  type TokenUsage,
} from "../../providers/provider.ts";
import { UNSIGNED } from "../order-blocks.ts";

export const messageIdOf = (requestId: string): string => callIdAs("msg_", requestId);

const STOP_REASON: Record<FinishReason, string> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
};

export const toStop = ({
  finishReason,
  stopSequence,
  refusal,
}: Pick<ChatResult, "finishReason" | "stopSequence" | "refusal">) => {
  if (finishReason === "stop" && stopSequence !== undefined)
    return { stop_reason: "stop_sequence", stop_sequence: stopSequence, stop_details: null };
  const reason = finishReason === "stop" && refusal !== undefined ? "content_filter" : finishReason;
  // No category is known that all vendors share.
  const details = { type: "refusal" as const, category: null, explanation: null };
  return { stop_reason: STOP_REASON[reason], stop_sequence: null, stop_details: reason === "content_filter" ? details : null };
};

/** Anthropic counts cached tokens beside the input, not within it. */
export const toUsage = (usage: TokenUsage) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: usage.cacheWrite,
  cache_creation: {
    ephemeral_5m_input_tokens: usage.cacheWrite - (usage.cacheWriteHour ?? 0),
    ephemeral_1h_input_tokens: usage.cacheWriteHour ?? 0,
  },
  cache_read_input_tokens: usage.cacheRead,
  output_tokens: completionTokens(usage),
  output_tokens_details: { thinking_tokens: usage.reasoning },
});

export type Content = { type: string } & Record<string, unknown>;

const thoughtBlock = (thought: Thought): Content =>
  "redacted" in thought
    ? { type: "redacted_thinking", data: thought.redacted }
    : { type: "thinking", thinking: thought.text, signature: thought.signature ?? UNSIGNED };

/** As Anthropic's models cite a web page. What they quote from it, other vendors do not say. */
export const toCitation = ({ url, title }: Citation): Content => ({
  type: "web_search_result_location",
  url,
  title,
  cited_text: "",
  encrypted_index: "",
});

/** Citations belong to the text. */
const answerBlocks = (result: ChatResult): Content[] =>
  placeThoughts(result).map((piece) => {
    if (piece.type === "thought") return thoughtBlock(piece.thought);
    return result.citations ? { ...piece, citations: result.citations.map(toCitation) } : piece;
  });

/** In the form of pictures in prompts; Anthropic's own models draw none. */
export const pictureBlock = (url: string): Content => {
  const inline = parseDataUrl(url);
  const source = inline ? { type: "base64", media_type: inline.mediaType, data: inline.data } : { type: "url", url };
  return { type: "image", source };
};

export const toMessage = (answer: Answer) => ({
  id: messageIdOf(answer.requestId),
  type: "message" as const,
  role: "assistant" as const,
  model: answer.model,
  content: [
    ...answerBlocks(answer.result),
    ...(answer.result.pictures ?? []).map(pictureBlock),
    ...answer.result.toolCalls.map((call) => ({
      type: "tool_use",
      id: call.id,
      name: call.name,
      input: argumentsObject(call.arguments),
    })),
  ],
  ...toStop(answer.result),
  usage: toUsage(answer.result.usage),
  svc: answer.svc,
});
