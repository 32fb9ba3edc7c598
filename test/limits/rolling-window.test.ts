import { expect, test } from "bun:test";
import { createRollingWindow } from "../../src/limits/rolling-window.ts";
import { randomFrom } from "../support/random.ts";

const MINUTE_MS = 60_000;

test("no sixty seconds, wherever they begin, hold more than the limit, and none is refused that would fit", () => {
  const random = randomFrom(3);
  for (const size of [1, 2, 7, 60]) {
    const window = createRollingWindow(size);
    const taken: number[] = [];
    let now = 1_000_000;
    for (let asked = 0; asked < 3_000; asked++) {
      now += random.pick([0, 0, 1, 200, 3_000, 59_999, 60_000]);
      const amount = random.pick([1, 1, 1, 2, 3]);
      const held = taken.filter((at) => at > now - MINUTE_MS);
      const fits = held.length + amount <= size;
      const freeAt = window.take(now, amount);
      expect([asked, freeAt === null]).toEqual([asked, fits]);
      if (fits) taken.push(...Array<number>(amount).fill(now));
      // So many of the oldest have to go first; what never fits is told to come again after a whole window.
      else expect(freeAt).toBe((amount > size ? now : held[held.length + amount - size - 1]!) + MINUTE_MS);
    }
  }
});

test("what is left and when it begins anew are told for the moment that is asked about", () => {
  const window = createRollingWindow(3);
  expect([window.state(5_000).remaining, window.state(5_000).resetsAtMs]).toEqual([3, 5_000]);
  window.take(5_000, 1);
  window.take(9_000, 1);
  expect([window.state(9_000).remaining, window.state(9_000).resetsAtMs]).toEqual([1, 65_000]);
  expect([window.state(64_999).remaining, window.state(65_000).remaining, window.state(65_000).resetsAtMs]).toEqual([
    1, 2, 69_000,
  ]);
  expect([window.state(69_000).resetsAtMs, window.state(69_000).remaining]).toEqual([69_000, 3]);
});

test("a limit that is changed keeps what was counted, also where that is more than it now allows", () => {
  const before = createRollingWindow(5);
  before.take(0, 4);
  const smaller = createRollingWindow(2, before.history());
  expect([smaller.state(1).remaining, smaller.take(1, 1)]).toEqual([0, MINUTE_MS]);
  const larger = createRollingWindow(6, before.history());
  expect([larger.state(1).remaining, larger.take(1, 2), larger.take(1, 1)]).toEqual([2, null, MINUTE_MS]);
});

test("what is given back makes room, and never sooner than it came", () => {
  const window = createRollingWindow(3);
  for (const at of [1_000, 5_000, 9_000]) window.take(at, 1);
  window.giveBack(4_000);
  expect([window.state(9_000).remaining, window.state(9_000).resetsAtMs]).toEqual([1, 61_000]);
  expect([window.take(9_000, 1), window.take(9_000, 1)]).toEqual([null, 61_000]);
  window.giveBack(9_001);
  expect(window.state(9_001).remaining).toBe(0);
});
