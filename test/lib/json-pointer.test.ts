import { expect, test } from "bun:test";
import { valueAtPointer } from "../../src/lib/json-pointer.ts";

test("a pointer leads to what stands at it, in whatever way its steps are written", () => {
  const root = { $defs: { "a/b": 1, "c~d": 2, ü: 3, "50%": 4, list: [5] } };
  for (const [pointer, value] of [
    ["#/$defs/a~1b", 1],
    ["#/$defs/c~0d", 2],
    ["#/$defs/%C3%BC", 3],
    ["#/$defs/50%", 4],
    ["#/%24defs/list/0", 5],
    ["#/$defs/none/deeper", undefined],
    ["#/constructor", undefined],
    ["#", undefined],
    ["$defs", undefined],
  ] as const)
    expect([pointer, valueAtPointer(root, pointer)]).toEqual([pointer, value]);
});
