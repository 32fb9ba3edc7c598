/** What limits promise beyond one moment: days and months that survive a restart, places that are freed once, honest words on when to come again. */

import { afterAll, beforeAll, expect, jest, mock, test } from "bun:test";
import { join } from "node:path";
import { ApiError } from "../../src/api-error.ts";
import type { Db } from "../../src/database/database.ts";
import type { Subject } from "../../src/limits/counters.ts";
import { createPeriodCounts } from "../../src/limits/period-counts.ts";
import { type LimitGroup, TIER_LIMITS } from "../../src/limits/tiers.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { type Gateway, NOON, startGateway } from "../support/gateway.ts";

const DAY = 86_400_000;

afterAll(() => gateway.stop());
const newFolder = foldersOfFile();
const folder = newFolder();
const start = async (): Promise<Gateway> => {
  const opened = await startGateway({ folder });
  opened.clock.stop(NOON);
  return opened;
};
let gateway: Gateway;
beforeAll(async () => {
  gateway = await start();
});

const subjectOf = async (name: string, settings: Subject["project"]["settings"] = {}): Promise<Subject> => ({
  project: (await gateway.key({ project: name, tier: "free", settings })).project,
  mode: "test",
});
const refusalOf = (work: () => unknown): ApiError => {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("It was let in.");
};
const figuresOf = ({ options: { retryAfterSeconds, shouldRetry, headers } }: ApiError) => ({
  retryAfterSeconds,
  shouldRetry,
  limit: headers?.["x-ratelimit-limit"],
});

test("what was counted of the day and the month is counted after a restart too, of yesterday it is not", async () => {
  const subject = await subjectOf("restarted", { limits: { images: { perMinute: null } } });
  expect(gateway.platform.limits.admit(subject, "images", 49)).toMatchObject({ limit: 50, remaining: 1 });
  await gateway.stop();
  gateway = await start();
  const { limits } = gateway.platform;
  expect([limits.usage(subject, "images").used, limits.monthlyRequests(subject)]).toEqual([49, 49]);
  limits.admit(subject, "images");
  const refused = figuresOf(refusalOf(() => limits.admit(subject, "images")));
  expect(refused).toMatchObject({ shouldRetry: false, limit: "50" });
  expect(Math.abs(refused.retryAfterSeconds! - DAY / 2000)).toBeLessThan(60);
  gateway.clock.advance(DAY);
  expect(limits.admit(subject, "images")).toMatchObject({ remaining: 49 });
});

test("what a failed commit would have written of the day is written by the next", async () => {
  const subject = await subjectOf("failed", { limits: { images: { perMinute: null } } });
  gateway.clock.stop(NOON);
  const { db, limits } = gateway.platform;
  limits.admit(subject, "images", 7);
  const makeRoom = gateway.fillDisk();
  await expect(db.write(() => {})).rejects.toThrow("disk full");
  makeRoom();
  await gateway.stop();
  gateway = await start();
  expect(gateway.platform.limits.usage(subject, "images").used).toBe(7);
});

test("sixty seconds with a restart in them hold no more than the limit either", async () => {
  const subject = await subjectOf("restarted within a minute");
  gateway.clock.stop(NOON);
  for (let count = 0; count < 29; count++) gateway.platform.limits.admit(subject, "logs");
  await gateway.stop();
  gateway = await start();
  gateway.clock.advance(20_000);
  const { limits } = gateway.platform;
  expect(limits.admit(subject, "logs")).toMatchObject({ limit: 30, remaining: 0 });
  expect(figuresOf(refusalOf(() => limits.admit(subject, "logs")))).toMatchObject({ retryAfterSeconds: 40, limit: "30" });
  gateway.clock.advance(40_000);
  expect(limits.admit(subject, "logs")).toMatchObject({ remaining: 28 });
});

test("of what a stop stored, the last minute counts, and nothing that the ledger has as well counts twice", async () => {
  const key = await gateway.key({ project: "stored", tier: "free", settings: { limits: { chat: { perMinute: 5 } } } });
  const subject: Subject = { project: key.project, mode: "test" };
  for (const atMs of [0, 40_000, 41_000]) {
    gateway.clock.stop(NOON + atMs);
    gateway.platform.limits.admit(subject, "logs");
    await (await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content: "Name a signal." }] })).text();
  }
  gateway.clock.stop(NOON + 70_000);
  await gateway.stop();
  gateway = await start();
  gateway.clock.stop(NOON + 70_000);
  const { limits } = gateway.platform;
  expect(limits.peek(subject, "logs")).toMatchObject({ limit: 30, remaining: 28 });
  expect(limits.peek(subject, "chat")).toMatchObject({ limit: 5, remaining: 3 });
});

test("sixty seconds with a kill in them hold no more than the limit: what was answered is found in the ledger", async () => {
  const copy = newFolder();
  gateway.clock.stop(NOON);
  const key = await gateway.key({ project: "killed", tier: "free", settings: { limits: { embeddings: { perMinute: 4 } } } });
  const messages = [{ role: "user", content: "Name three signals." }];
  const picture = [{ role: "user", content: "Draw a picture of a lighthouse." }];
  const work = [
    ["/v1/chat", { messages }],
    ["/v1/chat/completions", { messages }],
    ["/v1/chat", { messages: picture }],
    ["/v1/images/generations", { model: "image-a-2", prompt: "A lighthouse.", n: 2 }],
    ["/v1/audio/speech", { model: "tts-1", input: "Mind the gap.", voice: "alloy" }],
    ["/v1/tools/search", { query: "lighthouses" }],
    ["/v1/embeddings", { model: "embed-local", input: "A lighthouse." }],
    ["/v1/rerank", { query: "lighthouses", documents: ["A lighthouse."] }],
    ["/v1/moderations", { input: "A lighthouse." }],
  ] as const;
  for (const [path, body] of work) {
    const response = await gateway.send(key, "POST", path, body);
    await response.arrayBuffer();
    expect([path, response.status]).toEqual([path, 200]);
    gateway.clock.advance(1_000);
  }
  // What a kill leaves: all that was committed, and nothing that a stop would write.
  await gateway.platform.db.backup(join(copy, "signalbox.db"));
  await using revived = await startGateway({ folder: copy });
  revived.clock.stop(NOON + 20_000);
  const { limits } = revived.platform;
  const subject: Subject = { project: key.project, mode: "test" };
  const groups = ["chat", "images", "speech", "search", "embeddings"] as const;
  const used = () =>
    groups.map((group) => {
      const { limit, remaining } = limits.peek(subject, group)!;
      return limit - remaining;
    });
  expect(used()).toEqual([3, 3, 1, 1, 3]);
  limits.admit(subject, "embeddings");
  expect(figuresOf(refusalOf(() => limits.admit(subject, "embeddings")))).toMatchObject({
    retryAfterSeconds: 46,
    limit: "4",
  });
  revived.clock.advance(41_000);
  // The first two are a minute old.
  expect(used()).toEqual([1, 3, 1, 1, 4]);
  expect(limits.peek({ ...subject, mode: "live" }, "chat")).toMatchObject({ limit: 60, remaining: 60 });
});

test("the monthly quota is counted always and refuses only where the project says so", async () => {
  const none = { limits: { chat: { perMinute: null, perDay: null }, logs: { perMinute: null, perDay: 5 } } };
  const [told, held] = [await subjectOf("told", none), await subjectOf("held", { ...none, enforceMonthlyQuota: true })];
  const { limits } = gateway.platform;
  for (const subject of [told, held]) limits.admit(subject, "chat", 1_000);
  limits.admit(told, "chat");
  expect(limits.monthlyRequests(told)).toBe(1_001);
  expect(figuresOf(refusalOf(() => limits.admit(held, "chat")))).toMatchObject({ shouldRetry: false, limit: "1000" });
  const nearly = await subjectOf("nearly", { ...none, enforceMonthlyQuota: true });
  limits.admit(nearly, "chat", 998);
  const refusal = refusalOf(() => limits.admit(nearly, "images", 3));
  expect(refusal.message).toBe("The project's quota of 1000 requests a month leaves 2, and this request needs 3.");
  limits.admit(nearly, "images", 2);
  expect(limits.monthlyRequests(nearly)).toBe(1_000);
  // What is no request for work is no part of the quota.
  limits.admit(held, "logs");
  expect(limits.monthlyRequests(held)).toBe(1_000);
});

test("a recording is one request of the month, however long, and is given back with its minutes", async () => {
  const subject = await subjectOf("dictated", { enforceMonthlyQuota: true, limits: { chat: { perMinute: null, perDay: null } } });
  const { limits, clock } = gateway.platform;
  const counted = () => [limits.usage(subject, "transcription").used, limits.monthlyRequests(subject)];
  limits.admit(subject, "transcription", 2.5);
  expect(counted()).toEqual([2.5, 1]);
  limits.admit(subject, "transcription", 1 / 60);
  expect(limits.usage(subject, "transcription")).toMatchObject({ limit: 10, used: 2.517, remaining: 7.483 });
  limits.refund(subject, "transcription", 1 / 60, clock.now());
  limits.refund(subject, "transcription", 2.5, clock.now());
  expect(counted()).toEqual([0, 0]);
  limits.admit(subject, "chat", 1_000);
  expect(figuresOf(refusalOf(() => limits.admit(subject, "transcription", 1)))).toMatchObject({ limit: "1000" });
});

test("a refusal of the minute is worth a client's retry, once the oldest request is a minute old", async () => {
  const subject = await subjectOf("hasty");
  const { limits } = gateway.platform;
  for (let n = 0; n < 5; n++) limits.admit(subject, "images");
  const refused = figuresOf(refusalOf(() => limits.admit(subject, "images")));
  expect(refused).toMatchObject({ shouldRetry: true, limit: "5" });
  gateway.clock.advance(refused.retryAfterSeconds! * 1000);
  expect(limits.admit(subject, "images")).toMatchObject({ limit: 5 });
});

test("who asks for several at once is told when there is room for all of them", async () => {
  const subject = await subjectOf("several");
  const { limits } = gateway.platform;
  limits.admit(subject, "images", 3);
  gateway.clock.advance(30_000);
  limits.admit(subject, "images", 2);
  expect(figuresOf(refusalOf(() => limits.admit(subject, "images", 3))).retryAfterSeconds).toBe(30);
  expect(figuresOf(refusalOf(() => limits.admit(subject, "images", 4))).retryAfterSeconds).toBe(60);
});

test("the headers speak of whichever of minute and day leaves less, and of the minute where they leave the same", async () => {
  const { limits } = gateway.platform;
  const day = await subjectOf("day", { limits: { images: { perMinute: 9, perDay: 3 } } });
  expect(limits.admit(day, "images")).toMatchObject({ limit: 3, remaining: 2 });
  const minute = await subjectOf("minute", { limits: { images: { perMinute: 3, perDay: 9 } } });
  expect(limits.admit(minute, "images")).toMatchObject({ limit: 3, remaining: 2 });
  const both = await subjectOf("both", { limits: { images: { perMinute: 3, perDay: 3 } } });
  const { resetsAtMs } = limits.admit(both, "images")!;
  expect(resetsAtMs - gateway.clock.now()).toBeLessThanOrEqual(61_000);
});

test("an operator's new figure holds from the next request on, for what was counted before it too", async () => {
  const { limits } = gateway.platform;
  const subject = await subjectOf("changed", { limits: { search: { perMinute: 4 } } });
  for (let n = 0; n < 3; n++) limits.admit(subject, "search");
  const narrower = { ...subject, project: { ...subject.project, settings: { limits: { search: { perMinute: 2 } } } } };
  expect(refusalOf(() => limits.admit(narrower, "search")).type).toBe("rate_limit_exceeded");
  const wider = { ...subject, project: { ...subject.project, settings: { limits: { search: { perMinute: 5 } } } } };
  expect(limits.admit(wider, "search")).toMatchObject({ limit: 5, remaining: 1 });
});

test("a place is given back once, however often it is freed, and live and test have their own", async () => {
  const { limits, clock } = gateway.platform;
  const subject = await subjectOf("placed");
  const free = limits.occupy(subject, "streams");
  for (let n = 0; n < 2; n++) limits.occupy(subject, "streams");
  expect(refusalOf(() => limits.occupy(subject, "streams")).options.retryAfterSeconds).toBe(1);
  const now = clock.now();
  const overdue = refusalOf(() => limits.occupy(subject, "streams", now - 60_000)).options;
  expect(overdue.retryAfterSeconds).toBe(1);
  expect(Number(overdue.headers?.["x-ratelimit-reset"]) * 1000).toBeGreaterThanOrEqual(now + 1000);
  limits.occupy({ ...subject, mode: "live" }, "streams");
  expect([limits.usage(subject, "streams").used, limits.occupiedByAll("streams")]).toEqual([3, 4]);
  free();
  free();
  expect(limits.usage(subject, "streams").used).toBe(2);
});

test("live and test are counted apart: of the minute, of the day and of the month", async () => {
  const { limits } = gateway.platform;
  const minute = await subjectOf("minutes apart", { limits: { images: { perMinute: 2, perDay: null } } });
  const day = await subjectOf("days apart", { limits: { images: { perMinute: null, perDay: 2 } } });
  const month = await subjectOf("months apart", {
    limits: { images: { perMinute: null, perDay: null } },
    enforceMonthlyQuota: true,
  });
  for (const [subject, most] of [
    [minute, 2],
    [day, 2],
    [month, 1_000],
  ] as const) {
    limits.admit(subject, "images", most);
    expect(refusalOf(() => limits.admit(subject, "images")).type).toBe("rate_limit_exceeded");
    limits.admit({ ...subject, mode: "live" }, "images", most);
    expect(limits.usage({ ...subject, mode: "live" }, "images").used).toBe(most);
  }
});

test("what makes work for a provider is part of the monthly quota, what looks at one's own things is not", async () => {
  const { limits } = gateway.platform;
  const groups = Object.keys(TIER_LIMITS.enterprise.groups) as LimitGroup[];
  const counted: LimitGroup[] = [];
  for (const group of groups) {
    const project = (await gateway.key({ project: `quota of ${group}`, tier: "enterprise" })).project;
    limits.admit({ project, mode: "test" }, group);
    if (limits.monthlyRequests({ project, mode: "test" }) === 1) counted.push(group);
  }
  expect(counted.sort()).toEqual(["chat", "embeddings", "images", "search", "speech", "transcription", "video"]);
});

test("what no commit carries is written within a second, each time anew", () => {
  const write = mock(async () => {});
  const counts = createPeriodCounts({ onCommit: () => {}, get: () => undefined, write } as unknown as Db);
  jest.useFakeTimers();
  try {
    for (const times of [1, 2]) {
      for (const group of ["video", "images"]) counts.add(`proj_1 test ${group} 2026-11-20`, 1);
      jest.advanceTimersByTime(1_000);
      expect(write).toHaveBeenCalledTimes(times);
    }
  } finally {
    jest.useRealTimers();
  }
});

test("an operator's limit for a day holds in a group that no tier limits by the day", async () => {
  const subject = await subjectOf("documents a day", { limits: { documents: { perDay: 2 } } });
  const { limits } = gateway.platform;
  for (let count = 0; count < 2; count++) limits.admit(subject, "documents");
  expect(refusalOf(() => limits.admit(subject, "documents")).message).toBe("The limit of 2 a day for documents is used up.");
  expect(limits.usage(subject, "documents")).toMatchObject({ limit: 2, used: 2, remaining: 0 });
});
