import { beforeAll, describe, expect, test } from "bun:test";
import { changeKey, changeProject } from "../../src/accounts/store.ts";
import { byCommand } from "../../src/history/author.ts";
import type { LogFields } from "../../src/process-log.ts";
import { NOON, type TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, record } from "../support/known-call.ts";

let key: TestKey;
const DAY = 86_400_000;

const gateway = await gatewayOfFile();
beforeAll(async () => {
  gateway.clock.stop(NOON);
  key = await gateway.key({ project: "used", tier: "pro", budgetUsd: 1 });
  await record(gateway, await gateway.key({ project: "another that is used" }), { startedAtMs: NOON, userId: "ann" });
  await record(
    gateway,
    key,
    { startedAtMs: NOON, userId: "ann" },
    { startedAtMs: NOON - 3_600_000, userId: "ann", costNanoUsd: 2_000_000, model: "claude-haiku-4-5" },
    { startedAtMs: NOON - 5 * DAY, userId: "bob", costNanoUsd: 4_000_000 },
    { startedAtMs: NOON - 25 * DAY },
    { startedAtMs: NOON, mode: "live", costNanoUsd: 8_000_000 },
  );
});

describe("GET /v1/usage", () => {
  test("sums the UTC day and month so far in the key's mode", async () => {
    const usage = await getJson(gateway, key, "/v1/usage");
    expect(usage).toMatchObject({
      project_id: key.project.id,
      tier: "pro",
      mode: "test",
      day: { calls: 2, tokens: 300, cost_usd: 0.003 },
      month: { calls: 3, tokens: 450, cost_usd: 0.007 },
      quota: { limit: 100_000, used: 0, remaining: 100_000, enforced: false, resets_at: "2026-12-01T00:00:00.000Z" },
    });
    // Every call of the key this month counts against its budget, in whatever mode it is booked.
    expect(usage.budget).toMatchObject({ limit_usd: 1, spent_usd: 0.015, remaining_usd: 0.985 });
    expect(await getJson(gateway, key, "/v1/usage?mode=live")).toMatchObject({
      mode: "live",
      day: { calls: 1, cost_usd: 0.008 },
    });
    const unbound = await gateway.key({ project: "used", tier: "pro" });
    expect((await getJson(gateway, unbound, "/v1/usage")).budget).toMatchObject({ limit_usd: null, remaining_usd: null });
  });

  test("tells a key all of its terms", async () => {
    const expiresAtMs = gateway.clock.now() + 86_400_000;
    const scopes = ["metrics" as const];
    const models = ["gpt-4o"];
    const terms = { models, budgetPeriod: "total" as const, requestsPerMinute: 5, tokensPerMinute: 900 };
    const bound = await gateway.key({ project: "with terms", budgetUsd: 2, scopes, expiresAtMs, terms });
    expect((await getJson(gateway, bound, "/v1/usage")).key).toMatchObject({
      ...{ id: bound.id, name: "test", scopes, models },
      budget: { usd: 2, period: "total", used_usd: 0, resets_at: null },
      limits: { requests_per_minute: { limit: 5, remaining: 5 }, tokens_per_minute: { limit: 900, remaining: 900 } },
      expires_at: new Date(expiresAtMs).toISOString(),
    });
  });

  test("tells every limit of the tier and what is left of it", async () => {
    const { limits } = await getJson(gateway, key, "/v1/usage");
    expect(Object.keys(limits).sort()).toEqual(
      [
        "chat",
        "streams",
        "embeddings",
        "images",
        "video",
        "speech",
        "transcription",
        "search",
        "documents",
        "memory",
        "policies",
        "schemas",
        "metrics",
        "logs",
      ].sort(),
    );
    expect(limits.chat).toEqual({ limit: 100_000, used: 0, remaining: 100_000, resets_at: "2026-11-21T00:00:00.000Z" });
    expect(limits.streams).toEqual({ limit: 10, used: 0, remaining: 10, resets_at: null });
    expect(limits.metrics.used).toBeGreaterThan(0);
    expect(limits.metrics.remaining).toBe(60 - limits.metrics.used);
  });

  test("tells what was used where nothing is limited, too", async () => {
    const free = await gateway.key({ project: "without limits", tier: "enterprise" });
    for (const path of ["/v1/documents", "/v1/documents", "/v1/schemas"]) await gateway.send(free, "GET", path);
    const { documents, schemas, memory } = (await getJson(gateway, free, "/v1/usage")).limits;
    expect(documents).toEqual({ limit: null, used: 2, remaining: null, resets_at: "2026-11-21T00:00:00.000Z" });
    expect([schemas.used, memory.used]).toEqual([1, 0]);
  });

  test("tells the limits of the mode that is asked about, and of both together those of the key", async () => {
    const { project } = await gateway.key({ project: "of two modes", tier: "pro" });
    for (const [mode, images] of [
      ["test", 3],
      ["live", 5],
    ] as const)
      gateway.platform.limits.admit({ project, mode }, "images", images);
    const own = await gateway.key({ project: "of two modes" });
    const used = async (query: string) => (await getJson(gateway, own, `/v1/usage${query}`)).limits.images.used;
    expect([await used(""), await used("?mode=live"), await used("?mode=all")]).toEqual([3, 5, 3]);
  });

  test.each([
    [
      "model",
      [
        ["gpt-4o", 2, 0.005],
        ["claude-haiku-4-5", 1, 0.002],
      ],
    ],
    [
      "user",
      [
        ["bob", 1, 0.004],
        ["ann", 2, 0.003],
      ],
    ],
    [
      "day",
      [
        ["2026-11-15", 1, 0.004],
        ["2026-11-20", 2, 0.003],
      ],
    ],
  ] as const)("groups the month by %s", async (by, expected) => {
    const { groups } = await getJson(gateway, key, `/v1/usage?group_by=${by}`);
    expect(groups.map((group: any) => [group[by], group.calls, group.cost_usd])).toEqual(expected.map((row) => [...row]));
  });

  test("groups the month by key", async () => {
    const { groups } = await getJson(gateway, key, "/v1/usage?group_by=key&mode=all");
    expect(groups).toEqual([{ key: key.id, calls: 4, tokens: 600, cost_usd: 0.015 }]);
  });

  test("sums and groups an earlier month, while the day, the quota and the budget are today's", async () => {
    const now = await getJson(gateway, key, "/v1/usage?group_by=user");
    const october = await getJson(gateway, key, "/v1/usage?group_by=day&month=2026-10");
    expect(october).toMatchObject({ month: { calls: 1, tokens: 150 }, groups: [{ day: "2026-10-26", calls: 1 }] });
    expect(october).toMatchObject({ day: now.day, quota: now.quota, budget: now.budget });
    expect((await getJson(gateway, key, "/v1/usage?group_by=key&month=2026-10")).groups).toMatchObject([
      { key: key.id, calls: 1 },
    ]);
    expect(await getJson(gateway, key, "/v1/usage?group_by=user&month=2026-11")).toMatchObject({
      ...{ month: now.month, groups: now.groups },
    });
    expect(await getJson(gateway, key, "/v1/usage?group_by=model&month=1999-12")).toMatchObject({
      ...{ month: { calls: 0, cost_usd: 0 }, groups: [] },
    });
    for (const month of ["2026-13", "November", "2026-10-01"]) {
      const refused = await gateway.send(key, "GET", `/v1/usage?month=${month}`);
      expect([month, refused.status, ((await refused.json()) as any).error.param]).toEqual([month, 400, "month"]);
    }
  });

  test("refuses an unknown grouping", async () => {
    const response = await gateway.send(key, "GET", "/v1/usage?group_by=colour");
    expect(response.status).toBe(400);
    expect(((await response.json()) as any).error.param).toBe("group_by");
  });
});

test("the process log tells when a key passes 80 % and all of its budget, once each", async () => {
  const said: [string, LogFields | undefined][] = [];
  const { log } = gateway.platform;
  const warn = log.warn;
  log.warn = (message, fields) => void said.push([message, fields]);
  try {
    const spender = await gateway.key({ project: "spender", budgetUsd: 0.01 });
    const askForFree = () => gateway.send(spender, "POST", "/v1/embeddings", { model: "embed-local", input: "free" });
    await (await askForFree()).arrayBuffer();
    for (let n = 0; n < 12; n++) await record(gateway, spender, { startedAtMs: gateway.clock.now(), costNanoUsd: 1_000_000 });
    expect(said.map(([message]) => message)).toEqual(["A key has used 80 % of its budget", "A key's budget is used up"]);
    expect(said[0]![1]).toMatchObject({ key_id: spender.id, spent_usd: 0.008, budget_usd: 0.01 });

    // Once a request has come under changed terms, these count.
    await changeKey(gateway.platform.db, byCommand(gateway.clock.now()), spender.id, { budgetNanoUsd: 20_000_000 });
    gateway.platform.accounts.forget();
    await (await askForFree()).arrayBuffer();
    for (let n = 0; n < 5; n++) await record(gateway, spender, { startedAtMs: gateway.clock.now(), costNanoUsd: 1_000_000 });
    expect(said.slice(2).map(([message, fields]) => [message, fields?.["budget_usd"]])).toEqual([
      ["A key has used 80 % of its budget", 0.02],
    ]);

    const settings = {
      budget: { nanoUsd: 10_000_000, period: "month" },
      userBudget: { nanoUsd: 5_000_000, period: "day" },
    } as const;
    const shared = await gateway.key({ project: "sharing", settings });
    await (await gateway.send(shared, "POST", "/v1/embeddings", { model: "embed-local", input: "free" })).arrayBuffer();
    said.length = 0;
    for (let n = 0; n < 8; n++)
      await record(gateway, shared, { startedAtMs: gateway.clock.now(), costNanoUsd: 1_000_000, userId: "ada" });
    expect(said).toEqual([
      [
        "A project has used 80 % of its budget",
        { project_id: shared.project.id, mode: "test", spent_usd: 0.008, budget_usd: 0.01, budget_period: "month" },
      ],
    ]);
  } finally {
    log.warn = warn;
  }
});

test("the process log tells that a budget refused a call, once for each amount, and nothing of users", async () => {
  const said: string[] = [];
  const { log, db, accounts } = gateway.platform;
  const warn = log.warn;
  log.warn = (message, fields) => {
    said.push(message);
    expect(fields).toMatchObject({ mode: "test" });
  };
  const draw = async (asking: TestKey, user?: string) => {
    const response = await gateway.send(asking, "POST", "/v1/images/generations", { prompt: "a fox", user });
    expect([response.status, await response.text()]).toEqual([429, expect.stringContaining("budget_exceeded")]);
  };
  const budget = (nanoUsd: number) => ({ nanoUsd, period: "month" }) as const;
  try {
    const shared = await gateway.key({ project: "short of money", settings: { budget: budget(10_000_000) } });
    await draw(shared);
    await draw(shared);
    expect(said).toEqual(["A call was refused because a project's budget does not cover it"]);
    await changeProject(db, byCommand(gateway.clock.now()), shared.project.id, () => ({
      settings: { budget: budget(11_000_000) },
    }));
    accounts.forget();
    await draw(shared);
    await draw(shared);
    expect(said.length).toBe(2);
    await draw(await gateway.key({ project: "users alone", settings: { userBudget: budget(1) } }), "ada");
    // A budget of nothing is meant to refuse.
    await draw(await gateway.key({ project: "closed", budgetUsd: 0 }));
    expect(said.length).toBe(2);
  } finally {
    log.warn = warn;
  }
});
