/** A call's arguments that come in pieces, each with its path. */

import { expect, test } from "bun:test";
import { createPartialArguments, parsePath } from "../../../src/providers/google/partial-arguments.ts";

test("paths of argument pieces, and what is none", () => {
  expect(parsePath("$.a.b[0]['c d'][\"e\"]")).toEqual(["a", "b", 0, "c d", "e"]);
  for (const bad of ["a", "$", "$..a", "$.a[", "$.a[x]"]) expect(parsePath(bad)).toBeUndefined();
  const hostile = createPartialArguments();
  hostile.add({ jsonPath: "$.__proto__.polluted", boolValue: true });
  hostile.add({ jsonPath: "$.list[999999]", numberValue: 1 });
  expect(({} as any).polluted).toBeUndefined();
  expect(hostile.toJson().length).toBeLessThan(100);
});

test("empty items of a list may be skipped, but not so many that a small stream becomes a large call", () => {
  const honest = createPartialArguments();
  honest.add({ jsonPath: "$.list[1].a", numberValue: 1 });
  expect(honest.toJson()).toBe('{"list":[null,{"a":1}]}');
  const hostile = createPartialArguments();
  for (let list = 0; list < 500; list++) hostile.add({ jsonPath: `$.list${list}[5000]`, numberValue: 1 });
  expect(hostile.toJson().length).toBeLessThan(10_000);
});

test("a string in pieces is joined, a second string at the same place replaces the first", () => {
  const pieces = createPartialArguments();
  pieces.add({ jsonPath: "$.a", stringValue: "x", willContinue: true });
  pieces.add({ jsonPath: "$.a", stringValue: "y", willContinue: true });
  pieces.add({ jsonPath: "$.a", stringValue: "" });
  pieces.add({ jsonPath: "$.b", nullValue: null });
  pieces.add({ jsonPath: "$.c", stringValue: "z", numberValue: null, nullValue: null });
  expect(pieces.toJson()).toBe('{"a":"xy","b":null,"c":"z"}');
});

test("an empty list or object is a piece without a value, which otherwise only ends what is there", () => {
  const pieces = createPartialArguments();
  pieces.add({ jsonPath: "$.tags[]" });
  pieces.add({ jsonPath: "$.options" });
  pieces.add({ jsonPath: "$.rows[0].cells[]" });
  pieces.add({ jsonPath: "$.names[0]", stringValue: "An", willContinue: true });
  pieces.add({ jsonPath: "$.names[0]", stringValue: "na" });
  pieces.add({ jsonPath: "$.names[0]" });
  pieces.add({ jsonPath: "$.names[]" });
  pieces.add({ jsonPath: "$.later", willContinue: true });
  pieces.add({ jsonPath: "$.later", stringValue: "x" });
  expect(pieces.toJson()).toBe('{"tags":[],"options":{},"rows":[{"cells":[]}],"names":["Anna"],"later":"x"}');
});
