/** Behaviours of the Anthropic dialect; each test is a rule of the wire or a lesson somebody paid for. */

import { afterAll, beforeEach, expect, test } from "bun:test";
import type { ModelQuirks } from "../../src/catalog/model.ts";
import { buildAnthropicRequest } from "../../src/providers/anthropic/build-request.ts";
import { mapAnthropicError } from "../../src/providers/anthropic/map-error.ts";
import type { ChatMessage, ChatRequest, PastThought } from "../../src/providers/provider.ts";
import { askFor, collect, contextWith, listsOf, providerFor } from "../support/chat-provider.ts";
import { json, sse, startUpstreamStub } from "../support/upstream-stub.ts";

const stub = startUpstreamStub();
afterAll(() => stub.stop());
beforeEach(() => {
  stub.seen.length = 0;
});

const start = (usage: object = { input_tokens: 10, output_tokens: 1 }, more: object = {}) => ({
  type: "message_start",
  message: { id: "msg", content: [], usage, ...more },
});
const block = (index: number, content: object) => ({ type: "content_block_start", index, content_block: content });
const delta = (index: number, value: object) => ({ type: "content_block_delta", index, delta: value });
const stop = (index: number) => ({ type: "content_block_stop", index });
const finish = (reason: string, usage: object = { output_tokens: 5 }) => ({
  type: "message_delta",
  delta: { stop_reason: reason },
  usage,
});
const over = { type: "message_stop" };

const streamed = (frames: object[], request: Partial<ChatRequest> = {}, quirks: ModelQuirks = {}) => {
  stub.answer(sse(frames, { eventNames: true, done: false }));
  return collect(
    listsOf((take) =>
      providerFor("anthropic", stub.url, {}, quirks).streamChat!("m", { ...askFor("hi"), ...request }, contextWith(), take),
    ),
  );
};
const build = (request: Partial<ChatRequest>, quirks: ModelQuirks = {}): any =>
  buildAnthropicRequest("m", { messages: [{ role: "user", content: "hi" }], ...request }, { stream: false, quirks });
const turns = (messages: ChatMessage[]): any[] => build({ messages }).messages;
const call = (id: string, name = "f") => ({ id, name, arguments: '{"a":1}' });

// ---- streams

test("an overload inside the stream is a failure of that kind", async () => {
  const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  await expect(streamed([start(), overloaded])).rejects.toMatchObject({
    kind: "overloaded",
    details: { accepted: true, usage: { input: 10 } },
  });
});

test("without message_stop the answer is truncated, even after a stop reason", async () => {
  await expect(streamed([start(), block(0, { type: "text", text: "" }), finish("end_turn")])).rejects.toMatchObject({
    kind: "truncated",
    details: { usage: { input: 10, output: 5 } },
  });
});

test("later usage replaces earlier usage, and what it leaves out or sets to null stays", async () => {
  const all = await streamed([
    start({ input_tokens: 43, cache_read_input_tokens: 7, cache_creation_input_tokens: 5, output_tokens: 1 }),
    finish("end_turn", {
      input_tokens: 61,
      cache_read_input_tokens: null,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
    }),
    over,
  ]);
  expect(all.usage).toEqual({ input: 61, cacheRead: 7, cacheWrite: 5, output: 5, reasoning: 4 });
});

test("pings and blocks of server-side tools leave no trace", async () => {
  const all = await streamed([
    start(),
    { type: "ping" },
    block(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
    delta(0, { type: "input_json_delta", partial_json: '{"query":"x"}' }),
    stop(0),
    block(1, { type: "web_search_tool_result", tool_use_id: "s", content: [] }),
    stop(1),
    block(2, { type: "text", text: "" }),
    delta(2, { type: "citations_delta", citation: {} }),
    delta(2, { type: "text_delta", text: "found" }),
    stop(2),
    finish("end_turn"),
    over,
  ]);
  expect([all.text, all.toolCalls, all.finishReason]).toEqual(["found", [], "stop"]);
});

test("tool calls are counted over the stream, whatever the index of their block", async () => {
  const all = await streamed([
    start(),
    block(0, { type: "thinking", thinking: "" }),
    delta(0, { type: "thinking_delta", thinking: "hm" }),
    delta(0, { type: "signature_delta", signature: "S" }),
    stop(0),
    block(1, { type: "tool_use", id: "t1", name: "a", input: {} }),
    stop(1),
    block(4, { type: "tool_use", id: "t2", name: "b", input: {} }),
    delta(4, { type: "input_json_delta", partial_json: '{"x"' }),
    delta(4, { type: "input_json_delta", partial_json: ":1}" }),
    stop(4),
    finish("tool_use"),
    over,
  ]);
  expect(all.toolCalls).toEqual([
    { id: "t1", name: "a", arguments: "{}" },
    { id: "t2", name: "b", arguments: '{"x":1}' },
  ]);
  expect([all.reasoning, all.finishReason]).toEqual(["hm", "tool_calls"]);
});

test("content that is there from the start, and a start that comes twice, are counted once", async () => {
  const begun = start(
    { input_tokens: 3, output_tokens: 0 },
    { content: [{ type: "tool_use", id: "t", name: "f", input: { id: "c" } }], stop_reason: "tool_use" },
  );
  const all = await streamed([begun, begun, over]);
  expect([all.toolCalls, all.finishReason]).toEqual([[{ id: "t", name: "f", arguments: '{"id":"c"}' }], "tool_calls"]);
});

const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const outputFormat = { type: "schema" as const, name: "s", schema, strict: true };

test("where a tool carries the answer, its arguments are the text and the chatter before it is dropped", async () => {
  const frames = [
    start(),
    block(0, { type: "text", text: "" }),
    delta(0, { type: "text_delta", text: "I'll answer." }),
    stop(0),
    block(1, { type: "tool_use", id: "t", name: "answer", input: {} }),
    delta(1, { type: "input_json_delta", partial_json: '{"n":1}' }),
    stop(1),
    finish("tool_use"),
    over,
  ];
  const all = await streamed(frames, { outputFormat }, { schemaBy: "forced_tool" });
  expect([all.text, all.toolCalls, all.finishReason]).toEqual(['{"n":1}', [], "stop"]);
  expect(stub.seen[0]!.body).toMatchObject({
    tools: [{ name: "answer", input_schema: schema }],
    tool_choice: { type: "tool", name: "answer" },
  });
});

test("a refusal instead of that tool keeps its words", async () => {
  const frames = [start(), block(0, { type: "text", text: "No." }), stop(0), finish("refusal"), over];
  const all = await streamed(frames, { outputFormat }, { schemaBy: "forced_tool" });
  expect([all.text, all.finishReason]).toEqual(["No.", "content_filter"]);
});

test("a whole answer by tool is the same", async () => {
  stub.answer(
    json({
      type: "message",
      content: [
        { type: "text", text: "x" },
        { type: "tool_use", id: "t", name: "answer", input: { n: 1 } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  );
  const result = await providerFor("anthropic", stub.url, {}, { schemaBy: "forced_tool" }).chat!(
    "m",
    { ...askFor("hi"), outputFormat },
    contextWith(),
  );
  expect([result.text, result.toolCalls, result.finishReason]).toEqual(['{"n":1}', [], "stop"]);
});

// ---- requests

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

test("results without their call and calls without their result are dropped", () => {
  const messages = turns([
    { role: "tool", toolCallId: "lost", content: "r" },
    { role: "user", content: "hi" },
    { role: "assistant", content: "a", toolCalls: [call("open")] },
    { role: "user", content: "never mind" },
  ]);
  expect(JSON.stringify(messages)).not.toContain("tool_");
});

test("a conversation begins and ends with the user", () => {
  expect(turns([{ role: "assistant", content: "a" }]).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(turns([{ role: "system", content: "only this" }])).toEqual([
    { role: "user", content: [{ type: "text", text: "only this" }] },
  ]);
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

test("thinking: adaptive or by budget, never beside a forced tool or inside a tool exchange, and without sampling", () => {
  const think = (request: Partial<ChatRequest>, thinking: "adaptive" | "budget") =>
    build({ reasoningEffort: "high", maxOutputTokens: 10_000, temperature: 0.5, ...request }, { thinking });
  expect(think({}, "adaptive")).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "high" } });
  expect(think({}, "budget").thinking).toEqual({ type: "enabled", budget_tokens: 5000 });
  expect(think({}, "budget")).not.toHaveProperty("temperature");
  expect(think({ maxOutputTokens: 500 }, "budget")).not.toHaveProperty("thinking");
  expect(think({ tools: [{ name: "f" }], toolChoice: "required" }, "budget")).toMatchObject({ temperature: 0.5 });
  expect(think({ reasoningEffort: "none" }, "adaptive").thinking).toEqual({ type: "disabled" });
});

const thoughtBefore = (partsBefore: number, callsBefore: number, text = "hm") => ({
  thought: { text, signature: `proof of ${text}` },
  partsBefore,
  callsBefore,
});
const asked: ChatMessage = { role: "user", content: "a" };
const calledTwice = (thoughts: PastThought[]): ChatMessage[] => [
  asked,
  { role: "assistant", content: [{ type: "text", text: "Let me see." }], toolCalls: [call("t1"), call("t2")], thoughts },
  { role: "tool", toolCallId: "t1", content: "r" },
  { role: "tool", toolCallId: "t2", content: "r" },
];

test("what was thought goes back unchanged, where it stood; nothing ends with it, and what has no proof stays away", () => {
  const hidden = { thought: { redacted: "xyz" }, partsBefore: 1, callsBefore: 0 };
  const blocks = (thoughts: PastThought[]) => turns(calledTwice(thoughts))[1].content;
  const kinds = (thoughts: PastThought[]) => blocks(thoughts).map(({ type }: any) => type);
  const signed = { type: "thinking", thinking: "hm", signature: "proof of hm" };
  expect(blocks([thoughtBefore(0, 0), hidden])).toMatchObject([
    signed,
    { type: "text" },
    { type: "redacted_thinking", data: "xyz" },
    { type: "tool_use", id: "t1" },
    { type: "tool_use", id: "t2" },
  ]);
  expect(kinds([thoughtBefore(1, 1)])).toEqual(["text", "tool_use", "thinking", "tool_use"]);
  expect(kinds([thoughtBefore(1, 2)])).toEqual(["text", "tool_use", "tool_use"]);
  expect(kinds([{ thought: { text: "hm" }, partsBefore: 0, callsBefore: 0 }])).toEqual(["text", "tool_use", "tool_use"]);
});

test("thinking by a budget joins no answer that began without, whatever the user adds to a tool's result", () => {
  const think = (messages: ChatMessage[]) =>
    build({ messages, reasoningEffort: "low", maxOutputTokens: 10_000 }, { thinking: "budget" }).thinking?.type;
  const more: ChatMessage = { role: "user", content: "Be quick." };
  const secondStep: ChatMessage[] = [
    { role: "assistant", content: "", toolCalls: [call("t3")] },
    { role: "tool", toolCallId: "t3", content: "r" },
  ];
  const without = calledTwice([]);
  const withThought = calledTwice([thoughtBefore(0, 0)]);
  expect([think(without), think([...without, more]), think([...without, ...secondStep])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([think(withThought), think([...withThought, more]), think([...withThought, ...secondStep])]).toEqual(
    Array(3).fill("enabled"),
  );
  expect(think([...without, { role: "assistant", content: "Done." }, more])).toBe("enabled");
});

test("what Anthropic's own clients say of thinking is said as they said it", () => {
  const say = (request: Partial<ChatRequest>, thinking: "adaptive" | "budget" | "always") => {
    const body = build({ maxOutputTokens: 10_000, ...request }, { thinking });
    return [body.thinking, body.output_config];
  };
  const enabled = { mode: "enabled", budgetTokens: 9_000 } as const;
  expect(say({ thinking: enabled }, "budget")).toEqual([{ type: "enabled", budget_tokens: 9_000 }, undefined]);
  // Less is left of the bound than was thought.
  expect(say({ thinking: enabled, maxOutputTokens: 4_000 }, "budget")[0].budget_tokens).toBe(2_000);
  expect(say({ thinking: enabled, reasoningEffort: "medium" }, "adaptive")).toEqual([{ type: "adaptive" }, { effort: "medium" }]);
  const summarized = { mode: "adaptive", display: "summarized" } as const;
  expect(say({ thinking: summarized }, "adaptive")).toEqual([{ type: "adaptive", display: "summarized" }, undefined]);
  expect(say({ thinking: summarized }, "always")).toEqual([{ type: "adaptive", display: "summarized" }, undefined]);
  expect(say({ thinking: enabled, reasoningEffort: "high" }, "always")).toEqual([{ type: "adaptive" }, { effort: "high" }]);
  expect(say({ thinking: { mode: "adaptive" } }, "budget")[0]).toEqual({ type: "enabled", budget_tokens: 5_000 });
  expect(say({ thinking: { mode: "disabled" }, reasoningEffort: "low" }, "adaptive")).toEqual([
    { type: "disabled" },
    { effort: "low" },
  ]);
  expect(say({ thinking: { mode: "default", effort: "max" }, reasoningEffort: "high" }, "adaptive")).toEqual([
    undefined,
    { effort: "max" },
  ]);
});

for (const [what, message] of [
  ["another's", "messages.1.content.0: Invalid `signature` in `thinking` block"],
  [
    "another conversation's",
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block.",
  ],
  [
    "changed",
    "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
  ],
  [
    "missing",
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.",
  ],
] as const) {
  test(`thoughts that are refused as ${what} are left out of that request, and thinking by a budget with them`, async () => {
    const refused = json({ type: "error", error: { type: "invalid_request_error", message } }, 400);
    const answered = json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" });
    const provider = providerFor("anthropic", stub.url, {}, { thinking: "budget" });
    const request = {
      ...askFor(""),
      maxOutputTokens: 4_000,
      messages: calledTwice([thoughtBefore(0, 0)]),
      reasoningEffort: "low",
    } as const;
    stub.answer(refused, answered);
    expect((await provider.chat!("m", request, contextWith())).text).toBe("ok");
    await provider.chat!("m", request, contextWith());
    const sent = stub.seen.map(({ body }) => [body.thinking?.type, body.messages[1].content[0].type]);
    expect(sent).toEqual([
      ["enabled", "thinking"],
      [undefined, "text"],
      ["enabled", "thinking"],
    ]);
  });
}

test("thinking that is left to the model stays where thoughts are refused, and goes where they are missing", async () => {
  const refusal = (message: string) => json({ type: "error", error: { type: "invalid_request_error", message } }, 400);
  const answered = json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" });
  const ask = async (thoughts: PastThought[], message: string) => {
    stub.seen.length = 0;
    stub.answer(refusal(message), answered);
    const provider = providerFor("anthropic", stub.url, {}, { thinking: "adaptive" });
    await provider.chat!("m", { ...askFor(""), messages: calledTwice(thoughts), reasoningEffort: "low" }, contextWith());
    return stub.seen.map(({ body }) => body.thinking?.type);
  };
  const invalid = "messages.1.content.0: Invalid `signature` in `thinking` block";
  expect(await ask([thoughtBefore(0, 0)], invalid)).toEqual(["adaptive", "adaptive"]);
  const missing = "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.";
  expect(await ask([], missing)).toEqual(["adaptive", undefined]);
});

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

test("thoughts are cleared only while there is thinking, other edits always; where they are refused, none are made", async () => {
  const edits = [{ type: "clear_thinking_20251015" }, { type: "clear_tool_uses_20250919" }];
  const edited = (thinking: ChatRequest["thinking"], quirks: ModelQuirks) =>
    build({ forAnthropic: { edits }, maxOutputTokens: 8_000, ...(thinking && { thinking }) }, quirks).context_management.edits;
  expect(edited({ mode: "adaptive" }, { thinking: "adaptive" })).toEqual(edits);
  expect(edited({ mode: "default" }, { thinking: "always" })).toEqual(edits);
  for (const mode of ["default", "disabled"] as const) expect(edited({ mode }, { thinking: "adaptive" })).toEqual([edits[1]!]);
  const message = "`clear_thinking_20251015` strategy requires `thinking` to be enabled";
  const answered = json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" });
  stub.answer(json({ type: "error", error: { type: "invalid_request_error", message } }, 400), answered);
  const provider = providerFor("anthropic", stub.url, {}, { thinking: "always" });
  await provider.chat!("m", { ...askFor("hi"), forAnthropic: { edits } }, contextWith());
  expect(stub.seen.map(({ body }) => body.context_management?.edits.length)).toEqual([2, undefined]);
});

test("what is thought comes with its proof, streamed or not", async () => {
  const all = await streamed([
    start(),
    block(0, { type: "thinking", thinking: "", signature: "" }),
    delta(0, { type: "thinking_delta", thinking: "h" }),
    delta(0, { type: "thinking_delta", thinking: "m" }),
    delta(0, { type: "signature_delta", signature: "pro" }),
    delta(0, { type: "signature_delta", signature: "of" }),
    stop(0),
    block(1, { type: "redacted_thinking", data: "xyz" }),
    stop(1),
    block(2, { type: "text", text: "ok" }),
    stop(2),
    finish("end_turn"),
    over,
  ]);
  expect(all.events.slice(1, 6)).toEqual([
    { type: "thinking", text: "h" },
    { type: "thinking", text: "m" },
    { type: "thinking-end", signature: "proof" },
    { type: "thought", thought: { redacted: "xyz" } },
    { type: "text", text: "ok" },
  ]);
  stub.answer(
    json({
      type: "message",
      content: [
        { type: "thinking", thinking: "", signature: "proof" },
        { type: "text", text: "ok" },
        { type: "redacted_thinking", data: "xyz" },
        { type: "tool_use", id: "t", name: "f", input: {} },
      ],
      stop_reason: "tool_use",
    }),
  );
  const whole = await providerFor("anthropic", stub.url).chat!("m", askFor("hi"), contextWith());
  expect(whole.thoughts).toEqual([
    { thought: { text: "", signature: "proof" }, textBefore: 0 },
    { thought: { redacted: "xyz" }, textBefore: 2 },
  ]);
});

test("a model whose thinking cannot be turned off is only told how hard to think", () => {
  for (const [reasoningEffort, effort] of [
    ["none", "low"],
    ["minimal", "low"],
    ["high", "high"],
  ] as const) {
    const body = build({ reasoningEffort }, { thinking: "always" });
    expect([body.thinking, body.output_config]).toEqual([undefined, { effort }]);
  }
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

test("temperature is held to Anthropic's range, and blank stop sequences are left out", () => {
  expect(build({ temperature: 1.7, topP: 0.5, stop: ["\n", "END"], user: "u" }, { singleSampling: true })).toEqual({
    model: "m",
    max_tokens: 4096,
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    temperature: 1,
    stop_sequences: ["END"],
    metadata: { user_id: "u" },
  });
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

// ---- errors

const kinds: [number, string, string, string][] = [
  [400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", "context_length"],
  [400, "invalid_request_error", "Your credit balance is too low to access the API.", "billing"],
  [400, "invalid_request_error", "temperature is deprecated for this model.", "unsupported_param"],
  [400, "invalid_request_error", "`temperature` and `top_p` cannot both be specified for this model.", "unsupported_param"],
  [400, "invalid_request_error", "messages: at least one message is required", "bad_request"],
  [401, "authentication_error", "invalid x-api-key", "auth"],
  [402, "billing_error", "no", "billing"],
  [403, "permission_error", "no", "auth"],
  [404, "not_found_error", "model: x", "model_gone"],
  [413, "request_too_large", "too large", "context_length"],
  [429, "rate_limit_error", "slow down", "rate_limit"],
  [500, "api_error", "oops", "server"],
  [529, "overloaded_error", "Overloaded", "overloaded"],
];
for (const [status, type, message, kind] of kinds) {
  test(`status ${status} "${message}" is ${kind}`, () => {
    expect(mapAnthropicError({ provider: "P", status, body: { type: "error", error: { type, message } } }).kind).toBe(
      kind as never,
    );
  });
}

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

test("a prompt that is to be cached is marked behind the system text and behind the last user turn, others nowhere", () => {
  const messages: ChatMessage[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Look." },
    { role: "assistant", content: "", toolCalls: [call("t1")] },
    { role: "tool", toolCallId: "t1", content: "Found." },
  ];
  const cache_control = { type: "ephemeral" };
  const body = build({ messages, cachePrompt: true });
  expect(body.system).toEqual([{ type: "text", text: "Be brief.", cache_control }]);
  const marked = body.messages.flatMap(({ content }: any) => content).filter((block: any) => block.cache_control);
  expect(marked).toEqual([
    { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "Found." }], cache_control },
  ]);
  expect(JSON.stringify(build({ messages }))).not.toContain("cache_control");
});
