/** A stream's parts as `chat.completion.chunk` frames (spec.md Events), and the error frame after which nothing comes (decisions §4). */

import { ApiError } from "../api-error.ts";
import { errorMember, serverError } from "../http/error-envelope.ts";
import type { FinishReason } from "../providers/provider.ts";
import { joinDeltas } from "./join-deltas.ts";
import { completionIdOf, toWireUsage } from "./shape-completion.ts";
import type { OpenedStream, StreamPart } from "./stream-answer.ts";

export type EncodeOptions = {
  /** `final`: on the final chunk (spec.md's stream); `extra`: in a chunk of its own, as OpenAI does; `none`. */
  usage: "final" | "extra" | "none";
  openAi: boolean;
  onUnexpected(error: unknown): void;
};

export async function* encodeStream(stream: OpenedStream, options: EncodeOptions): AsyncGenerator<string> {
  const id = completionIdOf(stream.requestId);
  const created = Math.floor(stream.createdAtMs / 1000);
  // The frame around each delta is the same: only what differs is serialised anew.
  let model = "";
  let head = "";
  const frame = (delta: string, finish: string, rest = ""): string => {
    if (stream.model() !== model || head === "") {
      model = stream.model();
      head = `data: {"id":"${id}","object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)},"choices":[{"index":0,"delta":`;
    }
    return `${head}${delta},"finish_reason":${finish}}]${rest}}\n\n`;
  };
  let first = true;
  const opening = (): string => {
    const role = first ? '"role":"assistant",' : "";
    first = false;
    return role;
  };
  try {
    for await (const part of joinDeltas(stream)) {
      if (part.type === "text") yield frame(`{${opening()}"content":${JSON.stringify(part.text)}}`, "null");
      else if (part.type === "tool-start" || part.type === "tool-arguments")
        yield frame(toolDelta(part, first && opening() !== ""), "null");
      else {
        if (first) yield frame(`{${opening()}"content":""}`, "null");
        yield* final(part, frame, { id, created, model: String(part.svc["model_selected"] ?? model) }, options);
      }
    }
    yield "data: [DONE]\n\n";
  } catch (error) {
    if (!(error instanceof ApiError)) options.onUnexpected(error);
    yield errorFrame(error, stream.requestId, options.openAi);
  }
}

const toolDelta = (part: Extract<StreamPart, { type: "tool-start" | "tool-arguments" }>, isFirst: boolean): string =>
  JSON.stringify({
    ...(isFirst && { role: "assistant", content: null }),
    tool_calls: [
      part.type === "tool-start"
        ? { index: part.index, id: part.id, type: "function", function: { name: part.name, arguments: "" } }
        : { index: part.index, function: { arguments: part.text } },
    ],
  });

function* final(
  part: Extract<StreamPart, { type: "final" }>,
  frame: (delta: string, finish: string, rest?: string) => string,
  about: { id: string; created: number; model: string },
  { usage }: EncodeOptions,
): Generator<string> {
  const svc = `,"svc":${JSON.stringify(part.svc)}`;
  const usageText = JSON.stringify(toWireUsage(part.usage));
  yield frame(
    "{}",
    JSON.stringify(part.finishReason satisfies FinishReason),
    usage === "final" ? `${svc},"usage":${usageText}` : svc,
  );
  if (usage === "extra") {
    yield `data: ${JSON.stringify({ ...about, object: "chat.completion.chunk", choices: [] }).slice(0, -1)},"usage":${usageText}}\n\n`;
  }
}

const errorFrame = (error: unknown, requestId: string, openAi: boolean): string => {
  const refusal = error instanceof ApiError ? error : serverError();
  return `data: ${JSON.stringify({ error: { ...errorMember(refusal, requestId, openAi), request_id: requestId }, ...refusal.options.beside })}\n\n`;
};
