/** Encodes a stream's parts as `chat.completion.chunk` frames (spec.md Events), or ends it with an error frame (decisions §4). */

import { errorMember, refusalOf } from "../../http/error-envelope.ts";
import { isPlain } from "../../providers/provider.ts";
import { toInput } from "../custom-tools.ts";
import {
  type FinalPart,
  isThinkingPart,
  type StreamEncoder,
  type StreamFacts,
  type StreamPart,
  type ThinkingPart,
} from "./outlet.ts";
import { type CallForm, completionIdOf, toAnnotation, toWireFinish, toWireUsage } from "./shape-completion.ts";

export type EncodeOptions = {
  /** `final`: on the final chunk (spec.md's stream); `extra`: in a chunk of its own, as OpenAI does; `none`. */
  usage: "final" | "extra" | "none";
  openAi: boolean;
} & CallForm;

const TEXT_TAIL = '},"finish_reason":null}]}\n\n';

export const createChunkEncoder = (stream: StreamFacts, options: EncodeOptions): StreamEncoder => {
  const id = completionIdOf(stream.requestId);
  const created = Math.floor(stream.createdAtMs / 1000);
  // The frame around each delta is the same, so only the delta is serialised.
  let model = "";
  let head = "";
  let textHead = "";
  const noteModel = (): void => {
    const answering = stream.model();
    if (answering === model && head !== "") return;
    model = answering;
    const opening = ['data: {"id":"', id, '","object":"chat.completion.chunk","created":', created, ',"model":'];
    const parts = [...opening, JSON.stringify(model), ',"choices":[{"index":0,"delta":'];
    // Joined, because the runtime keeps a template's result as a list of its parts, which every chunk would walk again.
    head = parts.join("");
    textHead = [...parts, '{"content":'].join("");
  };
  const frame: Frame = (delta, finish, rest = "") => {
    noteModel();
    return `${head}${delta},"finish_reason":${finish}}]${rest}}\n\n`;
  };
  const textFrame = (text: string): string => {
    if (first) return frame(`{${opening()}"content":${JSON.stringify(text)}}`, "null");
    noteModel();
    return textHead + JSON.stringify(text) + TEXT_TAIL;
  };
  /** Thinking that a vendor wants back is sent to callers of this API under the field name that vendors use. */
  const thinkingFrame = (part: ThinkingPart): string =>
    part.type === "thought" && isPlain(part.thought)
      ? frame(`{${opening()}"reasoning_content":${JSON.stringify(part.thought.text)}}`, "null")
      : "";
  /** The input of custom tools is known only when the call is complete. */
  const customCalls = new Map<number, CustomCall>();
  /** OpenAI's SDKs start parsing a structured answer at its first text unless they have seen a refusal before. */
  const refusalFrame = (refusal: string | undefined): string => {
    if (!options.openAi || !refusal || isRefusalTold) return "";
    isRefusalTold = true;
    return frame(`{${opening()}"refusal":${JSON.stringify(refusal)}}`, "null");
  };
  let isRefusalTold = false;
  let first = true;
  const opening = (): string => {
    const role = first ? '"role":"assistant",' : "";
    first = false;
    return role;
  };
  return {
    part: (part) => {
      if (part.type === "text")
        return part.refusal === undefined ? textFrame(part.text) : refusalFrame(part.refusal) + textFrame(part.text);
      if (isThinkingPart(part)) return thinkingFrame(part);
      if (part.type === "tool-start" && options.isCustom(part.name)) customCalls.set(part.index, { ...part, text: "" });
      const custom = part.type === "final" ? undefined : customCalls.get(part.index);
      if (custom && part.type === "tool-arguments") custom.text += part.text;
      if (custom) return "";
      if (part.type !== "final") {
        // With `functions` an answer had only one call.
        if (options.asFunction && part.index > 0) return "";
        return frame(toolDelta(part, first && opening() !== "", options), "null");
      }
      let before = first ? frame(`{${opening()}"content":""}`, "null") : "";
      for (const call of customCalls.values()) before += frame(customDelta(call), "null");
      const { refusal, citations } = part.result;
      before += refusalFrame(refusal);
      if (citations) before += frame(JSON.stringify({ annotations: citations.map(toAnnotation) }), "null");
      return before + final(part, frame, { id, created, model: part.svc.model_selected }, options);
    },
    failure: (error) => errorFrame(error, stream.requestId, options.openAi),
  };
};

type CustomCall = { index: number; id: string; name: string; text: string };

const customDelta = ({ index, id, name, text }: CustomCall): string =>
  JSON.stringify({ tool_calls: [{ index, id, type: "custom", custom: { name, input: toInput(text) } }] });

type Frame = (delta: string, finish: string, rest?: string) => string;

type ToolPart = Extract<StreamPart, { type: "tool-start" | "tool-arguments" }>;

const toolDelta = (part: ToolPart, isFirst: boolean, { asFunction }: CallForm): string => {
  const called = part.type === "tool-start" ? { name: part.name, arguments: "" } : { arguments: part.text };
  const named = part.type === "tool-start" && { id: part.id, type: "function" };
  return JSON.stringify({
    ...(isFirst && { role: "assistant", content: null }),
    ...(asFunction ? { function_call: called } : { tool_calls: [{ index: part.index, ...named, function: called }] }),
  });
};

const final = (
  { result, svc }: FinalPart,
  frame: Frame,
  about: { id: string; created: number; model: string },
  { usage, ...form }: EncodeOptions,
): string => {
  const svcText = `,"svc":${JSON.stringify(svc)}`;
  const usageText = JSON.stringify(toWireUsage(result.usage));
  const last = frame(
    "{}",
    JSON.stringify(toWireFinish(result.finishReason, form)),
    usage === "final" ? `${svcText},"usage":${usageText}` : svcText,
  );
  const extra = JSON.stringify({ ...about, object: "chat.completion.chunk", choices: [] }).slice(0, -1);
  return `${last}${usage === "extra" ? `data: ${extra},"usage":${usageText}}\n\n` : ""}data: [DONE]\n\n`;
};

/** The last frame of a stream that failed. */
export const errorFrame = (error: unknown, requestId: string, openAi: boolean): string => {
  const refusal = refusalOf(error);
  return `data: ${JSON.stringify({ error: { ...errorMember(refusal, requestId, openAi), request_id: requestId }, ...refusal.options.beside })}\n\n`;
};
