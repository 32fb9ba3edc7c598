/** Turns the request body into a `ChatInput`: joins fields that belong together; nothing is fetched yet. */

import { invalidRequest } from "../../api-error.ts";
import { EFFORTS } from "../../catalog/model.ts";
import { given } from "../../lib/given.ts";
import type { ChatRequest, OutputFormat, ReasoningEffort, ToolDefinition } from "../../providers/provider.ts";
import { asFunction } from "../custom-tools.ts";
import { ChatBody, type NamedTool, type OfferedTool } from "../wire.ts";
import type { ChatInput } from "./chat-input.ts";
import { functionsAsTools, hasFunctions } from "./functions-as-tools.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { type AskedChoice, offerTools } from "./offer-tools.ts";
import { readOpenAiFields, readOpenAiRequest, schemaFormat } from "./openai-fields.ts";
import { readCacheMark, readCacheWish } from "./read-cache-wish.ts";
import { readMessage } from "./read-message.ts";

/** Throws ApiError `invalid_request` with `param`. */
export const readChatBody = (body: ChatBody, route: string): ChatInput => {
  const { format, at } = readFormat(body);
  return {
    request: readRequest(body, format),
    route,
    ...readOpenAiFields(body),
    ...given({ schemaField: at, schemaId: body.schema_id }),
    schemaStrict: body.schema_strict ?? false,
    ignored: ignoredFields(body, ChatBody),
    ...(body.store && { echo: given({ tools: body.tools, functions: body.functions }) }),
    showsThinking: "before-content",
  };
};

/** `at`: where a schema stands. Together and llama.cpp have one beside `json_object`. */
const readFormat = ({
  schema,
  schema_strict: strict,
  response_format: format,
}: ChatBody): { format?: OutputFormat; at?: string } => {
  if (schema) return { format: schemaFormat({ schema, strict }), at: "schema" };
  if (format?.type === "json_schema")
    return { format: schemaFormat(format.json_schema), at: "response_format.json_schema.schema" };
  if (format?.type !== "json_object") return {};
  return format.schema
    ? { format: schemaFormat({ schema: format.schema }), at: "response_format.schema" }
    : { format: { type: "json" } };
};

const chosenIn = (body: ChatBody) => ({
  name: hasFunctions(body) && body.function_call ? "function_call.name" : "tool_choice.function.name",
  names: "tool_choice.allowed_tools.tools",
});

const readRequest = (asked: ChatBody, format: OutputFormat | undefined): ChatRequest => {
  const body = functionsAsTools(asked);
  // An empty stop sequence has no effect, and providers refuse it.
  const stop = (typeof body.stop === "string" ? [body.stop] : body.stop)?.filter((sequence) => sequence !== "");
  const { messages, tools, cache_control, reasoning_effort: effort } = body;
  return {
    messages: messages.map((message, index) => readMessage(message, `messages.${index}`)),
    ...offerTools((tools ?? []).map(readTool), readToolChoice(body.tool_choice), chosenIn(asked)),
    ...readOpenAiRequest(body),
    ...given({
      maxOutputTokens: body.max_completion_tokens ?? body.max_tokens,
      topK: (body.top_k ?? 0) > 0 ? body.top_k : null,
      stop: stop?.length ? stop : null,
      seed: body.seed ?? body.random_seed,
      presencePenalty: body.presence_penalty,
      frequencyPenalty: body.frequency_penalty,
      reasoningEffort: effort ? readEffort(effort) : null,
      verbosity: body.verbosity,
      outputFormat: format,
      cachePrompt: readCacheWish({ messages, tools, cache_control }),
    }),
  };
};

const readTool = (offered: OfferedTool): ToolDefinition => {
  if (offered.type === "custom") {
    const { name, description, format } = offered.custom;
    return { name, ...asFunction(description, format?.grammar), ...readCacheMark(offered) };
  }
  const { name, description, parameters, strict } = offered.function;
  return {
    name,
    ...given({ description, parameters, strict }),
    ...readCacheMark(offered),
  };
};

const nameOf = (named: NamedTool): string => (named.type === "custom" ? named.custom.name : named.function.name);

const readToolChoice = (choice: ChatBody["tool_choice"]): AskedChoice | undefined => {
  if (choice === "any") return "required";
  if (choice == null || typeof choice === "string") return choice ?? undefined;
  if (choice.type !== "allowed_tools") return { name: nameOf(choice) };
  const { mode, tools } = choice.allowed_tools;
  return { mode, names: tools.map(nameOf) };
};

const readEffort = (text: string): ReasoningEffort => {
  const effort = EFFORTS.find((known) => known === text);
  if (effort !== undefined) return effort;
  throw invalidRequest(
    `\`reasoning_effort\` must be one of ${EFFORTS.join(", ")}; it was "${text.slice(0, 40)}".`,
    "reasoning_effort",
  );
};
