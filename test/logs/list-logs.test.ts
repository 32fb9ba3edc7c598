import { beforeAll, describe, expect, test } from "bun:test";
import type { Attempt } from "../../src/logs/call.ts";
import { allCalls } from "../../src/logs/list/filter.ts";
import type { readPage } from "../../src/logs/list/read-page.ts";
import type { PageOrder } from "../../src/logs/segments/rank-calls.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, knownAttempt, record } from "../support/known-call.ts";

const HOUR = 3_600_000;
const ids = (page: any): string[] => page.logs.map((entry: any) => entry.call_id);
const get = (path: string, as = key) => getJson(gateway, as, path);

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "listed" });
const attempt = (purpose: Attempt["purpose"]): Attempt => knownAttempt({ purpose });
beforeAll(async () => {
  const now = gateway.clock.now();
  await record(
    gateway,
    key,
    {
      id: "call_a",
      startedAtMs: now - 1 * HOUR,
      costNanoUsd: 5_000_000,
      userId: "ann",
      taskType: "code",
      attempts: [attempt("first"), attempt("retry")],
    },
    {
      id: "call_b",
      startedAtMs: now - 2 * HOUR,
      costNanoUsd: 1_000_000,
      model: "gpt-4o-mini",
      status: 503,
      errorType: "service_unavailable",
      validationPassed: false,
      attempts: [attempt("first"), attempt("retry"), attempt("fallback")],
    },
    {
      id: "call_c",
      startedAtMs: now - 30 * HOUR,
      costNanoUsd: 9_000_000,
      userId: "bob",
      sessionId: "morning",
      completedAtMs: now - 30 * HOUR + 9_000,
      reused: { callId: "call_old", savedNanoUsd: 0 },
    },
    {
      id: "call_d",
      kind: "transcription",
      startedAtMs: now - 60 * HOUR,
      costNanoUsd: 2_000_000,
      sessionId: "morning",
      keyId: "key_other",
      usage: { input: 9_000, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 },
    },
    { id: "call_old", startedAtMs: now - 8 * 24 * HOUR },
    { id: "call_live", startedAtMs: now - 3 * HOUR, mode: "live" },
  );
});

describe("GET /v1/logs", () => {
  test("lists the last seven days of the key's own mode, newest first", async () => {
    const page = await get("/v1/logs");
    expect(ids(page)).toEqual(["call_a", "call_b", "call_c", "call_d"]);
    expect(page).toMatchObject({ total: 4, limit: 50, offset: 0, pagination: { has_more: false, next_offset: null } });
  });

  test("says what all calls that fit cost, where it is asked to", async () => {
    expect(await get("/v1/logs?limit=1&total_cost=true")).toMatchObject({ total: 4, total_cost_usd: 0.017 });
    expect(await get("/v1/logs?user_id=ann&total_cost=true")).toMatchObject({ total: 1, total_cost_usd: 0.005 });
    expect(await get("/v1/logs")).not.toHaveProperty("total_cost_usd");
  });

  test("shows every mode when asked to", async () => {
    expect(ids(await get("/v1/logs?mode=all"))).toEqual(["call_a", "call_b", "call_live", "call_c", "call_d"]);
    expect(ids(await get("/v1/logs?mode=live"))).toEqual(["call_live"]);
  });

  test("goes on where the page before ended", async () => {
    const first = await get("/v1/logs?limit=3");
    expect(first.pagination).toEqual({ has_more: true, next_offset: 3 });
    const second = await get("/v1/logs?limit=3&offset=3");
    expect(ids(second)).toEqual(["call_d"]);
    expect(second.pagination).toEqual({ has_more: false, next_offset: null });
    expect((await get("/v1/logs?offset=100")).total).toBe(4);
  });

  test.each([
    ["task_type=code", ["call_a"]],
    ["model=gpt-4o-mini", ["call_b"]],
    ["min_cost=0.002", ["call_a", "call_c", "call_d"]],
    ["max_cost=0.002", ["call_b", "call_d"]],
    ["min_cost=0.002&max_cost=0.005", ["call_a", "call_d"]],
    ["success_only=true", ["call_a", "call_c", "call_d"]],
    ["failed_only=true", ["call_b"]],
    ["user_id=bob", ["call_c"]],
    ["session_id=morning", ["call_c", "call_d"]],
    ["session_id=evening", []],
    ["min_retry_count=1", ["call_a", "call_b"]],
    ["min_retry_count=2", []],
    ["fallback_used=true", ["call_b"]],
    ["fallback_used=false&min_retry_count=1", ["call_a"]],
    ["fallback_used=false", ["call_a", "call_c", "call_d"]],
    ["cache_hit=true", ["call_c"]],
    ["cache_hit=false&failed_only=true", ["call_b"]],
    ["kind=transcription", ["call_d"]],
    ["kind=chat&task_type=code", ["call_a"]],
    ["kind=moderation", []],
    ["key_id=key_other", ["call_d"]],
    ["user_id=bob&mode=all&model=gpt-4o", ["call_c"]],
    ["model=nothing", []],
    ["sort_by=cost", ["call_c", "call_a", "call_d", "call_b"]],
    ["sort_by=cost&sort_order=asc", ["call_b", "call_d", "call_a", "call_c"]],
    ["sort_by=latency&limit=1", ["call_c"]],
    ["sort_by=tokens&limit=1", ["call_d"]],
    ["sort_by=timestamp&sort_order=asc&limit=1", ["call_d"]],
  ])("with %s lists %j", async (query, expected) => {
    const page = await get(`/v1/logs?${query}`);
    expect(ids(page)).toEqual(expected);
    if (!query.includes("limit")) expect(page.total).toBe(expected.length);
  });

  test("searches prompts, answers and metadata for a text, whatever its case, within the other filters", async () => {
    const searcher = await gateway.key({ project: "searched" });
    const now = gateway.clock.now();
    const texts = [
      { promptText: "Where is order ÄB-17?", outputText: "On its way." },
      { promptText: "And the other one?", outputText: "Order äb-17 has arrived.", model: "gpt-4o-mini" },
      { promptText: '100% of "quotes"_', outputText: "Yes." },
    ];
    const others = Array.from({ length: 600 }, (_, n) => ({ promptText: `Question ${n}`, outputText: "No order." }));
    await record(
      gateway,
      searcher,
      ...[...others, ...texts].map((call, n) => ({
        id: `call_s${n}`,
        startedAtMs: now - 700_000 + n,
        costNanoUsd: 1_000_000,
        ...(n === 7 && { custom: { tenant: "ACME Ltd" } }),
        ...call,
      })),
    );
    const search = (query: string) => get(`/v1/logs?${query}`, searcher);
    const both = await search(`search=${encodeURIComponent("äB-17")}&total_cost=true`);
    expect(ids(both)).toEqual(["call_s601", "call_s600"]);
    expect(both).toMatchObject({ total: 2, total_cost_usd: 0.002, search: { searched: 603, of: 603 } });
    expect(ids(await search(`search=${encodeURIComponent("ÄB-17")}&model=gpt-4o-mini`))).toEqual(["call_s601"]);
    expect(ids(await search(`search=${encodeURIComponent('% of "quotes"_')}`))).toEqual(["call_s602"]);
    expect(ids(await search("search=question+5&sort_order=asc&limit=2"))).toEqual(["call_s5", "call_s50"]);
    const rest = await search("search=question+5&sort_order=asc&limit=2&offset=110");
    expect(ids(rest)).toEqual(["call_s599"]);
    expect(rest).toMatchObject({ total: 111, pagination: { has_more: false, next_offset: null } });
    expect(ids(await search("search=acme"))).toEqual(["call_s7"]);
    expect(await search("search=nowhere")).toMatchObject({ total: 0, logs: [] });
    expect(await get(`/v1/logs?search=${encodeURIComponent("äb-17")}&mode=all`)).toMatchObject({ total: 0 });
  });

  test("finds a text in either case in any script, also a part of a word and one with its accents set apart", async () => {
    const searcher = await gateway.key({ project: "searched-in-scripts" });
    const texts = ["ΟΔΥΣΣΕΑΣ", "Große Straße", "Привет, МИР", "cafe\u0301"];
    const startedAtMs = gateway.clock.now() - 1000;
    await record(
      gateway,
      searcher,
      ...texts.map((promptText, n) => ({ id: `call_script${n}`, startedAtMs: startedAtMs + n, promptText })),
    );
    const foundBy = async (text: string) => ids(await get(`/v1/logs?search=${encodeURIComponent(text)}`, searcher));
    for (const part of ["ΟΔΥΣ", "οδυσ", "οδυς", "Οδυσσεας"]) expect(await foundBy(part)).toEqual(["call_script0"]);
    for (const part of ["GROSSE STRASSE", "große"]) expect(await foundBy(part)).toEqual(["call_script1"]);
    expect(await foundBy("ПРИВЕТ, мир")).toEqual(["call_script2"]);
    for (const part of ["CAFÉ", "café", "cafe\u0301"]) expect(await foundBy(part)).toEqual(["call_script3"]);
  });

  test("counts over whole days and their edges as it lists them", async () => {
    const now = gateway.clock.now();
    for (const hours of [200, 65, 61, 40, 29, 3]) {
      const start = new Date(now - hours * HOUR).toISOString();
      const page = await get(`/v1/logs?start_date=${start}`);
      expect(page.total).toBe(page.logs.length);
      const closed = await get(`/v1/logs?start_date=${start}&end_date=${new Date(now - 1.5 * HOUR).toISOString()}`);
      expect(closed.total).toBe(closed.logs.length);
    }
  });

  test("a long page holds every call once, in order, also when it goes out in pieces", async () => {
    const long = await gateway.key({ project: "long", tier: "enterprise" });
    const now = gateway.clock.now();
    await record(gateway, long, ...Array.from({ length: 350 }, (_, n) => ({ startedAtMs: now - n * 1_000 })));
    const page = await get("/v1/logs?limit=340", long);
    const rest = await get("/v1/logs?limit=340&offset=340", long);
    expect(page).toMatchObject({ total: 350, limit: 340, offset: 0, pagination: { has_more: true, next_offset: 340 } });
    expect(rest.pagination).toEqual({ has_more: false, next_offset: null });
    const times = [...page.logs, ...rest.logs].map(({ timestamp }: any) => timestamp);
    expect(times).toEqual(Array.from({ length: 350 }, (_, n) => new Date(now - n * 1_000).toISOString()));
  });

  test("text_limit leaves the beginning of each text, on every piece of a page, and their whole lengths", async () => {
    const wordy = await gateway.key({ project: "wordy", tier: "enterprise" });
    const texts = { promptText: "🚂🚂🚂🚂 leaves", outputText: "At noon." };
    await record(gateway, wordy, ...Array.from({ length: 120 }, () => ({ startedAtMs: gateway.clock.now(), ...texts })));
    const { logs } = await get("/v1/logs?limit=200&text_limit=5", wordy);
    expect(logs.length).toBe(120);
    for (const { prompt, output } of logs) {
      expect([prompt.text, output.text]).toEqual(["🚂🚂\ufffd", "At no"]);
      expect([prompt.length, output.length]).toEqual([texts.promptText.length, texts.outputText.length]);
    }
    expect((await get("/v1/logs?limit=1", wordy)).logs[0].prompt.text).toBe(texts.promptText);
    expect((await get("/v1/logs?limit=1&text_limit=0", wordy)).logs[0].output.text).toBe("");
  });

  test("begins seven days before an end that is given alone", async () => {
    const before = (hours: number) => new Date(gateway.clock.now() - hours * HOUR).toISOString();
    expect(ids(await get(`/v1/logs?end_date=${before(2.5)}`))).toEqual(["call_c", "call_d"]);
    expect(ids(await get(`/v1/logs?end_date=${before(7 * 24)}`))).toEqual(["call_old"]);
    expect(ids(await get(`/v1/logs?end_date=${before(9 * 24)}`))).toEqual([]);
  });

  test("takes a plain day as the end of a range to be that whole day", async () => {
    const day = new Date(gateway.clock.now() - 30 * HOUR).toISOString().slice(0, 10);
    expect(ids(await get(`/v1/logs?start_date=${day}&end_date=${day}`))).toContain("call_c");
  });

  test("has the moments in the range that its two dates name, down to one", async () => {
    const [call] = (await get("/v1/logs?limit=1&sort_order=asc")).logs;
    const one = `start_date=${call.timestamp}&end_date=${call.timestamp}`;
    expect(ids(await get(`/v1/logs?${one}`))).toEqual([call.call_id]);
    const { period, summary } = await get(`/v1/logs/summary?${one}`);
    expect(summary.total_calls).toBe(1);
    expect(period).toMatchObject({ start_date: call.timestamp, end_date: call.timestamp });
  });

  test("ends where its end is named, also for calls that lie ahead since the clock was set back", async () => {
    const ahead = await gateway.key({ project: "ahead", tier: "enterprise" });
    const now = gateway.clock.now();
    await record(gateway, ahead, ...[1, 3].map((hours) => ({ id: `call_ahead_${hours}`, startedAtMs: now + hours * HOUR })));
    const until = (hours: number) => `end_date=${new Date(now + hours * HOUR).toISOString()}`;
    expect(ids(await get(`/v1/logs?${until(2)}`, ahead))).toEqual(["call_ahead_1"]);
    expect((await get(`/v1/logs/summary?${until(2)}`, ahead)).summary.total_calls).toBe(1);
    expect(ids(await get("/v1/logs", ahead))).toEqual(["call_ahead_3", "call_ahead_1"]);
  });

  test("reads every usual way to write a time; one without an offset is UTC", async () => {
    const start = new Date(gateway.clock.now() - 61 * HOUR).toISOString().slice(0, 19);
    const expected = ids(await get(`/v1/logs?start_date=${start}Z`));
    for (const written of [start, `${start}.000000`, `${start}%2B0000`, `${start}-00:00`])
      expect(ids(await get(`/v1/logs?start_date=${written}`))).toEqual(expected);
    expect((await get(`/v1/logs?start_date=${start.slice(0, 16)}`)).total).toBeGreaterThanOrEqual(expected.length);
  });

  test("takes a `start_date` ahead of our clock for an empty range: the caller's clock may be", async () => {
    const ahead = new Date(gateway.clock.now() + 3_600_000).toISOString();
    expect((await get(`/v1/logs?start_date=${ahead}`)).total).toBe(0);
    expect((await get(`/v1/logs/summary?start_date=${ahead}`)).period.days).toBe(0);
  });

  test("reads an offset whose plus sign was not escaped", async () => {
    const page = await get("/v1/logs?start_date=2020-01-01T02:00:00+02:00");
    expect(ids(page)).toContain("call_old");
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=-1", "limit"],
    ["limit=1.5", "limit"],
    ["limit=many", "limit"],
    ["offset=-1", "offset"],
    ["start_date=yesterday", "start_date"],
    ["start_date=2026-02-30", "start_date"],
    ["start_date=2026-13-01", "start_date"],
    ["end_date=2026-11-20T25:00:00Z", "end_date"],
    ["end_date=2026-11-20T12", "end_date"],
    ["end_date=1795179516940", "end_date"],
    ["start_date=2026-11-20&end_date=2026-11-18", "start_date"],
    ["min_cost=cheap", "min_cost"],
    ["min_cost=-1", "min_cost"],
    ["min_cost=2&max_cost=1", "min_cost"],
    ["success_only=maybe", "success_only"],
    ["success_only=true&failed_only=true", "failed_only"],
    ["sort_by=price", "sort_by"],
    ["sort_order=up", "sort_order"],
    ["task_type=cooking", "task_type"],
    ["mode=both", "mode"],
  ])("refuses %s and names %s", async (query, param) => {
    const response = await gateway.send(key, "GET", `/v1/logs?${query}`);
    expect(response.status).toBe(400);
    expect(((await response.json()) as any).error).toMatchObject({ type: "invalid_request", param });
  });

  test.each([
    ["free", 5_000, 100],
    ["starter", 5_000, 500],
    ["pro", 5_000, 1_000],
    ["enterprise", 50_000, 10_000],
    ["enterprise", 9_999, 9_999],
  ] as const)("on tier %s clamps a limit of %d to %d and says so", async (tier, asked, given) => {
    const other = await gateway.key({ project: `tier ${tier}`, tier });
    expect((await get(`/v1/logs?limit=${asked}`, other)).limit).toBe(given);
  });

  test("long calls are read in several turns, and the page is one", async () => {
    const long = await gateway.key({ project: "long calls" });
    const startedAtMs = gateway.clock.now() - HOUR;
    const calls = [0, 1, 2, 3, 4].map((number) => ({
      id: `call_long_${number}`,
      startedAtMs: startedAtMs - number,
      promptText: `${number}`.repeat(900_000),
    }));
    await record(gateway, long, ...calls);
    const order = {
      filter: allCalls({ projectId: long.project.id, mode: "test" }),
      sort: { by: "timestamp", order: "desc" },
    };
    const first = await gateway.platform.db.ask<typeof readPage>("readPage", { ...order, limit: 50, offset: 0 } as PageOrder);
    expect([first.total, first.read]).toEqual([5, 3]);
    const page = await get("/v1/logs", long);
    expect(ids(page)).toEqual(calls.map(({ id }) => id));
    expect(page.logs.map((entry: any) => entry.prompt.text[0])).toEqual(["0", "1", "2", "3", "4"]);
  });

  test("shows nothing of another project", async () => {
    const stranger = await gateway.key({ project: "stranger" });
    expect(await get("/v1/logs?mode=all", stranger)).toMatchObject({ total: 0, logs: [] });
    expect((await gateway.send(stranger, "GET", "/v1/logs/call_a")).status).toBe(404);
    expect((await gateway.send(key, "GET", "/v1/logs/call_live")).status).toBe(404);
    expect((await gateway.send(key, "GET", "/v1/logs/call_live?mode=all")).status).toBe(200);
  });

  test("needs a key with the scope", async () => {
    const other = await gateway.key({ scopes: ["chat"] });
    expect((await gateway.send(other, "GET", "/v1/logs")).status).toBe(403);
    expect((await gateway.send(null, "GET", "/v1/logs")).status).toBe(401);
  });
});

describe("GET /v1/logs/summary", () => {
  test("sums the range to the nano-dollar", async () => {
    const summary = await get("/v1/logs/summary");
    expect(summary.period.days).toBe(7);
    expect(summary.summary).toEqual({
      total_calls: 4,
      successful_calls: 3,
      failed_calls: 1,
      success_rate: 0.75,
      total_cost_usd: 0.017,
      avg_cost_per_call: 0.00425,
      total_tokens: 150 * 3 + 9_001,
      avg_latency_ms: (1_000 * 3 + 9_000) / 4,
    });
    expect(summary.by_model).toEqual({
      "gpt-4o": { calls: 3, percentage: 75, total_cost_usd: 0.016, avg_latency_ms: 11_000 / 3 },
      "gpt-4o-mini": { calls: 1, percentage: 25, total_cost_usd: 0.001, avg_latency_ms: 1_000 },
    });
    expect(summary.by_task_type).toEqual({ code: 1, writing: 3 });
    expect(summary.quality_metrics).toEqual({
      avg_quality_score: 0.8,
      validation_pass_rate: 0.75,
      retry_rate: 0.5,
      fallback_rate: 0.25,
    });
  });

  test("counts the calls that the list counts, wherever in a day the range begins and ends", async () => {
    const steady = await gateway.key({ project: "every seven hours" });
    const noon = Math.floor(gateway.clock.now() / (24 * HOUR)) * 24 * HOUR - 12 * HOUR;
    await record(gateway, steady, ...Array.from({ length: 20 }, (_, n) => ({ startedAtMs: noon - n * 7 * HOUR })));
    const moments = [132, 121, 84, 79, 12, 0].map((hours) => new Date(noon - hours * HOUR).toISOString());
    for (const [from, start] of moments.entries())
      for (const end of moments.slice(from + 1)) {
        const range = `start_date=${start}&end_date=${end}`;
        const { total } = await get(`/v1/logs?limit=1&${range}`, steady);
        expect([range, (await get(`/v1/logs/summary?${range}`, steady)).summary.total_calls]).toEqual([range, total]);
      }
  });

  test("of an empty project is zeros and nulls", async () => {
    const empty = await gateway.key({ project: "empty" });
    expect(await get("/v1/logs/summary", empty)).toMatchObject({
      summary: {
        total_calls: 0,
        success_rate: null,
        total_cost_usd: 0,
        avg_cost_per_call: null,
        total_tokens: 0,
        avg_latency_ms: null,
      },
      by_model: {},
      by_task_type: {},
      quality_metrics: { avg_quality_score: null, validation_pass_rate: null, retry_rate: null, fallback_rate: null },
    });
  });
});
