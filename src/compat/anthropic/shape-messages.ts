/** Encodes answers in Anthropic's format: a whole message, or named events in the strict order that its SDKs rely on. */

import type { FinalPart, StreamEncoder, StreamFacts } from "../../chat/response/outlet.ts";
import { type Answer, placeThoughts } from "../../chat/response/whole-answer.ts";
import { anthropicBody, refusalOf } from "../../http/error-envelope.ts";
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
import { type Begins, type BlockEvent, createBlockOrder, UNSIGNED } from "../order-blocks.ts";

const messageIdOf = (requestId: string): string => callIdAs("msg_", requestId);

const STOP_REASON: Record<FinishReason, string> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
};

const toStop = ({ finishReason, stopSequence, refusal }: Pick<ChatResult, "finishReason" | "stopSequence" | "refusal">) => {
  if (finishReason === "stop" && stopSequence !== undefined)
    return { stop_reason: "stop_sequence", stop_sequence: stopSequence, stop_details: null };
  const reason = finishReason === "stop" && refusal !== undefined ? "content_filter" : finishReason;
  // No category is known that all vendors share.
  const details = { type: "refusal" as const, category: null, explanation: null };
  return { stop_reason: STOP_REASON[reason], stop_sequence: null, stop_details: reason === "content_filter" ? details : null };
};

/** Anthropic counts cached tokens beside the input, not within it. */
const toUsage = (usage: TokenUsage) => ({
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
const toCitation = ({ url, title }: Citation): Content => ({
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
const pictureBlock = (url: string): Content => {
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

export const event = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

export const createMessageEncoder = (stream: StreamFacts): StreamEncoder => {
  const order = createBlockOrder();
  const { render, cite } = createBlockRenderer();
  let started = false;
  return {
    part: (part) => {
      const before = started ? "" : start(stream);
      started = true;
      if (part.type === "final") {
        const rest = order.end();
        const last = rest.pop();
        return before + rest.map(render).join("") + (last ? cite(part.result.citations) + render(last) : "") + end(part);
      }
      return before + order.push(part).map(render).join("");
    },
    failure: (error) => {
      return `event: error\ndata: ${JSON.stringify(anthropicBody(refusalOf(error), stream.requestId))}\n\n`;
    },
  };
};

/** Blocks are numbered in the order in which they begin. */
const createBlockRenderer = () => {
  let index = -1;
  let type: Begins["type"] = "text";
  const delta = (content: Content): string => event({ type: "content_block_delta", index, delta: content });
  const render = (blockEvent: BlockEvent): string => {
    switch (blockEvent.type) {
      case "stop":
        return event({ type: "content_block_stop", index });
      case "signature":
        return delta({ type: "signature_delta", signature: blockEvent.signature });
      case "piece":
        return delta(deltaOf(type, blockEvent.text));
      case "begin":
        index++;
        type = blockEvent.block.type;
        return event({ type: "content_block_start", index, content_block: openedBlock(blockEvent.block) });
    }
  };
  /** What the open block cites; only text does. */
  const cite = (citations: readonly Citation[] = []): string =>
    type === "text"
      ? citations.map((citation) => delta({ type: "citations_delta", citation: toCitation(citation) })).join("")
      : "";
  return { render, cite };
};

const deltaOf = (type: Begins["type"], text: string): Content => {
  if (type === "text") return { type: "text_delta", text };
  return type === "thinking" ? { type: "thinking_delta", thinking: text } : { type: "input_json_delta", partial_json: text };
};

/** As it begins; pictures and sealed thinking come whole. */
const openedBlock = (block: Begins): Content => {
  switch (block.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "redacted":
      return { type: "redacted_thinking", data: block.data };
    case "picture":
      return pictureBlock(block.url);
    default:
      return { type: "tool_use", id: block.id, name: block.name, input: {} };
  }
};

const end = ({ result, svc }: FinalPart): string =>
  event({ type: "message_delta", delta: toStop(result), usage: toUsage(result.usage), svc }) + event({ type: "message_stop" });

const start = (stream: StreamFacts): string =>
  event({
    type: "message_start",
    message: {
      id: messageIdOf(stream.requestId),
      type: "message",
      role: "assistant",
      model: stream.model(),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: toUsage(stream.promptUsage()),
    },
  });
