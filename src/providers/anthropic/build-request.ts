/** Converts a chat request to Anthropic Messages. */

import type { ModelQuirks } from "../../catalog/model.ts";
import { impersonal } from "../dialect/caller-id.ts";
import { calledTools, jsonInstruction } from "../dialect/message-parts.ts";
import { nearestEffort } from "../dialect/nearest-effort.ts";
import { topPOf } from "../dialect/sampling.ts";
import { toToolSchema } from "../dialect/tool-schema.ts";
import type { BuildOptions, WireBody } from "../dialect/wire-dialect.ts";
import type { ChatRequest, ReasoningEffort, ThinkingWish } from "../provider.ts";
import { type AnthropicTurn, beganWithoutThought, buildMessages, textBlock } from "./build-messages.ts";
import { markCache, withMark } from "./mark-cache.ts";
import { toAnthropicSchema } from "./native-schema.ts";

/** `max_tokens` is mandatory; the router sets one, and this is for callers that bypass it. */
const DEFAULT_MAX_TOKENS = 4096;
const MIN_THINKING_TOKENS = 1024;
const MAX_USER_ID = 256;
const THINKING_TOKENS: Record<Exclude<ReasoningEffort, "none">, number> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};
/** Known to every model of which the catalog does not say otherwise. */
const USUAL_EFFORTS: readonly ReasoningEffort[] = ["low", "medium", "high", "xhigh", "max"];

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

/** An effort implies thinking, unless the caller can set both. */
const wishOf = ({ thinking, reasoningEffort }: ChatRequest): "on" | "off" | "default" => {
  if (thinking === undefined) return reasoningEffort === undefined ? "default" : reasoningEffort === "none" ? "off" : "on";
  if (thinking.mode === "default") return "default";
  return thinking.mode === "disabled" || thinking.mode === "between_tools" ? "off" : "on";
};

const effortFields = ({ thinking, reasoningEffort: effort }: ChatRequest, { efforts = USUAL_EFFORTS }: ModelQuirks): WireBody => {
  if (effort === undefined || (thinking !== undefined && effort === "none")) return {};
  return { output_config: { effort: nearestEffort(effort, efforts) } };
};

/** Beside these, efforts beyond `high` are refused. Only Anthropic's own clients ask for an effort as well. */
const thinkLess = (type: "disabled" | "between_tools", request: ChatRequest, quirks: ModelQuirks): WireBody => {
  const { thinking, reasoningEffort: effort } = request;
  const bounded = thinking && effort && { ...request, reasoningEffort: nearestEffort(effort) };
  return { thinking: { type }, ...(bounded && effortFields(bounded, quirks)) };
};

/** For a model that the catalog knows nothing about, the form that an Anthropic client chose is the one that its model takes. */
const BY_MODE: Partial<Record<ThinkingWish["mode"], ModelQuirks["thinking"]>> = { enabled: "budget", adaptive: "adaptive" };

const thinkingFields = (request: ChatRequest, by: SchemaBy, quirks: ModelQuirks, turns: readonly AnthropicTurn[]): WireBody => {
  const control = quirks.thinking ?? BY_MODE[request.thinking?.mode ?? "default"];
  if (control === undefined) return {};
  const wish = wishOf(request);
  const { display, blockBinding } = request.thinking ?? {};
  const details = { ...(display && { display }), ...(blockBinding && { block_binding: blockBinding }) };
  switch (control) {
    case "always": {
      if (wish === "off" && quirks.notesBetweenTools) return thinkLess("between_tools", request, quirks);
      const asked = { ...(request.thinking && wish === "on" && { type: "adaptive" }), ...details };
      return { ...(Object.keys(asked).length > 0 && wish !== "off" && { thinking: asked }), ...effortFields(request, quirks) };
    }
    case "adaptive":
      if (wish === "on" && !forcesTool(request, by)) {
        // Since Claude 4.7 nothing of the thinking is told unless asked for. Its own clients ask for themselves.
        const shown = request.thinking === undefined ? { display: "summarized" } : details;
        return { thinking: { type: "adaptive", ...shown }, ...effortFields(request, quirks) };
      }
      if (wish !== "default") return thinkLess("disabled", request, quirks);
      return request.thinking ? effortFields(request, quirks) : {};
    default: {
      // Thinking cannot be switched on in the middle of an answer that began without it.
      const budget = wish === "on" && !forcesTool(request, by) && !beganWithoutThought(turns) ? budgetOf(request) : 0;
      return budget < MIN_THINKING_TOKENS ? {} : { thinking: { type: "enabled", budget_tokens: budget, ...details } };
    }
  }
};

/** The caller's own budget if it leaves room for an answer; else one by effort, at most half of the output bound. */
const budgetOf = ({ thinking, reasoningEffort = "medium", maxOutputTokens = DEFAULT_MAX_TOKENS }: ChatRequest): number => {
  const asked = thinking?.budgetTokens;
  if (asked !== undefined && asked < maxOutputTokens) return asked;
  return Math.min(asked ?? (reasoningEffort === "none" ? 0 : THINKING_TOKENS[reasoningEffort]), Math.floor(maxOutputTokens / 2));
};

const thinks = (fields: WireBody): boolean => {
  const thinking = fields["thinking"] as { type?: string } | undefined;
  return thinking !== undefined && thinking.type !== "disabled";
};

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
  const thinking = thinkingFields(request, by, quirks, messages);
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
