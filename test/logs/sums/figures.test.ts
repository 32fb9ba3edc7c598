import { expect, test } from "bun:test";
import { changeOf, mean, percentage, ratio, trendOf } from "../../../src/logs/sums/figures.ts";

test("what has no denominator is null, and never NaN", () => {
  expect([ratio(0, 0), ratio(1, 4), percentage(0, 0), percentage(1, 4)]).toEqual([null, 0.25, 0, 25]);
  expect([changeOf(1, 0), changeOf(null, 1), changeOf(1, null), changeOf(3, 2)]).toEqual([null, null, null, 0.5]);
  expect([mean([], "quality"), mean([{ quality_count: 2, quality_micro: 1_500_000 }], "quality")]).toEqual([null, 0.75]);
});

test("a change of up to a twentieth is none, in either direction", () => {
  expect([105, 106, 95, 94].map((now) => trendOf(now, 100))).toEqual(["stable", "increasing", "stable", "decreasing"]);
  expect([trendOf(0, 0), trendOf(1, 0), trendOf(null, 1), trendOf(1, null)]).toEqual([
    "stable",
    "increasing",
    "stable",
    "stable",
  ]);
});
