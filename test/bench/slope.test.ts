import { expect, test } from "bun:test";
import { leastOfWindows, type Point, slopeOf, thirds } from "../../bench/soak/slope.ts";

const MINUTE_MS = 60_000;
/** One point every ten seconds; `value` by its number. */
const series = (count: number, value: (place: number) => number): Point[] =>
  Array.from({ length: count }, (_, place) => ({ atMs: 5_000 + place * 10_000, value: value(place) }));

test("of each window the least counts, from the first point on", () => {
  const points = series(12, (place) => [9, 4, 7, 8, 6, 5][place % 6]! + (place >= 6 ? 1 : 0));
  expect(leastOfWindows(points, MINUTE_MS)).toEqual([
    { atMs: 15_000, value: 4 },
    { atMs: 75_000, value: 5 },
  ]);
});

test("a straight line has its slope, in units an hour, and no error", () => {
  const { anHour, error } = slopeOf(series(60, (place) => 100 + place * (12 / 360)));
  expect(anHour).toBeCloseTo(12, 6);
  expect(error).toBeCloseTo(0, 6);
});

test("what goes up and down by as much has no slope, but an error", () => {
  const { anHour, error } = slopeOf(series(61, (place) => (place % 2 === 0 ? 100 : 102)));
  expect(anHour).toBeCloseTo(0, 6);
  expect(error).toBeGreaterThan(1);
});

test("a leak shows beneath what is not yet collected", () => {
  const leaking = series(360, (place) => 200 + place / 36 + (place % 6) * 15);
  const { anHour, error } = slopeOf(leastOfWindows(leaking, MINUTE_MS));
  expect(anHour).toBeCloseTo(10, 6);
  expect(error).toBeLessThan(slopeOf(leaking).error);
});

test("three equal parts tell a leak from what fills up to a bound", () => {
  const rise = (points: Point[]) => {
    const [first, second, third] = thirds(points);
    return [second! - first!, third! - second!] as const;
  };
  const [early, late] = rise(series(90, (place) => place));
  expect([early, late]).toEqual([30, 30]);
  const [filling, filled] = rise(series(90, (place) => Math.min(place, 45)));
  expect(filled).toBeLessThan(filling);
});
