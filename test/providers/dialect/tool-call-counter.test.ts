/** Calls told apart by their pieces alone, for vendors that send neither ids nor places. */
import { expect, test } from "bun:test";
import { createToolCallCounter } from "../../../src/providers/dialect/tool-call-counter.ts";
import type { ChatEvent } from "../../../src/providers/provider.ts";

const startsIn = (pieces: string[]): number => {
  const events: ChatEvent[] = [];
  const counter = createToolCallCounter(events);
  for (const text of pieces) counter.readDelta({ function: { name: "look_up", arguments: text } });
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

test("a call of a hundred thousand pieces is one call, each of them read once", () => {
  expect(startsIn(['{"a":"', ...Array.from({ length: 100_000 }, () => "more")])).toBe(1);
});

test("a name that is missing may be written as text", () => {
  const events: ChatEvent[] = [];
  const counter = createToolCallCounter(events, ["look_up"]);
  counter.readDelta({ index: 0, id: "c1", function: { name: "look_up", arguments: "" } });
  for (const text of ['{"a":', "1}"]) counter.readDelta({ index: 0, id: "", function: { name: "null", arguments: text } });
  expect(events).toEqual([
    { type: "tool-start", index: 0, id: "c1", name: "look_up" },
    { type: "tool-arguments", index: 0, text: '{"a":' },
    { type: "tool-arguments", index: 0, text: "1}" },
  ]);
});

test("a call begins with the name of one of the request's tools, before its arguments come", () => {
  const events: ChatEvent[] = [];
  const counter = createToolCallCounter(events, ["look_up"]);
  for (const name of ["look", "_up"]) counter.readDelta({ index: 0, id: "c1", function: { name } });
  expect(events).toEqual([{ type: "tool-start", index: 0, id: "c1", name: "look_up" }]);
});

test("a name in pieces may begin with another tool's name", () => {
  const events: ChatEvent[] = [];
  const counter = createToolCallCounter(events, ["look", "look_up"]);
  for (const name of ["look", "_up"]) counter.readDelta({ index: 0, function: { name } });
  counter.readDelta({ index: 1, function: { name: "look", arguments: '{"n":1}' } });
  expect(events.flatMap((event) => (event.type === "tool-start" ? event.name : []))).toEqual(["look_up", "look"]);
});

test("a name that never ends is not collected for ever", () => {
  const events: ChatEvent[] = [];
  const counter = createToolCallCounter(events, ["look_up"]);
  for (let piece = 0; piece < 50_000; piece++) counter.readDelta({ index: 0, function: { name: `n${piece}` } });
  for (const event of events) if (event.type === "tool-start") expect(event.name.length).toBeLessThan(200);
  expect(events.length).toBeGreaterThan(1_000);
});
