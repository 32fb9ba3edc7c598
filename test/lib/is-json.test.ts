import { expect, test } from "bun:test";
import { jsonOf, parseJson } from "../../src/lib/is-json.ts";

const listIn = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const objectIn = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

test.each([
  ["a list", listIn],
  ["an object", objectIn],
])("%s is JSON down to a thousand levels", (_, nested) => {
  for (const levels of [1, 1_000]) expect(JSON.stringify(jsonOf(nested(levels)))).toBe(nested(levels));
  for (const levels of [1_001, 50_000]) expect(() => parseJson(nested(levels))).toThrow(SyntaxError);
});

test("the deepest branch counts, wherever it is", () => {
  const wide = (branch: string): string => `{"first":[${"[1],".repeat(3_000)}0],"second":{"b":${branch}},"last":null}`;
  expect(jsonOf(wide(listIn(998)))).toBeDefined();
  expect(jsonOf(wide(listIn(999)))).toBeUndefined();
});

test("what has millions of lists is no JSON, a list of millions of numbers is", () => {
  expect(jsonOf(`[${"[],".repeat(2_000_000)}1]`)).toBeUndefined();
  expect(jsonOf(`[${"1,".repeat(2_000_000)}1]`)).toBeArrayOfSize(2_000_001);
});
