import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { deadlineOf, waitWithin } from "../../../src/chat/attempts/deadline.ts";
import type { Platform } from "../../../src/platform.ts";

const platformWith = (cutOff: AbortController): Platform =>
  ({ cutOff, config: { timeouts: { totalMs: 60_000 } } }) as unknown as Platform;

const signals = (): number => {
  Bun.gc(true);
  return heapStats().objectTypeCounts["AbortSignal"] ?? 0;
};

describe("a wait within a call's deadline", () => {
  test("ends early when the caller hangs up or the server stops", async () => {
    const caller = new AbortController();
    const cutOff = new AbortController();
    const waits = [caller, new AbortController()].map(({ signal }) =>
      waitWithin(deadlineOf(platformWith(cutOff), signal), 50_000),
    );
    caller.abort();
    expect(await waits[0]).toBe(false);
    cutOff.abort();
    expect(await waits[1]).toBe(false);
  });

  test("leaves nothing behind at the signal that lives as long as the server", async () => {
    const platform = platformWith(new AbortController());
    const waitOnce = () => waitWithin(deadlineOf(platform, new AbortController().signal), 0);
    const before = signals();
    expect(new Set(await Promise.all(Array.from({ length: 1_000 }, waitOnce)))).toEqual(new Set([true]));
    expect(signals() - before).toBeLessThan(200);
  });
});
