/** Behaviours of the OpenAI dialect and of the vendors that copied it; each test is a lesson somebody paid for. */

import { afterAll, beforeEach, expect, test } from "bun:test";
import type { ModelQuirks } from "../../src/catalog/model.ts";
import { buildOpenAiRequest } from "../../src/providers/openai/build-request.ts";
import { mapOpenAiError } from "../../src/providers/openai/map-error.ts";
import type { ChatRequest } from "../../src/providers/provider.ts";
import { askFor, type Collected, collect, contextWith, eachEvent, listsOf, providerFor } from "../support/chat-provider.ts";
import { json, type SseStyle, sse, startUpstreamStub } from "../support/upstream-stub.ts";

const stub = startUpstreamStub();
afterAll(() => stub.stop());
beforeEach(() => {
  stub.seen.length = 0;
});

const delta = (value: object, finish: string | null = null) => ({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
const tool = (value: object) => delta({ tool_calls: [value] });
const end = (reason = "stop") => delta({}, reason);
const streamed = (frames: (object | string)[], style: SseStyle = {}): Promise<Collected> => {
  stub.answer(sse(frames, style));
  return collect(listsOf((take) => providerFor("openai", stub.url).streamChat!("m", askFor("hi"), contextWith(), take)));
};
const whole = (body: object) => {
  stub.answer(json(body));
  return providerFor("openai", stub.url).chat!("m", askFor("hi"), contextWith());
};
const calls = (all: { toolCalls: { name: string; arguments: string }[] }) =>
  all.toolCalls.map(({ name, arguments: args }) => [name, args]);
const build = (request: Partial<ChatRequest>, quirks: ModelQuirks = {}, stream = false): any =>
  buildOpenAiRequest("m", { messages: [{ role: "user", content: "hi" }], ...request }, { stream, quirks });

// ---- streams

test("parallel tool calls that all come with index 0 are kept apart by their ids", async () => {
  const all = await streamed([
    tool({ index: 0, id: "c1", function: { name: "a", arguments: '{"x":' } }),
    tool({ index: 0, id: "c1", function: { arguments: "1}" } }),
    tool({ index: 0, id: "c2", function: { name: "b", arguments: "{}" } }),
    end("tool_calls"),
  ]);
  expect(calls(all)).toEqual([
    ["a", '{"x":1}'],
    ["b", "{}"],
  ]);
});

test("interleaved calls with true indices grow side by side", async () => {
  const all = await streamed([
    delta({
      tool_calls: [
        { index: 0, id: "c1", function: { name: "a", arguments: "" } },
        { index: 1, id: "c2", function: { name: "b", arguments: "" } },
      ],
    }),
    tool({ index: 1, function: { arguments: '{"b":1}' } }),
    tool({ index: 0, function: { arguments: '{"a":1}' } }),
    end("tool_calls"),
  ]);
  expect(calls(all)).toEqual([
    ["a", '{"a":1}'],
    ["b", '{"b":1}'],
  ]);
});

test("indices that do not begin at 0 are counted anew", async () => {
  const all = await streamed([tool({ index: 3, id: "c1", function: { name: "a", arguments: "{}" } }), end("tool_calls")]);
  expect(all.events[0]).toMatchObject({ type: "tool-start", index: 0 });
});

test("calls without index and id get both, and a repeated whole call is a second one", async () => {
  const all = await streamed([
    tool({ function: { name: "a", arguments: '{"n":1}' } }),
    tool({ function: { name: "a", arguments: '{"n":2}' } }),
    end("stop"),
  ]);
  expect(calls(all)).toEqual([
    ["a", '{"n":1}'],
    ["a", '{"n":2}'],
  ]);
  expect(new Set(all.toolCalls.map(({ id }) => id)).size).toBe(2);
  expect(all.finishReason).toBe("tool_calls");
});

test("pieces of several calls in one list, without indices, are told apart by their places (Moonshot)", async () => {
  const list = (...tool_calls: object[]) => delta({ tool_calls });
  const all = await streamed([
    list({ id: "c1", function: { name: "a", arguments: "" } }, { id: "c2", function: { name: "b", arguments: "" } }),
    list({ function: { arguments: '{"n":' } }, { function: { arguments: '{"m":2}' } }),
    list({ function: { arguments: "1}" } }, { function: {} }),
    end("tool_calls"),
  ]);
  expect(calls(all)).toEqual([
    ["a", '{"n":1}'],
    ["b", '{"m":2}'],
  ]);
});

test("an empty name in a later piece continues the call (Mistral)", async () => {
  const all = await streamed([
    tool({ index: 0, id: "c1", function: { name: "a", arguments: "" } }),
    tool({ index: 0, function: { name: "", arguments: '{"q":1}' } }),
    end("tool_calls"),
  ]);
  expect(calls(all)).toEqual([["a", '{"q":1}']]);
});

test("a vendor that repeats the name with every piece makes one call", async () => {
  const all = await streamed([
    tool({ index: 0, id: "c1", function: { name: "a", arguments: '{"q"' } }),
    tool({ index: 0, function: { name: "a", arguments: ":1}" } }),
    end("tool_calls"),
  ]);
  expect(calls(all)).toEqual([["a", '{"q":1}']]);
});

test("arguments that come before the name wait for it", async () => {
  const all = await streamed([
    tool({ index: 0, id: "c1", function: { arguments: '{"q"' } }),
    tool({ index: 0, function: { name: "a", arguments: ":1}" } }),
    end("tool_calls"),
  ]);
  expect(calls(all)).toEqual([["a", '{"q":1}']]);
});

test("a call without arguments has the empty object, as in a whole answer", async () => {
  expect(
    calls(await streamed([tool({ index: 0, id: "c1", function: { name: "a", arguments: "" } }), end("tool_calls")])),
  ).toEqual([["a", "{}"]]);
  const body = {
    choices: [
      {
        message: { content: null, tool_calls: [{ id: "c1", function: { name: "a", arguments: "" } }] },
        finish_reason: "tool_calls",
      },
    ],
  };
  expect(calls(await whole(body))).toEqual([["a", "{}"]]);
});

test("empty lists of tool calls in every delta are no tool calls", async () => {
  const all = await streamed([delta({ content: "Hello", reasoning_content: "", tool_calls: [] }, "stop")]);
  expect([all.text, all.toolCalls, all.finishReason]).toEqual(["Hello", [], "stop"]);
});

test("the usage-only chunk after the finish reason is read, and finish still comes last", async () => {
  const all = await streamed([
    delta({ content: "a" }),
    end(),
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } },
  ]);
  expect(all.events.map(({ type }) => type)).toEqual(["text", "usage", "finish"]);
  expect(all.usage).toEqual({ input: 3, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 });
});

test("usage on the empty delta that finishes is read", async () => {
  const all = await streamed([
    delta({ content: "a" }),
    { ...end(), usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } },
  ]);
  expect(all.usage?.input).toBe(3);
});

test("a second answer that nobody asked for is not mixed into the first", async () => {
  const second = { choices: [{ index: 1, delta: { content: "b" }, finish_reason: "length" }] };
  const all = await streamed([delta({ content: "a" }), second, delta({ content: "c" }), end()]);
  expect([all.text, all.finishReason]).toEqual(["ac", "stop"]);
});

test("chunks without choices and with null usage are passed over", async () => {
  expect((await streamed([{ choices: [], usage: null }, delta({ content: "a" }), { id: "x" }, end()])).text).toBe("a");
});

test("a stream with a finish reason but without [DONE] is complete", async () => {
  expect((await streamed([delta({ content: "a" }), end()], { done: false })).finishReason).toBe("stop");
});

test("[DONE] without a finish reason is an ordinary end", async () => {
  expect((await streamed([delta({ content: "a" })])).finishReason).toBe("stop");
});

test("an end mark with blanks around it is the end", async () => {
  expect((await streamed([delta({ content: "a" }), end(), " [DONE] "], { done: false })).finishReason).toBe("stop");
});

test("nothing after [DONE] is read", async () => {
  expect((await streamed([delta({ content: "a" }), end(), "[DONE]", delta({ content: "b" })])).text).toBe("a");
});

test("an error frame after status 200 is a failure of its own kind, after the text that came before it", async () => {
  const seen: string[] = [];
  stub.answer(
    sse([
      delta({ content: "a" }),
      { error: { message: "maximum context length is 8192 tokens", type: "invalid_request_error", code: null } },
    ]),
  );
  const events = listsOf((take) => providerFor("openai", stub.url).streamChat!("m", askFor("hi"), contextWith(), take));
  const failure = (async () => {
    for await (const event of eachEvent(events)) if (event.type === "text") seen.push(event.text);
  })();
  await expect(failure).rejects.toMatchObject({ kind: "context_length", details: { accepted: true } });
  expect(seen).toEqual(["a"]);
});

test("an overload in the stream is known by its code alone", async () => {
  await expect(streamed([{ error: { code: 503, message: "no instances" } }])).rejects.toMatchObject({ kind: "overloaded" });
  await expect(
    streamed([{ choices: [{ delta: {}, finish_reason: "error", error: { code: 502, message: "bad" } }] }]),
  ).rejects.toMatchObject({ kind: "server" });
  await expect(streamed([delta({}, "insufficient_system_resource")])).rejects.toMatchObject({ kind: "server" });
});

test("a frame that is no JSON is a failure, not a crash", async () => {
  await expect(streamed(["{oops"])).rejects.toMatchObject({ kind: "server" });
});

test("a refusal has events of its own and stands in the text of a whole answer", async () => {
  expect((await streamed([delta({ refusal: "I can" }), delta({ refusal: "not." }), end()])).refusal).toBe("I cannot.");
  const result = await whole({ choices: [{ message: { content: null, refusal: "I cannot." }, finish_reason: "stop" }] });
  expect([result.text, result.refusal]).toEqual(["I cannot.", "I cannot."]);
});

test("content that is a list of thinking and text parts is told apart (Mistral)", async () => {
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
    { type: "text", text: "4" },
  ];
  const all = await streamed([delta({ content }), delta({ content: "2" }, "stop")]);
  expect([all.reasoning, all.text]).toEqual(["hm", "42"]);
  const result = await whole({ choices: [{ message: { content }, finish_reason: "stop" }] });
  expect([result.reasoning, result.text]).toEqual(["hm", "4"]);
});

// ---- whole answers

test("an answer without choices is a failure", async () => {
  await expect(whole({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 } })).rejects.toMatchObject({
    kind: "server",
  });
});

test("an error with status 200 is a failure", async () => {
  await expect(whole({ error: { message: "overloaded", code: 503 } })).rejects.toMatchObject({ kind: "overloaded" });
});

test("a stream whose usage stands in Groq's own field alone is billed by it", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
  const all = await streamed([
    { ...delta({ content: "a" }), x_groq: { id: "req_1" } },
    { ...end(), x_groq: { id: "req_1", usage } },
  ]);
  expect(all.usage).toEqual({ input: 9, cacheRead: 0, cacheWrite: 0, output: 4, reasoning: 0 });
});

test("usage inside the choice is read (Moonshot), and so is what comes with an error (OpenRouter)", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
  const counted = { input: 9, cacheRead: 0, cacheWrite: 0, output: 4, reasoning: 0 };
  const all = await streamed([{ choices: [{ index: 0, delta: { content: "a" }, finish_reason: "stop", usage }] }]);
  expect(all.usage).toEqual(counted);
  const failing = streamed([delta({ content: "a" }), { error: { code: 502, message: "gone" }, choices: [], usage }]);
  await expect(failing).rejects.toMatchObject({ kind: "server", details: { usage: counted } });
});

test("errors in Groq's own field, and Mistral's that stand bare in a frame, are failures", async () => {
  for (const frame of [
    { x_groq: { error: "over capacity" }, choices: [] },
    { object: "error", message: "internal", code: 500 },
  ]) {
    await expect(streamed([delta({ content: "a" }), frame, end()])).rejects.toMatchObject({ kind: "server" });
  }
});

test("a call of the format's first years, outside any list, is a tool call", async () => {
  const whole1 = await whole({
    choices: [{ message: { content: null, function_call: { name: "a", arguments: '{"n":1}' } }, finish_reason: "function_call" }],
  });
  const all = await streamed([
    delta({ content: null, function_call: { name: "a", arguments: "" } }),
    delta({ function_call: { arguments: '{"n":' } }),
    delta({ function_call: { arguments: "1}" } }),
    end("function_call"),
  ]);
  for (const result of [whole1, all]) {
    expect(calls(result)).toEqual([["a", '{"n":1}']]);
    expect(result.finishReason).toBe("tool_calls");
  }
});

test("thinking that only the total counts is output; cached tokens beside the prompt are none", async () => {
  const usageOf = async (usage: object) =>
    (await whole({ choices: [{ message: { content: "a" }, finish_reason: "stop" }], usage })).usage;
  expect(await usageOf({ prompt_tokens: 35, completion_tokens: 12, total_tokens: 109 })).toEqual({
    input: 35,
    cacheRead: 0,
    cacheWrite: 0,
    output: 12,
    reasoning: 62,
  });
  expect(
    await usageOf({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 515,
      cache_creation_input_tokens: 400,
      cache_read_input_tokens: 100,
    }),
  ).toEqual({ input: 10, cacheRead: 100, cacheWrite: 400, output: 5, reasoning: 0 });
});

test("without usage the source says so; a usage of zeros is the provider's word", async () => {
  const choices = [{ message: { content: "a" }, finish_reason: "stop" }];
  expect((await whole({ choices })).usageSource).toBe("none");
  expect((await whole({ choices, usage: { prompt_tokens: 0, completion_tokens: 0 } })).usageSource).toBe("provider");
  expect((await whole({ choices, usage: { prompt_tokens: -5, completion_tokens: 1e308 } })).usageSource).toBe("none");
});

test("cached tokens are part of the prompt and are counted once", async () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 10,
    total_tokens: 110,
    prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
  };
  const result = await whole({ choices: [{ message: { content: "a" }, finish_reason: "stop" }], usage });
  expect(result.usage).toEqual({ input: 10, cacheRead: 60, cacheWrite: 30, output: 10, reasoning: 0 });
});

test("the vendors' names for cached tokens are known", async () => {
  for (const extra of [
    { prompt_cache_hit_tokens: 64 },
    { num_cached_tokens: 64 },
    { cached_tokens: 64 },
    { prompt_token_details: { cached_tokens: 64 } },
  ]) {
    const result = await whole({
      choices: [{ message: { content: "a" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 100, completion_tokens: 1, ...extra },
    });
    expect([result.usage.input, result.usage.cacheRead]).toEqual([36, 64]);
  }
});

test("unknown finish reasons are an ordinary end; the vendors' own words for a length and a filter are known", async () => {
  for (const [word, reason] of [
    ["eos", "stop"],
    ["model_length", "length"],
    ["model_context_window_exceeded", "length"],
    ["SAFETY", "content_filter"],
    ["sensitive", "content_filter"],
    ["PROHIBITED_CONTENT", "content_filter"],
    ["content_filter: RECITATION", "content_filter"],
  ] as const) {
    expect((await streamed([delta({ content: "a" }, word)])).finishReason).toBe(reason);
  }
});

test("a prompt that Azure looked at and let pass is answered; one whose answer it stopped ends as filtered", async () => {
  const looked = {
    choices: [],
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false } } }],
  };
  const all = await streamed([looked, delta({ content: "a" }, "content_filter")]);
  expect([all.text, all.finishReason]).toEqual(["a", "content_filter"]);
});

// ---- requests

test("usage is always asked for in a stream, unless the model takes no such field", () => {
  expect(build({}, {}, true).stream_options).toEqual({ include_usage: true });
  expect(build({}, { noStreamOptions: true }, true)).toEqual({
    model: "m",
    messages: [{ role: "user", content: "hi" }],
    stream: true,
  });
});

test("quirks decide the name of the output bound, the system role and the sampling fields", () => {
  const request: Partial<ChatRequest> = {
    messages: [{ role: "system", content: "s" }],
    maxOutputTokens: 5,
    temperature: 0.5,
    topP: 0.9,
    presencePenalty: 1,
  };
  expect(build(request)).toMatchObject({
    max_tokens: 5,
    temperature: 0.5,
    top_p: 0.9,
    presence_penalty: 1,
    messages: [{ role: "system" }],
  });
  const reasoning = build(request, { maxTokensField: "max_completion_tokens", developerRole: true, noSampling: true });
  expect(reasoning).toEqual({ model: "m", messages: [{ role: "developer", content: "s" }], max_completion_tokens: 5 });
  expect(build(request, { singleSampling: true })).not.toHaveProperty("top_p");
});

test("where turns have one order alone, they are brought into it (Mistral)", () => {
  const call = (id: string) => ({ id, name: "f", arguments: "{}" });
  const messages: ChatRequest["messages"] = [
    { role: "user", content: "a", name: "Ann" },
    { role: "assistant", content: "", toolCalls: [call("c1"), call("c2")] },
    { role: "tool", content: "1", toolCallId: "c1" },
    { role: "tool", content: "9", toolCallId: "c9" },
    { role: "user", content: "b" },
    { role: "assistant", content: "" },
    { role: "system", content: "late" },
    { role: "assistant", content: "c" },
  ];
  const strict = build({ messages, seed: 7 }, { strictTurns: true, seedField: "random_seed" });
  expect(strict.messages).toEqual([
    { role: "system", content: "late" },
    { role: "user", content: "a" },
    { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }] },
    { role: "tool", tool_call_id: "c1", content: "1" },
    { role: "assistant", content: "OK." },
    { role: "user", content: "b" },
    { role: "assistant", content: "c" },
    { role: "user", content: "Continue." },
  ]);
  expect([strict.random_seed, strict.seed]).toEqual([7, undefined]);
});

test("past arguments go out as JSON, whatever the model wrote", () => {
  const past = (text: string) =>
    build({
      messages: [
        { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "f", arguments: text }] },
        { role: "tool", content: "1", toolCallId: "c1" },
      ],
    }).messages[0].tool_calls[0].function.arguments;
  expect(['{"a": 1}', "", '{"a": 1'].map(past)).toEqual(['{"a": 1}', "{}", '{"raw":"{\\"a\\": 1"}']);
});

test("names that a vendor refuses are left out of every message (Groq)", async () => {
  const message =
    "'messages.0' : for 'role:user' the following must be satisfied[('messages.0' : property 'name' is unsupported)]";
  stub.answer(
    json({ error: { message, type: "invalid_request_error" } }, 400),
    json({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] }),
  );
  const messages = [{ role: "user" as const, content: "a", name: "Ann" }];
  await providerFor("openai", stub.url).chat!("m", { messages }, contextWith());
  expect(stub.seen.map(({ body }) => body.messages[0].name)).toEqual(["Ann", undefined]);
});

test("no more stop sequences are sent than are taken", () => {
  expect(build({ stop: ["1", "2", "3", "4", "5", "6"] }).stop).toEqual(["1", "2", "3", "4"]);
});

test("images, sound and documents take the dialect's form; video has none", () => {
  const content = [
    { type: "text" as const, text: "t" },
    { type: "image" as const, url: "https://x/y.png", detail: "low" as const },
    { type: "audio" as const, data: "AAA=", format: "wav" as const },
    { type: "document" as const, mediaType: "application/pdf" as const, data: "JVBE", name: "a.pdf" },
  ];
  expect(build({ messages: [{ role: "user", content }] }).messages[0].content).toEqual([
    { type: "text", text: "t" },
    { type: "image_url", image_url: { url: "https://x/y.png", detail: "low" } },
    { type: "input_audio", input_audio: { data: "AAA=", format: "wav" } },
    { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" } },
  ]);
  expect(() => build({ messages: [{ role: "user", content: [{ type: "video", url: "https://x/v.mp4" }] }] })).toThrow("video");
});

test("tools, tool choice and parallel calls; a model that cannot be forced is asked", () => {
  const tools = [{ name: "f" }];
  expect(build({ tools, toolChoice: { name: "f" }, parallelToolCalls: false })).toMatchObject({
    tools: [{ type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } }],
    tool_choice: { type: "function", function: { name: "f" } },
    parallel_tool_calls: false,
  });
  expect(build({ tools, toolChoice: "required" }, { noForcedTool: true }).tool_choice).toBe("auto");
  expect(build({ toolChoice: "required" })).not.toHaveProperty("tool_choice");
});

test("ids of past calls fit every vendor, and a call and its result keep the same one", () => {
  const id = `abc__sig__${"x".repeat(3000)}`;
  const messages: ChatRequest["messages"] = [
    { role: "user", content: "hi" },
    { role: "assistant", content: "", toolCalls: [{ id, name: "f", arguments: "" }] },
    { role: "tool", toolCallId: id, content: "r" },
  ];
  for (const [quirks, form] of [
    [{}, /^[\w-]{1,40}$/],
    [{ nineCharacterToolIds: true }, /^[A-Za-z0-9]{9}$/],
  ] as const) {
    const [, assistant, result] = build({ messages }, quirks).messages;
    expect(assistant.tool_calls[0].id).toMatch(form);
    expect(result.tool_call_id).toBe(assistant.tool_calls[0].id);
    expect(assistant).toMatchObject({ content: null, tool_calls: [{ function: { arguments: "{}" } }] });
  }
});

test("a schema inside the strict subset is sent strict and closed; one outside it is sent as a guide", () => {
  const schema = { type: "object", properties: { a: { type: "string", minLength: 2 } }, required: ["a"] };
  const format = (given: Record<string, unknown>) =>
    build({ outputFormat: { type: "schema", name: "s", schema: given, strict: true } }).response_format.json_schema;
  expect(format(schema)).toEqual({
    name: "s",
    strict: true,
    schema: {
      type: "object",
      properties: { a: { type: "string", description: "(minLength: 2)" } },
      required: ["a"],
      additionalProperties: false,
    },
  });
  const optional = { type: "object", properties: { a: { type: "string" } } };
  expect(format(optional)).toEqual({ name: "s", strict: false, schema: optional });
});

test("JSON mode speaks of JSON in the prompt where the caller did not, and carries the schema for models that take none", () => {
  expect(build({ outputFormat: { type: "json" } }).messages[0].content).toContain("JSON");
  expect(build({ outputFormat: { type: "json" }, messages: [{ role: "user", content: "as json" }] }).messages.length).toBe(1);
  const prompted = build(
    { outputFormat: { type: "schema", name: "s", schema: { title: "T1" }, strict: true } },
    { schemaBy: "prompt" },
  );
  expect([prompted.response_format, prompted.messages[0].content.includes('{"title":"T1"}')]).toEqual([
    { type: "json_object" },
    true,
  ]);
});

// ---- errors and lessons

const kinds: [string, number, unknown, string][] = [
  ["quota", 429, { error: { code: "insufficient_quota", message: "You exceeded your current quota" } }, "billing"],
  ["rate", 429, { error: { code: "rate_limit_exceeded", message: "Rate limit reached" } }, "rate_limit"],
  ["context", 400, { error: { code: "context_length_exceeded", message: "too long" } }, "context_length"],
  [
    "context by text",
    400,
    { error: { message: "This model's maximum context length is 8192 tokens", code: null } },
    "context_length",
  ],
  ["policy", 400, { error: { code: "content_policy_violation", message: "rejected" } }, "content_filter"],
  ["policy by status 403", 403, { error: { code: 403, message: "Your input was flagged by moderation" } }, "content_filter"],
  ["key", 401, { error: { code: "invalid_api_key", message: "no" } }, "auth"],
  ["model", 404, { error: { code: "model_not_found", message: "no such model" } }, "model_gone"],
  ["balance (DeepSeek)", 402, { error: { message: "Insufficient Balance" } }, "billing"],
  [
    "Mistral's extra field",
    422,
    { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] },
    "unsupported_param",
  ],
  [
    "xAI's string",
    400,
    { code: "Client specified an invalid argument", error: "Argument not supported on this model: presencePenalty" },
    "unsupported_param",
  ],
  [
    "unprocessable",
    422,
    { object: "error", message: { detail: [{ type: "missing", loc: ["body", "messages"] }] } },
    "bad_request",
  ],
  ["bad", 400, { error: { message: "messages must not be empty", type: "invalid_request_error" } }, "bad_request"],
  [
    "an image inside a message",
    400,
    { error: { code: "unsupported_value", param: "messages[0].content", message: "no images" } },
    "bad_request",
  ],
  ["Groq's own model missed the tool", 400, { error: { code: "tool_use_failed", type: "invalid_request_error" } }, "server"],
  ["Groq's own model missed the format", 400, { error: { code: "json_validate_failed", message: "no JSON" } }, "server"],
  [
    "OpenRouter repeats its provider",
    400,
    { error: { code: 400, message: "Provider returned error", metadata: { raw: '{"detail":"maximum context length is 9"}' } } },
    "context_length",
  ],
  ["xAI's key", 400, { code: "Client specified an invalid argument", error: "Incorrect API key provided: ab***yz." }, "auth"],
  [
    "xAI's prompt",
    400,
    { error: "This model's maximum prompt length is 9 but the request contains 12 tokens." },
    "context_length",
  ],
  ["xAI's credits", 403, { code: "No permission", error: "Your team doesn't have any credits yet." }, "billing"],
  ["xAI's guard", 403, { code: "No permission", error: "Content violates usage guidelines." }, "content_filter"],
  [
    "DeepSeek's guard",
    400,
    { error: { message: "Content Exists Risk", type: "invalid_request_error", param: null, code: "invalid_request_error" } },
    "content_filter",
  ],
  [
    "Azure's guard",
    400,
    {
      error: {
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: "prompt",
        code: "content_filter",
        status: 400,
        innererror: { code: "ResponsibleAIPolicyViolation", content_filter_result: { violence: { filtered: true } } },
      },
    },
    "content_filter",
  ],
  [
    "Qwen's guard",
    400,
    { error: { code: "data_inspection_failed", message: "Input data may contain inappropriate content." } },
    "content_filter",
  ],
  ["a guardrail of the account", 403, { object: "error", message: "The request was blocked by a guardrail." }, "content_filter"],
  ["Mistral's model", 400, { object: "error", message: "Invalid model: x", type: "invalid_model", code: "1500" }, "model_gone"],
  ["OpenRouter's model", 400, { error: { message: "x is not a valid model ID", code: 400 } }, "model_gone"],
  ["Moonshot's quota", 429, { error: { type: "exceeded_current_quota_error", message: "suspended" } }, "billing"],
  ["Moonshot's load", 429, { error: { type: "engine_overloaded_error", message: "try again" } }, "overloaded"],
  [
    "Groq's minute",
    413,
    { error: { message: "Request too large", type: "tokens", code: "rate_limit_exceeded" } },
    "context_length",
  ],
  [
    "vLLM's window",
    400,
    { object: "error", message: "The decoder prompt is longer than the maximum model length of 9." },
    "context_length",
  ],
  ["LM Studio's window", 400, { error: "Trying to keep the first 12 tokens when n_ctx is 9" }, "context_length"],
  [
    "Gemini's server of this format",
    429,
    [{ error: { code: 429, message: "You exceeded your current quota, see billing details", status: "RESOURCE_EXHAUSTED" } }],
    "rate_limit",
  ],
  [
    "a keyword inside a tool's schema",
    400,
    { error: { param: "tools[0].function.parameters", message: "Invalid schema for function 'f': 'oneOf' is not supported" } },
    "bad_request",
  ],
  [
    "a type of tool",
    400,
    { error: { code: "unsupported_value", param: "tools[0].type", message: "Supported values are: 'function'" } },
    "bad_request",
  ],
  ["a plain field", 400, { error: { param: "top_p", message: "top_p is not supported here" } }, "unsupported_param"],
  ["overload", 503, { error: { message: "overloaded" } }, "overloaded"],
  ["gateway", 502, "<html>", "server"],
  ["timeout", 504, "", "timeout"],
  ["payload", 413, "", "context_length"],
];
for (const [name, status, body, kind] of kinds) {
  test(`status ${status} (${name}) is ${kind}`, () => {
    expect(mapOpenAiError({ provider: "P", status, body }).kind).toBe(kind as never);
  });
}

test("a refused parameter is left out, the request sent again, and the lesson kept for that model", async () => {
  const refused = json(
    { error: { message: "Unsupported parameter: 'temperature'", param: "temperature", code: "unsupported_parameter" } },
    400,
  );
  const good = json({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] });
  const provider = providerFor("openai", stub.url);
  stub.answer(refused, good);
  await provider.chat!("m", { ...askFor("hi"), temperature: 1 }, contextWith());
  await provider.chat!("m", { ...askFor("hi"), temperature: 1 }, contextWith());
  await provider.chat!("other", { ...askFor("hi"), temperature: 1 }, contextWith());
  expect(stub.seen.map(({ body }) => body.temperature)).toEqual([1, undefined, undefined, 1]);
});

test("a format that is refused is asked for in the prompt, and only for as long as it is refused", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const asked = { ...askFor("hi"), outputFormat: { type: "schema" as const, name: "s", schema, strict: true } };
  const good = json({ choices: [{ message: { content: "{}" }, finish_reason: "stop" }] });
  const answers = async (error: object) => {
    const provider = providerFor("openai", stub.url);
    stub.seen.length = 0;
    stub.answer(json({ error: { type: "invalid_request_error", ...error } }, 400), good);
    await provider.chat!("m", asked, contextWith());
    await provider.chat!("m", asked, contextWith());
    return stub.seen.map(({ body }) => [body.response_format?.type, body.messages.length]);
  };
  const asks = ["json_schema", 1];
  const prompts = [undefined, 2];
  expect(await answers({ message: "This response_format type is unavailable now" })).toEqual([asks, prompts, prompts]);
  expect(await answers({ message: "This model does not support response format `json_schema`." })).toEqual([
    asks,
    prompts,
    prompts,
  ]);
  for (const message of ["json mode cannot be combined with tool/function calling", "Invalid schema for response_format 's'"])
    expect(await answers({ message, param: "response_format" })).toEqual([asks, prompts, asks]);
  expect(stub.seen[1]!.body.messages[0]).toMatchObject({ role: "system", content: expect.stringContaining('"required":["a"]') });
});

test("the output bound changes its name instead of getting lost", async () => {
  stub.answer(
    json({ error: { message: "Use 'max_completion_tokens' instead.", param: "max_tokens", code: "unsupported_parameter" } }, 400),
    json({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] }),
  );
  await providerFor("openai", stub.url).chat!("m", askFor("hi"), contextWith());
  expect(stub.seen.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
    [100, undefined],
    [undefined, 100],
  ]);
});

test("a model that reasons only without tools is told not to, beside tools alone", async () => {
  const message =
    "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
  stub.answer(
    json({ error: { message, type: "invalid_request_error", param: "reasoning_effort", code: null } }, 400),
    json({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] }),
  );
  const provider = providerFor("openai", stub.url);
  const asked = { ...askFor("hi"), tools: [{ name: "a" }] };
  await provider.chat!("m", asked, contextWith());
  await provider.chat!("m", asked, contextWith());
  await provider.chat!("m", { ...askFor("hi"), reasoningEffort: "high" }, contextWith());
  expect(stub.seen.map(({ body }) => body.reasoning_effort)).toEqual([undefined, "none", "none", "high"]);
});

test("a value that is refused is left out of that request alone", async () => {
  stub.answer(
    json({ error: { message: "`temperature` must be one of `0.2`, `1`", param: "temperature" } }, 400),
    json({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] }),
  );
  const provider = providerFor("openai", stub.url);
  for (const temperature of [1.7, 0.2]) await provider.chat!("m", { ...askFor("hi"), temperature }, contextWith());
  expect(stub.seen.map(({ body }) => body.temperature)).toEqual([1.7, undefined, 0.2]);
});

test("an effort goes out as the nearest one that the model knows, the lower of two", () => {
  const sent = (efforts: ModelQuirks["efforts"], reasoningEffort: ChatRequest["reasoningEffort"]) =>
    build({ reasoningEffort }, efforts && { efforts }).reasoning_effort;
  expect(sent(["low", "medium", "high"], "none")).toBe("low");
  expect(sent(["none", "low", "medium", "high"], "minimal")).toBe("none");
  expect(["minimal", "low", "medium"].map((effort) => sent(["none", "high"], effort as "low"))).toEqual(["none", "none", "high"]);
  expect(sent(undefined, "minimal")).toBe("minimal");
});

test("an effort the model does not know is left out, and the others are not", async () => {
  const refusals = [
    { error: { message: "`reasoning_effort` must be one of `low`, `medium` or `high`", param: "reasoning_effort" } },
    {
      error: {
        message: "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.",
        param: "reasoning_effort",
        code: "unsupported_value",
      },
    },
    { detail: [{ type: "enum", loc: ["body", "reasoning_effort"], msg: "Input should be 'none' or 'high'" }] },
  ];
  for (const refusal of refusals) {
    stub.seen.length = 0;
    stub.answer(json(refusal, 422), json({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] }));
    const provider = providerFor("openai", stub.url);
    await provider.chat!("m", { ...askFor("hi"), reasoningEffort: "minimal" }, contextWith());
    await provider.chat!("m", { ...askFor("hi"), reasoningEffort: "high" }, contextWith());
    expect(stub.seen.map(({ body }) => body.reasoning_effort)).toEqual(["minimal", undefined, "high"]);
  }
});

test("a model that thinks by itself is told not to where it is forced, or its thinking about past calls is gone (DeepSeek)", () => {
  const tools = [{ name: "a" }];
  const past: ChatRequest["messages"] = [
    { role: "user", content: "hi" },
    { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "a", arguments: "{}" }] },
    { role: "tool", content: "1", toolCallId: "c1" },
  ];
  const off = { type: "disabled" };
  for (const [request, thinking, effort] of [
    [{ tools }, undefined, undefined],
    [{ tools, reasoningEffort: "high" }, undefined, "high"],
    [{ tools, messages: past, reasoningEffort: "high" }, off, undefined],
    [{ tools, toolChoice: "required" }, off, undefined],
    [{ tools, toolChoice: { name: "a" } }, off, undefined],
    [{ reasoningEffort: "none" }, off, undefined],
  ] as const) {
    const body = build(request as Partial<ChatRequest>, { thinking: "toggle" });
    expect([body.thinking, body.reasoning_effort]).toEqual([thinking, effort]);
  }
});

test("a provider that refuses the same parameter for ever is asked twice", async () => {
  stub.answer(json({ error: { message: "no", param: "seed", code: "unsupported_parameter" } }, 400));
  await expect(providerFor("openai", stub.url).chat!("m", { ...askFor("hi"), seed: 1 }, contextWith())).rejects.toMatchObject({
    kind: "unsupported_param",
  });
  expect(stub.seen.length).toBe(2);
});

test("embeddings come back in the order of their inputs, in batches", async () => {
  stub.answer((request) =>
    Response.json({
      data: request.body.input.map((text: string, index: number) => ({ index, embedding: [Number(text), 0] })).reverse(),
      usage: { prompt_tokens: request.body.input.length },
    }),
  );
  const inputs = Array.from({ length: 600 }, (_, place) => String(place));
  const { vectors, inputTokens } = await providerFor("openai", stub.url).embed!("e", inputs, 2, contextWith());
  expect(vectors.map(([first]) => first)).toEqual(inputs.map(Number));
  expect([inputTokens, stub.seen.length, stub.seen[0]!.body.dimensions]).toEqual([600, 2, 2]);
});

test("vectors in base64 are read as well", async () => {
  const embedding = Buffer.from(new Float32Array([0.5, -2]).buffer).toString("base64");
  stub.answer(json({ data: [{ index: 0, embedding }], usage: { prompt_tokens: 1 } }));
  const { vectors } = await providerFor("openai", stub.url).embed!("m", ["a"], undefined, contextWith());
  expect([...vectors[0]!]).toEqual([0.5, -2]);
  stub.answer(json({ data: [{ index: 0, embedding: "AAA" }] }));
  await expect(providerFor("openai", stub.url).embed!("m", ["a"], undefined, contextWith())).rejects.toMatchObject({
    kind: "server",
  });
});

test("fewer vectors than inputs are a failure", async () => {
  stub.answer(json({ data: [{ index: 0, embedding: [1] }] }));
  await expect(providerFor("openai", stub.url).embed!("e", ["a", "b"], undefined, contextWith())).rejects.toMatchObject({
    kind: "server",
  });
});

test("models are listed with their shutdown dates", async () => {
  stub.answer(json({ data: [{ id: "a", shutdown_date: "2027-01-01" }, { id: "b" }] }));
  expect(await providerFor("openai", stub.url).listModels!(contextWith())).toEqual([
    { id: "a", shutdownDate: "2027-01-01" },
    { id: "b" },
  ]);
  expect([stub.seen[0]!.method, stub.seen[0]!.path]).toEqual(["GET", "/models"]);
});
