/** An answer that a server took for thinking is the answer, where JSON was asked for and is all that came. */

import { expect, test } from "bun:test";
import { answerInThoughts } from "../../src/providers/answer-in-thoughts.ts";
import type { ChatEvent, ChatRequest, FinishReason } from "../../src/providers/provider.ts";
import { askFor, contextWith, providerFor } from "../support/chat-provider.ts";
import { stubOpenAi } from "../support/openai-stub.ts";
import { collected, passed } from "../support/stage.ts";
import { json } from "../support/upstream-stub.ts";

const { stub } = stubOpenAi();

const asking = (format: ChatRequest["outputFormat"] = { type: "json" }): ChatRequest => ({
  messages: [{ role: "user", content: "Is it mild? Answer in JSON." }],
  ...(format && { outputFormat: format }),
});
const thought = (text: string): ChatEvent => ({ type: "reasoning", text });
const finish = (reason: FinishReason = "stop"): ChatEvent => ({ type: "finish", reason });

const textOf = (lists: ChatEvent[][], request = asking()): string =>
  collected(passed((take) => answerInThoughts(take, request), lists).told).text;

test("JSON in the thinking and nothing else is the answer, in however many pieces", () => {
  const schema = { type: "schema" as const, name: "n", schema: {}, strict: true };
  for (const request of [asking(), asking(schema)]) {
    expect(textOf([[thought('\n{"mild":true}'), finish()]], request)).toBe('{"mild":true}');
    expect(textOf([[thought('{"mi')], [thought('ld":true}\n')], [finish()]], request)).toBe('{"mild":true}');
  }
  const { told } = passed((take) => answerInThoughts(take, asking()), [[thought("[1]"), finish()]]);
  expect(told).toEqual([thought("[1]"), { type: "text", text: "[1]" }, finish()]);
});

test.each([
  ["words", [[thought("It is mild."), finish()]], ""],
  ["a number", [[thought("42"), finish()]], ""],
  ["an answer that was cut", [[thought('{"mild":true}'), finish("length")]], ""],
  ["an answer of its own", [[thought('{"mild":true}'), { type: "text", text: "{}" }, finish()]], "{}"],
  ["a call", [[thought("{}"), { type: "tool-start", index: 0, id: "a", name: "f" }, finish("tool_calls")]], ""],
  ["a refusal", [[thought("{}"), { type: "refusal", text: "No." }, finish()]], "No."],
] as [string, ChatEvent[][], string][])("%s in the thinking stays there, or what came beside it counts", (_, lists, text) => {
  expect(textOf(lists)).toBe(text);
});

test("where no JSON was asked for, nothing is read", () => {
  expect(textOf([[thought("{}"), finish()]], { messages: [] })).toBe("");
});

test("a local server whose parser of thinking takes the whole answer still answers (vLLM)", async () => {
  const message = { role: "assistant", content: null, reasoning_content: '{"mild":true}' };
  stub.answer(json({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
  const provider = providerFor("openai", stub.url, { isVendors: false });
  const result = await provider.chat!("m", { ...askFor("JSON?"), outputFormat: { type: "json" } }, contextWith());
  expect(result.text).toBe('{"mild":true}');
});
