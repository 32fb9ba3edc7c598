/** Answers end at every stop sequence the caller named, however the vendor's pieces fall and however many it takes itself. */

import { expect, test } from "bun:test";
import { cutEvents, cutResult } from "../../src/providers/cut-at-stop.ts";
import { type ChatEvent, type ChatResult, noUsage } from "../../src/providers/provider.ts";

const result = (text: string, more: Partial<ChatResult> = {}): ChatResult => ({
  text,
  toolCalls: [],
  finishReason: "length",
  usage: noUsage(),
  usageSource: "provider",
  ...more,
});
const FINISH: ChatEvent = { type: "finish", reason: "length" };

/** The texts that left, joined, with what ended them; each list of pieces is told by itself. */
const streamed = (lists: ChatEvent[][], stop: string[]) => {
  const told: ChatEvent[] = [];
  const take = cutEvents((events) => {
    told.push(...events);
    return true;
  }, stop);
  let goesOn: boolean | Promise<boolean> = true;
  for (const list of lists) if (goesOn) goesOn = take(list);
  const text = told.map((event) => (event.type === "text" ? event.text : "")).join("");
  return { text, told, goesOn };
};
const pieces = (text: string, size: number): ChatEvent[][] =>
  (text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []).map((piece) => [{ type: "text", text: piece }]);

for (const [text, stop, left, sequence] of [
  ["one END two", ["END"], "one ", "END"],
  ["one two", ["END"], "one two", undefined],
  ["one EN", ["END"], "one EN", undefined],
  ["ENEND.", ["END"], "EN", "END"],
  ["aabaabaaab", ["aabaaab"], "aab", "aabaaab"],
  ["xabcd", ["cd", "abc"], "x", "abc"],
  ["xab", ["b", "ab"], "x", "ab"],
  ["\n\nUser: hi", ["\nUser:"], "\n", "\nUser:"],
  ["END", ["END"], "", "END"],
] as const) {
  test(`${JSON.stringify(text)} is cut at ${JSON.stringify(stop)}, whole and in pieces of any size`, () => {
    const whole = cutResult(result(text), stop);
    expect([whole.text, whole.stopSequence]).toEqual([left, sequence]);
    expect(whole.finishReason).toBe(sequence === undefined ? "length" : "stop");
    for (let size = 1; size <= text.length; size++) {
      const { text: sent, told, goesOn } = streamed([...pieces(text, size), [FINISH]], [...stop]);
      expect(sent).toBe(left);
      expect(told.at(-1)).toEqual(
        sequence === undefined ? FINISH : { type: "finish", reason: "stop", stopSequence: sequence, isCut: true },
      );
      expect(goesOn).toBe(sequence === undefined);
    }
  });
}

test("only what a sequence may begin with waits, and only while it may", () => {
  const text = (words: string): ChatEvent => ({ type: "text", text: words });
  const { told } = streamed([[text("one E")], [text("N")], [text("ough")]], ["END"]);
  expect(told).toEqual([text("one "), text("ENough")]);
});

test("what came after the sequence is not told, but for what was used; calls before it are", () => {
  const usage: ChatEvent = { type: "usage", usage: { ...noUsage(), output: 9 } };
  const call: ChatEvent = { type: "tool-start", index: 0, id: "c", name: "f" };
  const { told } = streamed([[{ type: "text", text: "aE" }, call, { type: "text", text: "bENDc" }, usage, FINISH]], ["END"]);
  expect(told).toEqual([
    { type: "text", text: "a" },
    { type: "text", text: "E" },
    call,
    { type: "text", text: "b" },
    usage,
    { type: "finish", reason: "stop", stopSequence: "END" },
  ]);
  const toolCalls = [{ id: "c", name: "f", arguments: "{}" }];
  expect(cutResult(result("a END", { toolCalls }), ["END"]).toolCalls).toEqual([]);
  expect(cutResult(result("a", { toolCalls }), ["END"]).toolCalls).toEqual(toolCalls);
});

test("without sequences nothing is looked at", () => {
  const take = () => true;
  expect(cutEvents(take, [])).toBe(take);
  expect(cutEvents(take)).toBe(take);
});

test("a long sequence costs no more for nearly matching over and over", () => {
  const stop = `${"a".repeat(20_000)}b`;
  const { text } = streamed(pieces("a".repeat(100_000), 997), [stop]);
  expect(text.length).toBe(80_000);
});
