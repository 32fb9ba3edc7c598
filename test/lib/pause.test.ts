/** A wait is over in time, or as soon as its signal aborts. */

import { expect, test } from "bun:test";
import { pause } from "../../src/lib/pause.ts";

test("ends in time where nothing aborts, also where it is longer than a timer can be", async () => {
  expect(await pause(0, new AbortController().signal)).toBe(true);
  const controller = new AbortController();
  const long = pause(Number.MAX_SAFE_INTEGER, controller.signal);
  expect(await Promise.race([long, pause(5, new AbortController().signal).then(() => "still waits")])).toBe("still waits");
  controller.abort();
  expect(await long).toBe(false);
});

test("ends at once where the signal has aborted, or does", async () => {
  const controller = new AbortController();
  const waiting = pause(60_000, controller.signal);
  controller.abort();
  expect([await waiting, await pause(60_000, controller.signal)]).toEqual([false, false]);
});
