/** `kill -9` under mixed load: nothing that was answered is lost, nothing is done twice. `bench/crash` does the same for hours. */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfCommand } from "../../src/lib/self.ts";
import { type RunningProgram, startProgram } from "../support/run-program.ts";
import { runCrashes } from "./crash-run.ts";

test("kills at random moments lose no answered call, double none; the program serves again", async () => {
  const figures = await runCrashes({ kills: 8, seed: 11, leastMs: 150, mostMs: 900 });
  expect(figures).toMatchObject({
    kills: 8,
    missingCalls: 0,
    wrongCosts: 0,
    lostDocuments: 0,
    undeadDocuments: 0,
    disagreements: [],
    endlessJobs: 0,
    duplicateChunks: 0,
    doubleVideos: 0,
  });
  expect(figures.answeredCalls).toBeGreaterThanOrEqual(8);
  expect([figures.acceptedDocuments, figures.videosAsked].every((count) => count > 0)).toBe(true);
}, 120_000);

test("a request that was killed is not in the way of its repetition under the same idempotency key", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-kill-"));
  const start = () =>
    startProgram(selfCommand(["serve", "--port", "0", "--db", join(folder, "kill.db")]), {
      cwd: folder,
      env: { SIGNALBOX_ADMIN_PASSWORD: "correct horse battery" },
    });
  const ask = (program: RunningProgram, key: string, text: string) =>
    fetch(`${program.url}/v1/chat`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "one-and-the-same" },
      body: JSON.stringify({ messages: [{ role: "user", content: text }] }),
    });
  try {
    const first = await start();
    const key = /pk_test_\w+/.exec(first.words)![0];
    const text = "[[sandbox:slow=1500]] Which trains were late at the signal box?";
    const killed = ask(first, key, text).catch(() => undefined);
    // Once the second one hears that the first is running, it is.
    for (let status = 0; status !== 409; ) status = (await ask(first, key, text)).status;
    await first.end("SIGKILL");
    expect(await killed).toBeUndefined();

    const second = await start();
    const answered = await ask(second, key, text);
    expect([answered.status, answered.headers.get("x-svc-idempotent-replay")]).toEqual([200, null]);
    const again = await ask(second, key, text);
    expect([again.status, again.headers.get("x-svc-idempotent-replay")]).toEqual([200, "true"]);
    expect(await second.end()).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);
