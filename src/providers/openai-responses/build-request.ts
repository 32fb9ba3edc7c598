/** Converts a chat request to OpenAI Responses: items in place of messages, and nothing stored at the provider. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, recordsAt } from "../../lib/json-at.ts";
import { plainText, unsupportedPart } from "../dialect/message-parts.ts";
import { effortOf } from "../dialect/nearest-effort.ts";
import { portableId } from "../dialect/tool-call-ids.ts";
import type { BuildOptions, WireBody } from "../dialect/wire-dialect.ts";
import { validArguments } from "../openai/build-messages.ts";
import { callerFields, formatOf, samplingFields, toolFields, verbosityField } from "../openai/build-request.ts";
import type { ChatMessage, ChatRequest, ContentPart, ToolCall } from "../provider.ts";
import { sealedThoughtsIn } from "./sealed-thoughts.ts";

/** Gap: OpenAI's Responses API refuses a smaller output bound, so requests for fewer tokens get this many. */
export const LEAST_RESPONSES_BOUND = 16;

const DIALECT = "The OpenAI Responses format";
/** OpenAI refuses longer ids. */
const MAX_CALL_ID = 64;
const callId = (id: string): string => portableId(id, MAX_CALL_ID);

const inputPart = (part: ContentPart): WireBody => {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image":
      return { type: "input_image", image_url: part.url, detail: part.detail ?? "auto" };
    case "document": {
      const data = `data:${part.mediaType};base64,${part.data}`;
      return { type: "input_file", filename: part.name ?? "document.pdf", file_data: data };
    }
    default:
      throw unsupportedPart(DIALECT, part.type);
  }
};

const inputContent = (content: string | ContentPart[]): unknown =>
  typeof content === "string" || content.every(({ type }) => type === "text") ? plainText(content) : content.map(inputPart);

/** OpenAI's own server takes one without its type, Azure's Foundry and other strict servers do not. */
export const messageItem = (role: string, content: unknown): WireBody => ({ type: "message", role, content });

const callItem = ({ id, name, arguments: text }: ToolCall): WireBody => ({
  type: "function_call",
  call_id: callId(id),
  name,
  arguments: validArguments(text),
});

/**
 * The items of an earlier answer: text, reasoning and calls. Text beside calls is marked as commentary, or the model would take it for an
 * answer.
 */
const answerItems = (message: Extract<ChatMessage, { role: "assistant" }>): WireBody[] => {
  const calls = message.toolCalls ?? [];
  const text = plainText(message.content);
  const phase = calls.length > 0 ? "commentary" : "final_answer";
  const said: WireBody[] = text === "" ? [] : [{ ...messageItem("assistant", text), phase }];
  const [first, ...others] = calls;
  if (first === undefined) return said;
  const withThoughts = (call: ToolCall): WireBody[] => [...sealedThoughtsIn(call.id), callItem(call)];
  return [...sealedThoughtsIn(first.id), ...said, callItem(first), ...others.flatMap(withThoughts)];
};

const toItems = (message: ChatMessage, systemRole: string): WireBody[] => {
  switch (message.role) {
    case "system":
      return [messageItem(systemRole, plainText(message.content))];
    case "user":
      return [messageItem("user", inputContent(message.content))];
    case "assistant":
      return answerItems(message);
    case "tool":
      return [{ type: "function_call_output", call_id: callId(message.toolCallId), output: inputContent(message.content) }];
  }
};

/** A field of chat completions, one level flatter. */
const flat = ({ function: named, json_schema: schema, ...rest }: WireBody): WireBody => ({
  ...rest,
  ...recordAt(named ?? schema),
});

const flatToolFields = (request: ChatRequest, options: BuildOptions): WireBody => {
  const { tools, tool_choice: choice, ...rest } = toolFields(request, options);
  if (tools === undefined) return {};
  return {
    ...rest,
    // `strict` is on by default.
    tools: recordsAt(tools).map((tool) => ({ strict: false, ...flat(tool) })),
    ...(choice !== undefined && { tool_choice: isRecord(choice) ? flat(choice) : choice }),
    // The reasoning that goes back with the calls.
    include: ["reasoning.encrypted_content"],
  };
};

/** The format has no stop sequences (the answer is cut here), no seed and no penalties. */
export const buildResponsesRequest = (model: string, request: ChatRequest, options: BuildOptions): WireBody => {
  const { stream, quirks } = options;
  const { maxOutputTokens: bound, thinkingSummary: summary } = request;
  const effort = effortOf(request, quirks, "openai-responses");
  const reasoning = { ...(effort !== undefined && { effort }), ...(summary && quirks.efforts?.length !== 0 && { summary }) };
  const systemRole = quirks.developerRole ? "developer" : "system";
  const { field, instruction } = formatOf(request, options);
  const text = { ...(field && { format: flat(field) }), ...verbosityField(request, options) };
  const items = request.messages.flatMap((message) => toItems(message, systemRole));
  return {
    model,
    input: instruction === undefined ? items : [messageItem(systemRole, instruction), ...items],
    store: false,
    ...(bound !== undefined && { max_output_tokens: Math.max(LEAST_RESPONSES_BOUND, bound) }),
    ...samplingFields(request, options, "openai-responses"),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...flatToolFields(request, options),
    ...(Object.keys(text).length > 0 && { text }),
    ...callerFields(request, options),
    ...(stream && { stream: true }),
  };
};
