/** Encodes the answer to a demanded search, whole or as the events of a stream. */

import type { Answer } from "../../chat/response/whole-answer.ts";
import { type Content, toMessage } from "./shape-messages.ts";
import { event } from "./stream-messages.ts";

/** Anthropic's models end their turn after a search; the call of the search is none that the caller should make. */
export const toSearchMessage = ({ answer, found }: { answer: Answer; found?: Content[] }) => {
  const message = toMessage(answer);
  if (found === undefined) return message;
  // One that failed is not billed.
  const searches = found.filter(({ content }) => Array.isArray(content)).length;
  const usage = { ...message.usage, server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 } };
  return { ...message, content: found, stop_reason: "end_turn", stop_sequence: null, stop_details: null, usage };
};

export const eventsOf = ({ svc, ...message }: ReturnType<typeof toSearchMessage>): string => {
  const { stop_reason, stop_sequence, stop_details, usage, content } = message;
  const unended = { stop_reason: null, stop_sequence: null, stop_details: null };
  return [
    event({ type: "message_start", message: { ...message, ...unended, content: [], usage: { ...usage, output_tokens: 0 } } }),
    ...content.map(blockEvents),
    event({ type: "message_delta", delta: { stop_reason, stop_sequence, stop_details }, usage, svc }),
    event({ type: "message_stop" }),
  ].join("");
};

/** What SDKs put together from deltas comes in one; other blocks are whole from the beginning. */
const blockEvents = (block: Content, index: number): string => {
  const { start, delta } = inTwo(block);
  return [
    event({ type: "content_block_start", index, content_block: start }),
    ...(delta === undefined ? [] : [event({ type: "content_block_delta", index, delta })]),
    event({ type: "content_block_stop", index }),
  ].join("");
};

const inTwo = (block: Content): { start: Content; delta?: Content } => {
  if (block.type === "text") return { start: { ...block, text: "" }, delta: { type: "text_delta", text: block["text"] } };
  if ("input" in block)
    return { start: { ...block, input: {} }, delta: { type: "input_json_delta", partial_json: JSON.stringify(block["input"]) } };
  return { start: block };
};
