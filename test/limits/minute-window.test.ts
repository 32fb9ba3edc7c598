import { expect, test } from "bun:test";
import { createMinuteWindow } from "../../src/limits/minute-window.ts";
import { randomFrom } from "../support/random.ts";

const MINUTE_MS = 60_000;

test("sixty seconds, wherever they begin, are counted whole, and when enough of them has passed is told", () => {
  const random = randomFrom(3);
  const window = createMinuteWindow();
  const taken: number[] = [];
  let now = 1_000_000;
  for (let asked = 0; asked < 5_000; asked++) {
    now += random.pick([0, 0, 1, 200, 3_000, 59_999, 60_000]);
    const held = taken.filter((at) => at > now - MINUTE_MS);
    expect([asked, window.used(now)]).toEqual([asked, held.length]);
    const most = random.pick([0, 1, 2, 5]);
    // So many of the oldest have to go first.
    expect(window.downTo(most, now)).toBe(held.length <= most ? now : held[held.length - most - 1]! + MINUTE_MS);
    const amount = random.pick([1, 1, 1, 2, 3]);
    window.add(amount, now);
    taken.push(...Array<number>(amount).fill(now));
  }
  expect(window.times()).toEqual(taken.filter((at) => at > now - MINUTE_MS));
});

test("what is left of a limit and when it begins anew are told for the moment that is asked about", () => {
  const window = createMinuteWindow();
  const stateAt = (now: number) => {
    const { used, remaining, resetsAtMs } = window.state(3, now);
    return [used, remaining, resetsAtMs];
  };
  expect(stateAt(5_000)).toEqual([0, 3, 5_000]);
  window.add(1, 5_000);
  window.add(1, 9_000);
  expect(stateAt(9_000)).toEqual([2, 1, 65_000]);
  expect([stateAt(64_999), stateAt(65_000)]).toEqual([
    [2, 1, 65_000],
    [1, 2, 69_000],
  ]);
  expect(stateAt(69_000)).toEqual([0, 3, 69_000]);
  window.add(4, 70_000);
  expect(stateAt(70_000)).toEqual([4, 0, 130_000]);
});

test("what is taken back makes room, and never sooner than it came", () => {
  const window = createMinuteWindow();
  for (const at of [1_000, 5_000, 9_000]) window.add(1, at);
  window.takeBack(4_000);
  expect([window.used(9_000), window.downTo(1, 9_000), window.times()]).toEqual([2, 61_000, [1_000, 9_000]]);
  window.takeBack(9_001);
  expect(window.used(9_001)).toBe(2);
  window.takeBack(0);
  window.takeBack(0);
  expect(window.state(2, 10_000).resetsAtMs).toBe(10_000);
});

test("a clock that was set back makes nobody wait longer than a minute", () => {
  const window = createMinuteWindow();
  window.add(10, 500_000);
  expect([window.used(100_000), window.downTo(9, 100_000)]).toEqual([10, 160_000]);
  expect(window.downTo(9, 200_000)).toBe(200_000);
  window.add(5, 480_000);
  window.add(10, 500_000);
  expect([window.downTo(14, 490_000), window.downTo(9, 490_000)]).toEqual([540_000, 550_000]);
});
