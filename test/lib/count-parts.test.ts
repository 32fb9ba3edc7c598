import { expect, test } from "bun:test";
import { hasMoreParts } from "../../src/lib/count-parts.ts";

/** Blanks make the text long enough to be looked at. */
const hasExactly = (parts: number, json: string): boolean => {
  const text = json + " ".repeat(parts);
  return !hasMoreParts(text, parts) && (parts === 0 || hasMoreParts(text, parts - 1));
};

test("lists, objects and members count, plain values in lists do not", () => {
  const cases: [number, string][] = [
    [0, "1"],
    [1, "[1, 2, 3, null]"],
    [3, "[[], {}]"],
    [3, '{"a": 1, "b": "2"}'],
    [6, '{"a": {"b": [{}]}}'],
  ];
  for (const [parts, json] of cases) expect([json, hasExactly(parts, json)]).toEqual([json, true]);
});

test("what stands in strings does not count, whatever is escaped there and however long they are", () => {
  for (const inside of ['[{:"', "\\", '\\"[', '"'.repeat(300), "\\".repeat(301), `${"a".repeat(63)}"[`, `${"a".repeat(200)}\\"[`])
    for (const before of ["", "a", "a".repeat(62), "a".repeat(64), "\\".repeat(33)]) {
      const json = JSON.stringify([before + inside, []]);
      expect([json, hasExactly(2, json)]).toEqual([json, true]);
    }
});

test("a string without an end ends with the text", () => {
  for (const json of ['["[[[', `["${"a".repeat(100)}[[[`, '["\\']) expect(hasExactly(1, json)).toBe(true);
});
