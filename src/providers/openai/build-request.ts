/** Converts a chat request to OpenAI chat completions, the format of a dozen vendors and of every local server. */

import type { OpenAiDialect } from "../../catalog/model.ts";
import { cacheControl } from "../anthropic/mark-cache.ts";
import { withinLength } from "../dialect/caller-id.ts";
import { jsonInstruction, plainText } from "../dialect/message-parts.ts";
import { takesSampling, topPOf } from "../dialect/sampling.ts";
import { toToolSchema } from "../dialect/tool-schema.ts";
import type { BuildOptions, WireBody } from "../dialect/wire-dialect.ts";
import type { ChatMessage, ChatRequest, ToolDefinition } from "../provider.ts";
import { buildMessages } from "./build-messages.ts";
import { inStrictOrder } from "./order-messages.ts";
import { toStrictSchema } from "./strict-schema.ts";
import { thinkingFields } from "./thinking.ts";

const MAX_CALLER_ID = 64;
/** OpenAI refuses more; the answer is cut here at the others. */
const MOST_STOPS = 4;

const wireTool = (tool: ToolDefinition): WireBody => {
  const strict = tool.strict && tool.parameters ? toStrictSchema(tool.parameters) : undefined;
  return {
    type: "function",
    function: {
      name: tool.name,
      description: tool.description,
      parameters: strict ?? toToolSchema(tool.parameters),
      ...(strict && { strict: true }),
    },
  };
};

/** Responses have the same fields, one level flatter. */
export const toolFields = (request: ChatRequest, { quirks }: BuildOptions): WireBody => {
  if (!request.tools?.length) return {};
  const choice = request.toolChoice;
  const forced = choice === "required" || typeof choice === "object";
  return {
    tools: request.tools.map(wireTool),
    ...(choice !== undefined && {
      tool_choice:
        forced && quirks.noForcedTool
          ? "auto"
          : typeof choice === "object"
            ? { type: "function", function: { name: choice.name } }
            : choice,
    }),
    ...(request.parallelToolCalls === false && { parallel_tool_calls: false }),
  };
};

const mentionsJson = (messages: ChatMessage[]): boolean =>
  messages.some((message) => plainText(message.content).toLowerCase().includes("json"));

/** The format field, and the instruction that the prompt needs beside or instead of it. */
export const formatOf = (
  request: ChatRequest,
  { quirks }: BuildOptions,
): { field?: WireBody; instruction?: string | undefined } => {
  const format = request.outputFormat;
  if (format === undefined) return {};
  if (format.type === "schema" && quirks.schemaBy !== "prompt") {
    const strict = format.strict ? toStrictSchema(format.schema) : undefined;
    return {
      field: {
        type: "json_schema",
        json_schema: { name: format.name, schema: strict ?? format.schema, strict: strict !== undefined },
      },
    };
  }
  // JSON mode is refused unless the prompt mentions JSON, and gives objects alone.
  const needsInstruction = format.type === "schema" || !mentionsJson(request.messages);
  const instruction = needsInstruction ? jsonInstruction(format) : undefined;
  return format.type === "schema" && !takesObjects(format.schema)
    ? { instruction }
    : { field: { type: "json_object" }, instruction };
};

const takesObjects = ({ type }: Record<string, unknown>): boolean => type === undefined || [type].flat().includes("object");

/** The same in both of OpenAI's formats. */
export const samplingFields = (request: ChatRequest, { quirks }: BuildOptions, dialect: OpenAiDialect): WireBody =>
  takesSampling(request, quirks, dialect) ? { temperature: request.temperature, top_p: topPOf(request, quirks) } : {};

/** A field of its own in chat completions, a member of `text` in Responses. */
export const verbosityField = ({ verbosity }: ChatRequest, { quirks }: BuildOptions): WireBody =>
  verbosity !== undefined && quirks.verbosity ? { verbosity } : {};

/** The caller's id and cache key; the same in both of OpenAI's formats. */
export const callerFields = ({ user, cacheKey }: ChatRequest, { quirks }: BuildOptions): WireBody => ({
  ...(user !== undefined && !quirks.noUser && { user: withinLength(user, MAX_CALLER_ID) }),
  ...(cacheKey !== undefined && quirks.cacheKey && { prompt_cache_key: withinLength(cacheKey, MAX_CALLER_ID) }),
});

const penaltyFields = ({ presencePenalty, frequencyPenalty }: ChatRequest, { quirks }: BuildOptions): WireBody =>
  quirks.noSampling ? {} : { presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty };

/** Claude behind a server of this format (OpenRouter) caches only what is marked; one mark for the whole prompt stands for all. */
const cacheField = (model: string, { cachePrompt }: ChatRequest): WireBody =>
  cachePrompt && model.startsWith("anthropic/") ? { cache_control: cacheControl(cachePrompt.longest) } : {};

/** Usage is always requested, even if the caller does not want it, because billing needs it. */
const streamFields = ({ stream, quirks }: BuildOptions): WireBody =>
  stream ? { stream: true, ...(!quirks.noStreamOptions && { stream_options: { include_usage: true } }) } : {};

export const buildOpenAiRequest = (model: string, request: ChatRequest, options: BuildOptions): WireBody => {
  const { quirks } = options;
  const systemRole = quirks.developerRole ? "developer" : "system";
  const { field, instruction } = formatOf(request, options);
  const turns = buildMessages(model, request, systemRole, quirks);
  const messages = instruction === undefined ? turns : [{ role: systemRole, content: instruction }, ...turns];
  return {
    model,
    messages: quirks.strictTurns ? inStrictOrder(messages) : messages,
    [quirks.maxTokensField ?? "max_tokens"]: request.maxOutputTokens,
    ...samplingFields(request, options, "openai"),
    ...penaltyFields(request, options),
    ...(request.stop?.length && { stop: request.stop.slice(0, MOST_STOPS) }),
    [quirks.seedField ?? "seed"]: request.seed,
    ...thinkingFields(request, quirks),
    ...verbosityField(request, options),
    ...toolFields(request, options),
    ...(quirks.draws && { modalities: ["image", "text"] }),
    response_format: field,
    ...callerFields(request, options),
    ...cacheField(model, request),
    ...streamFields(options),
  };
};
