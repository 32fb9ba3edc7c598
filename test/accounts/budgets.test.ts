/** Budgets against a ledger that may refuse: what was not committed was not spent. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import type { ApiKey } from "../../src/accounts/api-key.ts";
import { correctCost } from "../../src/logs/amend/correct-cost.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, record, spentNanoUsd } from "../support/known-call.ts";
import { TINY_PNG } from "../support/media-stub.ts";
import { payersOf } from "../support/payers.ts";

const newFolder = foldersOfFile();

const gateway = await gatewayOfFile();

test("a call that could not be logged costs the key's budget nothing", async () => {
  const key = await gateway.key({ budgetUsd: 1 });
  const { db } = gateway.platform;
  const ask = (path = "/v1/chat") =>
    gateway.send(key, "POST", path, { messages: [{ role: "user", content: "Explain how signals work." }] });
  expect((await ask()).status).toBe(200);
  const spent = await spentNanoUsd(gateway, key);
  expect(spent).toBeGreaterThan(0);

  const makeRoom = gateway.fillDisk();
  const refused = await ask();
  expect([refused.status, ((await refused.json()) as any).error.type]).toEqual([503, "service_unavailable"]);
  // What a stream has sent cannot be taken back, but its end is not a success either.
  const told = await (await ask("/v1/chat/stream")).text();
  expect(told).toContain('"type":"service_unavailable"');
  expect(told).not.toContain("[DONE]");
  expect(await spentNanoUsd(gateway, key)).toBe(spent);
  makeRoom();
  expect((await ask()).status).toBe(200);
  expect(await spentNanoUsd(gateway, key)).toBe(2 * spent);
  expect(db.get<{ sum: number }>("SELECT sum(cost_nano_usd) AS sum FROM calls WHERE key_id = ?", key.id)!.sum).toBe(2 * spent);
});

test("a budget of just the estimate holds a call, a billionth less does not, unless the call's own ceiling is below", async () => {
  const body = { model: "gpt-4o", messages: [{ role: "user", content: "Explain how signals work." }] };
  const free = await (await gateway.send(await gateway.key(), "POST", "/v1/chat", body)).json();
  const estimate: number = (free as any).svc.routing.candidates[0].estimated_cost_usd;
  const asked = async (budgetUsd: number, more: object = {}) => {
    const response = await gateway.send(await gateway.key({ budgetUsd }), "POST", "/v1/chat", { ...body, ...more });
    return [response.status, ((await response.json()) as any).error?.type];
  };
  expect(await asked(estimate)).toEqual([200, undefined]);
  expect(await asked(estimate - 1e-9)).toEqual([429, "budget_exceeded"]);
  expect(await asked(estimate / 2, { max_cost_per_call: estimate / 2 })).toEqual([200, undefined]);
});

test("a price that could not be put right leaves the key's budget as it was", async () => {
  const key = await gateway.key({ project: "filming", budgetUsd: 1 });
  const [call] = await record(gateway, key, { kind: "video", costNanoUsd: 400_000_000, startedAtMs: gateway.clock.now() });
  const makeRoom = gateway.fillDisk();
  for (let tries = 0; tries < 2; tries++) {
    await expect(correctCost(gateway.platform, call!.id, 0)).rejects.toThrow("disk full");
    expect(await spentNanoUsd(gateway, key)).toBe(400_000_000);
  }
  makeRoom();
  await correctCost(gateway.platform, call!.id, 0);
  await correctCost(gateway.platform, call!.id, 0);
  expect(await spentNanoUsd(gateway, key)).toBe(0);
  const { execution } = await getJson(gateway, key, `/v1/logs/${call!.id}`);
  expect([execution.cost_usd, execution.attempts[0].cost_usd]).toEqual([0, 0]);
});

test("what a spent budget refuses is no row of the log and no automatic retry, whatever was asked", async () => {
  const key = await gateway.key({ project: "penniless", budgetUsd: 0 });
  const messages = [{ role: "user", content: "Name three signals." }];
  const drawing = [{ role: "user", content: "Draw me a picture of a red fox in the snow" }];
  const form = new FormData();
  form.append("file", Bun.file(join(import.meta.dir, "../fixtures/audio/tone.wav")), "tone.wav");
  form.append("model", "transcribe-1");
  const picture = new FormData();
  picture.append("image", new File([TINY_PNG], "dot.png"));
  picture.append("prompt", "a fox");
  const asked: [string, unknown][] = [
    ["/v1/chat", { messages }],
    ["/v1/chat", { messages: drawing }],
    ["/v1/chat/stream", { messages }],
    ["/v1/chat/stream", { messages: drawing }],
    ["/v1/chat/completions", { messages, stream: true }],
    ["/v1/messages", { messages, model: "auto", max_tokens: 50 }],
    ["/v1/embeddings", { model: "text-embedding-3-small", input: "signals" }],
    ["/v1/images/generations", { prompt: "signals" }],
    ["/v1/video/generations", { prompt: "signals" }],
    ["/v1/audio/speech", { model: "tts-1", voice: "alloy", input: "signals" }],
    ["/v1/audio/transcriptions", form],
    ["/v1/audio/translations", form],
    ["/v1/images/edits", picture],
    ["/v1/tools/search", { query: "signals" }],
    ["/v1/rerank", { query: "signals", documents: ["A signal."], model: "rerank-v3.5" }],
  ];
  for (const [path, body] of asked) {
    const response = await gateway.send(key, "POST", path, body);
    const { error } = (await response.json()) as any;
    expect([path, response.status, response.headers.get("x-should-retry")]).toEqual([path, 429, "false"]);
    expect(error.message).toContain("monthly budget");
  }
  expect((await getJson(gateway, key, "/v1/logs")).total).toBe(0);
  expect((await gateway.send(key, "POST", "/v1/embeddings", { model: "embed-local", input: "free" })).status).toBe(200);
});

test("what is reserved is spoken for: raised as far as the budget goes, and given back once", () => {
  const { budgets } = gateway.platform;
  const key = { id: "key_reserving", budgetNanoUsd: 100, budgetPeriod: "month" } as ApiKey;
  const fits = (nanoUsd: number): boolean => {
    try {
      budgets.reserve(payersOf(key), nanoUsd).release();
      return true;
    } catch {
      return false;
    }
  };
  const first = budgets.reserve(payersOf(key), 60);
  expect([fits(40), fits(41)]).toEqual([true, false]);
  expect([first.raise(10), fits(41)]).toEqual([true, false]);
  first.require(10);
  expect(fits(41)).toBe(false);
  expect([first.raise(101), fits(40)]).toEqual([false, true]);
  expect([first.raise(100), fits(1)]).toEqual([true, false]);
  first.release();
  first.release();
  expect([fits(100), fits(101)]).toEqual([true, false]);
});

test("a budget that is overdrawn refuses even what costs nothing, until the month is over", async () => {
  gateway.clock.stop(Date.UTC(2026, 10, 30, 23, 59, 30, 400));
  const key = await gateway.key({ project: "overdrawn", budgetUsd: 1 });
  await record(gateway, key, { costNanoUsd: 1_000_000_001, startedAtMs: gateway.clock.now() });
  const refused = await gateway.send(key, "POST", "/v1/embeddings", { model: "embed-local", input: "free" });
  expect([refused.status, ((await refused.json()) as any).error]).toEqual([
    429,
    expect.objectContaining({ type: "budget_exceeded", retry_after: 30 }),
  ]);
});

test("a call of the old month that ends in the new one takes nothing of what the new one has reserved", async () => {
  const { budgets, db } = gateway.platform;
  const lastMoment = Date.UTC(2026, 10, 30, 23, 59, 59);
  gateway.clock.stop(lastMoment + 1_000);
  const key = { id: "key_of_two_months", budgetNanoUsd: 100, budgetPeriod: "month" } as ApiKey;
  const reserved = budgets.reserve(payersOf(key), 60);
  await db.write((sql) => budgets.spend(sql, { keyId: key.id, projectId: "", mode: "live", startedAtMs: lastMoment }, 30, {}));
  expect(() => budgets.reserve(payersOf(key), 41)).toThrow();
  reserved.release();
  expect(() => budgets.reserve(payersOf(key), 100).release()).not.toThrow();
});

test("a reservation that is raised in the new month is still the old one's", () => {
  const { budgets } = gateway.platform;
  const lastMoment = Date.UTC(2026, 10, 30, 23, 59, 59);
  gateway.clock.stop(lastMoment);
  const payers = payersOf({ id: "key_raised_late", budgetNanoUsd: 100, budgetPeriod: "month" } as ApiKey);
  const early = budgets.reserve(payers, 60);
  gateway.clock.stop(lastMoment + 1_000);
  const late = budgets.reserve(payers, 50);
  expect([early.raise(101), early.raise(80)]).toEqual([false, true]);
  early.release();
  expect(() => budgets.reserve(payers, 51)).toThrow();
  expect(() => budgets.reserve(payers, 50).release()).not.toThrow();
  late.release();
});

test("what was spent counts in the month of its call, over a restart too, and a new month begins at nothing", async () => {
  const folder = newFolder();
  const lastMoment = Date.UTC(2026, 10, 30, 23, 59, 59);
  const open = async () => {
    const opened = await startGateway({ folder });
    opened.clock.stop(lastMoment);
    return opened;
  };
  let own = await open();
  const key = await own.key({ budgetUsd: 1 });
  const apiKey = { id: key.id, budgetNanoUsd: 1_000_000_000, budgetPeriod: "month" } as ApiKey;
  const fits = (nanoUsd: number) => {
    try {
      own.platform.budgets.reserve(payersOf(apiKey), nanoUsd).release();
      return true;
    } catch {
      return false;
    }
  };
  // Calls that end together share a commit.
  const fourth = { costNanoUsd: 100_000_000, startedAtMs: lastMoment };
  await Promise.all(Array.from({ length: 3 }, () => record(own, key, fourth)));
  await record(own, key, fourth);
  expect([fits(600_000_000), fits(600_000_001)]).toEqual([true, false]);
  await own.stop();
  own = await open();
  expect([fits(600_000_000), fits(600_000_001)]).toEqual([true, false]);
  own.clock.advance(1_000);
  expect([fits(1_000_000_000), fits(1_000_000_001)]).toEqual([true, false]);
  // A call that began in the old month and ends in the new one is the old one's.
  await record(own, key, { costNanoUsd: 500_000_000, startedAtMs: lastMoment });
  expect([fits(1_000_000_000), await spentNanoUsd(own, key)]).toEqual([true, 0]);
  await own.stop();
});

test("whatever was asked, and however it ended, nothing stays reserved", async () => {
  const budgetUsd = 10;
  const key = await gateway.key({ project: "frugal", tier: "starter", budgetUsd });
  const { budgets } = gateway.platform;
  const account = { id: key.id, budgetNanoUsd: budgetUsd * 1e9, budgetPeriod: "month" } as ApiKey;
  const messages = [{ role: "user", content: "Explain how signals work." }];
  const broken = [{ role: "user", content: "Explain how signals work. [[sandbox:disconnect:always]]" }];
  const failing = [{ role: "user", content: "Explain how signals work. [[sandbox:error-500:always]]" }];
  for (const [path, body, status] of [
    ["/v1/chat", { messages }, 200],
    ["/v1/chat", { messages: failing }, 503],
    ["/v1/chat/stream", { messages }, 200],
    ["/v1/chat/stream", { messages: broken }, 200],
    ["/v1/chat/stream", { messages: failing }, 503],
    ["/v1/messages", { model: "auto", max_tokens: 100, messages }, 200],
    ["/v1/responses", { model: "auto", input: "Explain how signals work.", stream: true }, 200],
    ["/v1/images/generations", { prompt: "a red fox" }, 200],
    ["/v1/images/generations", { prompt: "a red fox [[sandbox:refuse]]" }, 400],
    ["/v1/images/generations", { prompt: "a red fox", model: "image-a-2", n: 10 }, 429],
    ["/v1/audio/speech", { input: "Mind the gap.", voice: "alloy", model: "tts-1" }, 200],
    ["/v1/embeddings", { input: "signals", model: "text-embedding-3-small" }, 200],
    ["/v1/tools/search", { query: "signals" }, 200],
  ] as const) {
    const response = await gateway.send(key, "POST", path, body);
    expect([path, response.status]).toEqual([path, status]);
    await response.arrayBuffer();
    const left = account.budgetNanoUsd! - (await spentNanoUsd(gateway, key));
    expect(() => budgets.reserve(payersOf(account), left).release()).not.toThrow();
  }
});
