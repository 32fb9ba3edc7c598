/** `kill -9` under mixed load: nothing that was answered is lost, nothing is done twice. `bench/crash` does the same for hours. */

import { expect, test } from "bun:test";
import { runCrashes } from "./crash-run.ts";

test("ten kills at random moments lose no answered call, double none, and the program serves again within two seconds", async () => {
  const figures = await runCrashes({ kills: 10, seed: 11, leastMs: 150, mostMs: 900 });
  expect(figures).toMatchObject({
    kills: 10,
    missingCalls: 0,
    wrongCosts: 0,
    lostDocuments: 0,
    undeadDocuments: 0,
    disagreements: [],
    endlessJobs: 0,
    duplicateChunks: 0,
    doubleVideos: 0,
  });
  expect(figures.answeredCalls).toBeGreaterThan(50);
}, 120_000);
