/** A deadline passes for an upstream that is late, not for a program that stood still and has yet to read what came. */

import { expect, test } from "bun:test";
import { expectBefore, explainEnd, stopWatching, watchDeadlines } from "../../../src/providers/upstream/watch-deadlines.ts";
import { UpstreamError } from "../../../src/providers/upstream-error.ts";

const HOUR_MS = 3_600_000;

/** A deadline that passes while the program stands still, as far as its timer has been run. */
const passedWhileStill = async () => {
  const watch = watchDeadlines("OpenAI", HOUR_MS, { signal: new AbortController().signal, remainingMs: HOUR_MS });
  expectBefore(watch, performance.now() + 10);
  const laterTimer = new Promise((resolve) => setTimeout(resolve, 30));
  Bun.sleepSync(500);
  await laterTimer;
  return watch;
};
const untilLooked = () => Bun.sleep(300);

test("what came while the program stood still is read before its deadline counts", async () => {
  const watch = await passedWhileStill();
  expectBefore(watch, performance.now() + HOUR_MS);
  await untilLooked();
  expect(watch.signal.aborted).toBe(false);
  stopWatching(watch);
});

test("where nothing came, the deadline has passed", async () => {
  const watch = await passedWhileStill();
  if (!watch.signal.aborted) await new Promise((resolve) => watch.signal.addEventListener("abort", resolve));
  expect(explainEnd(watch, new Error())).toEqual(new UpstreamError("timeout", "OpenAI took too long to answer."));
  stopWatching(watch);
});
