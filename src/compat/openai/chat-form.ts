/**
 * Brings what Cursor, Zed and other clients mix into chat completions into the form of chat: tools as the Responses API or Anthropic
 * declare them, their choices of tools, Anthropic's blocks in messages, URLs of pictures, and how much to think.
 */

import { isRecord } from "../../lib/is-record.ts";
import { withEffort } from "./asked-effort.ts";

type Fields = Record<string, unknown>;

/** Takes a parsed body, checks nothing, and returns what is in the form of chat as it is. */
export const inChatForm = (body: unknown): unknown => {
  if (!isRecord(body)) return body;
  const { tools, tool_choice: choice, messages } = body;
  return {
    ...withEffort(body),
    ...(Array.isArray(tools) && { tools: tools.map(chatTool) }),
    ...(isRecord(choice) && { tool_choice: chatChoice(choice) }),
    ...(Array.isArray(messages) && { messages: messages.flatMap(chatMessages) }),
  };
};

/** Anthropic's tools of type `custom` are functions; other types are tools that run at a vendor. */
const chatTool = (tool: unknown): unknown => {
  if (!isRecord(tool) || typeof tool["name"] !== "string" || !["function", "custom", undefined].includes(tool["type"] as string))
    return tool;
  const { type, name, description, parameters, input_schema: schema, strict, format, ...others } = tool;
  if (type === "custom" && schema === undefined)
    return { ...others, type, custom: { name, description, format: chatFormat(format) } };
  return { ...others, type: "function", function: { name, description, parameters: parameters ?? schema, strict } };
};

const chatFormat = (format: unknown): unknown => {
  if (!isRecord(format) || format["grammar"] !== undefined) return format;
  const { type, ...grammar } = format;
  return { type, grammar };
};

/** `{type: "auto"}` is a word of chat, `{type: "tool", name}` a function by its name. */
const chatChoice = (choice: Fields): unknown => {
  const { type, name } = choice;
  if (typeof name === "string") return type === "custom" ? { type, custom: { name } } : { type: "function", function: { name } };
  return ["auto", "none", "any", "required"].includes(type as string) ? type : choice;
};

/** A message with results of tools becomes several; they stand before what else it says. */
const chatMessages = (message: unknown): unknown[] => {
  if (!isRecord(message) || !Array.isArray(message["content"]) || !message["content"].some(isForeign)) return [message];
  const blocks: unknown[] = message["content"];
  const results = blocks.filter((block) => typeOf(block) === "tool_result").map((block) => chatResult(block as Fields));
  const calls = blocks.filter((block) => typeOf(block) === "tool_use").map((block) => chatCall(block as Fields));
  const parts = chatParts(blocks.filter((block) => !["tool_result", "tool_use", "redacted_thinking"].includes(typeOf(block))));
  if (calls.length > 0) return [...results, { ...message, content: parts, tool_calls: calls }];
  return parts.length > 0 ? [...results, { ...message, content: parts }] : results;
};

const typeOf = (block: unknown): string => (isRecord(block) ? String(block["type"]) : "");

const isForeign = (block: unknown): boolean => ["tool_use", "tool_result", "image"].includes(typeOf(block)) || hasBareUrl(block);

/** As Mistral and the Responses API write it. */
const hasBareUrl = (block: unknown): block is Fields => isRecord(block) && typeof block["image_url"] === "string";

const chatCall = ({ id, name, input }: Fields) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input ?? {}) },
});

const chatResult = ({ tool_use_id: id, content }: Fields) => ({
  role: "tool",
  tool_call_id: id,
  content: Array.isArray(content) ? chatParts(content) : (content ?? ""),
});

const chatParts = (blocks: readonly unknown[]): unknown[] =>
  blocks.map((block) => {
    if (hasBareUrl(block)) return { ...block, type: "image_url", image_url: { url: block["image_url"] } };
    if (!isRecord(block) || block["type"] !== "image" || !isRecord(block["source"])) return block;
    const { source, type: _, ...others } = block;
    const { url, media_type: mediaType, data } = source as Fields;
    return { ...others, type: "image_url", image_url: { url: url ?? `data:${mediaType};base64,${data}` } };
  });
