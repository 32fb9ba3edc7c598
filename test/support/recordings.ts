/** Recorded provider traffic and what a reader of its raw JSON finds in it, written down without the code under test. */

import { join } from "node:path";
import type { Dialect } from "../../src/catalog/model.ts";

export const WIRE = join(import.meta.dir, "../../../shared/data/wire");
export const DIALECTS: Record<string, Dialect> = {
  openai: "openai",
  groq: "openai",
  mistral: "openai",
  deepseek: "openai",
  xai: "openai",
  anthropic: "anthropic",
  google: "google",
};

export type Expected = {
  text: string;
  reasoning: string;
  tools: { name: string; arguments: unknown }[];
  finish: string;
  prompt: number;
  completion: number;
  cached: number;
  hidden: number;
};

const sum = (values: (string | undefined)[]): string => values.map((value) => value ?? "").join("");

const expectOpenAi = (frames: any[]): Expected => {
  const choices = frames.flatMap((frame) => frame.choices ?? []);
  const parts = choices.map((choice) => choice.message ?? choice.delta ?? {});
  const usage = frames.findLast((frame) => frame.usage)?.usage;
  const tools = parts
    .flatMap((part) => part.tool_calls ?? [])
    .map((call) => ({ name: call.function.name, arguments: JSON.parse(call.function.arguments) }));
  return {
    text: sum(parts.map((part) => part.content)),
    reasoning: sum(parts.map((part) => part.reasoning_content ?? part.reasoning)),
    tools,
    finish: choices.findLast((choice) => choice.finish_reason)?.finish_reason,
    prompt: usage.prompt_tokens,
    completion: usage.total_tokens - usage.prompt_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    hidden: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
};

const ANTHROPIC_FINISH: Record<string, string> = {
  end_turn: "stop",
  tool_use: "tool_calls",
  refusal: "content_filter",
  max_tokens: "length",
};

const expectAnthropic = (frames: any[]): Expected => {
  const whole = frames.length === 1 ? frames[0] : undefined;
  const usage = whole?.usage ?? frames.findLast((frame) => frame.type === "message_delta").usage;
  const started = frames.filter((frame) => frame.type === "content_block_start").map((frame) => frame.content_block);
  const ofBlock = (place: number): string =>
    sum(
      frames
        .filter((frame) => frame.type === "content_block_delta" && frame.index === place)
        .map((frame) => frame.delta.partial_json),
    );
  const tools = whole
    ? whole.content
        .filter((block: any) => block.type === "tool_use")
        .map((block: any) => ({ name: block.name, arguments: block.input }))
    : started.flatMap((block, place) =>
        block.type === "tool_use" ? [{ name: block.name, arguments: JSON.parse(ofBlock(place) || "{}") }] : [],
      );
  return {
    text: whole
      ? sum(whole.content.map((block: any) => (block.type === "text" ? block.text : "")))
      : sum(frames.map((frame) => frame.delta?.text)),
    reasoning: "",
    tools,
    finish: ANTHROPIC_FINISH[whole?.stop_reason ?? frames.findLast((frame) => frame.type === "message_delta").delta.stop_reason]!,
    prompt: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
    completion: usage.output_tokens,
    cached: usage.cache_read_input_tokens,
    hidden: 0,
  };
};

/** The tool calls of these files, read by eye: their arguments arrive in pieces. */
const GOOGLE_TOOLS: Record<string, Expected["tools"]> = {
  "google-stream-no-args-tool-call.chunks.txt": [
    { name: "read_theme", arguments: {} },
    ...["A", "B", "C"].map((id) => ({ name: "read_screen", arguments: { id } })),
  ],
};

const expectGoogle = (frames: any[], file: string): Expected => {
  const parts = frames.flatMap((frame) => frame.candidates ?? []).flatMap((candidate) => candidate.content?.parts ?? []);
  const usage = frames.at(-1).usageMetadata;
  const tools =
    GOOGLE_TOOLS[file] ??
    parts.flatMap((part) => (part.functionCall ? [{ name: part.functionCall.name, arguments: part.functionCall.args }] : []));
  return {
    text: sum(parts.map((part) => (part.thought ? "" : part.text))),
    reasoning: sum(parts.map((part) => (part.thought ? part.text : ""))),
    tools,
    finish: tools.length > 0 ? "tool_calls" : "stop",
    prompt: usage.promptTokenCount,
    completion: usage.totalTokenCount - usage.promptTokenCount,
    cached: 0,
    hidden: usage.thoughtsTokenCount ?? 0,
  };
};

export const expectedOf = (dialect: Dialect, frames: any[], file: string): Expected =>
  dialect === "openai" ? expectOpenAi(frames) : dialect === "anthropic" ? expectAnthropic(frames) : expectGoogle(frames, file);

export const isChatAnswer = (body: any): boolean => Boolean(body.choices || body.candidates || body.type === "message");
