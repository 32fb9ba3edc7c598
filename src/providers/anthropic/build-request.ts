/** Converts a chat request to Anthropic Messages. */

import type { ModelQuirks } from "../../catalog/model.ts";
import { impersonal } from "../dialect/caller-id.ts";
import type { Schema } from "../dialect/map-schema.ts";
import { calledTools, jsonInstruction } from "../dialect/message-parts.ts";
import { topPOf } from "../dialect/sampling.ts";
import { toToolSchema } from "../dialect/tool-schema.ts";
import type { BuildOptions, WireBody } from "../dialect/wire-dialect.ts";
import type { ChatRequest, OutputFormat } from "../provider.ts";
import { buildMessages, moreSystem, textBlock } from "./build-messages.ts";
import { markCache, withMark } from "./mark-cache.ts";
import { toAnthropicSchema } from "./native-schema.ts";
import { DEFAULT_MAX_TOKENS, thinkingFields, thinks, wishOf } from "./thinking.ts";

const MAX_USER_ID = 256;

/** How the answer's form is enforced: natively, by a forced tool call, or by asking in the prompt. */
type AnswerForm = { by: "native" | "forced_tool"; schema: Schema } | { by: "prompt"; format: OutputFormat } | { by: "nothing" };

export const answerFormOf = ({ outputFormat, tools }: ChatRequest, quirks: ModelQuirks): AnswerForm => {
  if (outputFormat === undefined) return { by: "nothing" };
  const asked: AnswerForm = { by: "prompt", format: outputFormat };
  if (outputFormat.type === "json" || quirks.schemaBy === "prompt") return asked;
  const native = quirks.schemaBy === "forced_tool" ? undefined : toAnthropicSchema(outputFormat.schema);
  if (native) return { by: "native", schema: native };
  // A forced answer tool would exclude the caller's own tools, and some models cannot be forced.
  return tools?.length || quirks.noForcedTool ? asked : { by: "forced_tool", schema: outputFormat.schema };
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

const toolFields = (request: ChatRequest, answer: AnswerForm, quirks: ModelQuirks): WireBody => {
  if (answer.by === "forced_tool") {
    const tool = { name: ANSWER_TOOL, description: "Gives the answer.", input_schema: toToolSchema(answer.schema) };
    return { tools: [tool], tool_choice: { type: "tool", name: ANSWER_TOOL, disable_parallel_tool_use: true } };
  }
  const tools = wireTools(request);
  if (tools.length === 0) return {};
  const choice = toolChoice(request, quirks);
  return { tools, ...(choice && { tool_choice: choice }) };
};

const forcesTool = ({ toolChoice }: ChatRequest, { by }: AnswerForm): boolean =>
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

const withAttribution = (system: string | WireBody[], attribution: string | undefined): string | WireBody[] => {
  if (attribution === undefined) return system;
  const blocks = typeof system === "string" ? [system].filter(Boolean).map(textBlock) : system;
  return [textBlock(attribution), ...blocks];
};

export const buildAnthropicRequest = (model: string, request: ChatRequest, { stream, quirks }: BuildOptions): WireBody => {
  const answer = answerFormOf(request, quirks);
  // Other APIs' system messages belong at the top, wherever they stand.
  const { system: top, turns: messages } = buildMessages(request.messages, {
    inPlace: quirks.systemInTurns === true && request.forAnthropic !== undefined,
    continues: quirks.continuesAnswer === true && wishOf(request) !== "on" && answer.by === "nothing",
  });
  const asked = answer.by === "prompt" ? moreSystem(top, [textBlock(jsonInstruction(answer.format))]) : top;
  const system = withAttribution(asked, request.forAnthropic?.attribution);
  const thinking = thinkingFields(request, forcesTool(request, answer), quirks, messages);
  const format = answer.by === "native" && { format: { type: "json_schema", schema: answer.schema } };
  const outputConfig = { ...(thinking["output_config"] as WireBody | undefined), ...format };
  const stop = request.stop?.filter((sequence) => sequence.trim() !== "");
  const body: WireBody = {
    model,
    max_tokens: request.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
    ...(system.length > 0 && { system }),
    messages,
    ...samplingFields(request, quirks, thinks(thinking)),
    ...(stop?.length && { stop_sequences: stop }),
    ...toolFields(request, answer, quirks),
    ...thinking,
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
    ...(request.user !== undefined && { metadata: { user_id: impersonal(request.user, MAX_USER_ID) } }),
    ...nativeFields(request, thinks(thinking) || quirks.thinking === "always"),
    ...(stream && { stream: true }),
  };
  if (request.cachePrompt) markCache(body, request.cachePrompt.whole);
  return body;
};
