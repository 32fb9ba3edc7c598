/** A key's own limits of requests and tokens a minute: exact under concurrency, over all that is work, and over a restart. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { changeKey } from "../../src/accounts/store.ts";
import { byCommand } from "../../src/history/author.ts";
import { noUsage } from "../../src/providers/provider.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { record } from "../support/known-call.ts";

const newFolder = foldersOfFile();

const gateway = await gatewayOfFile();
gateway.clock.stop();

const hello = { messages: [{ role: "user", content: "Name three signals." }] };
const ask = (key: TestKey, path = "/v1/chat", body: unknown = hello, headers: Record<string, string> = {}) =>
  gateway.send(key, "POST", path, body, headers);
const statusOf = async (asked: Promise<Response>) => {
  const response = await asked;
  await response.arrayBuffer();
  return response.status;
};
const requests = (requestsPerMinute: number, project = "test", tier: "enterprise" | "free" = "enterprise") =>
  gateway.key({ project, tier, terms: { requestsPerMinute } });

test("of many requests at once just as many pass as the key may make, and another key of the project is not bound", async () => {
  const [key, other] = [await requests(5), await requests(100)];
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(ask(key))));
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  expect(await statusOf(ask(other))).toBe(200);
});

test("the refusal says that it is the key's own limit, and when there is room again", async () => {
  const key = await requests(2);
  const first = await ask(key);
  expect(["limit", "remaining"].map((name) => first.headers.get(`x-ratelimit-${name}`))).toEqual(["2", "1"]);
  gateway.clock.advance(10_000);
  await ask(key);
  const refused = await ask(key);
  expect([refused.status, ((await refused.json()) as any).error]).toEqual([
    429,
    { type: "rate_limit_exceeded", message: "This key's own limit of 2 a minute for requests is used up.", retry_after: 50 },
  ]);
  const names = ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-should-retry"];
  const freeAtS = String(Math.ceil((gateway.clock.now() + 50_000) / 1000));
  expect(names.map((name) => refused.headers.get(name))).toEqual(["50", "2", "0", freeAtS, null]);
  gateway.clock.advance(49_999);
  expect(await statusOf(ask(key))).toBe(429);
  gateway.clock.advance(1);
  expect(await statusOf(ask(key))).toBe(200);
  expect(await statusOf(ask(key))).toBe(429);
});

test("every kind of work counts once, and looking at what was made does not", async () => {
  const key = await requests(9);
  const drawing = { messages: [{ role: "user", content: "Draw me a picture of a red fox in the snow" }] };
  for (const [path, body] of [
    ["/v1/chat", drawing],
    ["/v1/images/generations", { prompt: "a fox", model: "image-a-2", n: 3 }],
    ["/v1/video/generations", { prompt: "a fox" }],
    ["/v1/audio/speech", { input: "Hello", model: "tts-1", voice: "alloy" }],
    ["/v1/embeddings", { input: "Hello" }],
    ["/v1/tools/search", { query: "signals" }],
    ["/v1/rerank", { query: "signals", documents: ["A signal."] }],
    ["/v1/route", hello],
  ] as const)
    expect([path, (await statusOf(ask(key, path, body))) < 300]).toEqual([path, true]);
  for (const path of ["/v1/video/generations", "/v1/models", "/v1/usage", "/v1/logs"]) await gateway.send(key, "GET", path);
  await ask(key, "/v1/messages/count_tokens", { model: "auto", ...hello });
  expect(await statusOf(ask(key))).toBe(200);
  expect(await statusOf(ask(key))).toBe(429);
});

test("a repeated request counts once, also on a route that counts itself", async () => {
  const key = await requests(2);
  for (const [path, body] of [
    ["/v1/chat", hello],
    ["/v1/images/generations", { prompt: "a fox" }],
  ] as const)
    for (let times = 0; times < 3; times++)
      expect([path, await statusOf(ask(key, path, body, { "idempotency-key": `same ${path}` }))]).toEqual([path, 200]);
  expect(await statusOf(ask(key))).toBe(429);
});

test("what the key's limit refuses does not count towards the project's, nor the other way round; the headers show the tighter", async () => {
  const key = await requests(50, "tight", "free");
  for (let times = 0; times < 50; times++) await statusOf(ask(key, "/v1/route"));
  for (let times = 0; times < 20; times++) expect(await statusOf(ask(key, "/v1/route"))).toBe(429);
  const other = await requests(15, "tight", "free");
  const last = await ask(other, "/v1/route");
  expect(["limit", "remaining"].map((name) => last.headers.get(`x-ratelimit-${name}`))).toEqual(["60", "9"]);
  for (let times = 0; times < 9; times++) expect(await statusOf(ask(other))).toBe(200);
  expect(((await (await ask(other)).json()) as any).error.message).toContain("60 a minute for chat");
  const { key: told } = (await (await gateway.send(other, "GET", "/v1/usage")).json()) as any;
  expect(told.limits.requests_per_minute).toMatchObject({ limit: 15, used: 10, remaining: 5 });
  const drawing = await requests(15, "drawing", "free");
  const statuses: number[] = [];
  for (let times = 0; times < 8; times++)
    statuses.push(await statusOf(ask(drawing, "/v1/images/generations", { prompt: "a fox" }, { "idempotency-key": `${times}` })));
  expect(statuses).toEqual([...Array(5).fill(200), ...Array(3).fill(429)]);
  const after = (await (await gateway.send(drawing, "GET", "/v1/usage")).json()) as any;
  expect(after.key.limits.requests_per_minute.used).toBe(5);
});

test("tokens: what was used in the last minute counts, and a call under way may exceed it", async () => {
  const key = await gateway.key({ terms: { tokensPerMinute: 1_000 } });
  const usage = { input: 500, cacheRead: 0, cacheWrite: 0, output: 499, reasoning: 0 };
  expect(await statusOf(ask(key, "/v1/route"))).toBe(200);
  await record(gateway, key, { usage, startedAtMs: gateway.clock.now() });
  gateway.clock.advance(20_000);
  // 999 are used: there is room for one call of any size.
  expect(await statusOf(ask(key))).toBe(200);
  const refused = await ask(key);
  expect(((await refused.json()) as any).error).toMatchObject({
    type: "rate_limit_exceeded",
    message: "This key's own limit of 1000 a minute for tokens is used up.",
    retry_after: 40,
  });
  const { key: told } = (await (await gateway.send(key, "GET", "/v1/usage")).json()) as any;
  expect(told.limits).toMatchObject({ requests_per_minute: null, tokens_per_minute: { limit: 1000, remaining: 0 } });
  expect(told.limits.tokens_per_minute.used).toBeGreaterThan(1000);
  expect(Date.parse(told.limits.tokens_per_minute.resets_at)).toBe(gateway.clock.now() + 40_000);
  gateway.clock.advance(40_000);
  expect(await statusOf(ask(key))).toBe(200);
  const full = await gateway.key({ terms: { tokensPerMinute: 999 } });
  await record(gateway, full, { usage, startedAtMs: gateway.clock.now() });
  expect(await statusOf(ask(full))).toBe(429);
});

test("a call that shares its commit with work that fails has used its tokens once, one that fails none", async () => {
  const key = await gateway.key({ terms: { tokensPerMinute: 1_000 } });
  const used = async () =>
    ((await (await gateway.send(key, "GET", "/v1/usage")).json()) as any).key.limits.tokens_per_minute.used;
  expect(await used()).toBe(0);
  const { db } = gateway.platform;
  const recorded = record(gateway, key, {});
  const failing = db.write(() => {
    throw new Error("failing");
  });
  await expect(failing).rejects.toThrow("failing");
  await recorded;
  expect(await used()).toBe(150);
  const makeRoom = gateway.fillDisk();
  await expect(record(gateway, key, {})).rejects.toThrow("disk full");
  makeRoom();
  expect(await used()).toBe(150);
});

test("limits that are set, changed and taken away hold at once, for what was used before too", async () => {
  const key = await gateway.key();
  const { accounts, db } = gateway.platform;
  const change = async (terms: Parameters<typeof changeKey>[3]) => {
    await changeKey(db, byCommand(gateway.clock.now()), key.id, terms);
    accounts.forget();
  };
  for (let times = 0; times < 3; times++) await statusOf(ask(key));
  await change({ requestsPerMinute: 4, tokensPerMinute: 1_000_000 });
  expect([await statusOf(ask(key)), await statusOf(ask(key))]).toEqual([200, 429]);
  await change({ requestsPerMinute: 6 });
  expect([await statusOf(ask(key)), await statusOf(ask(key)), await statusOf(ask(key))]).toEqual([200, 200, 429]);
  await change({ requestsPerMinute: null, tokensPerMinute: 10 });
  expect(await statusOf(ask(key))).toBe(429);
  await change({ tokensPerMinute: null });
  expect(await statusOf(ask(key))).toBe(200);
});

test("a restart forgets neither requests nor tokens, whether it was a stop or a crash", async () => {
  const folder = newFolder();
  let own: Gateway = await startGateway({ folder });
  const at = own.clock.now();
  own.clock.stop(at);
  const busy = await own.key({ terms: { requestsPerMinute: 3 } });
  const wordy = await own.key({ terms: { tokensPerMinute: 10 } });
  const slow = await own.key({ terms: { tokensPerMinute: 200 } });
  const used = { ...noUsage(), input: 50, output: 100 };
  await record(
    own,
    slow,
    { startedAtMs: at - 600_000, completedAtMs: at, usage: { ...used, output: 90 } },
    { startedAtMs: at - 51_000, completedAtMs: at - 50_000, usage: used },
  );
  await record(own, busy, { kind: "embedding", route: "/v1/documents", startedAtMs: at });
  const send = async (key: TestKey, path = "/v1/chat") => {
    const response = await own.send(key, "POST", path, hello);
    await response.arrayBuffer();
    return response.status;
  };
  expect([await send(busy), await send(busy, "/v1/route"), await send(wordy)]).toEqual([200, 200, 200]);
  await own.stop();
  own = await startGateway({ folder });
  own.clock.stop(at + 1_000);
  expect([await send(busy), await send(busy), await send(wordy)]).toEqual([200, 429, 429]);
  // Between two restarts nobody may have asked.
  for (let restarts = 0; restarts < 2; restarts++) {
    await own.stop();
    own = await startGateway({ folder });
    own.clock.stop(at + 1_500);
  }
  expect(await send(busy)).toBe(429);
  await own.stop();
  // As after a crash: the ledger has the calls, but nothing was stored at the stop.
  const database = new Database(join(folder, "signalbox.db"));
  database.run("DELETE FROM settings WHERE name = 'limits.last_minute'");
  database.close();
  own = await startGateway({ folder });
  own.clock.stop(at + 2_000);
  // The decision without a call left no row, and the batches of a document are no requests.
  expect([await send(busy), await send(busy)]).toEqual([200, 429]);
  expect([await send(wordy), await send(slow)]).toEqual([429, 429]);
  own.clock.advance(8_000);
  expect(await send(slow)).toBe(200);
  own.clock.advance(50_000);
  expect(await send(wordy)).toBe(200);
  // The first of its requests is a minute old.
  expect([await send(busy), await send(busy)]).toEqual([200, 429]);
  await own.stop();
});
