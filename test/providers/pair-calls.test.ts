/** Past tool calls and their results: in pairs, in order, with ids of their own, for every dialect. */

import { expect, test } from "bun:test";
import type { Dialect } from "../../src/catalog/model.ts";
import { withSignature } from "../../src/providers/dialect/tool-call-ids.ts";
import { pairCalls } from "../../src/providers/pair-calls.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { contextWith, providerFor } from "../support/chat-provider.ts";
import { json, upstreamStubOfFile } from "../support/upstream-stub.ts";

const stub = upstreamStubOfFile();

const user = (content: string): ChatMessage => ({ role: "user", content });
const call = (id: string, name = "f") => ({ id, name, arguments: "{}" });
const asks = (...ids: string[]): ChatMessage => ({ role: "assistant", content: "", toolCalls: ids.map((id) => call(id)) });
const result = (toolCallId: string, content = toolCallId): ChatMessage => ({ role: "tool", toolCallId, content });
const paired = (...messages: ChatMessage[]): ChatMessage[] => pairCalls({ messages }).messages;

test("calls without a result and results without a call are left out, and an answer that has nothing else", () => {
  expect(
    paired(result("lost"), user("a"), asks("open"), user("b"), asks("c1", "c2"), result("c2"), result("c2", "again")),
  ).toEqual([user("a"), user("b"), asks("c2"), result("c2")]);
  const said: ChatMessage = { role: "assistant", content: "Let me look.", toolCalls: [call("open")] };
  expect(paired(user("a"), said)).toEqual([user("a"), { role: "assistant", content: "Let me look." }]);
});

test("results come directly after their calls, in the order of the calls", () => {
  const messages = paired(user("a"), asks("c1", "c2", "c3"), result("c3"), user("wait"), result("c1"), result("c2"));
  expect(messages).toEqual([user("a"), asks("c1", "c2", "c3"), result("c1"), result("c2"), result("c3"), user("wait")]);
});

test("ids that come again are replaced, by the same in every request, and keep their signature", () => {
  const signed = (signature: string) => withSignature("call_0", "google", signature);
  const history = [asks(signed("s1")), result(signed("s1"), "1"), asks(signed("s2")), result(signed("s2"), "2")];
  const messages = paired(...history);
  expect(messages.slice(0, 2)).toEqual(history.slice(0, 2));
  const [, , again, itsResult] = messages as any[];
  const { id } = again.toolCalls[0];
  expect(id).toMatch(/^[a-z0-9]{9}__sig__/);
  expect(id).toEndWith(signed("s2").slice("call_0".length));
  expect(itsResult).toEqual(result(id, "2"));
  expect(paired(...history, user("more")).slice(0, 4)).toEqual(messages);
  const twice = paired(asks("c", "c"), result("c", "1"), result("c", "2")) as any[];
  expect(twice[0].toolCalls[0].id).not.toBe(twice[0].toolCalls[1].id);
  expect(twice.slice(1).map(({ content }) => content)).toEqual(["1", "2"]);
});

test("thoughts keep their places among the calls that remain", () => {
  const thoughts = [0, 1, 2].map((callsBefore) => ({ thought: { text: "t", signature: "s" }, partsBefore: 0, callsBefore }));
  const [answer] = paired({ ...asks("open", "c1"), thoughts } as ChatMessage, result("c1")) as any[];
  expect(answer.thoughts.map(({ callsBefore }: any) => callsBefore)).toEqual([0, 0, 1]);
});

const answers: Partial<Record<Dialect, object>> = {
  openai: { choices: [{ message: { content: "ok" }, finish_reason: "stop" }] },
  "openai-responses": { status: "completed", output: [] },
  anthropic: { type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" },
  google: { candidates: [{ content: { parts: [{ text: "ok" }] }, finishReason: "STOP" }] },
  ollama: { message: { content: "ok" }, done: true },
};

test.each(Object.entries(answers))("%s: the request has pairs alone", async (dialect, answer) => {
  stub.answer(json(answer));
  const messages = [
    user("a"),
    asks("call_0", "open"),
    result("call_0", "one"),
    asks("call_0"),
    result("call_0", "two"),
    result("lost", "three"),
  ];
  await providerFor(dialect as Dialect, stub.url).chat!("m", { messages, tools: [{ name: "f" }] }, contextWith());
  const sent = JSON.stringify(stub.seen.at(-1)!.body);
  const ids = [...sent.matchAll(/"(?:call_id|tool_call_id|tool_use_id|id)":"([^"]+)"/g)].map(([, id]) => id);
  expect(["one", "two", "three", "open"].map((text) => sent.includes(`"${text}"`))).toEqual([true, true, false, false]);
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(2);
});
