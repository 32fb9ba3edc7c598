/** Calls told apart by their pieces alone, for vendors that send neither ids nor places. */
import { expect, test } from "bun:test";
import { createToolCallCounter } from "../../../src/providers/dialect/tool-call-counter.ts";
import type { ChatEvent } from "../../../src/providers/provider.ts";

const startsIn = (pieces: string[]): number => {
  const counter = createToolCallCounter();
  const events: ChatEvent[] = [];
  for (const text of pieces) counter.readDelta({ function: { name: "look_up", arguments: text } }, events);
  return events.filter(({ type }) => type === "tool-start").length;
};

test.each([
  [1, ['{"a":', '{"b":1}', "}"]],
  [1, ['{"a":"}', '{"', ',"b":[', "]}"]],
  [1, ['{"a":"\\', '"}{', '"}']],
  [2, ['{"a":1}', '{"a":2}']],
  [2, ['{"a":"\\\\"}', '{"a":', "2}"]],
])("%d where the same name comes with %j", (calls, pieces) => {
  expect(startsIn(pieces)).toBe(calls);
});

test("a call of six hundred thousand pieces is one call, each of them read once", () => {
  expect(startsIn(['{"a":"', ...Array.from({ length: 600_000 }, () => "more")])).toBe(1);
});
