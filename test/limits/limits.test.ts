/** What limits say when they refuse, what they give back, and what they report. */

import { expect, test } from "bun:test";
import type { LimitGroup } from "../../src/limits/tiers.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson } from "../support/known-call.ts";

const gateway = await gatewayOfFile();

const DAY = 86_400_000;
const subjectOf = (key: TestKey) => ({ project: key.project, mode: "test" as const });
const usedOf = (key: TestKey, group: LimitGroup) => gateway.platform.limits.usage(subjectOf(key), group).used;

test("a request that is larger than the limit is told so, and no client tries it again", async () => {
  const key = await gateway.key({ project: "large", tier: "free" });
  const response = await gateway.send(key, "POST", "/v1/images/generations", {
    prompt: "a fox",
    model: "image-a-2",
    size: "256x256",
    n: 10,
  });
  expect([response.status, response.headers.get("x-should-retry"), response.headers.get("x-ratelimit-remaining")]).toEqual([
    429,
    "false",
    "5",
  ]);
  expect(((await response.json()) as any).error.message).toBe(
    "The limit of 5 a minute for images leaves 5, and this request needs 10.",
  );
  expect(usedOf(key, "images")).toBe(0);
});

test("what is counted once its size is known is told with what it leaves", async () => {
  const key = await gateway.key({ project: "told", tier: "starter" });
  for (const [group, path, body] of [
    ["images", "/v1/images/generations", { prompt: "a fox", model: "image-a-2", n: 2 }],
    ["video", "/v1/video/generations", { prompt: "a fox" }],
  ] as const) {
    const response = await gateway.send(key, "POST", path, body);
    await response.arrayBuffer();
    const { remaining } = gateway.platform.limits.peek(subjectOf(key), group)!;
    expect([group, response.ok, response.headers.get("x-ratelimit-remaining")]).toEqual([group, true, String(remaining)]);
  }
});

test("a day's minutes of audio hold exactly that many seconds, and what is left of them is told", async () => {
  const key = await gateway.key({ project: "minutes", tier: "free" });
  const { limits } = gateway.platform;
  const take = (seconds: number) => limits.admit(subjectOf(key), "transcription", seconds / 60);
  for (let second = 0; second < 480; second++) take(1);
  expect(() => take(300)).toThrow("The limit of 10 minutes a day for transcription leaves 2, and this request needs 5.");
  for (let second = 480; second < 600; second++) take(1);
  for (const seconds of [1, 0.01, 0.001])
    expect(() => take(seconds)).toThrow("The limit of 10 minutes a day for transcription is used up.");
});

test("what was taken before midnight and given back after it is yesterday's", async () => {
  const key = await gateway.key({ project: "midnight", tier: "free" });
  const { limits } = gateway.platform;
  const takenAt = gateway.clock.now();
  limits.admit(subjectOf(key), "images", 3);
  gateway.clock.advance(DAY - (takenAt % DAY) + 1_000);
  limits.admit(subjectOf(key), "images", 2);
  limits.refund(subjectOf(key), "images", 3, takenAt);
  expect(usedOf(key, "images")).toBe(2);
});

test("more cannot be given back than was taken: a day never holds more than its limit", async () => {
  const key = await gateway.key({
    project: "generous",
    tier: "free",
    settings: { limits: { images: { perMinute: null, perDay: 2 } } },
  });
  const { limits } = gateway.platform;
  limits.refund(subjectOf(key), "images", 5, gateway.clock.now());
  limits.admit(subjectOf(key), "images", 2);
  expect(() => limits.admit(subjectOf(key), "images")).toThrow();
});

test("a figure that nothing counts for the group, stored before it was refused, is not shown as its limit", async () => {
  const settings = { limits: { transcription: { perMinute: 1 }, streams: { perDay: 1 } } };
  const key = await gateway.key({ project: "uncounted", tier: "free", settings });
  const { limits } = gateway.platform;
  expect(limits.peek(subjectOf(key), "transcription")?.limit).toBe(10);
  expect(limits.usage(subjectOf(key), "streams").limit).toBe(3);
});

test("a clock that is set back holds nobody up for longer than a minute", async () => {
  const key = await gateway.key({ project: "set back", tier: "free" });
  const { limits } = gateway.platform;
  limits.admit(subjectOf(key), "images", 5);
  gateway.clock.advance(-3_600_000);
  expect(() => limits.admit(subjectOf(key), "images")).toThrow("is used up");
  gateway.clock.advance(60_000);
  limits.admit(subjectOf(key), "images", 5);
});

test("where streams have no limit, those that are open are still told", async () => {
  const key = await gateway.key({ project: "open" });
  const free = gateway.platform.limits.occupy(subjectOf(key), "streams");
  const { limits } = await getJson(gateway, key, "/v1/usage");
  expect(limits.streams).toEqual({ limit: null, used: 1, remaining: null, resets_at: null });
  free();
  expect(usedOf(key, "streams")).toBe(0);
});

test("a call's count is in the file before its answer is sent; what no call carries is written when asked for", async () => {
  const key = await gateway.key({ project: "counted", tier: "pro" });
  const { db, background, limits } = gateway.platform;
  const stored = () =>
    db.get<{ used: number }>(
      "SELECT used FROM limit_counters WHERE project_id = ? AND limit_group = 'chat' AND length(period) = 10",
      key.project.id,
    )?.used;
  await background.idle();
  await limits.flush();
  const messages = [{ role: "user", content: "[[sandbox:slow=20]] Name three signals." }];
  expect((await gateway.send(key, "POST", "/v1/chat", { messages })).status).toBe(200);
  expect(stored()).toBe(1);

  expect((await gateway.send(key, "POST", "/v1/chat", {})).status).toBe(400);
  await limits.flush();
  expect(stored()).toBe(2);
});

test("a stream too many is no request of the minute or the day", async () => {
  const key = await gateway.key({ project: "streams at once", tier: "free" });
  const { limits } = gateway.platform;
  const places = [1, 2, 3].map(() => limits.occupy(subjectOf(key), "streams"));
  const asked = { messages: [{ role: "user", content: "Hello." }] };
  const left = async (path: string, body: object) => {
    const response = await gateway.send(key, "POST", path, body);
    await response.arrayBuffer();
    return [response.status, response.headers.get("x-ratelimit-remaining")];
  };
  expect(await left("/v1/chat", asked)).toEqual([200, "59"]);
  for (const [path, body] of [
    ["/v1/chat/stream", asked],
    ["/v1/chat/completions", { ...asked, stream: true }],
    ["/v1/messages", { ...asked, model: "auto", max_tokens: 10, stream: true }],
  ] as const) {
    expect(await left(path, body)).toEqual([429, "0"]);
  }
  expect(usedOf(key, "chat")).toBe(1);
  expect(await left("/v1/chat", asked)).toEqual([200, "58"]);
  for (const free of places) free();
  expect(await left("/v1/chat/stream", asked)).toEqual([200, "57"]);
});
