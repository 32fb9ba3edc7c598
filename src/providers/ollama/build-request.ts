/**
 * Converts a chat request to Ollama's native /api/chat. Its OpenAI-compatible route ignores the context size and silently cuts prompts at
 * 2-4 k tokens; here every request says how much context it needs.
 */

import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { mediaAfterResults } from "../dialect/media-after-results.ts";
import {
  argumentsObject,
  calledTools,
  jsonInstruction,
  parseDataUrl,
  partsOf,
  plainText,
  plainThought,
  unsupportedPart,
} from "../dialect/message-parts.ts";
import { nearestEffort } from "../dialect/nearest-effort.ts";
import { toPlainParameters } from "../dialect/plain-parameters.ts";
import { bareId } from "../dialect/tool-call-ids.ts";
import type { BuildOptions, WireBody } from "../dialect/wire-dialect.ts";
import type { ChatMessage, ChatRequest, ContentPart } from "../provider.ts";

const MIN_CONTEXT = 4096;
/** Gap: memory grows with the context, so a model of unknown size gets no more than this. */
const UNKNOWN_MODEL_CONTEXT = 32_768;
const DEFAULT_OUTPUT_TOKENS = 2048;
const TOKENS_PER_IMAGE = 1500;
const TOKENS_PER_MESSAGE = 8;
/** A prompt that does not fit is cut without a word. Tokenizers of small models need more tokens than the one our estimate is made for. */
const MARGIN = 1.5;

/** Sound goes the way of pictures: Ollama tells them apart by their bytes. */
const mediaData = (part: ContentPart): string[] => {
  if (part.type === "text") return [];
  if (part.type === "audio") return [part.data];
  if (part.type !== "image") throw unsupportedPart("Ollama", part.type);
  const data = parseDataUrl(part.url);
  if (!data) throw unsupportedPart("Ollama", "image", " by address: only inline images");
  return [data.data];
};

const wireMessage = (message: ChatMessage, nameOf: Map<string, string>): WireBody => {
  const images = partsOf(message.content).flatMap(mediaData);
  const base = { role: message.role, content: plainText(message.content), ...(images.length > 0 && { images }) };
  if (message.role === "tool")
    return { ...base, tool_name: nameOf.get(message.toolCallId) ?? "", tool_call_id: bareId(message.toolCallId) };
  if (message.role !== "assistant" || !message.toolCalls?.length) return base;
  const thinking = plainThought(message);
  return {
    ...base,
    ...(thinking && { thinking }),
    tool_calls: message.toolCalls.map((call) => ({
      id: bareId(call.id),
      function: { name: call.name, arguments: argumentsObject(call.arguments) },
    })),
  };
};

/** A generous estimate for prompt and answer. */
const neededTokens = ({ maxOutputTokens = DEFAULT_OUTPUT_TOKENS }: ChatRequest, tools: unknown, messages: WireBody[]): number => {
  let text = tools === undefined ? 0 : estimateTokens(JSON.stringify(tools));
  let others = 0;
  for (const message of messages) {
    text += estimateTokens(message["content"] as string);
    others += TOKENS_PER_MESSAGE + (Array.isArray(message["images"]) ? message["images"].length * TOKENS_PER_IMAGE : 0);
    if (message["tool_calls"]) text += estimateTokens(`${message["thinking"] ?? ""}${JSON.stringify(message["tool_calls"])}`);
  }
  return Math.ceil(text * MARGIN) + others + maxOutputTokens;
};

/** A power of two, because Ollama reloads the model for every new size. */
export const contextSize = (needed: number, contextWindow = UNKNOWN_MODEL_CONTEXT): number => {
  const rounded = Math.max(MIN_CONTEXT, 2 ** Math.ceil(Math.log2(Math.max(1, needed))));
  return Math.min(rounded, contextWindow);
};

/**
 * The format field, and the instruction that the prompt needs beside or instead of it: with the field a model can write nothing else, not
 * even a tool call.
 */
const formatOf = (
  { outputFormat: format }: ChatRequest,
  hasTools: boolean,
): { field: WireBody; instruction?: string | undefined } => {
  if (format === undefined) return { field: {} };
  return {
    field: hasTools ? {} : { format: format.type === "json" ? "json" : format.schema },
    ...((hasTools || format.type === "json") && { instruction: jsonInstruction(format) }),
  };
};

/** Ollama has no tool choice: `none` removes all tools, a named one removes the others. */
const toolFields = ({ tools, toolChoice }: ChatRequest): WireBody => {
  if (!tools?.length || toolChoice === "none") return {};
  const offered = typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  const wireTools = offered.map((tool) => ({
    type: "function",
    function: {
      name: tool.name,
      description: tool.description ?? "",
      parameters: toPlainParameters(tool.parameters),
    },
  }));
  return { tools: wireTools };
};

/** Models with levels of effort; they ignore the on/off switch that all others take. */
const STEPPED = /\bgpt-oss\b/;

const thinkField = (model: string, { reasoningEffort }: ChatRequest): WireBody => {
  if (reasoningEffort === undefined) return {};
  return { think: STEPPED.test(model) ? nearestEffort(reasoningEffort, ["low", "medium", "high"]) : reasoningEffort !== "none" };
};

export const buildOllamaRequest = (model: string, request: ChatRequest, { stream, contextWindow }: BuildOptions): WireBody => {
  const nameOf = calledTools(request.messages);
  const tools = toolFields(request);
  const { field, instruction } = formatOf(request, "tools" in tools);
  const messages = mediaAfterResults(request.messages).map((message) => wireMessage(message, nameOf));
  if (instruction) messages.unshift({ role: "system", content: instruction });
  // Ollama answers system messages alone with nothing, since it only loads the model.
  if (messages.every(({ role }) => role === "system")) messages.push({ role: "user", content: "Begin." });
  return {
    model,
    messages,
    stream,
    ...tools,
    ...field,
    ...thinkField(model, request),
    options: {
      num_ctx: contextSize(neededTokens(request, tools["tools"], messages), contextWindow),
      num_predict: request.maxOutputTokens,
      temperature: request.temperature,
      top_p: request.topP,
      top_k: request.topK,
      seed: request.seed,
      presence_penalty: request.presencePenalty,
      frequency_penalty: request.frequencyPenalty,
      ...(request.stop?.length && { stop: request.stop }),
    },
  };
};
