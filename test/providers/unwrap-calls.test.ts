/** Calls that a model wrote as one of a tool that nobody offered are told one by one, whole and in pieces. */

import { expect, test } from "bun:test";
import type { ChatEvent, ChatRequest } from "../../src/providers/provider.ts";
import { unwrapCalls } from "../../src/providers/unwrap-calls.ts";
import { askFor, collect, contextWith, listsOf, providerFor } from "../support/chat-provider.ts";
import { stubOpenAi } from "../support/openai-stub.ts";
import { collected, passed } from "../support/stage.ts";
import { json, sse } from "../support/upstream-stub.ts";

const { stub } = stubOpenAi();
const tools = [{ name: "look_up" }, { name: "count" }];
const request: ChatRequest = { messages: [], tools };

const use = (name: string, parameters: unknown = {}) => ({ recipient_name: `functions.${name}`, parameters });
const wrapped = (...uses: object[]) => JSON.stringify({ tool_uses: uses });
const start = (index: number, name: string): ChatEvent => ({ type: "tool-start", index, id: `call_${index}`, name });
const said = (index: number, text: string): ChatEvent => ({ type: "tool-arguments", index, text });
const FINISH: ChatEvent = { type: "finish", reason: "tool_calls" };

const callsOf = (events: ChatEvent[], asked = request) =>
  collected(
    passed(
      (take) => unwrapCalls(take, asked),
      events.map((event) => [event]),
    ).told,
  ).toolCalls;
const named = (events: ChatEvent[], asked = request) =>
  callsOf(events, asked).map(({ name, arguments: text }) => `${name} ${text}`);

test.each(["parallel", "multi_tool_use.parallel"])("the calls within %s are told, beside others", (name) => {
  const text = wrapped(use("look_up", { a: 1 }), use("count"));
  const pieces = [start(0, name), said(0, text.slice(0, 20)), said(0, text.slice(20)), start(1, "count"), said(1, "{}"), FINISH];
  expect(named(pieces).sort()).toEqual(["count {}", "count {}", 'look_up {"a":1}']);
  const calls = callsOf([start(0, name), said(0, text), FINISH]);
  expect(calls.map(({ id }) => id === "call_0")).toEqual([true, false]);
});

test("what is told at last is held no more: it is billed once", () => {
  const text = wrapped(use("look_up"));
  const lists = [start(0, "parallel"), said(0, text), start(1, "count"), said(1, "{}"), FINISH].map((event) => [event]);
  const { told } = passed((take) => unwrapCalls(take, request), lists);
  const held = told.flat().flatMap((event) => (event.type === "held" ? [event.soFar] : []));
  expect(held).toEqual(["", text, text, `${text}{}`, ""]);
});

test.each([
  ["a tool that nobody offered", wrapped(use("look_up"), use("delete"))],
  ["arguments that are no object", wrapped(use("look_up", "a"))],
  ["no calls", wrapped()],
  ["no JSON", '{"tool_uses":'],
])("with %s in it, it is told as it came", (_, text) => {
  expect(named([start(0, "count"), said(0, "{}"), start(1, "parallel"), said(1, text), FINISH])).toEqual([
    "count {}",
    `parallel ${text}`,
  ]);
});

test("a tool of that name that was offered is what it is", () => {
  const text = wrapped(use("look_up"));
  expect(named([start(0, "parallel"), said(0, text), FINISH], { messages: [], tools: [...tools, { name: "parallel" }] })).toEqual(
    [`parallel ${text}`],
  );
});

test("such a call of a chat completion comes out as its calls, whole and streamed", async () => {
  const text = wrapped(use("look_up", { a: 1 }), use("count"));
  const call = { index: 0, id: "call_0", type: "function", function: { name: "multi_tool_use.parallel", arguments: text } };
  const provider = providerFor("openai", stub.url);
  const asked = { ...askFor("Go."), tools };
  stub.answer(json({ choices: [{ index: 0, message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }] }));
  const whole = await provider.chat!("m", asked, contextWith());
  stub.answer(sse([{ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] }]));
  const streamed = await collect(listsOf((take) => provider.streamChat!("m", asked, contextWith(), take)));
  for (const { toolCalls, finishReason } of [whole, streamed]) {
    expect(toolCalls.map(({ name, arguments: given }) => [name, given])).toEqual([
      ["look_up", '{"a":1}'],
      ["count", "{}"],
    ]);
    expect(finishReason).toBe("tool_calls");
  }
});
