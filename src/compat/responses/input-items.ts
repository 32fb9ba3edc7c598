/** The conversation before a response, as items of OpenAI's API. */

import { callIdAs } from "../../lib/ids.ts";
import type { FetchedAnswer } from "../../logs/fetch-answer.ts";
import type { ChatMessage, ContentPart, ToolCall } from "../../providers/provider.ts";
import { nameReader, type ReadName } from "./declared-tools.ts";
import { bodyOf } from "./fetched-response.ts";
import { callItem, textPart } from "./items.ts";

type InputItem = { type: string; [field: string]: unknown };
/** The names of the tools, and which calls were seen of those that take free text. */
type Reading = { requestId: string; readName: ReadName; customIds: Set<string> };

/** Each has an id of its own, which pages go by; it is not that of an earlier answer's item. */
export const inputItemsOf = (fetched: FetchedAnswer): ({ id: string } & InputItem)[] => {
  const requestId = fetched.entry.call_id;
  const reading = { requestId, readName: nameReader(bodyOf(fetched)), customIds: new Set<string>() };
  return fetched.messages
    .flatMap((message) => itemsOf(reading, message))
    .map((item, index) => ({ ...item, id: `${callIdAs("in_", requestId)}_${index}` }));
};

const itemsOf = (reading: Reading, message: ChatMessage): InputItem[] => {
  if (message.role === "tool") return [outputItem(reading, message)];
  const { role, content } = message;
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const calls = role === "assistant" ? (message.toolCalls ?? []).map((call) => toCallItem(reading, call)) : [];
  if (role === "assistant" && content === "" && calls.length > 0) return calls;
  const toWire = role === "assistant" ? outputPart : inputPart;
  return [{ type: "message", role, status: "completed", content: parts.map(toWire) }, ...calls];
};

const toCallItem = ({ requestId, readName, customIds }: Reading, call: ToolCall): InputItem => {
  const read = readName(call.name);
  if (read.kind === "custom") customIds.add(call.id);
  return callItem(requestId, 0, "completed", { ...call, ...read });
};

const outputItem = ({ customIds }: Reading, message: Extract<ChatMessage, { role: "tool" }>): InputItem => {
  const { toolCallId: callId, content } = message;
  return {
    type: customIds.has(callId) ? "custom_tool_call_output" : "function_call_output",
    call_id: callId,
    status: "completed",
    output: typeof content === "string" ? content : content.map(inputPart),
  };
};

const inputPart = (part: ContentPart): InputItem => {
  if (part.type === "text") return { type: "input_text", text: part.text };
  // The log has the URL, or only the size.
  const { type, ...rest } = part;
  if (type === "image") return { type: "input_image", detail: "auto", file_id: null, image_url: null, ...urlOf(rest) };
  return { type: type === "audio" ? "input_audio" : "input_file", ...rest };
};

const urlOf = (part: object) => ("url" in part ? { image_url: part.url } : part);

const outputPart = (part: ContentPart): InputItem => (part.type === "text" ? textPart(part.text) : inputPart(part));
