/** Requests as Anthropic takes them: turns, tools, schemas, bounds. */

import { expect, test } from "bun:test";
import type { ModelQuirks } from "../../../src/catalog/model.ts";
import type { ChatMessage, ChatRequest } from "../../../src/providers/provider.ts";
import { build } from "../../support/anthropic-stub.ts";

const turns = (messages: ChatMessage[]): any[] => build({ messages }).messages;

const call = (id: string, name = "f") => ({ id, name, arguments: '{"a":1}' });

test("every system message goes to the top, in order", () => {
  const body = build({
    messages: [
      { role: "system", content: "one" },
      { role: "user", content: "hi" },
      { role: "system", content: [{ type: "text", text: "two" }] },
    ],
  });
  expect([body.system, body.messages.length, body.max_tokens]).toEqual(["one\n\ntwo", 1, 4096]);
});

test("turns of the same role are merged, and empty or blank text is left out", () => {
  expect(
    turns([
      { role: "user", content: "a" },
      { role: "user", content: "  " },
      { role: "user", content: "b" },
      { role: "assistant", content: "" },
    ]),
  ).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    },
  ]);
});

test("all results of a turn stand first in one user message", () => {
  const [, assistant, user] = turns([
    { role: "user", content: "hi" },
    { role: "assistant", content: "on it", toolCalls: [call("t1"), call("t2", "g")] },
    { role: "tool", toolCallId: "t1", content: "r1" },
    { role: "user", content: "and?" },
    { role: "tool", toolCallId: "t2", content: "" },
  ]);
  expect(assistant.content.map(({ type }: any) => type)).toEqual(["text", "tool_use", "tool_use"]);
  expect(assistant.content[1]).toEqual({ type: "tool_use", id: "t1", name: "f", input: { a: 1 } });
  expect(user.content).toEqual([
    { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "r1" }] },
    { type: "tool_result", tool_use_id: "t2" },
    { type: "text", text: "and?" },
  ]);
});

test("past arguments nested beyond all reason are sent as text, since nothing could write them as JSON again", () => {
  const deep = `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
  const [, assistant] = turns([
    { role: "user", content: "hi" },
    { role: "assistant", content: "", toolCalls: [{ ...call("t1"), arguments: deep }] },
    { role: "tool", toolCallId: "t1", content: "r1" },
  ]);
  expect(assistant.content[0].input).toEqual({ raw: deep });
});

test("a picture that a tool returned stands in the tool's result", () => {
  const picture = { type: "image" as const, url: "data:image/png;base64,AAAA" };
  const wire = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const { messages } = build({
    messages: [
      { role: "user", content: "Look." },
      { role: "assistant", content: "", toolCalls: [call("t1"), call("t2")] },
      { role: "tool", toolCallId: "t1", content: [{ type: "text", text: "Seen:" }, picture] },
      { role: "tool", toolCallId: "t2", content: "Nothing." },
      { role: "user", content: "What is it?" },
    ],
  });
  expect(messages[2].content).toEqual([
    { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "Seen:" }, wire] },
    { type: "tool_result", tool_use_id: "t2", content: [{ type: "text", text: "Nothing." }] },
    { type: "text", text: "What is it?" },
  ]);
});

test("a conversation begins and ends with the user", () => {
  expect(turns([{ role: "assistant", content: "a" }]).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(turns([{ role: "system", content: "only this" }])).toEqual([
    { role: "user", content: [{ type: "text", text: "only this" }] },
  ]);
});

test("an answer at the end is continued by a model that does so, unless it is to think first", () => {
  const messages: ChatMessage[] = [
    { role: "user", content: "Two words." },
    { role: "assistant", content: "The first: " },
  ];
  const last = (request: object, quirks: object = { continuesAnswer: true, thinking: "budget" }) =>
    build({ messages, ...request }, quirks as ModelQuirks).messages.at(-1);
  const begun = { role: "assistant", content: [{ type: "text", text: "The first:" }] };
  const asked = { role: "user", content: [{ type: "text", text: "Continue." }] };
  expect(last({})).toEqual(begun);
  expect(last({}, {})).toEqual(asked);
  expect(last({ reasoningEffort: "low" })).toEqual(asked);
  expect(last({ outputFormat: { type: "json" } })).toEqual(asked);
});

test("images and documents; a document alone gets a text beside it; sound has no form", () => {
  const image = (url: string) => turns([{ role: "user", content: [{ type: "image", url }] }])[0].content[0].source;
  expect(image("data:image/png;base64,AAAA")).toEqual({ type: "base64", media_type: "image/png", data: "AAAA" });
  expect(image("https://x/y.png")).toEqual({ type: "url", url: "https://x/y.png" });
  expect(() => image("data:image/bmp;base64,AAAA")).toThrow("JPEG");
  const document = turns([
    { role: "user", content: [{ type: "document", mediaType: "application/pdf", data: "JVBE", name: "a.pdf" }] },
  ])[0].content;
  expect(document[0]).toEqual({
    type: "document",
    source: { type: "base64", media_type: "application/pdf", data: "JVBE" },
    title: "a.pdf",
  });
  expect(document[1].type).toBe("text");
  expect(() => turns([{ role: "user", content: [{ type: "audio", data: "", format: "wav" }] }])).toThrow("audio");
});

test("tool choice in Anthropic's words", () => {
  const choice = (request: Partial<ChatRequest>, quirks: ModelQuirks = {}) =>
    build({ tools: [{ name: "f" }], ...request }, quirks).tool_choice;
  expect(choice({})).toBeUndefined();
  expect(choice({ toolChoice: "required" })).toEqual({ type: "any" });
  expect(choice({ toolChoice: { name: "f" } })).toEqual({ type: "tool", name: "f" });
  expect(choice({ toolChoice: "none" })).toEqual({ type: "none" });
  expect(choice({ parallelToolCalls: false })).toEqual({ type: "auto", disable_parallel_tool_use: true });
  expect(choice({ toolChoice: "required" }, { noForcedTool: true })).toEqual({ type: "auto" });
  expect(build({ tools: [{ name: "f" }] }).tools[0].input_schema).toEqual({ type: "object", properties: {} });
});

test("a history with tool calls declares their tools even when the request has none", () => {
  const body = build({
    messages: [
      { role: "user", content: "a" },
      { role: "assistant", content: "", toolCalls: [call("t1")] },
      { role: "tool", toolCallId: "t1", content: "r" },
    ],
  });
  expect([body.tools[0].name, body.tool_choice]).toEqual(["f", { type: "none" }]);
});

test("temperature is held to Anthropic's range, and blank stop sequences are left out", () => {
  expect(build({ temperature: 1.7, topP: 0.5, stop: ["\n", "END"], user: "u" }, { singleSampling: true })).toEqual({
    model: "m",
    max_tokens: 4096,
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    temperature: 1,
    stop_sequences: ["END"],
    metadata: { user_id: "u" },
  });
  const sampled = { temperature: 0.5, topK: 40 };
  expect(build(sampled)).toMatchObject({ temperature: 0.5, top_k: 40 });
  expect(build(sampled, { noSampling: true })).not.toHaveProperty("top_k");
});

test("a schema is translated for the native format; what has no native form falls back to the tool", () => {
  const format = (given: Record<string, unknown>, tools?: ChatRequest["tools"]) =>
    build({ outputFormat: { type: "schema", name: "s", schema: given, strict: true }, ...(tools && { tools }) });
  const native = format({
    type: "object",
    properties: {
      a: {
        oneOf: [
          { type: "number", minimum: 1 },
          { type: "string", format: "email" },
        ],
      },
    },
  });
  expect(native.output_config.format).toEqual({
    type: "json_schema",
    schema: {
      type: "object",
      properties: {
        a: {
          anyOf: [
            { type: "number", description: "(minimum: 1)" },
            { type: "string", format: "email" },
          ],
        },
      },
      additionalProperties: false,
    },
  });
  const recursive = {
    type: "object",
    properties: { next: { $ref: "#/$defs/node" } },
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
  };
  expect(format(recursive).tool_choice.name).toBe("answer");
  expect(format(recursive, [{ name: "f" }])).toMatchObject({
    tools: [{ name: "f" }],
    system: expect.stringContaining("JSON Schema"),
  });
});

test("marks for the cache keep their places, and the mark of the whole prompt stands behind the last user turn", () => {
  const cache_control = { type: "ephemeral" };
  const hour = { type: "ephemeral", ttl: "1h" };
  const text = (text: string, cached?: "5m" | "1h") => ({ type: "text" as const, text, ...(cached && { cached }) });
  const messages: ChatMessage[] = [
    { role: "system", content: [text("The rules.", "5m"), text("It is noon.")] },
    { role: "user", content: [text("A long report.", "5m"), text("Who wrote it?")] },
    { role: "assistant", content: "", toolCalls: [call("t1")] },
    { role: "tool", toolCallId: "t1", content: "Found." },
  ];
  const body = build({ messages, cachePrompt: { longest: "5m" }, tools: [{ name: "a", cached: "5m" }, { name: "b" }] });
  expect(body.tools.map((tool: any) => tool.cache_control)).toEqual([cache_control, undefined]);
  expect(body.system).toEqual([
    { type: "text", text: "The rules.", cache_control },
    { type: "text", text: "It is noon." },
  ]);
  expect(body.messages[0].content).toEqual([
    { type: "text", text: "A long report.", cache_control },
    { type: "text", text: "Who wrote it?" },
  ]);
  expect(JSON.stringify(body.messages.slice(1))).not.toContain("cache_control");
  const whole = build({ messages: messages.slice(1), cachePrompt: { longest: "1h", whole: "1h" } });
  expect(whole.messages.flatMap(({ content }: any) => content).map((block: any) => block.cache_control)).toEqual([
    hour, // What is kept for less may not stand before what is kept for longer.
    undefined,
    undefined,
    hour,
  ]);
});

test("of more marks for the cache than Anthropic takes, the last ones count", () => {
  const content = ["a", "b", "c", "d", "e"].map((text) => ({ type: "text" as const, text, cached: "5m" as const }));
  const body = build({ messages: [{ role: "user", content }], cachePrompt: { longest: "5m" } });
  expect(body.messages[0].content.map((block: any) => "cache_control" in block)).toEqual([false, true, true, true, true]);
});
