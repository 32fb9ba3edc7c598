/** Encodes a stream's parts as `chat.completion.chunk` frames (spec.md Events), or ends it with an error frame (decisions §4). */

import { errorMember, refusalOf } from "../../http/error-envelope.ts";
import { toInput } from "../custom-tools.ts";
import {
  type FinalPart,
  isThinkingPart,
  type PicturePart,
  type StreamEncoder,
  type StreamFacts,
  type StreamPart,
  type ThinkingPart,
  thinkingIn,
} from "./outlet.ts";
import { type CallForm, completionIdOf, toAnnotation, toWireFinish, toWirePicture, toWireUsage } from "./shape-completion.ts";

export type EncodeOptions = {
  /** `final`: on the final chunk (spec.md's stream); `extra`: in a chunk of its own, and null in all others, as OpenAI does; `none`. */
  usage: "final" | "extra" | "none";
  openAi: boolean;
} & CallForm;

/** `endCalls` tells the custom calls so far, which are complete. */
type ChunkEncoder = StreamEncoder & { endCalls(): string };

export const createChunkEncoder = (stream: StreamFacts, options: EncodeOptions): ChunkEncoder => {
  const frames = createFrames(stream, options.usage === "extra" ? ',"usage":null' : "");
  const frame = (delta: string, finish?: string, rest?: string): string => frameOf(frames, delta, finish, rest);
  /** The input of custom tools is known only when the call is complete. */
  const customCalls = new Map<number, CustomCall>();
  let isFirst = true;
  let isRefusalTold = false;
  let pictures = 0;
  const opening = (): string => {
    const role = isFirst ? '"role":"assistant",' : "";
    isFirst = false;
    return role;
  };
  const firstText = (words: string): string => frame(`{${opening()}"content":${JSON.stringify(words)}}`);
  /** OpenAI's API has no thinking; this is the field name that most vendors use. */
  const thinking = (part: ThinkingPart): string => {
    const words = thinkingIn(part);
    if (words === "") return "";
    // The first chunk has content, whatever else it has.
    const content = isFirst ? '"content":"",' : "";
    return frame(`{${opening()}${content}"reasoning_content":${JSON.stringify(words)}}`);
  };
  const pictured = ({ url }: PicturePart): string => {
    const content = isFirst ? '"content":"",' : "";
    return frame(`{${opening()}${content}"images":${JSON.stringify([toWirePicture(url, pictures++)])}}`);
  };
  /** OpenAI's SDKs start parsing a structured answer at its first text unless they have seen a refusal before. */
  const refused = (refusal: string | undefined): string => {
    if (!options.openAi || !refusal || isRefusalTold) return "";
    isRefusalTold = true;
    return frame(`{${opening()}"refusal":${JSON.stringify(refusal)}}`);
  };
  const called = (part: ToolPart): string => {
    if (part.type === "tool-start" && options.isCustom(part.name)) customCalls.set(part.index, { ...part, text: "" });
    const custom = customCalls.get(part.index);
    if (custom === undefined) {
      // With `functions` an answer had only one call.
      if (options.asFunction && part.index > 0) return "";
      return frame(toolDelta(part, isFirst && opening() !== "", options));
    }
    if (part.type === "tool-arguments") custom.text += part.text;
    return "";
  };
  const begin = (): string => (isFirst ? frame(`{${opening()}"content":""}`) : "");
  const endCalls = (): string => {
    if (customCalls.size === 0) return "";
    const frames = begin() + [...customCalls.values()].map((call) => frame(customDelta(call))).join("");
    customCalls.clear();
    return frames;
  };
  const final = ({ result, svc }: FinalPart): string => {
    const { refusal, citations, usage, finishReason } = result;
    let text = begin() + endCalls() + refused(refusal);
    if (citations) text += frame(JSON.stringify({ annotations: citations.map(toAnnotation) }));
    const usageText = JSON.stringify(toWireUsage(usage));
    const rest = `,"svc":${JSON.stringify(svc)}${options.usage === "final" ? `,"usage":${usageText}` : frames.rest}`;
    text += frame("{}", JSON.stringify(toWireFinish(finishReason, options)), rest);
    if (options.usage === "extra") text += usageFrame(frames, svc.model_selected, usageText);
    return `${text}data: [DONE]\n\n`;
  };
  return {
    part: (part) => {
      if (part.type === "text") {
        const refusal = part.refusal === undefined ? "" : refused(part.refusal);
        return refusal + (isFirst ? firstText(part.text) : textFrame(frames, part.text));
      }
      if (isThinkingPart(part)) return thinking(part);
      if (part.type === "picture") return pictured(part);
      return part.type === "final" ? final(part) : called(part);
    },
    failure: (error) => errorFrame(error, stream.requestId, options.openAi),
    endCalls,
  };
};

/** The frames of one stream. They all begin alike until the model changes, and end alike, so only what differs is serialised. */
type Frames = {
  stream: StreamFacts;
  model: string | undefined;
  head: string;
  textHead: string;
  textTail: string;
  rest: string;
  hasText: boolean;
};

/** `rest`: the members after `choices`. */
const createFrames = (stream: StreamFacts, rest: string): Frames => ({
  stream,
  model: undefined,
  head: "",
  textHead: "",
  textTail: ['},"finish_reason":null}]', rest, "}\n\n"].join(""),
  rest,
  hasText: false,
});

const createdAt = ({ createdAtMs }: StreamFacts): number => Math.floor(createdAtMs / 1000);

const noteModel = (frames: Frames): void => {
  const { stream } = frames;
  const model = stream.model();
  if (model === frames.model) return;
  frames.model = model;
  const id = completionIdOf(stream.requestId);
  const opening = ['data: {"id":"', id, '","object":"chat.completion.chunk","created":', createdAt(stream), ',"model":'];
  const parts = [...opening, JSON.stringify(model), ',"choices":[{"index":0,"delta":'];
  // Joined, because the runtime keeps a template's result as a list of its parts, which every chunk would walk again.
  frames.head = parts.join("");
  frames.textHead = [...parts, '{"content":'].join("");
};

const frameOf = (frames: Frames, delta: string, finish = "null", rest = frames.rest): string => {
  noteModel(frames);
  return `${frames.head}${delta},"finish_reason":${finish}}]${rest}}\n\n`;
};

const textFrame = (frames: Frames, text: string): string => {
  // After its first text an answer stays with its model.
  if (!frames.hasText) noteModel(frames);
  frames.hasText = true;
  return frames.textHead + JSON.stringify(text) + frames.textTail;
};

/** OpenAI's last chunk: usage without choices. */
const usageFrame = ({ stream }: Frames, model: string, usage: string): string => {
  const id = completionIdOf(stream.requestId);
  const head = JSON.stringify({ id, created: createdAt(stream), model, object: "chat.completion.chunk", choices: [] });
  return `data: ${head.slice(0, -1)},"usage":${usage}}\n\n`;
};

type CustomCall = { index: number; id: string; name: string; text: string };

const customDelta = ({ index, id, name, text }: CustomCall): string =>
  JSON.stringify({ tool_calls: [{ index, id, type: "custom", custom: { name, input: toInput(text) } }] });

type ToolPart = Extract<StreamPart, { type: "tool-start" | "tool-arguments" }>;

const toolDelta = (part: ToolPart, isFirst: boolean, { asFunction }: CallForm): string => {
  const called = part.type === "tool-start" ? { name: part.name, arguments: "" } : { arguments: part.text };
  const named = part.type === "tool-start" && { id: part.id, type: "function" };
  return JSON.stringify({
    ...(isFirst && { role: "assistant", content: null }),
    ...(asFunction ? { function_call: called } : { tool_calls: [{ index: part.index, ...named, function: called }] }),
  });
};

/** The last frame of a stream that failed. */
export const errorFrame = (error: unknown, requestId: string, openAi: boolean): string => {
  const refusal = refusalOf(error);
  return `data: ${JSON.stringify({ error: { ...errorMember(refusal, requestId, openAi), request_id: requestId }, ...refusal.options.beside })}\n\n`;
};
