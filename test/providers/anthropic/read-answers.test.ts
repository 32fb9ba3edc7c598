/** Anthropic's answers, streamed and whole; each test is a rule of the wire or a lesson somebody paid for. */

import { expect, test } from "bun:test";
import type { ModelQuirks } from "../../../src/catalog/model.ts";
import { anthropicDialect } from "../../../src/providers/anthropic/anthropic-dialect.ts";
import type { ChatEvent } from "../../../src/providers/provider.ts";
import { block, delta, finish, over, start, stop, stubAnthropic } from "../../support/anthropic-stub.ts";
import { askFor, contextWith, providerFor } from "../../support/chat-provider.ts";
import { json, sse } from "../../support/upstream-stub.ts";

const { stub, streamed } = stubAnthropic();

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

test("a stream that comes in place of a whole answer is read as that would be", async () => {
  const thinking = (index: number, text: string, signature: string) => ({ index, type: "thinking", thinking: text, signature });
  const said = (index: number, text: string) => ({ index, type: "text", text });
  const call = { index: 4, type: "tool_use", id: "c1", name: "f", input: { x: 1 } };
  const blocks = [thinking(0, "a", "s1"), said(1, "Hi "), thinking(2, "b", ""), said(3, "there."), call];
  const usage = { input_tokens: 3, output_tokens: 5 };
  const content = blocks.map(({ index: _, ...each }) => each);
  stub.answer(
    json({ type: "message", content, stop_reason: "tool_use", usage }),
    sse([
      start(usage),
      ...blocks.flatMap(({ index, ...each }) => [block(index, each), stop(index)]),
      finish("tool_use", usage),
      over,
    ]),
  );
  const chat = () => providerFor("anthropic", stub.url).chat!("m", askFor("hi"), contextWith());
  const whole = await chat();
  expect(await chat()).toEqual(whole);
  expect(whole.thoughts).toEqual([{ thought: { text: "a", signature: "s1" }, textBefore: 0 }]);
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

test("a call without a name is none, whole and streamed", async () => {
  const nameless = { type: "tool_use", id: "c1", input: { x: 1 } };
  const all = await streamed([
    start(),
    block(0, nameless),
    delta(0, { type: "input_json_delta", partial_json: "{}" }),
    stop(0),
    finish("tool_use"),
    over,
  ]);
  stub.answer(json({ type: "message", content: [nameless], stop_reason: "tool_use" }));
  const whole = await providerFor("anthropic", stub.url).chat!("m", askFor("hi"), contextWith());
  for (const { toolCalls, finishReason } of [all, whole]) expect([toolCalls, finishReason]).toEqual([[], "stop"]);
});

test("zeros for a prompt that was counted at the beginning do not make it free", async () => {
  const zeros = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const counted = { input_tokens: 43, cache_read_input_tokens: 7, cache_creation_input_tokens: 5 };
  const usage = { input: 43, cacheRead: 7, cacheWrite: 5, output: 9, reasoning: 0 };
  for (const [first, last] of [
    [counted, zeros],
    [zeros, counted],
  ])
    expect(
      (await streamed([start({ ...first, output_tokens: 0 }), finish("end_turn", { ...last, output_tokens: 9 }), over])).usage,
    ).toEqual(usage);
});

test("what is kept in the cache for an hour is told apart, and no more of it than was written", async () => {
  const writing = (written: number, hour: number) => ({
    input_tokens: 3,
    cache_creation_input_tokens: written,
    cache_creation: { ephemeral_5m_input_tokens: written - hour, ephemeral_1h_input_tokens: hour },
    output_tokens: 1,
  });
  const usageOf = async (written: number, hour: number) =>
    (await streamed([start(writing(written, hour)), finish("end_turn", { output_tokens: 9 }), over])).usage;
  expect(await usageOf(50, 20)).toEqual({ input: 3, cacheRead: 0, cacheWrite: 50, cacheWriteHour: 20, output: 9, reasoning: 0 });
  expect(await usageOf(50, 70)).toMatchObject({ cacheWrite: 50, cacheWriteHour: 50 });
  expect(await usageOf(50, 0)).toEqual({ input: 3, cacheRead: 0, cacheWrite: 50, output: 9, reasoning: 0 });
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

test("a call's input at its beginning counts unless it comes in pieces, and a call is one whatever the stop reason", async () => {
  const called = block(0, { type: "tool_use", id: "c1", name: "a", input: { n: 1 } });
  const piece = delta(0, { type: "input_json_delta", partial_json: '{"n":1}' });
  for (const pieces of [[], [piece]]) {
    const all = await streamed([start(), called, ...pieces, stop(0), finish("end_turn"), over]);
    expect([all.toolCalls, all.finishReason]).toEqual([[{ id: "c1", name: "a", arguments: '{"n":1}' }], "tool_calls"]);
  }
});

test("null for all of a call's arguments means none, within them it is a value", async () => {
  const argumentsFrom = async (...pieces: string[]) => {
    const deltas = pieces.map((piece) => delta(0, { type: "input_json_delta", partial_json: piece }));
    const called = block(0, { type: "tool_use", id: "c1", name: "a", input: {} });
    return (await streamed([start(), called, ...deltas, stop(0), finish("tool_use"), over])).toolCalls[0]!.arguments;
  };
  expect(await argumentsFrom("null")).toBe("{}");
  expect(await argumentsFrom('{"x":', "null", "}")).toBe('{"x":null}');
});

test.each([0, 1])("a call whose end is not told ends where the next begins, at the place %d", async (place) => {
  const called = (at: number, n: number) => block(at, { type: "tool_use", id: `c${n}`, name: "a", input: { n } });
  const inputs = { type: "input_json_delta", partial_json: '{"n":2}' };
  const frames = [start(), called(0, 1), called(place, 2), delta(place, inputs), finish("tool_use"), over];
  expect((await streamed(frames)).toolCalls.map((call) => call.arguments)).toEqual(['{"n":1}', '{"n":2}']);
  const events: ChatEvent[] = [];
  const decoder = anthropicDialect.createReader({ provider: "Stub", request: askFor("hi"), quirks: {} }, events);
  for (const frame of frames.slice(0, 3)) decoder.readFrame(JSON.stringify(frame));
  expect(events.filter(({ type }) => type === "tool-arguments")).toHaveLength(1);
});

test("text without the beginning of a block is text", async () => {
  const all = await streamed([start(), delta(0, { type: "text_delta", text: "4" }), stop(0), finish("end_turn"), over]);
  expect(all.text).toBe("4");
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

test("a second answer by tool and calls of others are left out, whole and streamed", async () => {
  const content = [
    { type: "tool_use", id: "t0", name: "other", input: {} },
    { type: "tool_use", id: "t1", name: "answer", input: { n: 1 } },
    { type: "tool_use", id: "t2", name: "answer", input: { n: 2 } },
  ];
  const frames = [start(), ...content.flatMap((each, at) => [block(at, each), stop(at)]), finish("tool_use"), over];
  const quirks: ModelQuirks = { schemaBy: "forced_tool" };
  const all = await streamed(frames, { outputFormat }, quirks);
  stub.answer(json({ type: "message", content, stop_reason: "tool_use" }));
  const whole = await providerFor("anthropic", stub.url, {}, quirks).chat!("m", { ...askFor("hi"), outputFormat }, contextWith());
  for (const { text, toolCalls, finishReason } of [all, whole])
    expect([text, toolCalls, finishReason]).toEqual(['{"n":1}', [], "stop"]);
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
