import { expect, test } from "bun:test";
import { lastUpTo } from "../../src/lib/last-up-to.ts";

test("finds the last of rising values that is at most so much, of equal ones the last", () => {
  const values = Int32Array.of(0, 3, 3, 7);
  expect([0, 2, 3, 6, 7, 99].map((most) => lastUpTo(values, most))).toEqual([0, 0, 2, 2, 3, 3]);
});

test("is 0 where none is at most so much, or none is there", () => {
  expect([lastUpTo([5, 6], 1), lastUpTo([], 1)]).toEqual([0, 0]);
});

test("reads the value out of what holds it", () => {
  expect(lastUpTo([{ at: 0 }, { at: 10 }, { at: 20 }], 15, ({ at }) => at)).toBe(1);
});
