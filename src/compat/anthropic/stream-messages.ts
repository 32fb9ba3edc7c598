/** Encodes streamed answers in Anthropic's format: named events in the strict order that its SDKs rely on. */

import type { FinalPart, StreamEncoder, StreamFacts } from "../../chat/response/outlet.ts";
import { anthropicBody, refusalOf } from "../../http/error-envelope.ts";
import type { Citation } from "../../providers/provider.ts";
import { type Begins, type BlockEvent, createBlockOrder } from "../order-blocks.ts";
import { type Content, messageIdOf, pictureBlock, toCitation, toStop, toUsage } from "./shape-messages.ts";

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
    failure: (error) => event(anthropicBody(refusalOf(error), stream.requestId)),
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
