/** `kill -9` under mixed load: nothing that was answered is lost, nothing is done twice. `bench/crash` does the same for hours. */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfCommand } from "../../src/lib/self.ts";
import { type RunningProgram, startProgram } from "../support/run-program.ts";
import { json, startUpstreamStub } from "../support/upstream-stub.ts";
import { runCrashes } from "./crash-run.ts";

test("kills at random moments lose no answered call, double none; the program serves again", async () => {
  const figures = await runCrashes({ kills: 5, seed: 11, leastMs: 150, mostMs: 900 });
  expect(figures).toMatchObject({
    kills: 5,
    missingCalls: 0,
    wrongCosts: 0,
    lostDocuments: 0,
    undeadDocuments: 0,
    disagreements: [],
    endlessJobs: 0,
    duplicateChunks: 0,
    doubleVideos: 0,
  });
  expect(figures.answeredCalls).toBeGreaterThanOrEqual(5);
  expect([figures.acceptedDocuments, figures.videosAsked].every((count) => count > 0)).toBe(true);
}, 300_000);

test("a request that was killed is not in the way of its repetition under the same idempotency key", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-kill-"));
  const upstream = startUpstreamStub();
  const start = () =>
    startProgram(selfCommand(["serve", "--port", "0", "--db", join(folder, "kill.db")]), {
      cwd: folder,
      env: {
        SIGNALBOX_ADMIN_PASSWORD: "correct horse battery",
        OPENAI_API_KEY: "sk-kill",
        OPENAI_BASE_URL: `${upstream.url}/v1`,
      },
    });
  const ask = (program: RunningProgram, key: string) =>
    fetch(`${program.url}/v1/chat`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "one-and-the-same" },
      body: JSON.stringify({ model: "gpt-5.6-luna", messages: [{ role: "user", content: "Which trains were late?" }] }),
    });
  try {
    const first = await start();
    const key = /pk_live_\w+/.exec(first.words)![0];
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    upstream.answer(() => {
      resolve();
      return new Promise<Response>(() => {});
    });
    const killed = ask(first, key).catch(() => undefined);
    await reached;
    expect((await ask(first, key)).status).toBe(409);
    await first.end("SIGKILL");
    expect(await killed).toBeUndefined();

    const message = { role: "assistant", content: "None of them was." };
    upstream.answer(json({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
    const second = await start();
    const answered = await ask(second, key);
    expect([answered.status, answered.headers.get("x-svc-idempotent-replay")]).toEqual([200, null]);
    const again = await ask(second, key);
    expect([again.status, again.headers.get("x-svc-idempotent-replay")]).toEqual([200, "true"]);
    expect(await second.end()).toBe(0);
  } finally {
    upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
