/** Behaviours of Ollama's native dialect, and how local servers are found. */

import { expect, test } from "bun:test";
import { buildOllamaRequest, contextSize } from "../../src/providers/ollama/build-request.ts";
import { discoverOllama } from "../../src/providers/ollama/discover-ollama.ts";
import { mapOllamaError } from "../../src/providers/ollama/map-error.ts";
import { discoverOpenAiServer } from "../../src/providers/openai/discover-openai-server.ts";
import type { ChatRequest } from "../../src/providers/provider.ts";
import { createSocketTransport } from "../../src/providers/transport/socket-transport.ts";
import { withOtherSchemas } from "../support/bodies-after.ts";
import { askFor, collect, contextWith, listsOf, providerFor } from "../support/chat-provider.ts";
import { json, slice, stream, upstreamStubOfFile } from "../support/upstream-stub.ts";

const stub = upstreamStubOfFile();

const lines = (objects: object[]): string => objects.map((object) => `${JSON.stringify(object)}\n`).join("");
const streamed = (objects: object[], type = "application/x-ndjson") => {
  stub.answer(stream(slice(lines(objects), [5, 11]), "end", type));
  return collect(listsOf((take) => providerFor("ollama", stub.url).streamChat!("m", askFor("hi"), contextWith(), take)));
};
const build = (request: Partial<ChatRequest>, contextWindow?: number): any =>
  buildOllamaRequest(
    "m",
    { messages: [{ role: "user", content: "hi" }], ...request },
    { stream: false, quirks: {}, contextWindow },
  );
const signal = new AbortController().signal;

test("text, thinking, usage and the end come from the lines", async () => {
  const all = await streamed([
    { message: { role: "assistant", content: "", thinking: "hm" }, done: false },
    { message: { content: "Grüße" }, done: false },
    { message: { content: "" }, done: true, done_reason: "stop", prompt_eval_count: 7, eval_count: 3 },
  ]);
  expect([all.reasoning, all.text, all.finishReason]).toEqual(["hm", "Grüße", "stop"]);
  expect(all.usage).toEqual({ input: 7, cacheRead: 0, cacheWrite: 0, output: 3, reasoning: 0 });
});

test("what led to a whole answer's calls comes before its text", async () => {
  const message = { role: "assistant", content: "Let me look.", thinking: "hm", tool_calls: [{ function: { name: "f" } }] };
  stub.answer(json({ message, done: true, done_reason: "stop" }));
  const { thoughts } = await providerFor("ollama", stub.url).chat!("m", askFor("hi"), contextWith());
  expect(thoughts).toEqual([{ thought: { text: "hm" }, textBefore: 0 }]);
});

test("tool calls that all come with index 0 and without ids are counted and get ids", async () => {
  const call = (name: string) => ({
    message: { tool_calls: [{ function: { index: 0, name, arguments: { n: name } } }] },
    done: false,
  });
  const all = await streamed([call("a"), call("b"), { done: true, done_reason: "stop" }]);
  expect(all.toolCalls.map(({ name, arguments: args }) => [name, args])).toEqual([
    ["a", '{"n":"a"}'],
    ["b", '{"n":"b"}'],
  ]);
  expect(new Set(all.toolCalls.map(({ id }) => id)).size).toBe(2);
  expect(all.finishReason).toBe("tool_calls");
});

test("lines that a proxy calls plain JSON are a stream all the same, also if there is but one", async () => {
  const last = { message: { content: "b" }, done: true, done_reason: "stop", prompt_eval_count: 7, eval_count: 3 };
  expect((await streamed([{ message: { content: "a" }, done: false }, last], "application/json")).text).toBe("ab");
  expect((await streamed([last], "application/json; charset=utf-8")).usage?.output).toBe(3);
});

test("an error line is a failure, and lines that stop before done are truncated", async () => {
  await expect(
    streamed([{ message: { content: "a" }, done: false }, { error: "model runner has unexpectedly stopped" }]),
  ).rejects.toMatchObject({ kind: "server" });
  await expect(streamed([{ message: { content: "a" }, done: false }])).rejects.toMatchObject({ kind: "truncated" });
});

test("a whole answer is read the same way", async () => {
  stub.answer(
    json({
      message: { role: "assistant", content: "a", tool_calls: [{ id: "x", function: { name: "f", arguments: {} } }] },
      done_reason: "stop",
      prompt_eval_count: 2,
      eval_count: 1,
    }),
  );
  const result = await providerFor("ollama", stub.url).chat!("m", askFor("hi"), contextWith());
  expect(result).toMatchObject({
    text: "a",
    toolCalls: [{ id: "x", name: "f", arguments: "{}" }],
    finishReason: "tool_calls",
    usageSource: "provider",
  });
  expect(stub.seen[0]!.path).toBe("/api/chat");
});

test("the context is sized to the request in powers of two, and never beyond the model", () => {
  expect([contextSize(10), contextSize(5000), contextSize(8192), contextSize(100_000), contextSize(100_000, 131_072)]).toEqual([
    4096, 8192, 8192, 32_768, 131_072,
  ]);
  expect(
    build({ messages: [{ role: "user", content: "x".repeat(60_000) }], maxOutputTokens: 1000 }, 131_072).options.num_ctx,
  ).toBe(32_768);
  expect(build({}, 2048).options.num_ctx).toBe(2048);
  // A character of Chinese, and a digit, take about as many tokens as a word of English.
  for (const text of ["天".repeat(9_000), "314159265 ".repeat(1_000)])
    expect(build({ messages: [{ role: "user", content: text }] }, 131_072).options.num_ctx).toBe(16_384);
});

test("requests carry images and sound as bare base64, arguments as objects, results with their tool's name, schemas as format", () => {
  const schema = { type: "object" };
  const body = build({
    messages: [
      { role: "system", content: "s" },
      {
        role: "user",
        content: [
          { type: "text", text: "t" },
          { type: "image", url: "data:image/png;base64,AAAA" },
          { type: "audio", data: "BBBB", format: "wav" },
        ],
      },
      { role: "assistant", content: "", toolCalls: [{ id: "c", name: "f", arguments: '{"a":1}' }] },
      { role: "tool", toolCallId: "c", content: "r" },
    ],
    outputFormat: { type: "schema", name: "s", schema, strict: true },
    topK: 40,
    maxOutputTokens: 5,
    stop: ["x"],
    reasoningEffort: "none",
  });
  expect(body.messages).toEqual([
    { role: "system", content: "s" },
    { role: "user", content: "t", images: ["AAAA", "BBBB"] },
    { role: "assistant", content: "", tool_calls: [{ id: "c", function: { name: "f", arguments: { a: 1 } } }] },
    { role: "tool", content: "r", tool_name: "f", tool_call_id: "c" },
  ]);
  expect(body).toMatchObject({
    format: schema,
    think: false,
    stream: false,
    options: { num_predict: 5, top_k: 40, stop: ["x"] },
  });
  expect(() => build({ messages: [{ role: "user", content: [{ type: "image", url: "https://x/y.png" }] }] })).toThrow("inline");
});

test("system messages alone are followed by a word of the user's, without which nothing is answered", () => {
  const system = { role: "system" as const, content: "Tell a joke." };
  expect(build({ messages: [system] }).messages).toEqual([system, { role: "user", content: "Begin." }]);
});

test("gpt-oss is told how hard to think, others whether to", () => {
  const thinking = (model: string) =>
    (["none", "low", "high"] as const).map(
      (reasoningEffort) =>
        buildOllamaRequest(model, { ...askFor("hi"), reasoningEffort }, { stream: false, quirks: {} })["think"],
    );
  expect(thinking("gpt-oss:20b")).toEqual(["low", "low", "high"]);
  expect(thinking("qwen3:8b")).toEqual([false, true, true]);
});

test("what was thought before calls goes out with them, once, and comes back with them", async () => {
  const thinking = (text: string) => ({ message: { role: "assistant", content: "", thinking: text }, done: false });
  const call = { message: { role: "assistant", content: "", tool_calls: [{ function: { name: "f", arguments: {} } }] } };
  const all = await streamed([thinking("I must "), thinking("look."), call, call, { done: true, done_reason: "stop" }]);
  expect(all.events.filter(({ type }) => type === "thought")).toEqual([{ type: "thought", thought: { text: "I must look." } }]);
  const answered = await streamed([thinking("I know."), { message: { content: "5" }, done: true, done_reason: "stop" }]);
  expect(answered.events.some(({ type }) => type === "thought")).toBe(false);
  const thoughts = [{ thought: { text: "I must look." }, partsBefore: 0, callsBefore: 0 }];
  const { messages } = build({
    messages: [
      { role: "assistant", content: "", toolCalls: [{ id: "c", name: "f", arguments: "{}" }], thoughts },
      { role: "tool", toolCallId: "c", content: "r" },
      { role: "assistant", content: "done", thoughts },
    ],
  });
  expect(messages.map((message: any) => message.thinking)).toEqual(["I must look.", undefined, undefined]);
});

test("a tool's fields are written in the terms that Ollama keeps: no references, no choices of one kind, no schema that is true", () => {
  const place = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" }, at: { $ref: "#/$defs/Place" } } };
  const parametersOf = (properties: object, more: object = {}) =>
    build({ tools: [{ name: "f", parameters: { type: "object", properties, $defs: { Place: place, Node: node }, ...more } }] })
      .tools[0].function.parameters;
  expect(
    parametersOf({
      from: { $ref: "#/$defs/Place", description: "Where from." },
      to: { anyOf: [{ $ref: "#/$defs/Place" }, { type: "null" }] },
      by: { oneOf: [{ const: "train" }, { allOf: [{ type: "string" }, { maxLength: 9 }] }] },
      stops: { type: "array", items: { $ref: "#/$defs/Place" } },
      more: true,
      none: { type: "object", properties: [] },
    }),
  ).toEqual({
    type: "object",
    properties: {
      from: { ...place, description: "Where from." },
      to: { anyOf: [place, { type: "null" }] },
      by: { anyOf: [{ enum: ["train"] }, { type: "string", description: "(maxLength: 9)" }] },
      stops: { type: "array", items: place },
      more: {},
      none: { type: "object", properties: {} },
    },
  });
  expect(parametersOf({ tree: { $ref: "#/$defs/Node" } })).toMatchObject({
    properties: { tree: { properties: { next: { $ref: "#/$defs/Node" }, at: place } } },
    $defs: { Node: node },
  });
  // Each of fifty definitions refers twice to the next.
  const twice = (next: number) => ({
    type: "object",
    properties: { a: { $ref: `#/$defs/${next}` }, b: { $ref: `#/$defs/${next}` } },
  });
  const $defs = Object.fromEntries(Array.from({ length: 50 }, (_, place) => [place, twice(place + 1)]));
  expect(JSON.stringify(parametersOf({ a: { $ref: "#/$defs/0" } }, { $defs })).length).toBeLessThan(200_000);
  // A hundred fields refer to one large definition.
  const large = { type: "string", enum: Array.from({ length: 10_000 }, (_, place) => `value ${place}`) };
  const fields = Object.fromEntries(Array.from({ length: 100 }, (_, place) => [place, { $ref: "#/$defs/large" }]));
  expect(JSON.stringify(parametersOf(fields, { $defs: { large } })).length).toBeLessThan(200_000);
});

test("a named tool choice leaves the others out, and none leaves all out", () => {
  const tools = [{ name: "f" }, { name: "g" }];
  expect(build({ tools, toolChoice: { name: "g" } }).tools.map((tool: any) => tool.function.name)).toEqual(["g"]);
  expect(build({ tools, toolChoice: "none" })).not.toHaveProperty("tools");
});

test("beside tools a format is asked for in the prompt, because its field would keep the model from calling them", () => {
  const schema = { type: "object" };
  const asked = (toolChoice: ChatRequest["toolChoice"]) =>
    build({ tools: [{ name: "f" }], toolChoice, outputFormat: { type: "schema", name: "r", schema, strict: true } });
  expect(asked("auto").format).toBeUndefined();
  expect(asked("auto").messages[0]).toEqual({ role: "system", content: expect.stringContaining(JSON.stringify(schema)) });
  expect([asked("none").format, asked("none").messages.length]).toEqual([schema, 1]);
});

test("a model without tools or thinking answers without them", async () => {
  expect(mapOllamaError({ provider: "O", status: 400, body: { error: "m does not support thinking" } })).toMatchObject({
    kind: "unsupported_param",
    details: { param: "think" },
  });
  expect(mapOllamaError({ provider: "O", status: 404, body: { error: "model 'x' not found" } }).kind).toBe("model_gone");
  const embedder = { provider: "O", status: 400, body: { error: '"embedder" does not support chat' } };
  expect(mapOllamaError(embedder).kind).toBe("model_gone");
  const elsewhere = { provider: "O", status: 403, body: { error: "this model requires a subscription, upgrade for access" } };
  expect(mapOllamaError(elsewhere).kind).toBe("model_gone");
  // The model's own words say nothing about the model.
  const unreadable = `error parsing tool call: raw='{"text":"Chapter 4, grammar: not found"}', err=invalid character '}'`;
  expect(mapOllamaError({ provider: "O", status: 500, body: { error: unreadable } }).kind).toBe("server");
  stub.answer(json({ error: "m does not support tools" }, 400), json({ message: { content: "ok" }, done: true }));
  const result = await providerFor("ollama", stub.url).chat!("m", { ...askFor("hi"), tools: [{ name: "f" }] }, contextWith());
  expect([result.text, stub.seen[1]!.body.tools]).toEqual(["ok", undefined]);
});

test("a schema that the server cannot enforce is asked for in the prompt, and others are sent again", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const answer = json({ message: { content: '{"a":"b"}' }, done: true });
  stub.answer(json({ error: "invalid JSON schema in format" }, 500), answer, answer);
  const provider = providerFor("ollama", stub.url);
  const asked: ChatRequest = { ...askFor("hi"), outputFormat: { type: "schema", name: "s", schema, strict: true } };
  for (const request of [asked, { ...askFor("hi"), ...withOtherSchemas(asked) }])
    expect((await provider.chat!("m", request, contextWith())).text).toBe('{"a":"b"}');
  const [, again, next] = stub.seen.map(({ body }) => body);
  expect([again.format, again.messages.length, next.format]).toEqual([undefined, 2, schema]);
  expect(again.messages[0]).toMatchObject({ role: "system", content: expect.stringContaining(JSON.stringify(schema)) });
});

test("embeddings say when an input is too long instead of cutting it", async () => {
  stub.answer(json({ embeddings: [[1, 0]], prompt_eval_count: 4 }));
  const { vectors, inputTokens } = await providerFor("ollama", `${stub.url}/v1`).embed!("e", ["a"], undefined, contextWith());
  expect([[...vectors[0]!], inputTokens, stub.seen[0]!.path, stub.seen[0]!.body.truncate]).toEqual([
    [1, 0],
    4,
    "/api/embed",
    false,
  ]);
  await providerFor("ollama", stub.url).embed!("e", ["a"], 2, contextWith());
  expect(stub.seen[1]!.body.dimensions).toBe(2);
});

test("a local Ollama is found with its models' context, abilities and vector length", async () => {
  stub.answer(({ path, body }) => {
    if (path === "/api/tags") return Response.json({ models: [{ name: "chat:8b" }, { name: "vec" }, { name: "broken" }] });
    if (body.model === "chat:8b")
      return Response.json({
        capabilities: ["completion", "tools"],
        model_info: { "llama.context_length": 131_072, "llama.embedding_length": 4096 },
      });
    if (body.model === "vec")
      return Response.json({
        capabilities: ["embedding"],
        model_info: { "bert.context_length": 512, "bert.embedding_length": 384 },
      });
    return new Response("no", { status: 500 });
  });
  expect(await discoverOllama(createSocketTransport(), stub.url, signal)).toEqual([
    { id: "chat:8b", capabilities: ["completion", "tools"], contextWindow: 131_072 },
    { id: "vec", capabilities: ["embedding"], contextWindow: 512 },
    { id: "broken", capabilities: [] },
  ]);
});

test("an older Ollama does not name what a model can do, but shows it; parts of a model have contexts of their own", async () => {
  const shown: Record<string, object> = {
    talks: { template: "{{ .Prompt }}", model_info: { "llama.context_length": 8192 } },
    calls: { template: "{{ if .Tools }}{{ .Tools }}{{ end }}{{ .Prompt }}" },
    sees: {
      template: "{{ .Prompt }}",
      projector_info: { "clip.has_vision_encoder": true },
      model_info: { "general.architecture": "eyes", "eyes.vision.context_length": 77, "eyes.context_length": 4096 },
    },
    embeds: { template: "{{ .Prompt }}", model_info: { "bert.pooling_type": 1 } },
  };
  stub.answer(({ path, body }) =>
    Response.json(path === "/api/tags" ? { models: Object.keys(shown).map((name) => ({ name })) } : shown[body.model]),
  );
  expect(await discoverOllama(createSocketTransport(), stub.url, signal)).toEqual([
    { id: "talks", capabilities: ["completion"], contextWindow: 8192 },
    { id: "calls", capabilities: ["completion", "tools"] },
    { id: "sees", capabilities: ["completion", "vision"], contextWindow: 4096 },
    { id: "embeds", capabilities: ["embedding"] },
  ]);
});

test("where no Ollama runs, the search says so", async () => {
  await expect(discoverOllama(createSocketTransport(), "http://127.0.0.1:1", signal)).rejects.toMatchObject({ kind: "network" });
});

test("a context that the machine has no room for is not asked for again by smaller requests", async () => {
  const done = { message: { content: "ok" }, done: true, done_reason: "stop" };
  stub.seen.length = 0;
  stub.answer(({ body }) =>
    body.options.num_ctx > 8192
      ? Response.json({ error: "model requires more system memory (30.1 GiB) than is available" }, { status: 500 })
      : Response.json(done),
  );
  const { chat } = providerFor("ollama", stub.url, { contextWindowOf: () => 131_072 });
  const ask = (maxOutputTokens: number) => chat!("m", { ...askFor("hi"), maxOutputTokens }, contextWith());
  await expect(ask(60_000)).rejects.toMatchObject({ kind: "server" });
  expect((await ask(100)).text).toBe("ok");
});

const discover = (id: string) =>
  discoverOpenAiServer(createSocketTransport(), { id, baseUrl: `${stub.url}/v1` }, AbortSignal.timeout(5_000));

test("a local OpenAI-compatible server is found by its model list, with the sizes its kind reports", async () => {
  stub.answer(json({ data: [{ id: "v", max_model_len: 32_768 }, { id: "l", meta: { n_ctx_train: 8192 } }, { id: "x" }] }));
  expect(await discover("vllm")).toEqual([
    { id: "v", capabilities: [], contextWindow: 32_768 },
    { id: "l", capabilities: [], contextWindow: 8192 },
    { id: "x", capabilities: [] },
  ]);
  expect(stub.seen.map(({ path }) => path)).toEqual(["/v1/models"]);
});

test("an adapter has the window of the model that it adapts (vLLM)", async () => {
  const adapter = (parent: string) => ({ id: `sql of ${parent}`, parent, max_model_len: null });
  stub.answer(json({ data: [{ id: "v", parent: null, max_model_len: 32_768 }, adapter("v"), adapter("gone")] }));
  expect((await discover("vllm")).map(({ contextWindow }) => contextWindow)).toEqual([32_768, 32_768, undefined]);
});

test("LM Studio says what its models can do, and with which window one is loaded", async () => {
  const sizes = { max_context_length: 131_072 };
  const own = [
    { id: "writes", type: "llm", ...sizes, loaded_context_length: 4096 },
    { id: "sees", type: "vlm", ...sizes },
    { id: "embeds", type: "embeddings", max_context_length: 2048 },
  ];
  // With loading on demand switched off, LM Studio serves only what is loaded.
  const served = own.map(({ id }) => ({ id, object: "model" }));
  own.push({ id: "is not loaded", type: "llm", ...sizes });
  stub.answer(({ path }) => Response.json({ data: path === "/api/v0/models" ? own : served }));
  expect(await discover("lmstudio")).toEqual([
    { id: "writes", capabilities: ["completion", "tools"], contextWindow: 4096 },
    { id: "sees", capabilities: ["completion", "tools", "vision"], contextWindow: 131_072 },
    { id: "embeds", capabilities: ["embedding"], contextWindow: 2048 },
  ]);
  stub.answer(({ path }) => Response.json(path === "/v1/models" ? { data: [{ id: "old" }] } : { error: "Unexpected endpoint" }));
  expect(await discover("lmstudio")).toEqual([{ id: "old", capabilities: [] }]);
});

test("llama.cpp says what its model can do, and how large a window it runs; a router of several models says neither", async () => {
  const entry = (id: string) => ({ id, meta: { n_ctx_train: 131_072 } });
  const props = {
    default_generation_settings: { n_ctx: 8192 },
    modalities: { vision: true, audio: false },
    chat_template_caps: { supports_tools: true },
  };
  let list = [entry("one")];
  let told: object = props;
  stub.answer(({ path }) => Response.json(path === "/props" ? told : { data: list }));
  expect(await discover("llamacpp")).toEqual([
    { id: "one", capabilities: ["completion", "vision", "tools"], contextWindow: 8192 },
  ]);
  told = { default_generation_settings: { n_ctx: 0 }, chat_template_caps: { supports_tools: false } };
  expect(await discover("llamacpp")).toEqual([{ id: "one", capabilities: [], contextWindow: 131_072 }]);
  list = [entry("one"), entry("two")];
  told = props;
  expect((await discover("llamacpp")).map(({ capabilities }) => capabilities)).toEqual([[], []]);
});
