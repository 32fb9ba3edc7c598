/** What a model of Anthropic's refuses is left out or said in another way; and where requests go. */

import { expect, test } from "bun:test";
import type { ModelQuirks } from "../../../src/catalog/model.ts";
import { readMessagesBody } from "../../../src/compat/anthropic/read-messages-body.ts";
import type { ChatMessage, ChatRequest } from "../../../src/providers/provider.ts";
import { build, stubAnthropic } from "../../support/anthropic-stub.ts";
import { askFor, contextWith, providerFor } from "../../support/chat-provider.ts";
import { json } from "../../support/upstream-stub.ts";

const { stub } = stubAnthropic();

const asked: ChatMessage = { role: "user", content: "a" };

const inTheMiddle: ChatMessage[] = [
  { role: "system", content: "Be brief." },
  asked,
  { role: "system", content: "It is noon." },
  { role: "assistant", content: "b" },
  { role: "system", content: "Be kind." },
  asked,
];

test("what Anthropic's clients say as the system in the middle stays there where the model takes it, so that the top does not change", () => {
  const take = (request: Partial<ChatRequest>, quirks: ModelQuirks) => {
    const { system, messages } = build({ messages: inTheMiddle, ...request }, quirks);
    return [system, messages.map(({ role }: any) => role).join(" ")];
  };
  expect(take({ forAnthropic: {} }, { systemInTurns: true })).toEqual(["Be brief.\n\nBe kind.", "user system assistant user"]);
  const onTop = ["Be brief.\n\nIt is noon.\n\nBe kind.", "user assistant user"];
  expect(take({ forAnthropic: {} }, {})).toEqual(onTop);
  expect(take({}, { systemInTurns: true })).toEqual(onTop);
});

test("a model that takes no system message in the middle is told on top, from then on", async () => {
  const message = "messages.1: role 'system' is not supported on this model";
  const answered = json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" });
  stub.answer(json({ type: "error", error: { type: "invalid_request_error", message } }, 400), answered);
  const provider = providerFor("anthropic", stub.url, {}, { systemInTurns: true });
  const request = { ...askFor(""), messages: inTheMiddle, forAnthropic: {} };
  for (const _ of [1, 2]) await provider.chat!("m", request, contextWith());
  expect(stub.seen.map(({ body }) => [body.system, body.messages.length])).toEqual([
    ["Be brief.\n\nBe kind.", 4],
    ["Be brief.\n\nBe kind.\n\nIt is noon.", 3],
    ["Be brief.\n\nBe kind.\n\nIt is noon.", 3],
  ]);
});

test("of a complaint that gives advice, what it complains of is left out", async () => {
  const message =
    '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
  stub.seen.length = 0;
  stub.answer(
    json({ type: "error", error: { type: "invalid_request_error", message } }, 400),
    json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" }),
  );
  const provider = providerFor("anthropic", stub.url, {}, { thinking: "adaptive" });
  await provider.chat!("m", { ...askFor("hi"), reasoningEffort: "none" }, contextWith());
  expect(stub.seen.map(({ body }) => body.thinking)).toEqual([{ type: "disabled" }, undefined]);
});

test.each([
  ["output_config.effort: Input should be 'low', 'medium' or 'high'", { effort: "max" }, undefined, 900],
  ["top_k: range: 0..500", { effort: "max" }, { effort: "max" }, undefined],
])("a value that the model does not take is left out, for that call: %s", async (message, asked, effort, topK) => {
  stub.seen.length = 0;
  stub.answer(
    json({ type: "error", error: { type: "invalid_request_error", message } }, 400),
    json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" }),
  );
  const provider = providerFor("anthropic", stub.url, {}, { thinking: "always" });
  const request = { ...askFor("hi"), reasoningEffort: "max" as const, topK: 900 };
  for (const _ of [1, 2]) await provider.chat!("m", request, contextWith());
  expect(stub.seen.map(({ body }) => [body.output_config, body.top_k])).toEqual([
    [asked, 900],
    [effort, topK],
    [asked, 900],
  ]);
});

test("a native format that is refused is asked for in the prompt", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  stub.seen.length = 0;
  stub.answer(
    json(
      {
        type: "error",
        error: { type: "invalid_request_error", message: "output_config.format: Extra inputs are not permitted" },
      },
      400,
    ),
    json({ type: "message", content: [{ type: "text", text: "{}" }], stop_reason: "end_turn" }),
  );
  const provider = providerFor("anthropic", stub.url, {}, { schemaBy: "native" });
  const outputFormat = { type: "schema" as const, name: "s", schema, strict: true };
  await provider.chat!("m", { ...askFor("hi"), outputFormat }, contextWith());
  expect(stub.seen[0]!.body.output_config.format.type).toBe("json_schema");
  expect([stub.seen[1]!.body.output_config, stub.seen[1]!.body.system]).toEqual([
    undefined,
    expect.stringContaining('"required":["a"]'),
  ]);
});

test("what Anthropic's clients say of a tool goes to Anthropic; a member that a model refuses is left out of all its tools", async () => {
  const { request } = readMessagesBody(
    {
      model: "m",
      max_tokens: 10,
      messages: [{ role: "user", content: "hi" }],
      tools: [
        { name: "a", input_schema: {}, strict: true, input_examples: [{ x: 1 }] },
        { name: "b", input_schema: {}, strict: null, eager_input_streaming: true },
      ],
    },
    () => true,
  );
  expect(request.tools!.map(({ strict }) => strict)).toEqual([true, undefined]);
  stub.seen.length = 0;
  const message = "tools.0.custom.strict: Extra inputs are not permitted";
  stub.answer(
    json({ type: "error", error: { type: "invalid_request_error", message } }, 400),
    json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" }),
  );
  await providerFor("anthropic", stub.url).chat!("m", request, contextWith());
  const input_schema = { type: "object", properties: {} };
  const first = { name: "a", input_schema, input_examples: [{ x: 1 }] };
  const second = { name: "b", input_schema, eager_input_streaming: true };
  expect(stub.seen.map(({ body }) => body.tools)).toEqual([
    [{ ...first, strict: true }, second],
    [first, second],
  ]);
});

test("schemas of tools that are of no draft it knows are sent again in few terms, for this request", async () => {
  const message = "tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12.";
  const answered = json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" });
  const fields = { n: { type: "number", minimum: 0, exclusiveMinimum: true }, any: { type: "any" } };
  const tools = [{ name: "a" }, { name: "b", parameters: { type: "object", properties: fields, required: ["n"] } }];
  stub.seen.length = 0;
  stub.answer(json({ type: "error", error: { type: "invalid_request_error", message } }, 400), answered);
  const provider = providerFor("anthropic", stub.url);
  for (const _ of [1, 2]) await provider.chat!("m", { ...askFor(""), tools }, contextWith());
  const [asGiven, narrow, next] = stub.seen.map(({ body }) => body.tools.map((tool: any) => tool.input_schema));
  expect(narrow[0]).toEqual({ type: "object", properties: {} });
  expect(narrow[1].required).toEqual(["n"]);
  expect(narrow[1].properties.n).toEqual({ type: "number", description: "(minimum: 0, exclusiveMinimum: true)" });
  expect(narrow[1].properties.any.anyOf).toHaveLength(5);
  expect(next).toEqual(asGiven);
});

test("of two sampling fields that exclude each other one is left out", async () => {
  stub.answer(
    json(
      {
        type: "error",
        error: { type: "invalid_request_error", message: "`temperature` and `top_p` cannot both be specified for this model." },
      },
      400,
    ),
    json({
      type: "message",
      content: [{ type: "text", text: "ok" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  );
  await providerFor("anthropic", stub.url).chat!("m", { ...askFor("hi"), temperature: 0.5, topP: 0.5 }, contextWith());
  expect(stub.seen.map(({ body }) => [body.temperature, body.top_p])).toEqual([
    [0.5, 0.5],
    [0.5, undefined],
  ]);
});

test("the headers name key and version; a base URL with or without /v1 is the same", async () => {
  stub.answer(json({ type: "message", content: [], stop_reason: "end_turn", usage: { input_tokens: 1, output_tokens: 0 } }));
  await providerFor("anthropic", `${stub.url}/v1/`, { headers: { "anthropic-version": "2026-10-21" } }).chat!(
    "m",
    askFor("hi"),
    contextWith(),
  );
  expect(stub.seen[0]!.path).toBe("/v1/messages");
  expect(stub.seen[0]!.headers.get("anthropic-version")).toBe("2026-10-21");
  expect([stub.seen[0]!.headers.get("x-api-key"), stub.seen[0]!.headers.get("authorization")]).toEqual(["key-one", null]);
});
