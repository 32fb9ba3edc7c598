/** Converts a chat request to Anthropic Messages. */

import type { ModelQuirks } from "../../catalog/model.ts";
import { impersonal } from "../dialect/caller-id.ts";
import { calledTools, jsonInstruction } from "../dialect/message-parts.ts";
import { topPOf } from "../dialect/sampling.ts";
import { toToolSchema } from "../dialect/tool-schema.ts";
import type { BuildOptions, WireBody } from "../dialect/wire-dialect.ts";
import type { ChatRequest } from "../provider.ts";
import { buildMessages, textBlock } from "./build-messages.ts";
import { markCache, withMark } from "./mark-cache.ts";
import { toAnthropicSchema } from "./native-schema.ts";
import { DEFAULT_MAX_TOKENS, thinkingFields, thinks, wishOf } from "./thinking.ts";

const MAX_USER_ID = 256;

/** How the answer's schema is enforced: natively, by a forced tool call, or by asking in the prompt. */
type SchemaBy = "native" | "forced_tool" | "prompt" | undefined;

export const schemaBy = ({ outputFormat, tools }: ChatRequest, quirks: ModelQuirks): SchemaBy => {
  if (outputFormat === undefined) return undefined;
  if (outputFormat.type === "json" || quirks.schemaBy === "prompt") return "prompt";
  if (quirks.schemaBy !== "forced_tool" && toAnthropicSchema(outputFormat.schema)) return "native";
  // A forced answer tool would exclude the caller's own tools, and some models cannot be forced.
  return tools?.length || quirks.noForcedTool ? "prompt" : "forced_tool";
};

/** The name of the tool that carries the answer. */
export const ANSWER_TOOL = "answer";

const wireTools = (request: ChatRequest): WireBody[] => {
  const tools = (request.tools ?? []).map(
    (tool): WireBody =>
      withMark(
        tool.native ?? {
          name: tool.name,
          description: tool.description,
          input_schema: toToolSchema(tool.parameters),
          ...tool.forAnthropic,
        },
        tool,
      ),
  );
  if (tools.length > 0) return tools;
  // Past calls are refused unless their tools are declared.
  const past = new Set(calledTools(request.messages).values());
  return [...past].map((name) => ({ name, input_schema: toToolSchema(undefined) }));
};

const toolChoice = (request: ChatRequest, quirks: ModelQuirks): WireBody | undefined => {
  if (!request.tools?.length) return { type: "none" };
  const choice = request.toolChoice;
  if (choice === "none") return { type: "none" };
  const parallel = request.parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  const forced = choice === "required" || typeof choice === "object";
  if (forced && !quirks.noForcedTool)
    return typeof choice === "object" ? { type: "tool", name: choice.name, ...parallel } : { type: "any", ...parallel };
  return choice === undefined && request.parallelToolCalls !== false ? undefined : { type: "auto", ...parallel };
};

const toolFields = (request: ChatRequest, by: SchemaBy, quirks: ModelQuirks): WireBody => {
  if (by === "forced_tool" && request.outputFormat?.type === "schema") {
    const tool = { name: ANSWER_TOOL, description: "Gives the answer.", input_schema: toToolSchema(request.outputFormat.schema) };
    return { tools: [tool], tool_choice: { type: "tool", name: ANSWER_TOOL, disable_parallel_tool_use: true } };
  }
  const tools = wireTools(request);
  if (tools.length === 0) return {};
  const choice = toolChoice(request, quirks);
  return { tools, ...(choice && { tool_choice: choice }) };
};

const forcesTool = ({ toolChoice }: ChatRequest, by: SchemaBy): boolean =>
  by === "forced_tool" || toolChoice === "required" || typeof toolChoice === "object";

const samplingFields = (request: ChatRequest, quirks: ModelQuirks, thinking: boolean): WireBody => {
  if (quirks.noSampling || thinking) return {};
  const { temperature, topK } = request;
  return {
    temperature: temperature === undefined ? undefined : Math.min(1, temperature),
    top_p: topPOf(request, quirks),
    top_k: topK,
  };
};

/** Edits that clear thinking need thinking to be on. */
const nativeFields = ({ forAnthropic: { betas = [], edits = [] } = {} }: ChatRequest, mayThink: boolean): WireBody => {
  const possible = edits.filter(({ type }) => mayThink || !type.startsWith("clear_thinking"));
  return {
    ...(betas.length > 0 && { betas }),
    ...(possible.length > 0 && { context_management: { edits: possible } }),
  };
};

/** Beta features are named in a header. */
export const takeHeaders = (body: WireBody): Record<string, string> => {
  const { betas } = body;
  delete body["betas"];
  return Array.isArray(betas) ? { "anthropic-beta": betas.join(",") } : {};
};

const withInstruction = (system: string | WireBody[], instruction: string): string | WireBody[] =>
  typeof system === "string" ? [system, instruction].filter(Boolean).join("\n\n") : [...system, textBlock(instruction)];

const withAttribution = (system: string | WireBody[], attribution: string | undefined): string | WireBody[] => {
  if (attribution === undefined) return system;
  const blocks = typeof system === "string" ? [system].filter(Boolean).map(textBlock) : system;
  return [textBlock(attribution), ...blocks];
};

export const buildAnthropicRequest = (model: string, request: ChatRequest, { stream, quirks }: BuildOptions): WireBody => {
  const by = schemaBy(request, quirks);
  // Other APIs' system messages belong at the top, wherever they stand.
  const { system: top, turns: messages } = buildMessages(request.messages, {
    inPlace: quirks.systemInTurns === true && request.forAnthropic !== undefined,
    continues: quirks.continuesAnswer === true && wishOf(request) !== "on" && by === undefined,
  });
  const asked = by === "prompt" ? withInstruction(top, jsonInstruction(request.outputFormat)!) : top;
  const system = withAttribution(asked, request.forAnthropic?.attribution);
  const thinking = thinkingFields(request, forcesTool(request, by), quirks, messages);
  const format =
    by === "native" && request.outputFormat?.type === "schema"
      ? { type: "json_schema", schema: toAnthropicSchema(request.outputFormat.schema) }
      : undefined;
  const outputConfig = { ...(thinking["output_config"] as WireBody | undefined), ...(format && { format }) };
  const stop = request.stop?.filter((sequence) => sequence.trim() !== "");
  const body: WireBody = {
    model,
    max_tokens: request.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
    ...(system.length > 0 && { system }),
    messages,
    ...samplingFields(request, quirks, thinks(thinking)),
    ...(stop?.length && { stop_sequences: stop }),
    ...toolFields(request, by, quirks),
    ...thinking,
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
    ...(request.user !== undefined && { metadata: { user_id: impersonal(request.user, MAX_USER_ID) } }),
    ...nativeFields(request, thinks(thinking) || quirks.thinking === "always"),
    ...(stream && { stream: true }),
  };
  if (request.cachePrompt) markCache(body, request.cachePrompt.whole);
  return body;
};
