/** Requests in OpenAI's format, as each model and vendor takes them. */

import { expect, test } from "bun:test";
import { CHAT_MODELS } from "../../../src/catalog/chat-models.ts";
import type { ModelQuirks } from "../../../src/catalog/model.ts";
import { buildOpenAiRequest } from "../../../src/providers/openai/build-request.ts";
import type { ChatRequest } from "../../../src/providers/provider.ts";
import { build } from "../../support/openai-stub.ts";

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

test("what samples only while it does not think is told how to where it does not", () => {
  const quirks: ModelQuirks = { noSampling: true, samplesUnthinking: true, efforts: ["none", "low"], noReasoningWithTools: true };
  const request: Partial<ChatRequest> = { temperature: 0, topP: 0.5, presencePenalty: 1 };
  const sampling = (more: Partial<ChatRequest>) => {
    const { temperature, top_p, presence_penalty } = build({ ...request, ...more }, quirks);
    return [temperature, top_p, presence_penalty];
  };
  expect(sampling({})).toEqual([undefined, undefined, undefined]);
  expect(sampling({ reasoningEffort: "low" })).toEqual([undefined, undefined, undefined]);
  expect(sampling({ reasoningEffort: "none" })).toEqual([0, 0.5, undefined]);
  expect(sampling({ tools: [{ name: "f" }] })).toEqual([0, 0.5, undefined]);
  expect(sampling({ reasoningEffort: "low", tools: [{ name: "f" }] })).toEqual([undefined, undefined, undefined]);
});

test("where turns have one order alone, they are brought into it (Mistral)", () => {
  const call = (id: string) => ({ id, name: "f", arguments: "{}" });
  const messages: ChatRequest["messages"] = [
    { role: "user", content: "a", name: "Ann" },
    { role: "assistant", content: "", toolCalls: [call("c1")] },
    { role: "tool", content: "1", toolCallId: "c1" },
    { role: "user", content: "b" },
    { role: "assistant", content: "" },
    { role: "system", content: "late" },
    { role: "assistant", content: "c", name: "Planner" },
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
  const [, only] = build({ messages: [{ role: "system", content: "Tell a joke." }] }, { strictTurns: true }).messages;
  expect(only).toEqual({ role: "user", content: "Begin." });
  const asked = { messages: messages.filter(({ role }) => role === "system"), outputFormat: { type: "json" as const } };
  const [system, ...others] = build(asked, { strictTurns: true }).messages;
  expect([system.content, others.length]).toEqual([expect.stringMatching(/JSON.*late/s), 1]);
});

test("names of speakers go out with their messages", () => {
  const messages: ChatRequest["messages"] = [
    { role: "system", content: "a", name: "rules" },
    { role: "user", content: "b", name: "Ann" },
    { role: "assistant", content: "c", name: "Planner" },
  ];
  expect(build({ messages }).messages.map(({ name }: { name: string }) => name)).toEqual(["rules", "Ann", "Planner"]);
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

test("a schema of a list or a word is not asked for in JSON mode, which gives objects alone", () => {
  const formatFor = (schema: Record<string, unknown>) =>
    build({ outputFormat: { type: "schema", name: "s", schema, strict: true } }, { schemaBy: "prompt" }).response_format?.type;
  const list = { type: "array", items: { type: "string" } };
  expect([list, { type: "string" }, { type: ["array", "null"] }].map(formatFor)).toEqual([undefined, undefined, undefined]);
  expect([{ type: ["object", "null"] }, { anyOf: [list] }].map(formatFor)).toEqual(["json_object", "json_object"]);
});

test("an effort goes out as the nearest one that the model knows, the lower of two", () => {
  const sent = (efforts: ModelQuirks["efforts"], reasoningEffort: ChatRequest["reasoningEffort"]) =>
    build({ reasoningEffort }, efforts && { efforts }).reasoning_effort;
  expect(sent(["low", "medium", "high"], "none")).toBe("low");
  expect(sent(["none", "low", "medium", "high"], "minimal")).toBe("none");
  expect(["minimal", "low", "medium"].map((effort) => sent(["none", "high"], effort as "low"))).toEqual(["none", "none", "high"]);
  expect(sent(undefined, "minimal")).toBe("minimal");
  expect(sent([], "high")).toBeUndefined();
  expect([sent(undefined, "max"), sent(["low", "high"], "xhigh"), sent(["low", "high", "max"], "xhigh")]).toEqual([
    "high",
    "high",
    "high",
  ]);
  expect(["xhigh", "max"].map((effort) => sent(["high", "xhigh", "max"], effort as "max"))).toEqual(["xhigh", "max"]);
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

test("how much an answer says is told to models with a setting for it", () => {
  const sent = (quirks: ModelQuirks) => build({ verbosity: "low" }, quirks)["verbosity"];
  expect([sent({ verbosity: true }), sent({})]).toEqual(["low", undefined]);
});

test("the key by which OpenAI and Mistral find their caches goes to their models alone", () => {
  const sent = (quirks: ModelQuirks) => build({ cacheKey: "signals" }, quirks)["prompt_cache_key"];
  expect([sent({ cacheKey: true }), sent({})]).toEqual(["signals", undefined]);
  const takers = CHAT_MODELS.filter(({ quirks }) => quirks?.cacheKey);
  expect(new Set(takers.map(({ provider }) => provider))).toEqual(new Set(["openai", "mistral"]));
});

test("the caller's id goes to all models but Mistral's, which refuse it", () => {
  const sent = (quirks: ModelQuirks) => build({ user: "ann" }, quirks)["user"];
  expect([sent({}), sent({ noUser: true })]).toEqual(["ann", undefined]);
  const refusing = CHAT_MODELS.filter(({ quirks }) => quirks?.noUser);
  expect(new Set(refusing.map(({ provider }) => provider))).toEqual(new Set(["mistral"]));
});

test("models of which the catalog knows no efforts are told not to think in the words of other servers, too", () => {
  const told = (reasoningEffort: "none" | "low", quirks: ModelQuirks = {}) => {
    const { chat_template_kwargs: template, thinking } = build({ reasoningEffort }, quirks);
    return [template, thinking];
  };
  expect(told("none")).toEqual([{ enable_thinking: false }, { type: "disabled" }]);
  for (const other of [told("low"), told("none", { efforts: ["none", "high"] }), told("none", { efforts: [] })])
    expect(other).toEqual([undefined, undefined]);
});

test("Claude at OpenRouter is told to cache the prompt if any of it is marked, others are not", () => {
  const sent = (model: string, cachePrompt?: ChatRequest["cachePrompt"]) =>
    buildOpenAiRequest(
      model,
      { messages: [{ role: "user", content: "hi" }], ...(cachePrompt && { cachePrompt }) },
      { stream: false, quirks: {} },
    )["cache_control"];
  const claude = "anthropic/claude-sonnet-5.5";
  expect(sent(claude, { longest: "5m" })).toEqual({ type: "ephemeral" });
  expect(sent(claude, { longest: "1h", whole: "5m" })).toEqual({ type: "ephemeral", ttl: "1h" });
  expect([sent(claude), sent("openai/gpt-5", { longest: "5m" })]).toEqual([undefined, undefined]);
});

const askedAgain = (id: string): ChatRequest["messages"] => [
  { role: "user", content: "hi" },
  {
    role: "assistant",
    content: "",
    toolCalls: [{ id, name: "look_up", arguments: "{}" }],
    thoughts: [{ thought: { text: "I look it up." }, partsBefore: 0, callsBefore: 0 }],
  },
  { role: "tool", toolCallId: id, content: "found" },
];

test("a model that the catalog does not know gets the thinking before its calls back", () => {
  const sent = (quirks: ModelQuirks) => build({ messages: askedAgain("c1") }, quirks).messages[1].reasoning_content;
  expect([sent({}), sent({ efforts: ["low", "high"] }), sent({ efforts: [] })]).toEqual(["I look it up.", undefined, undefined]);
});

test("Kimi's calls are numbered over the conversation, as it does", () => {
  const messages = [...askedAgain("toolu_01"), ...askedAgain("functions.look_up:1")];
  const sent = (model: string) =>
    (buildOpenAiRequest(model, { messages }, { stream: false, quirks: {} })["messages"] as any[]).flatMap((message) =>
      message.tool_calls ? [message.tool_calls[0].id] : message.tool_call_id ? [message.tool_call_id] : [],
    );
  const numbered = ["functions.look_up:0", "functions.look_up:0", "functions.look_up:1", "functions.look_up:1"];
  expect(sent("moonshotai/Kimi-K2.6")).toEqual(numbered);
  expect(sent("qwen3").every((id) => /^[\w-]+$/.test(id))).toBe(true);
});

test("a speaker's name has no signs and no length that OpenAI refuses", () => {
  const named = (name: string) => build({ messages: [{ role: "user", content: "hi", name }] }).messages[0].name;
  expect(["Ann", "John Smith <js@example.com>", "x".repeat(70), " "].map(named)).toEqual([
    "Ann",
    "John_Smith_js@example.com_",
    "x".repeat(64),
    "_",
  ]);
});
