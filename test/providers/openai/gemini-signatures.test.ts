/** Gemini behind servers of OpenAI's format: its thought signatures go back with their calls, in the form in which they came. */

import { expect, test } from "bun:test";
import type { ChatMessage, ToolCall } from "../../../src/providers/provider.ts";
import { contextWith, providerFor } from "../../support/chat-provider.ts";
import { delta, end, stubOpenAi } from "../../support/openai-stub.ts";
import { json } from "../../support/upstream-stub.ts";

const { stub, streamed, whole } = stubOpenAi();

const SIGNATURE = "EtoF+/abc==";
const named = (id: string) => ({ id, type: "function", function: { name: `f_${id}`, arguments: '{"a":1}' } });
const ofGoogle = { ...named("one"), extra_content: { google: { thought_signature: SIGNATURE } } };
const sealed = { type: "reasoning.encrypted", format: "google-gemini-v1", data: SIGNATURE, index: 0 };

const past = (toolCalls: ToolCall[]): ChatMessage[] => [
  { role: "user", content: "hi" },
  { role: "assistant", content: "", toolCalls },
  ...toolCalls.map(({ id }): ChatMessage => ({ role: "tool", toolCallId: id, content: "1" })),
];

/** The message with past calls, as one is sent after each of these refusals. */
const sentBack = async (model: string, toolCalls: ToolCall[], ...refusals: string[]): Promise<any[]> => {
  stub.seen.length = 0;
  const done = json({ choices: [{ message: { content: "Done." }, finish_reason: "stop" }] });
  stub.answer(...refusals.map((message) => json({ error: { message, code: 400 } }, 400)), done);
  const answer = await providerFor("openai", stub.url).chat!(model, { messages: past(toolCalls) }, contextWith());
  expect(answer.text).toBe("Done.");
  return stub.seen.map(({ body }) => body.messages[1]);
};

/** As answers of both kinds give them. */
const toolCallsOf = async (message: { tool_calls: object[] }, ...before: object[]): Promise<ToolCall[]> => {
  const frames = [...before, message].map((each) => delta(each));
  const all = await streamed([...frames, end("tool_calls")]);
  const one = await whole({ choices: [{ message: Object.assign({}, ...before, message), finish_reason: "tool_calls" }] });
  expect(one.toolCalls).toEqual(all.toolCalls);
  return all.toolCalls;
};

test("a signature at the call goes back at the call (Google's own server)", async () => {
  const toolCalls = await toolCallsOf({ tool_calls: [ofGoogle, { ...named("two"), index: 1 }] });
  expect(toolCalls.map(({ id }) => /^[\w-]+$/.test(id))).toEqual([true, true]);
  const [message] = await sentBack("models/gemini-3-flash", toolCalls);
  expect(message).toEqual({ role: "assistant", content: null, tool_calls: [ofGoogle, named("two")] });
});

test("a signature beside the calls goes back beside them, with the call that it names, else with the first (OpenRouter)", async () => {
  const two = { tool_calls: [named("one"), { ...named("two"), index: 1 }] };
  const detail = { ...sealed, id: "two" };
  for (const [details, returned] of [
    [[{ type: "reasoning.text", text: "Hm." }, detail], detail],
    [[sealed], { ...sealed, id: "one" }],
  ] as const) {
    const beside = { reasoning_details: details };
    for (const toolCalls of [await toolCallsOf({ ...beside, ...two }), await toolCallsOf(two, beside)]) {
      const [message] = await sentBack("google/gemini-3-pro-preview", toolCalls);
      expect(message.tool_calls).toEqual([named("one"), named("two")]);
      expect(message.reasoning_details).toEqual([returned]);
    }
  }
});

test("pieces that repeat the call's id belong to the call with the signature", async () => {
  const piece = (text: string, more = {}) =>
    delta({ tool_calls: [{ id: "one", function: { name: "f_one", arguments: text }, ...more }] });
  const { extra_content } = ofGoogle;
  const { toolCalls } = await streamed([piece('{"a"', { extra_content }), piece(":1}"), end("tool_calls")]);
  expect(toolCalls.map(({ name, arguments: text }) => [name, text])).toEqual([["f_one", '{"a":1}']]);
});

test("other models are sent neither, and what is no signature is none", async () => {
  const toolCalls = await toolCallsOf({ tool_calls: [ofGoogle] });
  const beside = await toolCallsOf({ tool_calls: [named("one")], ...{ reasoning_details: [sealed] } });
  for (const calls of [toolCalls, beside]) {
    const [message] = await sentBack("openai/gpt-6", calls);
    expect(message).toEqual({ role: "assistant", content: null, tool_calls: [named("one")] });
  }
  const odd = [{ ...sealed, data: 7 }, { ...sealed, format: "openai-responses-v1" }, "x"];
  const [plain] = await toolCallsOf({ tool_calls: [{ ...named("one"), extra_content: "x" }], ...{ reasoning_details: odd } });
  expect(plain!.id).toBe("one");
});

test("where a server misses signatures, those that there are stay; where it refuses one, all are replaced, for this call alone", async () => {
  const signed = await toolCallsOf({ tool_calls: [ofGoogle] });
  const unsigned: ToolCall = { id: "three", name: "f", arguments: "{}" };
  const missing = "Function call is missing a thought_signature in functionCall parts.";
  const word = "skip_thought_signature_validator";
  const signatureIn = (message: any) => message.tool_calls[0].extra_content?.google.thought_signature;
  expect((await sentBack("gemini-3-flash", signed, missing)).map(signatureIn)).toEqual([SIGNATURE, SIGNATURE]);
  expect((await sentBack("gemini-3-flash", [unsigned], missing)).map(signatureIn)).toEqual([undefined, word]);
  for (const invalid of ["Corrupted thought signature.", "Unable to submit request because Thought signature is not valid."])
    expect((await sentBack("gemini-3-flash", signed, invalid)).map(signatureIn)).toEqual([SIGNATURE, word]);
});
