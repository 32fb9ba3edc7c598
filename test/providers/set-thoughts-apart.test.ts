/** What open models think before their answer, between tags in its text, is no part of the answer: whole, and in pieces of any size. */

import { expect, test } from "bun:test";
import { type ChatEvent, type ChatRequest, type ChatResult, noUsage } from "../../src/providers/provider.ts";
import { eventsApart, thoughtsApart } from "../../src/providers/set-thoughts-apart.ts";

const asking = (content = "Hi."): ChatRequest => ({ messages: [{ role: "user", content }] });
const FINISH: ChatEvent = { type: "finish", reason: "stop" };

const whole = (text: string, more: Partial<ChatResult> = {}, request = asking()) => {
  const result: ChatResult = { text, toolCalls: [], finishReason: "stop", usage: noUsage(), usageSource: "none", ...more };
  return thoughtsApart(result, request);
};

/** All that was told, each list of events by itself. */
const streamed = (lists: ChatEvent[][], request = asking()): ChatEvent[] => {
  const all: ChatEvent[] = [];
  const take = eventsApart((events) => {
    all.push(...events);
    return true;
  }, request);
  for (const list of lists) take(list);
  return all;
};
const pieces = (text: string, size: number): ChatEvent[][] =>
  (text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []).map((piece) => [{ type: "text", text: piece }]);
const joined = (events: ChatEvent[], type: "text" | "reasoning"): string =>
  events.map((event) => (event.type === type ? event.text : "")).join("");

for (const [text, answer, thought] of [
  ["<think>\nA greeting.\n</think>\n\nHello!", "Hello!", "A greeting.\n"],
  ["<think>\n\n</think>\n\nHello!", "Hello!", ""],
  ["\n<think>So </thin or </think> there.", "there.", "So </thin or "],
  ["<think></think>Hello!", "Hello!", ""],
  ["◁think▷A greeting.◁/think▷Hello!", "Hello!", "A greeting."],
  ["<seed:think>A greeting.</seed:think>\nHello!", "Hello!", "A greeting."],
  ["[THINK]A greeting.[/THINK]Hello!", "Hello!", "A greeting."],
  ["<reasoning>A greeting.</reasoning>Hello!", "Hello!", "A greeting."],
  ["<think>It never ends", "", "It never ends"],
  ["<think>One</think>Two</think>Three", "Two</think>Three", "One"],
  ["Use <think> and </think>.", "Use <think> and </think>.", ""],
  ["<thinker>", "<thinker>", ""],
  ["  <thi", "  <thi", ""],
  ["", "", ""],
  [`${" ".repeat(100)}<think>x</think>`, `${" ".repeat(100)}<think>x</think>`, ""],
] as const) {
  test(`${JSON.stringify(text.slice(0, 40))} answers ${JSON.stringify(answer.slice(0, 20))}`, () => {
    expect([whole(text).text, whole(text).reasoning ?? ""]).toEqual([answer, thought.trim()]);
    for (let size = 1; size <= text.length + 1; size++) {
      const events = streamed([...pieces(text, size), [FINISH]]);
      expect([joined(events, "text"), joined(events, "reasoning")]).toEqual([answer, thought]);
      expect(events.at(-1)).toEqual(FINISH);
    }
  });
}

test.each(["<think>", "<think>x</think>"])("blanks that never end after %s are passed on", (beginning) => {
  const told = streamed([...pieces(beginning, 20), ...pieces("\n".repeat(100_000), 100)]);
  expect((joined(told, "text") + joined(told, "reasoning")).length).toBeGreaterThan(98_000);
});

test("a call of a tool ends what waits, and stands behind it; usage passes at once", () => {
  const call: ChatEvent = { type: "tool-start", index: 0, id: "a", name: "look_up" };
  const usage: ChatEvent = { type: "usage", usage: noUsage() };
  const text = (words: string): ChatEvent => ({ type: "text", text: words });
  expect(streamed([[text("<th")], [usage], [call], [text("ink>")], [FINISH]])).toEqual([
    usage,
    text("<th"),
    call,
    text("ink>"),
    FINISH,
  ]);
  expect(streamed([[text("<think>Look.</think>"), call], [FINISH]])).toEqual([
    { type: "reasoning", text: "Look." },
    call,
    FINISH,
  ]);
});

test("who asks for the tags gets them", () => {
  const request = asking("First think between <think> and </think>, then answer.");
  const text = "<think>A greeting.</think>Hello!";
  expect(whole(text, {}, request)).toMatchObject({ text });
  expect(joined(streamed([...pieces(text, 3), [FINISH]], request), "text")).toBe(text);
});

test("an earlier answer that came with its tags does not ask for them", () => {
  const request: ChatRequest = {
    messages: [{ role: "assistant", content: "<think>A greeting.</think>Hello!" }, ...asking().messages],
  };
  expect(whole("<think>Again.</think>Hello!", {}, request)).toMatchObject({ text: "Hello!", reasoning: "Again." });
});

test("what the server itself told of the thinking stands first", () => {
  expect(whole("<think>Two.</think>Hello!", { reasoning: "One." })).toMatchObject({ text: "Hello!", reasoning: "One.\n\nTwo." });
});
