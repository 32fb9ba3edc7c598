/** Converts a chat request to OpenAI Responses: items in place of messages, and nothing stored at the provider. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, recordsAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { jsonInstruction, plainText, unsupportedPart } from "../dialect/message-parts.ts";
import { effortOf } from "../dialect/nearest-effort.ts";
import { toStrictSchema } from "../dialect/schema-subset.ts";
import { portableId } from "../dialect/tool-call-ids.ts";
import { toToolSchema } from "../dialect/tool-schema.ts";
import type { BuildOptions, WireBody } from "../dialect/wire-dialect.ts";
import { callerFields, formatOf, samplingFields, validArguments } from "../openai/build-request.ts";
import { withShortDescription } from "../openai/drop-parameter.ts";
import { REASONING_BESIDE_TOOLS, THOUGHTS, TOOL_DESCRIPTIONS } from "../openai/refused-parameter.ts";
import type { ChatMessage, ChatRequest, ContentPart, ToolCall, ToolDefinition } from "../provider.ts";
import { sealedThoughtsIn } from "./sealed-thoughts.ts";

const DIALECT = "The OpenAI Responses format";
/** OpenAI refuses longer ids. */
const MAX_CALL_ID = 64;
/** Gap: a smaller bound is refused, so requests for fewer tokens get this many. */
const LEAST_OUTPUT = 16;

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
  const said: WireBody[] = text === "" ? [] : [{ role: "assistant", content: text, phase }];
  const [first, ...others] = calls;
  if (first === undefined) return said;
  const withThoughts = (call: ToolCall): WireBody[] => [...sealedThoughtsIn(call.id), callItem(call)];
  return [...sealedThoughtsIn(first.id), ...said, callItem(first), ...others.flatMap(withThoughts)];
};

const toItems = (message: ChatMessage, systemRole: string): WireBody[] => {
  switch (message.role) {
    case "system":
      return [{ role: systemRole, content: plainText(message.content) }];
    case "user":
      return [{ role: "user", content: inputContent(message.content) }];
    case "assistant":
      return answerItems(message);
    case "tool":
      return [{ type: "function_call_output", call_id: callId(message.toolCallId), output: inputContent(message.content) }];
  }
};

/** `strict` is set explicitly, because it is on by default. */
const wireTool = (tool: ToolDefinition): WireBody => {
  const strict = tool.strict && tool.parameters ? toStrictSchema(tool.parameters) : undefined;
  return {
    type: "function",
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    parameters: strict ?? toToolSchema(tool.parameters),
    strict: strict !== undefined,
  };
};

const toolFields = (request: ChatRequest, { quirks }: BuildOptions): WireBody => {
  if (!request.tools?.length) return {};
  const choice = request.toolChoice;
  const forced = choice === "required" || typeof choice === "object";
  const named = typeof choice === "object" ? { type: "function", name: choice.name } : choice;
  return {
    tools: request.tools.map(wireTool),
    ...(choice !== undefined && { tool_choice: forced && quirks.noForcedTool ? "auto" : named }),
    ...(request.parallelToolCalls === false && { parallel_tool_calls: false }),
    // The reasoning that goes back with the calls.
    include: ["reasoning.encrypted_content"],
  };
};

/** The field of chat completions, one level flatter. */
const flatFormat = ({ json_schema: schema, ...format }: WireBody): WireBody => ({ ...format, ...recordAt(schema) });

/** The format has no stop sequences (the answer is cut here), no seed and no penalties. */
export const buildResponsesRequest = (model: string, request: ChatRequest, options: BuildOptions): WireBody => {
  const { stream, quirks } = options;
  const { maxOutputTokens: bound } = request;
  const effort = effortOf(request, quirks, "openai-responses");
  const systemRole = quirks.developerRole ? "developer" : "system";
  const { field, instruction } = formatOf(request, options);
  const items = request.messages.flatMap((message) => toItems(message, systemRole));
  return {
    model,
    input: instruction === undefined ? items : [{ role: systemRole, content: instruction }, ...items],
    store: false,
    ...(bound !== undefined && { max_output_tokens: Math.max(LEAST_OUTPUT, bound) }),
    ...samplingFields(request, options, "openai-responses"),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...toolFields(request, options),
    ...(field && { text: { format: flatFormat(field) } }),
    ...callerFields(request, options),
    ...(stream && { stream: true }),
  };
};

/** The name under which a refusal of `phase` on past answers is learned. */
export const PHASE = "phase";

/** Refusals are learned under the field names of chat completions (`map-error.ts`). */
const FIELDS: Record<string, string> = { reasoning_effort: "reasoning", response_format: "text" };

const changeInput = (body: WireBody, change: (items: WireBody[]) => WireBody[]): void => {
  body["input"] = change(body["input"] as WireBody[]);
};

export const dropResponsesParameter = (body: WireBody, param: string): void => {
  if (param === REASONING_BESIDE_TOOLS) return;
  if (param === THOUGHTS) {
    changeInput(body, (items) => items.filter(({ type }) => type !== "reasoning"));
    return;
  }
  if (param === TOOL_DESCRIPTIONS) {
    if (body["tools"]) body["tools"] = recordsAt(body, "tools").map(withShortDescription);
    return;
  }
  if (param === PHASE) {
    changeInput(body, (items) => items.map(({ phase: _, ...item }) => item));
    return;
  }
  const name = param.split(/[.[]/, 1)[0]!;
  if (name === "messages") {
    changeInput(body, (items) => items.map((item) => (item["role"] === "system" ? { ...item, role: "developer" } : item)));
    return;
  }
  const schema = recordAt(body, "text", "format")["schema"];
  delete body[ownValue(FIELDS, name) ?? name];
  if (name !== "response_format" || !isRecord(schema)) return;
  // If the format cannot be enforced, the prompt asks for it.
  changeInput(body, (items) => [{ role: "developer", content: jsonInstruction({ type: "schema", schema }) }, ...items]);
};
