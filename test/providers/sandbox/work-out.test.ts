/** A calculation is worked out whole and by the rules, or not at all. */

import { expect, test } from "bun:test";
import { workOut } from "../../../src/providers/sandbox/text/work-out.ts";

test.each([
  ["What is 17 * 23?", "17 * 23 = 391."],
  ["2 + 3 * 4", "2 + 3 * 4 = 14."],
  ["Compute (2+3)*4, please.", "(2 + 3) * 4 = 20."],
  ["2^3^2?", "2 ^ 3 ^ 2 = 512."],
  ["What is 2 ** 10", "2 ^ 10 = 1024."],
  ["10 - 4 - 3", "10 - 4 - 3 = 3."],
  ["seven? 7 times 6 minus 2", "7 * 6 - 2 = 40."],
  ["-5 + 3", "-5 + 3 = -2."],
  ["4 * (-2 + 1)", "4 * (-2 + 1) = -4."],
  ["Calculate 15% of 80.", "15% of 80 = 12."],
  ["What is 12.5 percent of 1,200?", "12.5% of 1,200 = 150."],
  ["100 / 8", "100 / 8 = 12.5."],
  ["0.1 + 0.2", "0.1 + 0.2 = 0.3."],
  ["1.05 - 0.05", "1.05 - 0.05 = 1."],
  ["What is 5-3?", "5 - 3 = 2."],
  ["It is 3x4 cells.", "3 * 4 = 12."],
])("%s", (text, answer) => {
  expect(workOut(text)).toBe(answer);
});

test.each([
  "Meet on 2026-12-24.",
  "Call 555-0100.",
  "Due 24/12/2026",
  "solve 8x + 7 = -23",
  "1 / 0",
  "a 5% rise",
  "5 +",
  "(2 + 3",
  "12,34 + 1",
  "Version 1.2.3",
  "Explain it in 2-3 sentences.",
  "nothing",
  "",
  `${"1".repeat(400)} + 1`,
])("no calculation: %s", (text) => {
  expect(workOut(text)).toBeUndefined();
});

test("hostile lengths take no time", () => {
  for (const text of ["1+".repeat(200_000), "(".repeat(400_000), "1 ".repeat(200_000), "9".repeat(400_000), "-".repeat(400_000)])
    expect(workOut(text)).toBeUndefined();
});
