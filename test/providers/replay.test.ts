/** Every recording of a chat answer, whole and streamed, through the real provider over loopback: nothing of it may get lost. */

import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Dialect } from "../../src/catalog/model.ts";
import { UpstreamError } from "../../src/providers/provider.ts";
import { askFor, type Collected, collect, contextWith, providerFor } from "../support/chat-provider.ts";
import { json, type SseStyle, slice, sseBody, startUpstreamStub, stream } from "../support/upstream-stub.ts";

const WIRE = join(import.meta.dir, "../../../shared/data/wire");
const DIALECTS: Record<string, Dialect> = {
  openai: "openai",
  groq: "openai",
  mistral: "openai",
  deepseek: "openai",
  xai: "openai",
  anthropic: "anthropic",
  google: "google",
};

type Expected = {
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

/** What a reader of the raw JSON finds, written down without the code under test. */
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

const expectedOf = (dialect: Dialect, frames: any[], file: string): Expected =>
  dialect === "openai" ? expectOpenAi(frames) : dialect === "anthropic" ? expectAnthropic(frames) : expectGoogle(frames, file);

const check = (got: Omit<Collected, "events" | "refusal">, expected: Expected): void => {
  expect(got.text).toBe(expected.text);
  expect(got.reasoning).toBe(expected.reasoning);
  expect(got.toolCalls.map(({ name, arguments: args }) => ({ name, arguments: JSON.parse(args) }))).toEqual(expected.tools);
  expect(new Set(got.toolCalls.map(({ id }) => id)).size).toBe(expected.tools.length);
  expect(got.finishReason as string).toBe(expected.finish);
  const usage = got.usage!;
  expect(usage.input + usage.cacheRead + usage.cacheWrite).toBe(expected.prompt);
  expect(usage.output + usage.reasoning).toBe(expected.completion);
  expect(usage.cacheRead).toBe(expected.cached);
  expect(usage.reasoning).toBe(expected.hidden);
};

const isChatAnswer = (body: any): boolean => Boolean(body.choices || body.candidates || body.type === "message");

const STYLES: [string, SseStyle, number[]][] = [
  ["in one piece", {}, [1 << 20]],
  ["in slices of 7, 1 and 13 bytes with CRLF and comments", { lineEnd: "\r\n", comments: true }, [7, 1, 13]],
  ["in slices of 1,021 bytes with CR, without [DONE]", { lineEnd: "\r", done: false }, [1021]],
];

describe.skipIf(!existsSync(WIRE))("recorded traffic (skipped where ../shared/data is absent)", () => {
  const stub = startUpstreamStub();
  afterAll(() => stub.stop());

  for (const [vendor, dialect] of Object.entries(DIALECTS)) {
    const files = existsSync(join(WIRE, vendor)) ? readdirSync(join(WIRE, vendor)) : [];
    const provider = providerFor(dialect, stub.url);
    for (const file of files.filter((name) => name.endsWith(".json"))) {
      const body = JSON.parse(readFileSync(join(WIRE, vendor, file), "utf8"));
      if (!isChatAnswer(body)) continue;
      test(`${file} comes out as it was recorded`, async () => {
        stub.answer(json(body));
        const result = await provider.chat!("m", askFor("hi"), contextWith());
        check({ ...result, reasoning: result.reasoning ?? "", usage: result.usage }, expectedOf(dialect, [body], file));
        expect(result.usageSource).toBe("provider");
      });
    }
    for (const file of files.filter((name) => name.endsWith(".chunks.txt"))) {
      const frames = readFileSync(join(WIRE, vendor, file), "utf8")
        .split("\n")
        .filter(Boolean);
      const expected = expectedOf(
        dialect,
        frames.map((frame) => JSON.parse(frame)),
        file,
      );
      for (const [name, style, sizes] of STYLES) {
        test(`${file} streamed ${name} comes out as it was recorded`, async () => {
          const done = dialect === "openai" && style.done !== false;
          stub.answer(stream(slice(sseBody(frames, { ...style, done, eventNames: dialect === "anthropic" }), sizes)));
          check(await collect(provider.streamChat!("m", askFor("hi"), contextWith())), expected);
        });
      }
    }
  }

  const errorOf = async (dialect: Dialect, file: string, status: number): Promise<UpstreamError> => {
    stub.answer(json(JSON.parse(readFileSync(join(WIRE, file), "utf8")), status));
    const error = await providerFor(dialect, stub.url).chat!(
      "m",
      { messages: [{ role: "user", content: "hi" }] },
      contextWith(),
    ).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UpstreamError);
    return error;
  };

  test("the recorded Gemini 429 says how long to wait", async () => {
    const { kind, details } = await errorOf("google", "google/google-429-retry-info.json", 429);
    expect(kind).toBe("rate_limit");
    expect(details.retryAfterMs).toBe(34_400);
  });

  test("the recorded refusal of max_tokens names the parameter", async () => {
    const { kind, details } = await errorOf("openai", "openai/reasoning-model-legacy-parameter-error.json", 400);
    expect(kind).toBe("unsupported_param");
    expect(details.param).toBe("max_tokens");
  });
});
