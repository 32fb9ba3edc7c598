/** Behaviours of the Google dialect; each test is a rule of the wire or a lesson somebody paid for. */

import { expect, test } from "bun:test";
import type { ModelQuirks } from "../../src/catalog/model.ts";
import { withSignature } from "../../src/providers/dialect/tool-call-ids.ts";
import { buildGoogleRequest } from "../../src/providers/google/build-request.ts";
import { mapGoogleError } from "../../src/providers/google/map-error.ts";
import { createPartialArguments, parsePath } from "../../src/providers/google/partial-arguments.ts";
import type { ChatMessage, ChatRequest } from "../../src/providers/provider.ts";
import { askFor, collect, contextWith, listsOf, providerFor } from "../support/chat-provider.ts";
import { json, sse, upstreamStubOfFile } from "../support/upstream-stub.ts";

const stub = upstreamStubOfFile();

const frame = (parts: object[], more: object = {}) => ({ candidates: [{ content: { role: "model", parts }, ...more }] });
const end = frame([{ text: "" }], { finishReason: "STOP" });
const streamed = (frames: object[]) => {
  stub.answer(sse(frames, { done: false }));
  return collect(listsOf((take) => providerFor("google", stub.url).streamChat!("m", askFor("hi"), contextWith(), take)));
};
const whole = (body: object) => {
  stub.answer(json(body));
  return providerFor("google", stub.url).chat!("m", askFor("hi"), contextWith());
};
const build = (request: Partial<ChatRequest>, quirks: ModelQuirks = {}): any =>
  buildGoogleRequest("m", { messages: [{ role: "user", content: "hi" }], ...request }, { stream: false, quirks });
const contents = (messages: ChatMessage[], quirks: ModelQuirks = {}): any[] => build({ messages }, quirks).contents;
const calls = (all: { toolCalls: { name: string; arguments: string }[] }) =>
  all.toolCalls.map(({ name, arguments: args }) => [name, args]);

// ---- streams and answers

test("parallel calls, in one frame and over several, are counted over the stream", async () => {
  const call = (name: string) => ({ functionCall: { name, args: { n: name } } });
  const all = await streamed([frame([call("a"), call("b")]), frame([call("c")]), end]);
  expect(calls(all)).toEqual([
    ["a", '{"n":"a"}'],
    ["b", '{"n":"b"}'],
    ["c", '{"n":"c"}'],
  ]);
  expect(all.finishReason).toBe("tool_calls");
});

test("a call whose last piece never comes is closed by the next call or the end", async () => {
  const open = (name: string) => frame([{ functionCall: { name, willContinue: true } }]);
  const piece = (value: object) => frame([{ functionCall: { partialArgs: [value], willContinue: true } }]);
  const all = await streamed([
    open("a"),
    piece({ jsonPath: "$.x[1].y", numberValue: 2 }),
    open("b"),
    piece({ jsonPath: "$.z", boolValue: false }),
    end,
  ]);
  expect(calls(all)).toEqual([
    ["a", '{"x":[null,{"y":2}]}'],
    ["b", '{"z":false}'],
  ]);
});

test("thoughts are reasoning, and their tokens are output beside the candidates'", async () => {
  const usageMetadata = {
    promptTokenCount: 10,
    cachedContentTokenCount: 4,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 7,
    toolUsePromptTokenCount: 3,
    totalTokenCount: 25,
  };
  const all = await streamed([frame([{ text: "hm", thought: true }, { text: "ok" }]), { ...end, usageMetadata }]);
  expect([all.reasoning, all.text]).toEqual(["hm", "ok"]);
  expect(all.usage).toEqual({ input: 9, cacheRead: 4, cacheWrite: 0, output: 5, reasoning: 7 });
});

test("thoughts that one variant folds into the candidates' count are not counted twice", async () => {
  const result = await whole({
    ...end,
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 12, thoughtsTokenCount: 7, totalTokenCount: 22 },
  });
  expect([result.usage.output, result.usage.reasoning]).toEqual([5, 7]);
});

test("the last running usage counts, and metadata without counts is no usage", async () => {
  const all = await streamed([
    { ...frame([{ text: "a" }]), usageMetadata: { trafficType: "X" } },
    { ...frame([{ text: "b" }]), usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1 } },
    { ...end, usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 } },
  ]);
  expect(all.events.filter(({ type }) => type === "usage").length).toBe(2);
  expect(all.usage?.output).toBe(2);
});

test("a blocked prompt is no answer: a rejection that is billed as stated, streamed or not", async () => {
  const blocked = {
    promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
    usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
  };
  const rejection = {
    kind: "content_filter",
    details: { accepted: true, usage: { input: 9, output: 0 }, upstreamMessage: "PROHIBITED_CONTENT" },
  };
  await expect(whole(blocked)).rejects.toMatchObject(rejection);
  await expect(streamed([blocked])).rejects.toMatchObject(rejection);
});

test("an answer that is blocked once it has begun is a filtered answer", async () => {
  const frames = [frame([{ text: "It " }]), { promptFeedback: { blockReason: "OTHER" } }];
  const all = await streamed(frames);
  expect([all.text, all.finishReason]).toEqual(["It ", "content_filter"]);
  const result = await whole(frames);
  expect([result.text, result.finishReason]).toEqual(["It ", "content_filter"]);
});

for (const reason of ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY"]) {
  test(`${reason} ends as filtered`, async () => {
    expect((await whole(frame([], { finishReason: reason }))).finishReason).toBe("content_filter");
  });
}

test.each(["MALFORMED_FUNCTION_CALL", "MISSING_THOUGHT_SIGNATURE", "IMAGE_OTHER"])(
  "%s is a failed attempt that is billed",
  async (finishReason) => {
    const failed = {
      ...frame([], { finishReason }),
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 },
    };
    await expect(whole(failed)).rejects.toMatchObject({
      kind: "server",
      retryable: true,
      details: { accepted: true, usage: { input: 5, output: 2 } },
    });
    await expect(streamed([failed])).rejects.toMatchObject({ kind: "server", details: { usage: { input: 5 } } });
  },
);

test("a candidate without content that ran into its bound is an empty text cut short", async () => {
  const result = await whole({ candidates: [{ finishReason: "MAX_TOKENS" }] });
  expect([result.text, result.finishReason]).toEqual(["", "length"]);
});

test("a stream without a finish reason is truncated, an answer without candidates a failure", async () => {
  await expect(streamed([frame([{ text: "a" }])])).rejects.toMatchObject({ kind: "truncated" });
  await expect(whole({ usageMetadata: { promptTokenCount: 1 } })).rejects.toMatchObject({ kind: "server" });
});

test("an error frame after status 200 is a failure", async () => {
  await expect(
    streamed([frame([{ text: "a" }]), { error: { code: 503, status: "UNAVAILABLE", message: "overloaded" } }]),
  ).rejects.toMatchObject({ kind: "overloaded" });
});

test("paths of argument pieces, and what is none", () => {
  expect(parsePath("$.a.b[0]['c d'][\"e\"]")).toEqual(["a", "b", 0, "c d", "e"]);
  for (const bad of ["a", "$", "$..a", "$.a[", "$.a[x]"]) expect(parsePath(bad)).toBeUndefined();
  const hostile = createPartialArguments();
  hostile.add({ jsonPath: "$.__proto__.polluted", boolValue: true });
  hostile.add({ jsonPath: "$.list[999999]", numberValue: 1 });
  expect(({} as any).polluted).toBeUndefined();
  expect(hostile.toJson().length).toBeLessThan(100);
});

test("a string in pieces is joined, a second string at the same place replaces the first", () => {
  const pieces = createPartialArguments();
  pieces.add({ jsonPath: "$.a", stringValue: "x", willContinue: true });
  pieces.add({ jsonPath: "$.a", stringValue: "y", willContinue: true });
  pieces.add({ jsonPath: "$.a", stringValue: "" });
  pieces.add({ jsonPath: "$.b", nullValue: null });
  expect(pieces.toJson()).toBe('{"a":"xy","b":null}');
});

// ---- the round trip of a tool call

test("a thought signature and Gemini's own id return with the call, inside an id that clients keep", async () => {
  const signature = "EtoF+/abc==";
  const all = await streamed([
    frame([{ functionCall: { id: "own-1", name: "f", args: { a: 1 } }, thoughtSignature: signature }]),
    end,
  ]);
  const [toolCall] = all.toolCalls;
  expect(toolCall!.id).toMatch(/^[\w-]+$/);
  const [, model, user] = contents([
    { role: "user", content: "hi" },
    { role: "assistant", content: "", toolCalls: [toolCall!] },
    { role: "tool", toolCallId: toolCall!.id, content: '{"r":1}' },
  ]);
  expect(model).toEqual({
    role: "model",
    parts: [{ functionCall: { id: "own-1", name: "f", args: { a: 1 } }, thoughtSignature: signature }],
  });
  expect(user).toEqual({ role: "user", parts: [{ functionResponse: { id: "own-1", name: "f", response: { r: 1 } } }] });
});

test("calls of other models go with the stand-in signature where the model asks for one", () => {
  const messages: ChatMessage[] = [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: "",
      toolCalls: [
        { id: "call_1", name: "f", arguments: "" },
        { id: "call_2", name: "g", arguments: "{}" },
      ],
    },
    { role: "tool", toolCallId: "call_1", content: "plain" },
    { role: "tool", toolCallId: "call_2", content: "[1]" },
    { role: "tool", toolCallId: "lost", content: "x" },
  ];
  const [, plain, results] = contents(messages);
  expect(plain.parts).toEqual([
    { functionCall: { id: "call_1", name: "f", args: {} } },
    { functionCall: { id: "call_2", name: "g", args: {} } },
  ]);
  expect(results.parts.map(({ functionResponse }: any) => [functionResponse.name, functionResponse.response])).toEqual([
    ["f", { result: "plain" }],
    ["g", { result: "[1]" }],
  ]);
  const [, signed] = contents(messages, { thinking: "level" });
  expect(signed.parts.map((part: any) => part.thoughtSignature)).toEqual(["skip_thought_signature_validator", undefined]);
});

test("signatures that Gemini refuses, or misses, are left behind: the call is made again with the stand-in alone", async () => {
  const id = withSignature("own-1", "google", "of another account");
  const messages: ChatMessage[] = [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: "Let me look.",
      toolCalls: [
        { id, name: "f", arguments: "{}" },
        { id: "own-2", name: "g", arguments: "{}" },
      ],
    },
    { role: "tool", toolCallId: id, content: "1" },
    { role: "tool", toolCallId: "own-2", content: "2" },
  ];
  for (const message of [
    "Corrupted thought signature.",
    "Unable to submit request because Thought signature is not valid.",
    "Function call is missing a thought_signature in functionCall parts.",
  ]) {
    stub.seen.length = 0;
    stub.answer(
      json({ error: { code: 400, status: "INVALID_ARGUMENT", message } }, 400),
      json(frame([{ text: "Done." }], { finishReason: "STOP" })),
    );
    expect((await providerFor("google", stub.url).chat!("m", { messages }, contextWith())).text).toBe("Done.");
    const signatures = stub.seen.map(({ body }) => body.contents[1].parts.map((part: any) => part.thoughtSignature));
    expect(signatures).toEqual([
      [undefined, "of another account", undefined],
      [undefined, "skip_thought_signature_validator", undefined],
    ]);
  }
});

// ---- requests

test("system messages, merged turns, and a conversation that ends with the user", () => {
  const body = build({
    messages: [
      { role: "system", content: "one" },
      { role: "user", content: "a" },
      { role: "user", content: "b" },
      { role: "assistant", content: "c" },
      { role: "system", content: "two" },
    ],
  });
  expect(body.systemInstruction).toEqual({ parts: [{ text: "one\n\ntwo" }] });
  expect(body.contents.map(({ role }: any) => role)).toEqual(["user", "model", "user"]);
  expect(body.contents[0].parts).toEqual([{ text: "a" }, { text: "b" }]);
});

test("images, sound, video and documents go inline or by reference", () => {
  const [{ parts }] = contents([
    {
      role: "user",
      content: [
        { type: "image", url: "data:image/png;base64,AAAA" },
        { type: "image", url: "https://x/y.webp?z=1" },
        { type: "audio", data: "BBBB", format: "mp3" },
        { type: "video", url: "https://x/v" },
        { type: "document", mediaType: "application/pdf", data: "JVBE" },
      ],
    },
  ]);
  expect(parts).toEqual([
    { inlineData: { mimeType: "image/png", data: "AAAA" } },
    { fileData: { mimeType: "image/webp", fileUri: "https://x/y.webp?z=1" } },
    { inlineData: { mimeType: "audio/mp3", data: "BBBB" } },
    { fileData: { mimeType: "video/mp4", fileUri: "https://x/v" } },
    { inlineData: { mimeType: "application/pdf", data: "JVBE" } },
  ]);
});

test("tool choice names functions only when one is forced", () => {
  const config = (request: Partial<ChatRequest>, quirks: ModelQuirks = {}) =>
    build({ tools: [{ name: "f" }], ...request }, quirks).toolConfig?.functionCallingConfig;
  expect(config({})).toBeUndefined();
  expect(config({ toolChoice: "none" })).toEqual({ mode: "NONE" });
  expect(config({ toolChoice: "required" })).toEqual({ mode: "ANY" });
  expect(config({ toolChoice: { name: "f" } })).toEqual({ mode: "ANY", allowedFunctionNames: ["f"] });
  expect(config({ toolChoice: { name: "f" } }, { noForcedTool: true })).toEqual({ mode: "AUTO" });
  expect(build({ toolChoice: "required" })).not.toHaveProperty("toolConfig");
});

test("settings, thinking and structured output stand in generationConfig", () => {
  const outputFormat = {
    type: "schema" as const,
    name: "s",
    schema: { $schema: "x", type: "object", properties: { a: { const: "k" } }, additionalProperties: false },
    strict: true,
  };
  expect(
    build(
      { maxOutputTokens: 9, temperature: 0.1, stop: ["x"], seed: 1, reasoningEffort: "none", outputFormat },
      { thinking: "budget" },
    ).generationConfig,
  ).toEqual({
    maxOutputTokens: 9,
    temperature: 0.1,
    stopSequences: ["x"],
    seed: 1,
    responseMimeType: "application/json",
    responseJsonSchema: {
      type: "object",
      properties: { a: { type: "string", enum: ["k"], description: '(const: "k")' } },
      additionalProperties: false,
    },
    thinkingConfig: { thinkingBudget: 0 },
  });
  expect(build({ reasoningEffort: "high" }, { thinking: "level" }).generationConfig).toEqual({
    thinkingConfig: { thinkingLevel: "high" },
  });
});

test("the key goes into a header, never into the address", async () => {
  await whole(end);
  expect([stub.seen[0]!.path, stub.seen[0]!.headers.get("x-goog-api-key")]).toEqual([
    "/v1beta/models/m:generateContent",
    "key-one",
  ]);
  await streamed([end]);
  expect(stub.seen[1]!.path).toBe("/v1beta/models/m:streamGenerateContent?alt=sse");
});

// ---- errors

const errorOf = (status: number, error: object, wrap = false) =>
  mapGoogleError({ provider: "P", status, body: wrap ? [{ error }] : { error } });
const retryInfo = (retryDelay: string) => ({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay });

test("the wait is read from the body, also inside a list and with fractions", () => {
  const error = errorOf(429, { code: 429, status: "RESOURCE_EXHAUSTED", message: "quota", details: [retryInfo("26.66s")] }, true);
  expect([error.kind, error.details.retryAfterMs]).toEqual(["rate_limit", 26_660]);
});

test("a quota of the day is no rate limit: waiting the hinted seconds does not help", () => {
  const details = [{ violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }] }, retryInfo("30s")];
  const error = errorOf(429, {
    status: "RESOURCE_EXHAUSTED",
    message: "You exceeded your current quota, please check your plan and billing details.",
    details,
  });
  expect([error.kind, error.details.retryAfterMs, error.retryable]).toEqual(["billing", undefined, false]);
});

const kinds: [number, object, string][] = [
  [400, { status: "INVALID_ARGUMENT", message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] }, "auth"],
  [403, { status: "PERMISSION_DENIED", message: "no" }, "auth"],
  [404, { status: "NOT_FOUND", message: "models/x is not found" }, "model_gone"],
  [
    400,
    {
      status: "INVALID_ARGUMENT",
      message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    },
    "context_length",
  ],
  [400, { status: "INVALID_ARGUMENT", message: "Thinking level MINIMAL is not supported for this model." }, "unsupported_param"],
  [400, { status: "INVALID_ARGUMENT", message: "Please ensure that single turn requests end with a user role." }, "bad_request"],
  [400, { status: "FAILED_PRECONDITION", message: "User location is not supported for the API use." }, "auth"],
  [400, { status: "INVALID_ARGUMENT", message: "Penalty is not enabled for models/m" }, "unsupported_param"],
  [499, { status: "CANCELLED", message: "The operation was cancelled." }, "server"],
  [503, { status: "UNAVAILABLE", message: "overloaded" }, "overloaded"],
  [500, { status: "INTERNAL", message: "oops" }, "server"],
];
for (const [status, error, kind] of kinds) {
  test(`status ${status} ${JSON.stringify(error).slice(0, 90)} is ${kind}`, () => {
    expect(errorOf(status, error).kind).toBe(kind as never);
  });
}

test("thinking leaves room for the answer within the bound", () => {
  const budget = (maxOutputTokens: number) =>
    build({ reasoningEffort: "high", maxOutputTokens }, { thinking: "budget" }).generationConfig.thinkingConfig?.thinkingBudget;
  expect([budget(100_000), budget(4_000), budget(500)]).toEqual([24_576, 2_000, undefined]);
});

test("a thinking level the model does not know is left out, and the call goes through", async () => {
  stub.answer(
    json(
      { error: { code: 400, status: "INVALID_ARGUMENT", message: "Thinking level MINIMAL is not supported for this model." } },
      400,
    ),
    json(end),
  );
  const provider = providerFor("google", stub.url, {}, { thinking: "level" });
  await provider.chat!("m", { ...askFor("hi"), reasoningEffort: "none" }, contextWith());
  expect(stub.seen.map(({ body }) => body.generationConfig)).toEqual([
    { maxOutputTokens: 100, thinkingConfig: { thinkingLevel: "minimal" } },
    { maxOutputTokens: 100 },
  ]);
});

test("embeddings are brought back to unit length", async () => {
  stub.answer(json({ embeddings: [{ values: [3, 4] }, { values: [0, 2] }] }));
  const { vectors } = await providerFor("google", stub.url).embed!("e", ["a", "b"], 2, contextWith());
  expect(vectors.map((vector) => [...vector].map((value) => Number(value.toFixed(5))))).toEqual([
    [0.6, 0.8],
    [0, 1],
  ]);
  expect(stub.seen[0]!.body.requests[0]).toEqual({
    model: "models/e",
    content: { parts: [{ text: "a" }] },
    outputDimensionality: 2,
  });
});

const refusedWith = async (messages: string[], request: object, times = 1): Promise<any[]> => {
  stub.seen.length = 0;
  const refusals = messages.map((message) => json({ error: { code: 400, status: "INVALID_ARGUMENT", message } }, 400));
  stub.answer(...refusals, json(end));
  const provider = providerFor("google", stub.url, {}, { thinking: "level" });
  for (let time = 0; time < times; time++) await provider.chat!("m", { ...askFor("hi"), ...request }, contextWith());
  return stub.seen.map(({ body }) => body);
};

test("penalties that are refused by their family name are left out together", async () => {
  const bodies = await refusedWith(["Penalty is not enabled for models/m"], { presencePenalty: 1, frequencyPenalty: 1 });
  expect(bodies.at(-1).generationConfig).toEqual({ maxOutputTokens: 100 });
});

test("an unknown thinking level says nothing of the next call's", async () => {
  const bodies = await refusedWith(
    ["Thinking level MINIMAL is not supported for this model."],
    { reasoningEffort: "minimal" },
    2,
  );
  expect(bodies.map(({ generationConfig }) => generationConfig.thinkingConfig?.thinkingLevel)).toEqual([
    "minimal",
    undefined,
    "minimal",
  ]);
});

test("a format that is refused beside tools is asked for in the prompt, for that call", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const request = { tools: [{ name: "f" }], outputFormat: { type: "schema", name: "s", schema, strict: true } };
  const message = "Function calling with a response mime type: 'application/json' is unsupported";
  const bodies = await refusedWith([message], request, 2);
  expect(bodies.map(({ generationConfig }) => Object.keys(generationConfig))).toEqual([
    ["maxOutputTokens", "responseMimeType", "responseJsonSchema"],
    ["maxOutputTokens"],
    ["maxOutputTokens", "responseMimeType", "responseJsonSchema"],
  ]);
  expect(bodies[1].systemInstruction.parts[0].text).toContain('{"type":"object"');
});

test("no format goes beside a forced call", () => {
  const body = build({ tools: [{ name: "f" }], toolChoice: "required", outputFormat: { type: "json" } });
  expect(body.generationConfig).toBeUndefined();
});

test("counts without the prompt's are usage all the same, and later frames that leave it out do not take it back", async () => {
  const counted = { ...end, usageMetadata: { candidatesTokenCount: 18, thoughtsTokenCount: 58 } };
  stub.answer(json(counted));
  const result = await providerFor("google", stub.url).chat!("m", askFor("hi"), contextWith());
  expect(result.usage).toEqual({ input: 0, cacheRead: 0, cacheWrite: 0, output: 18, reasoning: 58 });
  const all = await streamed([{ ...end, usageMetadata: { promptTokenCount: 7 } }, counted]);
  expect(all.usage).toMatchObject({ input: 7, output: 18, reasoning: 58 });
});

test("frames that come as one JSON list are one answer", async () => {
  const part = (text: string) => ({ candidates: [{ content: { parts: [{ text }] } }] });
  stub.answer(json([part("a"), part("b"), end]));
  const all = await collect(
    listsOf((take) => providerFor("google", stub.url).streamChat!("m", askFor("hi"), contextWith(), take)),
  );
  expect([all.text, all.finishReason]).toEqual(["ab", "stop"]);
});

test("no more stop sequences are sent than are taken", () => {
  expect(build({ stop: ["1", "2", "3", "4", "5", "6"] }).generationConfig.stopSequences).toHaveLength(5);
});
