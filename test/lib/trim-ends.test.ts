/** Ends are cut, the middle stays, whatever the length. */

import { expect, test } from "bun:test";
import { trimEnds } from "../../src/lib/trim-ends.ts";

test.each([
  ["(word).", "word"],
  ["((a) b)", "a) b"],
  ["...", ""],
  ["", ""],
])("%j is %j without its brackets and dots", (text, left) => {
  expect(trimEnds(text, { leading: /[(]/, trailing: /[).]/ })).toBe(left);
});

test("without a leading pattern the beginning stays, and runs in the middle are not gone through again and again", () => {
  const text = `...${".".repeat(1_000_000)}a`;
  expect(trimEnds(`${text}...`, { trailing: /[.]/ })).toBe(text);
});
