/** What a model of Anthropic's refuses is left out or said in another way; and where requests go. */

import { expect, test } from "bun:test";
import type { ModelQuirks } from "../../../src/catalog/model.ts";
import { readMessagesBody } from "../../../src/compat/anthropic/read-messages-body.ts";
import { createHealth } from "../../../src/providers/health/health.ts";
import type { ChatMessage, ChatRequest } from "../../../src/providers/provider.ts";
import { build, stubAnthropic } from "../../support/anthropic-stub.ts";
import { bodiesAfter, GOOD, withOtherSchemas } from "../../support/bodies-after.ts";
import { askFor, contextWith, providerFor } from "../../support/chat-provider.ts";
import { json } from "../../support/upstream-stub.ts";

const { stub } = stubAnthropic();

/** The bodies that are sent where the first is refused with this message. */
const refusedWith = (message: string, requests: readonly Partial<ChatRequest>[], quirks: Omit<ModelQuirks, "dialect"> = {}) =>
  bodiesAfter(stub, json({ type: "error", error: { type: "invalid_request_error", message } }, 400), requests, {
    dialect: "anthropic",
    ...quirks,
  });

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

test("the system in the middle stays only where Anthropic takes it: before an answer, or at the end", () => {
  const system = (): ChatMessage => ({ role: "system", content: "It is noon." });
  const rolesOf = (...messages: ChatMessage[]) =>
    build({ messages, forAnthropic: {} }, { systemInTurns: true })
      .messages.map(({ role }: any) => role)
      .join(" ");
  const answer: ChatMessage = { role: "assistant", content: "b" };
  expect(rolesOf(asked, system())).toBe("user system");
  expect(rolesOf(asked, system(), system(), answer, asked)).toBe("user system assistant user");
  expect(rolesOf(asked, system(), asked)).toBe("user");
  expect(rolesOf(asked, system(), asked, answer, asked, system())).toBe("user assistant user system");
});

test("where one request has the system in the wrong place, others keep it in the middle", async () => {
  const message = "messages.1: role 'system' must precede an 'assistant' message or end the array";
  const request = { messages: inTheMiddle, forAnthropic: {} };
  const sent = await refusedWith(message, [request, request], { systemInTurns: true });
  expect(sent.map((body) => body.messages.length)).toEqual([4, 3, 4]);
});

test("a model that takes no system message in the middle is told on top, from then on", async () => {
  const message = "messages.1: role 'system' is not supported on this model";
  const request = { messages: inTheMiddle, forAnthropic: {} };
  const sent = await refusedWith(message, [request, request], { systemInTurns: true });
  expect(sent.map((body) => [body.system, body.messages.length])).toEqual([
    ["Be brief.\n\nBe kind.", 4],
    ["Be brief.\n\nBe kind.\n\nIt is noon.", 3],
    ["Be brief.\n\nBe kind.\n\nIt is noon.", 3],
  ]);
});

test("a bound beyond what a model can write is lowered to it, in later calls at once, and so is what it may think", async () => {
  const sent = await refusedWith(
    "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for m",
    [
      { maxOutputTokens: 32_000, thinking: { mode: "enabled", budgetTokens: 16_000 } },
      { maxOutputTokens: 32_000 },
      { maxOutputTokens: 500 },
    ],
    { thinking: "budget" },
  );
  expect(sent.map((body) => [body.max_tokens, body.thinking?.budget_tokens])).toEqual([
    [32_000, 16_000],
    [8_192, 4_096],
    [8_192, undefined],
    [500, undefined],
  ]);
});

test("of a complaint that gives advice, what it complains of is left out", async () => {
  const message =
    '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
  const sent = await refusedWith(message, [{ reasoningEffort: "none" }], { thinking: "adaptive" });
  expect(sent.map((body) => body.thinking)).toEqual([{ type: "disabled" }, undefined]);
});

test.each([
  ["output_config.effort: Input should be 'low', 'medium' or 'high'", { effort: "max" }, undefined, 900],
  ["This model does not support the effort parameter.", { effort: "max" }, undefined, 900],
  ["top_k: range: 0..500", { effort: "max" }, { effort: "max" }, undefined],
])("a value that the model does not take is left out, for that call: %s", async (message, asked, effort, topK) => {
  const request = { reasoningEffort: "max" as const, topK: 900 };
  const sent = await refusedWith(message, [request, request], { thinking: "always" });
  expect(sent.map((body) => [body.output_config, body.top_k])).toEqual([
    [asked, 900],
    [effort, topK],
    [asked, 900],
  ]);
});

test("a native format that is refused is asked for in the prompt", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const outputFormat = { type: "schema" as const, name: "s", schema, strict: true };
  const message = "output_config.format: Extra inputs are not permitted";
  const [refused, again] = await refusedWith(message, [{ outputFormat }], { schemaBy: "native" });
  expect(refused.output_config.format.type).toBe("json_schema");
  expect([again.output_config, again.system]).toEqual([undefined, expect.stringContaining('"required":["a"]')]);
});

test.each([
  "The compiled grammar is too large, which would cause performance issues. Simplify your tool schemas or reduce the number of strict tools.",
  "output_config.format.schema: Invalid schema: The compiled grammar is too large, which would cause performance issues.",
  "Schema is too complex for compilation. Try reducing the number of tools or simplifying tool schemas.",
  "Schemas contains too many optional parameters (30), which would make grammar compilation inefficient.",
  "Schemas contains too many parameters with union types (49 parameters with type arrays or anyOf), which causes exponential compilation cost.",
  "Too many strict tools (21). The maximum number of strict tools supported is 20.",
])(
  "where the grammar of the schemas is too large, the prompt has the answer's and no tool is strict, for that call: %s",
  async (message) => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
    const request = {
      outputFormat: { type: "schema" as const, name: "s", schema, strict: true },
      tools: [{ name: "f", parameters: schema, forAnthropic: { strict: true } }],
    };
    const bodies = await refusedWith(message, [request, withOtherSchemas(request)], { schemaBy: "native" });
    const asked = { type: "json_schema", schema };
    expect(bodies.map(({ output_config: config, tools }) => [config?.format, tools[0].strict])).toEqual([
      [asked, true],
      [undefined, undefined],
      [asked, true],
    ]);
    expect(bodies[1].system).toContain('"required":["a"]');
  },
);

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
  const sent = await refusedWith("tools.0.custom.strict: Extra inputs are not permitted", [request]);
  const input_schema = { type: "object", properties: {} };
  const first = { name: "a", input_schema, input_examples: [{ x: 1 }] };
  const second = { name: "b", input_schema, eager_input_streaming: true };
  expect(sent.map((body) => body.tools)).toEqual([
    [{ ...first, strict: true }, second],
    [first, second],
  ]);
});

test("schemas of tools that are of no draft it knows are sent again in few terms, for this request", async () => {
  const message = "tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12.";
  const fields = { n: { type: "number", minimum: 0, exclusiveMinimum: true }, any: { type: "any" } };
  const tools = [{ name: "a" }, { name: "b", parameters: { type: "object", properties: fields, required: ["n"] } }];
  const sent = await refusedWith(message, [{ tools }, withOtherSchemas({ tools })]);
  const [asGiven, narrow, next] = sent.map((body) => body.tools.map((tool: any) => tool.input_schema));
  expect(narrow[0]).toEqual({ type: "object", properties: {} });
  expect(narrow[1].required).toEqual(["n"]);
  expect(narrow[1].properties.n).toEqual({ type: "number", description: "(minimum: 0, exclusiveMinimum: true)" });
  expect(narrow[1].properties.any.anyOf).toHaveLength(5);
  expect(next).toEqual(asGiven);
});

test("of two sampling fields that exclude each other one is left out, and either alone is kept", async () => {
  const message = "`temperature` and `top_p` cannot both be specified for this model.";
  const both = { temperature: 0.5, topP: 0.5 };
  const sent = await refusedWith(message, [both, both, { topP: 0.5 }]);
  expect(sent.map((body) => [body.temperature, body.top_p])).toEqual([
    [0.5, 0.5],
    [0.5, undefined],
    [0.5, undefined],
    [undefined, 0.5],
  ]);
});

test.each([
  "`temperature` may only be set to 1 when thinking is enabled.",
  "temperature is not supported with extended thinking",
])("what is refused beside something else of one request is sent in the next (%s)", async (message) => {
  const sent = await refusedWith(message, [{ temperature: 0.5 }, { temperature: 0.5 }]);
  expect(sent.map(({ temperature }) => temperature)).toEqual([0.5, undefined, 0.5]);
});

test("the headers name key and version; a base URL with or without /v1 is the same", async () => {
  stub.answer(json({ type: "message", content: [], stop_reason: "end_turn", usage: { input_tokens: 1, output_tokens: 0 } }));
  await providerFor("anthropic", `${stub.url}/v1`, { headers: { "anthropic-version": "2026-10-21" } }).chat!(
    "m",
    askFor("hi"),
    contextWith(),
  );
  expect(stub.seen[0]!.path).toBe("/v1/messages");
  expect(stub.seen[0]!.headers.get("anthropic-version")).toBe("2026-10-21");
  expect([stub.seen[0]!.headers.get("x-api-key"), stub.seen[0]!.headers.get("authorization")]).toEqual(["key-one", null]);
});

test.each([
  [400, "invalid_request_error", "The long context beta is not yet available for this subscription."],
  [429, "rate_limit_error", "Extra usage is required for long context requests."],
])("a long context that the account does not have (%i) is not asked for again in that call", async (status, type, message) => {
  stub.seen.length = 0;
  stub.answer(json({ type: "error", error: { type, message } }, status), GOOD);
  const health = createHealth({ clock: { now: Date.now }, cooldownMs: 30_000 });
  const provider = providerFor("anthropic", stub.url, { health });
  const forAnthropic = { betas: ["context-1m-2025-08-07", "interleaved-thinking-2025-05-14"] };
  await provider.chat!("m", { ...askFor("hi"), forAnthropic }, contextWith());
  expect(stub.seen.map(({ headers }) => headers.get("anthropic-beta"))).toEqual([
    forAnthropic.betas.join(","),
    "interleaved-thinking-2025-05-14",
  ]);
  expect(health.snapshot()[0]).toMatchObject({ errorRate: 0, calls: 1 });
});
