/** A request of ours as Gemini takes it. */

import { expect, test } from "bun:test";
import type { ModelQuirks } from "../../../src/catalog/model.ts";
import type { ChatMessage, ChatRequest } from "../../../src/providers/provider.ts";
import { upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { answersOf, build, contents, end } from "./ask-gemini.ts";

const stub = upstreamStubOfFile();
const { streamed, whole } = answersOf(stub);

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
      {
        maxOutputTokens: 9,
        temperature: 0.1,
        topK: 40,
        presencePenalty: 0.5,
        frequencyPenalty: 1,
        stop: ["x"],
        seed: 1,
        reasoningEffort: "none",
        outputFormat,
      },
      { thinking: "budget" },
    ).generationConfig,
  ).toEqual({
    maxOutputTokens: 9,
    temperature: 0.1,
    topK: 40,
    presencePenalty: 0.5,
    frequencyPenalty: 1,
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
    thinkingConfig: { thinkingLevel: "high", includeThoughts: true },
  });
});

test("what Gemini refuses a tool's schema for is put right: names that are required but not there, keywords of another type, empty texts", () => {
  const sent = (parameters: Record<string, unknown>) =>
    build({ tools: [{ name: "f", parameters }] }).tools[0].functionDeclarations[0].parametersJsonSchema;
  const a = { type: "string" };
  expect(sent({ type: "object", properties: { a }, required: ["a", "ref", "toString"] })).toEqual({
    type: "object",
    properties: { a, ref: {}, toString: {} },
    required: ["a", "ref", "toString"],
  });
  expect(sent({ type: "object", properties: { a }, required: ["a", "ref"], additionalProperties: false })).toEqual({
    type: "object",
    properties: { a },
    required: ["a"],
    additionalProperties: false,
  });
  const data = { type: "string", properties: { id: a }, required: ["id"], items: a };
  const list = { type: ["array", "null"], items: a, minItems: 1, properties: {} };
  expect(sent({ type: "object", properties: { data, list }, required: ["data"] }).properties).toEqual({
    data: { type: "string" },
    list: { type: ["array", "null"], items: a, minItems: 1 },
  });
  const unset = { type: "string", enum: ["", "x"] };
  expect(sent({ type: "object", properties: { unset, none: { const: "" } } }).properties).toEqual({
    unset: { type: "string", description: '(enum: ["","x"])' },
    none: { description: '(const: "")' },
  });
});

test("a seed of more than 32 bits is brought to 32, the same one always to the same", () => {
  const seedOf = (seed: number): number => build({ seed }).generationConfig.seed;
  expect([-1, 2 ** 31 - 1].map(seedOf)).toEqual([-1, 2 ** 31 - 1]);
  expect([2 ** 31, 2 ** 32 + 7, Number.MAX_SAFE_INTEGER].map(seedOf)).toEqual([-(2 ** 31), 7, -1]);
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

test("thinking leaves room for the answer within the bound", () => {
  const budget = (maxOutputTokens: number) =>
    build({ reasoningEffort: "high", maxOutputTokens }, { thinking: "budget" }).generationConfig.thinkingConfig?.thinkingBudget;
  expect([budget(100_000), budget(4_000), budget(500)]).toEqual([24_576, 2_000, undefined]);
});

test("no format goes beside a forced call", () => {
  const body = build({ tools: [{ name: "f" }], toolChoice: "required", outputFormat: { type: "json" } });
  expect(body.generationConfig).toBeUndefined();
});

test("no more stop sequences are sent than are taken", () => {
  expect(build({ stop: ["1", "2", "3", "4", "5", "6"] }).generationConfig.stopSequences).toHaveLength(5);
});

test("what a tool says of its failure stands in the field for it", () => {
  const [, , results] = contents([
    { role: "user", content: "hi" },
    { role: "assistant", content: "", toolCalls: [{ id: "c", name: "f", arguments: "{}" }] },
    { role: "tool", toolCallId: "c", content: 'Error: {"code": 7}', isError: true },
  ]);
  expect(results.parts[0].functionResponse).toEqual({ id: "c", name: "f", response: { error: 'Error: {"code": 7}' } });
});

test("a tool's result that holds references is sent as text: Gemini would look for a medium of that name", () => {
  const responseTo = (content: string) => {
    const toolCalls = [{ id: "call_1", name: "f", arguments: "{}" }];
    const messages: ChatMessage[] = [
      { role: "user", content: "hi" },
      { role: "assistant", content: "", toolCalls },
      { role: "tool", toolCallId: "call_1", content },
    ];
    return build({ messages }).contents.at(-1).parts[0].functionResponse.response;
  };
  const schema = '{"items":[{"$ref":"#/$defs/a"}]}';
  expect(responseTo(schema)).toEqual({ result: schema });
  expect(responseTo('{"refs":["#/$defs/a"]}')).toEqual({ refs: ["#/$defs/a"] });
});
