/**
 * Converts a chat request to Ollama's native /api/chat. Its OpenAI-compatible route ignores the context size and silently cuts prompts at
 * 2-4 k tokens; here every request says how much context it needs.
 */

import {
  argumentsObject,
  calledTools,
  jsonInstruction,
  parseDataUrl,
  partsOf,
  plainText,
  unsupportedPart,
} from "../dialect/message-parts.ts";
import { nearestEffort } from "../dialect/nearest-effort.ts";
import { toToolSchema } from "../dialect/tool-schema.ts";
import type { BuildOptions, WireBody } from "../dialect/wire-dialect.ts";
import type { ChatMessage, ChatRequest, ContentPart } from "../provider.ts";

const MIN_CONTEXT = 4096;
/** Gap: memory grows with the context, so a model of unknown size gets no more than this. */
const UNKNOWN_MODEL_CONTEXT = 32_768;
const DEFAULT_OUTPUT_TOKENS = 2048;
const TOKENS_PER_IMAGE = 1500;

const imageData = (part: ContentPart): string[] => {
  if (part.type === "text") return [];
  if (part.type !== "image") throw unsupportedPart("Ollama", part.type);
  const data = parseDataUrl(part.url);
  if (!data) throw unsupportedPart("Ollama", "image", " by address: only inline images");
  return [data.data];
};

const wireMessage = (message: ChatMessage, nameOf: Map<string, string>): WireBody => {
  const images = partsOf(message.content).flatMap(imageData);
  const base = { role: message.role, content: plainText(message.content), ...(images.length > 0 && { images }) };
  if (message.role === "tool") return { ...base, tool_name: nameOf.get(message.toolCallId) ?? "" };
  if (message.role !== "assistant" || !message.toolCalls?.length) return base;
  return {
    ...base,
    tool_calls: message.toolCalls.map((call) => ({ function: { name: call.name, arguments: argumentsObject(call.arguments) } })),
  };
};

/** A generous estimate, three characters per token, so that text in any language fits. */
const neededTokens = (request: ChatRequest, messages: WireBody[]): number => {
  let characters = request.tools ? JSON.stringify(request.tools).length : 0;
  let images = 0;
  for (const message of messages) {
    characters += (message["content"] as string).length + 16;
    images += Array.isArray(message["images"]) ? message["images"].length : 0;
    if (message["tool_calls"]) characters += JSON.stringify(message["tool_calls"]).length;
  }
  return Math.ceil(characters / 3) + images * TOKENS_PER_IMAGE + (request.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS);
};

/** A power of two, because Ollama reloads the model for every new size. */
export const contextSize = (needed: number, contextWindow = UNKNOWN_MODEL_CONTEXT): number => {
  const rounded = Math.max(MIN_CONTEXT, 2 ** Math.ceil(Math.log2(Math.max(1, needed))));
  return Math.min(rounded, contextWindow);
};

const formatField = (request: ChatRequest): WireBody => {
  if (request.outputFormat === undefined) return {};
  return { format: request.outputFormat.type === "json" ? "json" : request.outputFormat.schema };
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
      parameters: toToolSchema(tool.parameters),
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
  const instruction = request.outputFormat?.type === "json" ? jsonInstruction(request.outputFormat) : undefined;
  const messages = request.messages.map((message) => wireMessage(message, nameOf));
  if (instruction) messages.unshift({ role: "system", content: instruction });
  // Ollama answers system messages alone with nothing, since it only loads the model.
  if (messages.every(({ role }) => role === "system")) messages.push({ role: "user", content: "Begin." });
  return {
    model,
    messages,
    stream,
    ...toolFields(request),
    ...formatField(request),
    ...thinkField(model, request),
    options: {
      num_ctx: contextSize(neededTokens(request, messages), contextWindow),
      ...(request.maxOutputTokens !== undefined && { num_predict: request.maxOutputTokens }),
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...(request.topP !== undefined && { top_p: request.topP }),
      ...(request.seed !== undefined && { seed: request.seed }),
      ...(request.presencePenalty !== undefined && { presence_penalty: request.presencePenalty }),
      ...(request.frequencyPenalty !== undefined && { frequency_penalty: request.frequencyPenalty }),
      ...(request.stop?.length && { stop: request.stop }),
    },
  };
};
