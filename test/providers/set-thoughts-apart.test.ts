/** What open models think before their answer, between tags in its text, is no part of the answer: whole, and in pieces of any size. */

import { expect, test } from "bun:test";
import { type ChatEvent, type ChatRequest, noUsage } from "../../src/providers/provider.ts";
import { setThoughtsApart } from "../../src/providers/set-thoughts-apart.ts";
import { contextWith, providerFor } from "../support/chat-provider.ts";
import { asText, collected, passed, piecesOf } from "../support/stage.ts";
import { json, upstreamStubOfFile } from "../support/upstream-stub.ts";

const stub = upstreamStubOfFile();

const asking = (content = "Hi."): ChatRequest => ({ messages: [{ role: "user", content }] });
const FINISH: ChatEvent = { type: "finish", reason: "stop" };

const told = (lists: ChatEvent[][], request = asking()): ChatEvent[] =>
  passed((take) => setThoughtsApart(take, request), lists).told;
const answered = (lists: ChatEvent[][], request = asking()): [text: string, reasoning: string] => {
  const { text, reasoning = "" } = collected(told(lists, request));
  return [text, reasoning];
};

for (const [text, answer, thought] of [
  ["<think>\nA greeting.\n</think>\n\nHello!", "Hello!", "A greeting.\n"],
  ["<think>\n\n</think>\n\nHello!", "Hello!", ""],
  ["\n<think>So </thin or </think> there.", "there.", "So </thin or "],
  ["<think></think>Hello!", "Hello!", ""],
  ["◁think▷A greeting.◁/think▷Hello!", "Hello!", "A greeting."],
  ["<seed:think>A greeting.</seed:think>\nHello!", "Hello!", "A greeting."],
  ["[THINK]A greeting.[/THINK]Hello!", "Hello!", "A greeting."],
  ["<reasoning>A greeting.</reasoning>Hello!", "Hello!", "A greeting."],
  ["<thought>\nA greeting.\n</thought>\nHello!", "Hello!", "A greeting.\n"],
  ["<|channel>thought\nA greeting.<channel|>Hello!", "Hello!", "A greeting."],
  ["<|channel>thought\n<channel|>Hello!", "Hello!", ""],
  ["<thinking>A greeting.</thinking>Hello!", "<thinking>A greeting.</thinking>Hello!", ""],
  ["<think>It never ends", "", "It never ends"],
  ["<think>One</think>Two</think>Three", "Two</think>Three", "One"],
  ["Use <think> and </think>.", "Use <think> and </think>.", ""],
  ["<thinker>", "<thinker>", ""],
  ["  <thi", "  <thi", ""],
  ["", "", ""],
  [`${" ".repeat(100)}<think>x</think>`, `${" ".repeat(100)}<think>x</think>`, ""],
] as const) {
  test(`${JSON.stringify(text.slice(0, 40))} answers ${JSON.stringify(answer.slice(0, 20))}`, () => {
    for (let size = 1; size <= text.length + 1; size++) {
      const lists = [...piecesOf(text, size), [FINISH]];
      expect(answered(lists)).toEqual([answer, thought]);
      expect(told(lists).at(-1)).toEqual(FINISH);
    }
  });
}

test.each(["<think>", "<think>x</think>"])("blanks that never end after %s are passed on", (beginning) => {
  const lists = [...piecesOf(beginning, 20), ...piecesOf("\n".repeat(100_000), 100)];
  expect(answered(lists).join("").length).toBeGreaterThan(98_000);
});

test("a call of a tool ends what waits, and stands behind it; usage passes at once", () => {
  const call: ChatEvent = { type: "tool-start", index: 0, id: "a", name: "look_up" };
  const usage: ChatEvent = { type: "usage", usage: noUsage() };
  expect(told([[asText("<th")], [usage], [call], [asText("ink>")], [FINISH]])).toEqual([
    usage,
    asText("<th"),
    call,
    asText("ink>"),
    FINISH,
  ]);
  expect(told([[asText("<think>Look.</think>"), call], [FINISH]])).toEqual([{ type: "reasoning", text: "Look." }, call, FINISH]);
});

test("who asks for the tags gets them", () => {
  const request = asking("First think between <think> and </think>, then answer.");
  const text = "<think>A greeting.</think>Hello!";
  expect(answered([[asText(text), FINISH]], request)).toEqual([text, ""]);
  expect(answered([...piecesOf(text, 3), [FINISH]], request)).toEqual([text, ""]);
});

test("an earlier answer that came with its tags does not ask for them", () => {
  const request: ChatRequest = {
    messages: [{ role: "assistant", content: "<think>A greeting.</think>Hello!" }, ...asking().messages],
  };
  expect(answered([[asText("<think>Again.</think>Hello!")]], request)).toEqual(["Hello!", "Again."]);
});

test("what the server itself told of the thinking stands first, and apart", () => {
  const own: ChatEvent[] = [{ type: "reasoning", text: "One." }];
  const signed: ChatEvent[] = [
    { type: "thinking", text: "One." },
    { type: "thinking-end", signature: "s" },
  ];
  for (const size of [1, 100]) {
    const pieces = piecesOf("<think>Two.</think>Hello!", size);
    expect(answered([own, ...pieces])).toEqual(["Hello!", "One.\n\nTwo."]);
    expect(answered([signed, ...pieces])[0]).toBe("Hello!");
  }
});

test("tags in a text of Anthropic's or Google's format are the model's words: those formats have parts for thinking", async () => {
  const text = "<thinking>The list needs no parameters.</thinking>\n\nI will update the list.";
  const anthropic = { type: "message", content: [{ type: "text", text }], stop_reason: "end_turn" };
  const google = { candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }] };
  for (const [dialect, body] of Object.entries({ anthropic, google })) {
    stub.answer(json(body));
    const answer = await providerFor(dialect as "anthropic" | "google", stub.url).chat!("m", asking(), contextWith());
    expect([answer.text, answer.reasoning]).toEqual([text, undefined]);
  }
});
