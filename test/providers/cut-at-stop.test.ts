/** Answers end at every stop sequence the caller named, however the vendor's pieces fall and however many it takes itself. */

import { expect, test } from "bun:test";
import { cutAtStop } from "../../src/providers/cut-at-stop.ts";
import { type ChatEvent, noUsage } from "../../src/providers/provider.ts";
import { asText, collected, passed, piecesOf } from "../support/stage.ts";

const FINISH: ChatEvent = { type: "finish", reason: "length" };

const cut = (lists: ChatEvent[][], stop: readonly string[]) => passed((take) => cutAtStop(take, { stop: [...stop] }), lists);

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
    const whole = collected(cut([[asText(text), FINISH]], stop).told);
    expect([whole.text, whole.stopSequence]).toEqual([left, sequence]);
    expect(whole.finishReason).toBe(sequence === undefined ? "length" : "stop");
    for (let size = 1; size <= text.length; size++) {
      const { told, goesOn } = cut([...piecesOf(text, size), [FINISH]], stop);
      expect(collected(told).text).toBe(left);
      expect(told.at(-1)).toEqual(
        sequence === undefined ? FINISH : { type: "finish", reason: "stop", stopSequence: sequence, isCut: true },
      );
      expect(goesOn).toBe(sequence === undefined);
    }
  });
}

test("only what a sequence may begin with waits, and only while it may", () => {
  const { told } = cut([[asText("one E")], [asText("N")], [asText("ough")]], ["END"]);
  expect(told).toEqual([asText("one "), asText("ENough")]);
});

test("what came after the sequence is not told, but for what was used; calls before it are", () => {
  const usage: ChatEvent = { type: "usage", usage: { ...noUsage(), output: 9 } };
  const call: ChatEvent = { type: "tool-start", index: 0, id: "c", name: "f" };
  const { told } = cut([[asText("aE"), call, asText("bENDc"), { ...call, index: 1 }, usage, FINISH]], ["END"]);
  const end: ChatEvent = { type: "finish", reason: "stop", stopSequence: "END" };
  expect(told).toEqual([asText("a"), asText("E"), call, asText("b"), usage, end]);
});

test("what a stream told of its usage before it was cut says nothing of the whole answer", () => {
  const begun: ChatEvent = { type: "usage", usage: { ...noUsage(), input: 9, output: 1 } };
  const { told } = cut([[begun], [asText("one END")], [asText(" two"), FINISH]], ["END"]);
  expect(collected(told)).toMatchObject({ text: "one ", usage: noUsage(), usageSource: "none" });
});

test("without sequences nothing is looked at", () => {
  const take = () => true;
  expect(cutAtStop(take, { stop: [] })).toBe(take);
  expect(cutAtStop(take, {})).toBe(take);
});

test("a long sequence costs no more for nearly matching over and over", () => {
  const stop = `${"a".repeat(20_000)}b`;
  const { told } = cut(piecesOf("a".repeat(100_000), 997), [stop]);
  expect(collected(told).text.length).toBe(80_000);
});
