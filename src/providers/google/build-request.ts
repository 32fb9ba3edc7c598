/** Converts a chat request to Gemini generateContent. */

import { jsonInstruction, systemText } from "../dialect/message-parts.ts";
import { nearestEffort } from "../dialect/nearest-effort.ts";
import { topPOf } from "../dialect/sampling.ts";
import { toToolSchema } from "../dialect/tool-schema.ts";
import type { BuildOptions, WireBody } from "../dialect/wire-dialect.ts";
import type { ChatRequest, ReasoningEffort, ToolDefinition } from "../provider.ts";
import { buildContents } from "./build-contents.ts";
import { toGoogleSchema } from "./google-schema.ts";

/** The most that all of its models accept. */
const MOST_THINKING = 24_576;
const THINKING_BUDGET: Record<ReasoningEffort, number> = {
  none: 0,
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: MOST_THINKING,
  xhigh: MOST_THINKING,
  max: MOST_THINKING,
};

const LEVELS: readonly ReasoningEffort[] = ["minimal", "low", "medium", "high"];

const LEAST_THINKING = 512;
/** More are refused; the answer is cut here at the others. */
const MOST_STOPS = 5;

const wireTool = (tool: ToolDefinition): WireBody => ({
  name: tool.name,
  description: tool.description,
  ...(tool.parameters && { parametersJsonSchema: toGoogleSchema(toToolSchema(tool.parameters)) }),
});

const callingConfig = (request: ChatRequest, forcedAllowed: boolean): WireBody | undefined => {
  const choice = request.toolChoice;
  if (choice === undefined || choice === "auto") return undefined;
  if (choice === "none") return { mode: "NONE" };
  if (!forcedAllowed) return { mode: "AUTO" };
  return choice === "required" ? { mode: "ANY" } : { mode: "ANY", allowedFunctionNames: [choice.name] };
};

const toolFields = (request: ChatRequest, { quirks }: BuildOptions): WireBody => {
  if (!request.tools?.length) return {};
  const config = callingConfig(request, !quirks.noForcedTool);
  return {
    tools: [{ functionDeclarations: request.tools.map(wireTool) }],
    ...(config && { toolConfig: { functionCallingConfig: config } }),
  };
};

/** Summaries of the thoughts cost nothing more. */
const SHOWN: WireBody = { includeThoughts: true };

/** Thinking counts as output, so it gets at most half of the bound. */
const thinkingConfig = (
  { reasoningEffort: effort, maxOutputTokens = Number.POSITIVE_INFINITY }: ChatRequest,
  { thinking, efforts = LEVELS }: BuildOptions["quirks"],
): WireBody | undefined => {
  if (effort === undefined || thinking === undefined) return undefined;
  const shown = effort !== "none" && SHOWN;
  if (thinking === "level") return { thinkingLevel: nearestEffort(effort, efforts), ...shown };
  const budget = Math.min(THINKING_BUDGET[effort], Math.floor(maxOutputTokens / 2));
  return effort !== "none" && budget < LEAST_THINKING ? undefined : { thinkingBudget: budget, ...shown };
};

const asksInPrompt = ({ outputFormat }: ChatRequest, { quirks }: BuildOptions): boolean =>
  outputFormat?.type === "schema" && quirks.schemaBy === "prompt";

const formatFields = (request: ChatRequest, options: BuildOptions): WireBody => {
  const { outputFormat: format, tools = [], toolChoice } = request;
  if (format === undefined) return {};
  const mustCall = toolChoice === "required" || typeof toolChoice === "object";
  // A forced call is the answer; no format can be set beside it. Models without schemas accept none beside any tool.
  if (tools.length > 0 && (mustCall || asksInPrompt(request, options))) return {};
  return {
    responseMimeType: "application/json",
    ...(format.type === "schema" && !asksInPrompt(request, options) && { responseJsonSchema: toGoogleSchema(format.schema) }),
  };
};

const samplingFields = (request: ChatRequest, quirks: BuildOptions["quirks"]): WireBody => {
  if (quirks.noSampling) return {};
  const { temperature, topK, presencePenalty, frequencyPenalty } = request;
  return { temperature, topP: topPOf(request, quirks), topK, presencePenalty, frequencyPenalty };
};

const generationConfig = (request: ChatRequest, options: BuildOptions): WireBody => {
  const { quirks } = options;
  return {
    maxOutputTokens: request.maxOutputTokens,
    ...samplingFields(request, quirks),
    ...(request.stop?.length && { stopSequences: request.stop.slice(0, MOST_STOPS) }),
    // Gemini's seeds are signed 32-bit integers.
    ...(request.seed !== undefined && { seed: request.seed | 0 }),
    ...formatFields(request, options),
    ...(quirks.draws && { responseModalities: ["TEXT", "IMAGE"] }),
    thinkingConfig: thinkingConfig(request, quirks),
  };
};

/** The model is in the path. */
export const buildGoogleRequest = (_model: string, request: ChatRequest, options: BuildOptions): WireBody => {
  const instruction = asksInPrompt(request, options) ? jsonInstruction(request.outputFormat!) : undefined;
  const system = [systemText(request.messages), instruction].filter(Boolean).join("\n\n");
  const config = generationConfig(request, options);
  return {
    ...(system && { systemInstruction: { parts: [{ text: system }] } }),
    contents: buildContents(request.messages, options.quirks.thinking === "level"),
    ...toolFields(request, options),
    ...(Object.values(config).some((value) => value !== undefined) && { generationConfig: config }),
  };
};

/** `models/<id>` for a bare id; tuned models and the like include their folder. */
export const modelPath = (model: string): string =>
  (model.includes("/") ? model : `models/${model}`).split("/").map(encodeURIComponent).join("/");
