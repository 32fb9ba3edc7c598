import { expect, test } from "bun:test";
import { createCalendar, DAY_MS, utcDay, utcMonth } from "../../src/lib/clock.ts";

test("a calendar names each moment's day and month, forwards and backwards over every boundary", () => {
  const { dayOf, monthOf } = createCalendar();
  const midnight = Date.UTC(2028, 1, 29);
  for (const day of [0, 1, 0, -29, 306, 307, -500, 0]) {
    for (const ms of [0, 1, DAY_MS - 1, DAY_MS, -1]) {
      const at = midnight + day * DAY_MS + ms;
      expect([dayOf(at), monthOf(at)]).toEqual([utcDay(at), utcMonth(at)]);
    }
  }
  expect([dayOf(midnight), monthOf(midnight)]).toEqual(["2028-02-29", "2028-02"]);
});
