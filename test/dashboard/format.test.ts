import { expect, test } from "bun:test";
import { exactUsd, milliseconds, percent, plain, usd } from "../../src/dashboard/web/format.ts";

test("money keeps two digits that mean something, and no noughts that mean nothing", () => {
  const shown = [0, 0.00000795, 0.0000076, 0.005, 0.0149, 0.03, 0.0349, 0.0999, 0.1, 0.255, 12.5, 1234.5, -0.021, null].map(usd);
  const meant = ["$0", "$0.000008", "$0.0000076", "$0.005", "$0.015", "$0.03", "$0.035", "$0.10", "$0.10", "$0.26"];
  expect(shown).toEqual([...meant, "$12.50", "$1,234.50", "-$0.021", "–"]);
  // The smallest there is: one nano-dollar.
  expect(usd(0.000000001)).toBe("$0.000000001");
  // A mean may be less than that, and is not nothing.
  expect(usd(0.0000000004)).toBe("< $0.000000001");
  expect([999_999.99, 1_000_000].map(usd)).toEqual(["$999,999.99", "$1,000,000.00"]);
});

test("a number stands in a field as one would type it", () => {
  expect([0.5, 1_000_000, 0.000000001, 0.00000051, -0.0000001, 0, 1e-13].map(plain)).toEqual([
    "0.5",
    "1000000",
    "0.000000001",
    "0.00000051",
    "-0.0000001",
    "0",
    "0",
  ]);
});

test("prices and bounds keep every digit that was set", () => {
  expect([10, 0.5, 0.125, 0.0375, 0.0435, 0.0000001, 0.000000001, 1_000_000, 0, null].map(exactUsd)).toEqual([
    "$10.00",
    "$0.50",
    "$0.125",
    "$0.0375",
    "$0.0435",
    "$0.0000001",
    "$0.000000001",
    "$1,000,000.00",
    "$0.00",
    "–",
  ]);
});

test("times never round up into the next unit", () => {
  const times = [0, 999.4, 999.6, 9_994, 9_996, 59_940, 59_960, 119_700, 125_000];
  expect(times.map(milliseconds)).toEqual([
    "0 ms",
    "999 ms",
    "1.00 s",
    "9.99 s",
    "10.0 s",
    "59.9 s",
    "1 min 0 s",
    "2 min 0 s",
    "2 min 5 s",
  ]);
});

test("nearly all is not all, and hardly any is not none", () => {
  const rates = [1, 0.99999, 0.9966, 0.5, 0.0001, 0];
  expect(rates.map((rate) => percent(rate))).toEqual(["100 %", "> 99.9 %", "99.7 %", "50.0 %", "< 0.1 %", "0 %"]);
  expect([0.998, 0.35, 0.004].map((rate) => percent(rate, 0))).toEqual(["> 99 %", "35 %", "< 1 %"]);
});
