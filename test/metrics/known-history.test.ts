/** What the metrics say of a history that is known call by call. */

import { describe, expect, test } from "bun:test";
import { type Attempt, type Call, FAILURE_MODES, type FailureMode } from "../../src/logs/call.ts";
import { mitigate } from "../../src/metrics/mitigate.ts";
import { NOON, startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, knownAttempt, record } from "../support/known-call.ts";
import { HOUR, history } from "./known-history.ts";

const gateway = await gatewayOfFile();
gateway.clock.stop(NOON);
const key = await gateway.key({ project: "history", settings: { qualityCost: 0.25 } });
await record(gateway, key, ...history());
const get = (path: string) => getJson(gateway, key, path);

/** 6 × 10,000,000 + 5 × 2,000,000 + 1 + 40,000,000 nano-dollars. */
const WEEK_COST = 0.110000001;
const WEEK_LATENCY = 5 * 1_000 + 2_000 + 5 * 500 + 1_000 + 1_000 + 4_000;

describe("overview of a known history", () => {
  test("has every figure, to the nano-dollar", async () => {
    const answer = await get("/v1/metrics/overview");
    expect(answer.period).toEqual({ start_date: "2026-11-14", end_date: "2026-11-20", days: 7 });
    expect(answer.summary).toEqual({
      total_calls: 14,
      total_cost_usd: WEEK_COST,
      avg_cost_per_call: WEEK_COST / 14,
      avg_latency_ms: WEEK_LATENCY / 14,
      success_rate: 13 / 14,
      cache_hits: 0,
      cache_saved_usd: 0,
    });
    // Routed: 13 chat calls less the pinned one. Held: 5 gpt-4o at once, 3 haiku, 1 mini.
    expect(answer.routing).toEqual({ accuracy: 9 / 12, fallback_rate: 1 / 14, retry_rate: 1 / 14 });
    expect(answer.models).toEqual({
      "gpt-4o": { calls: 7, percentage: 50, avg_cost: 0.06 / 7, avg_latency_ms: 8_000 / 7 },
      "claude-haiku-4-5": { calls: 5, percentage: (100 * 5) / 14, avg_cost: 0.002, avg_latency_ms: 500 },
      "gpt-4o-mini": { calls: 1, percentage: 100 / 14, avg_cost: 0.000000001, avg_latency_ms: 1_000 },
      "image-a-3": { calls: 1, percentage: 100 / 14, avg_cost: 0.04, avg_latency_ms: 4_000 },
    });
    expect(answer.task_distribution).toEqual({ code: 11 / 13, writing: 2 / 13 });
  });

  test("agrees with the ledger", async () => {
    const ledger = gateway.platform.db.get<{ calls: number; cost: number; tokens: number }>(
      "SELECT count(*) AS calls, sum(cost_nano_usd) AS cost, sum(total_tokens) AS tokens FROM calls WHERE project_id = ?",
      key.project.id,
    )!;
    const { usage } = await get("/v1/metrics/customer?days=90");
    expect(usage.total_calls).toBe(ledger.calls);
    expect(Math.round(usage.total_cost_usd * 1e9)).toBe(ledger.cost);
    expect(usage.total_tokens).toBe(ledger.tokens);
  });
});

describe("customer metrics of a known history", () => {
  test("hold the bill, the habits and the comparison with gpt-4o", async () => {
    const answer = await get("/v1/metrics/customer");
    expect(answer.account_id).toBe(key.project.id);
    expect(answer.period).toEqual({ start_date: "2026-10-22", end_date: "2026-11-20", days: 30 });
    expect(answer.usage).toEqual({
      total_calls: 16,
      total_tokens: 13 * 1_200 + 1,
      total_cost_usd: 0.116000001,
      avg_calls_per_day: 16 / 30,
    });
    // Of November's 30 days 19.5 are over.
    expect(answer.cost_analysis).toMatchObject({
      current_month: 0.116000001,
      previous_month: 0,
      change_percentage: null,
      projected_month_end: expect.closeTo((0.116000001 * 30) / 19.5, 9),
    });
    // 13,001 tokens in at 2.50 USD and 2,600 out at 10 USD a million; the image is not part of it.
    expect(answer.cost_analysis.vs_gpt4o_only).toEqual({
      cost_if_gpt4o: 0.0585025,
      savings_usd: -0.017497501,
      savings_percentage: (100 * -17_497_501) / 58_502_500,
    });
    expect(answer.quality_preferences).toEqual({
      cost_vs_quality_ratio: 0.25,
      latency_sensitivity: 1 / 16,
      preferred_models: ["gpt-4o", "claude-haiku-4-5", "gpt-4o-mini"],
    });
    expect(answer.task_profile).toEqual({
      dominant_tasks: ["code", "writing"],
      complexity_avg: 0.546667,
      task_overrides: { code: "claude-haiku-4-5" },
    });
    expect(answer.behavior_insights).toEqual({
      // 12:00 has the calls of 1, 3, 4, 4 and 5 days ago; 10:00 and 11:00 have three each.
      peak_hours: [12, 10, 11],
      avg_conversation_length: (13 * 3 + 2) / 15,
      retry_rate: 1 / 16,
      cost_ceiling_hit_rate: 1 / 16,
    });
  });

  test("name no model that was pinned and never answered", async () => {
    const other = await gateway.key({ project: "pinned" });
    const pinned = (model: string | undefined): Partial<Call> => ({
      startedAtMs: NOON - HOUR,
      taskType: "code",
      pinned: true,
      model: model as never,
      ...(model === undefined && { status: 503 }),
    });
    const overrides = async () => (await getJson(gateway, other, "/v1/metrics/customer")).task_profile.task_overrides;
    await record(gateway, other, pinned(undefined), pinned(undefined));
    expect(await overrides()).toEqual({});
    await record(gateway, other, pinned("gpt-4o"));
    expect(await overrides()).toEqual({ code: "gpt-4o" });
  });

  test("compare with the month before", async () => {
    const other = await gateway.key({ project: "two months" });
    await record(
      gateway,
      other,
      { startedAtMs: Date.UTC(2026, 9, 5), costNanoUsd: 4_000_000 },
      { startedAtMs: Date.UTC(2026, 10, 5), costNanoUsd: 1_000_000 },
      { startedAtMs: Date.UTC(2026, 8, 30), costNanoUsd: 9_000_000 },
    );
    const { cost_analysis } = await getJson(gateway, other, "/v1/metrics/customer");
    expect(cost_analysis).toMatchObject({ current_month: 0.001, previous_month: 0.004, change_percentage: -75 });
  });
});

describe("performance of a known history", () => {
  test("names the model that is as good and cheaper, and what it would have saved", async () => {
    const answer = await get("/v1/metrics/performance");
    expect(answer.by_task_type.code).toMatchObject({
      total_calls: 11,
      optimal_model: "claude-haiku-4-5",
      models: {
        "gpt-4o": { calls: 6, success_rate: 1, avg_cost_usd: 0.01, avg_latency_ms: 7_000 / 6, quality_score: 0.9 },
        "claude-haiku-4-5": { calls: 5, success_rate: 1, avg_cost_usd: 0.002, avg_latency_ms: 500, quality_score: 0.88 },
      },
    });
    expect(answer.by_task_type.code.optimal_reason).toContain("gpt-4o, 0.9 over 6 calls");
    expect(answer.by_task_type.writing).toMatchObject({ total_calls: 2, optimal_model: null });
    expect(answer.by_task_type.writing.models["gpt-4o"]).toEqual({
      calls: 1,
      success_rate: 0,
      avg_cost_usd: 0,
      avg_latency_ms: 1_000,
      quality_score: null,
    });
    expect(answer.recommendations).toHaveLength(1);
    expect(answer.recommendations[0]).toMatchObject({
      task_type: "code",
      current_model: "gpt-4o",
      recommended_model: "claude-haiku-4-5",
      potential_savings_usd: 0.048,
      quality_improvement: -0.02,
    });
  });

  test("goes by the calls that have a quality score", async () => {
    const other = await gateway.key({ project: "few judged" });
    const call = (n: number, qualityScore: number | undefined): Partial<Call> => ({
      startedAtMs: NOON - n * HOUR,
      taskType: "code",
      qualityScore: qualityScore as never,
    });
    await record(gateway, other, ...[0.9, 0.9, 0.9, 0.9, undefined].map((score, n) => call(n, score)));
    const optimal = async () => (await getJson(gateway, other, "/v1/metrics/performance")).by_task_type.code.optimal_model;
    expect(await optimal()).toBeNull();
    await record(gateway, other, call(6, 0.9));
    expect(await optimal()).toBe("gpt-4o");
  });

  test("can be asked for one task", async () => {
    expect(Object.keys((await get("/v1/metrics/performance?task_type=writing")).by_task_type)).toEqual(["writing"]);
  });
});

describe("failures of a known history", () => {
  test("are told apart by what mended them", async () => {
    const answer = await get("/v1/metrics/failures");
    expect(answer.summary).toEqual({
      total_failures: 3,
      failure_rate: 3 / 14,
      retries_succeeded: 1,
      fallback_succeeded: 1,
      unrecoverable: 1,
    });
    expect(Object.keys(answer.by_failure_mode)).toEqual([
      "format_violation",
      "refusal",
      "hallucination",
      "incomplete",
      "reasoning_error",
    ]);
    expect(answer.by_failure_mode.refusal).toMatchObject({ count: 2, percentage: (100 * 2) / 3, affected_models: ["gpt-4o"] });
    expect(answer.by_failure_mode.refusal.common_triggers).toEqual(["code tasks", "streamed"]);
    expect(answer.by_failure_mode.hallucination).toEqual({ count: 0, percentage: 0, affected_models: [], common_triggers: [] });
    // Tried in seven calls of its own and in the one that haiku mended.
    expect(answer.by_model["gpt-4o"]).toEqual({
      total_calls: 8,
      failures: 3,
      failure_rate: 3 / 8,
      top_failure_modes: ["refusal"],
    });
    expect(answer.by_model["claude-haiku-4-5"]).toEqual({ total_calls: 5, failures: 0, failure_rate: 0, top_failure_modes: [] });
    expect(answer.mitigation_recommendations).toEqual([]);
  });

  test("count a call once for a model that several providers were asked for", async () => {
    const other = await gateway.key({ project: "several providers" });
    const failed = (number: number, provider: string) =>
      knownAttempt({ number, provider, model: "image-c-dev", success: false, failure: "server", purpose: "fallback" });
    await record(gateway, other, {
      startedAtMs: NOON - HOUR,
      status: 503,
      attempts: [failed(1, "bfl"), failed(2, "replicate"), failed(3, "fal")],
    });
    const { by_model } = await getJson(gateway, other, "/v1/metrics/failures");
    expect(by_model["image-c-dev"]).toMatchObject({ total_calls: 1, failures: 1, failure_rate: 1 });
    const { providers } = await getJson(gateway, other, "/v1/metrics/providers");
    for (const name of ["bfl", "replicate", "fal"]) expect(providers[name]).toMatchObject({ total_attempts: 1, error_rate: 1 });
  });

  test("bring advice that counts what it would have changed", async () => {
    const other = await gateway.key({ project: "refused" });
    const refused = (n: number): Partial<Call> => ({
      startedAtMs: NOON - n * 1_000,
      attempts: [knownAttempt({ success: false, failure: "refusal" })],
      validationPassed: false,
      failureMode: "refusal",
    });
    const fine = (n: number): Partial<Call> => ({
      startedAtMs: NOON - n * 1_000,
      model: "claude-haiku-4-5",
      provider: "anthropic",
      attempts: [knownAttempt({ model: "claude-haiku-4-5", provider: "anthropic" })],
    });
    await record(
      gateway,
      other,
      ...Array.from({ length: 10 }, (_, n) => refused(n)),
      ...Array.from({ length: 30 }, (_, n) => fine(n)),
    );
    const { mitigation_recommendations: advice, summary } = await getJson(gateway, other, "/v1/metrics/failures");
    expect(summary).toMatchObject({ total_failures: 10, unrecoverable: 10 });
    expect(advice).toHaveLength(1);
    expect(advice[0].issue).toBe("10 of 40 calls had refusals, most of them by gpt-4o (10 of the 10 calls that tried it).");
    expect(advice[0].expected_improvement).toBe(
      "At the rate of claude-haiku-4-5 (0 % of 30 calls) instead of gpt-4o's 100 %, about 10 of 10 would not have occurred.",
    );
  });
});

test("advice on what a judge found, which no attempt's own checks did, says how much it is worth at most; the most frequent first", () => {
  const none = Object.fromEntries(FAILURE_MODES.map((mode) => [mode, 0])) as Record<FailureMode, number>;
  const calls = { ...none, calls: 40, failures: 0, hallucination: 4, reasoning_error: 6 };
  const advice = mitigate(calls, [{ ...none, model: "gpt-4o", calls: 40, attempts: 40, errors: 0 }]);
  expect(advice.map(({ issue, expected_improvement }) => [issue, expected_improvement])).toEqual([
    ["6 of 40 calls had answers the judge found wrong.", "Up to 6 of 40 calls (15 %)."],
    ["4 of 40 calls had answers the judge found unsupported.", "Up to 4 of 40 calls (10 %)."],
  ]);
});

describe("providers of a known history", () => {
  test("are judged by the hour, against the hours before", async () => {
    const other = await gateway.key({ project: "providers" });
    const call = (hoursAgo: number, changes: Partial<Attempt>): Partial<Call> => ({
      startedAtMs: NOON - hoursAgo * HOUR,
      ...(changes.success === false && { status: 503 }),
      attempts: [knownAttempt(changes)],
    });
    await record(
      gateway,
      other,
      ...Array.from({ length: 16 }, () => call(0, { latencyMs: 100 })),
      ...Array.from({ length: 4 }, () => call(1, { latencyMs: 900 })),
      ...Array.from({ length: 3 }, () => call(2, { success: false, failure: "server" })),
      call(2, { success: false, failure: "rate_limit" }),
      call(3, { success: false, failure: "timeout" }),
      call(3, { success: false, failure: "timeout" }),
      call(3, { success: false, failure: "timeout" }),
      call(5, { success: false, failure: "bad_request" }),
      ...Array.from({ length: 20 }, () => call(30, { latencyMs: 130 })),
    );
    const answer = await getJson(gateway, other, "/v1/metrics/providers");
    expect(answer.period).toEqual({
      start_time: "2026-11-19T12:00:00.000Z",
      end_time: "2026-11-20T12:00:00.000Z",
      hours: 24,
    });
    const { openai } = answer.providers;
    expect(openai).toMatchObject({
      status: "healthy",
      // Five hours with traffic, down in two of them.
      uptime: 3 / 5,
      avg_latency_ms: (16 * 100 + 4 * 900 + 1_000) / 21,
      error_rate: 7 / 28,
      rate_limit_hits: 1,
      total_attempts: 28,
      incidents: [{ started_at: "2026-11-20T09:00:00.000Z", ended_at: "2026-11-20T11:00:00.000Z", attempts: 7, errors: 7 }],
    });
    expect(Math.abs(openai.p95_latency_ms - 900) / 900).toBeLessThan(0.19);
    expect(openai.p99_latency_ms).toBeGreaterThanOrEqual(openai.p95_latency_ms);
    expect(answer.trends.openai).toEqual({
      latency_trend: "increasing",
      error_trend: "increasing",
      vs_previous_period: { latency_change: (6_200 / 21 - 130) / 130, error_change: 0.25 },
    });
    expect(answer.recommendations.map(({ message }: any) => message)).toEqual([
      "25 % of 28 attempts got no answer.",
      "The provider refused 1 of 28 attempts for their rate.",
      "Answers take 295 ms on average, 127.1 % more than in the period before.",
    ]);
  });

  test("that answer a few milliseconds later than before get no advice", async () => {
    const other = await gateway.key({ project: "nearby providers" });
    const calls = (hoursAgo: number, latencyMs: number): Partial<Call>[] =>
      Array.from({ length: 20 }, () => ({ startedAtMs: NOON - hoursAgo * HOUR, attempts: [knownAttempt({ latencyMs })] }));
    await record(gateway, other, ...calls(0, 90), ...calls(30, 40));
    const { providers, recommendations } = await getJson(gateway, other, "/v1/metrics/providers");
    expect([providers.openai.avg_latency_ms, recommendations]).toEqual([90, []]);
  });
});

test("the last hour holds what happened in it, also where it began in the hour before", async () => {
  const late = await startGateway({ startsAtMs: NOON + 5 * 60_000 });
  try {
    const other = await late.key({ project: "the last hour" });
    const minutesAgo = (minutes: number): Partial<Call> => ({ startedAtMs: NOON + 5 * 60_000 - minutes * 60_000 });
    await record(late, other, minutesAgo(1), minutesAgo(50), minutesAgo(130));
    const answer = await getJson(late, other, "/v1/metrics/providers?hours=1");
    expect(answer.period).toMatchObject({ start_time: "2026-11-20T11:00:00.000Z", hours: 1 });
    expect(answer.providers.openai).toMatchObject({ total_attempts: 2, uptime: 1 });
    expect(answer.trends.openai.vs_previous_period.error_change).toBe(0);
  } finally {
    await late.stop();
  }
});

describe("daily metrics of a known history", () => {
  test("have every day of the period", async () => {
    const answer = await get("/v1/metrics/daily?days=12");
    expect(answer.period).toEqual({ start_date: "2026-11-09", end_date: "2026-11-20" });
    expect(answer.daily_data.map(({ date }: any) => date)).toEqual(
      [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map((day) => `2026-11-${String(day).padStart(2, "0")}`),
    );
    expect(answer.daily_data.map(({ total_calls }: any) => total_calls)).toEqual([0, 2, 0, 0, 0, 0, 1, 2, 1, 4, 1, 5]);
    expect(answer.daily_data[7]).toEqual({
      date: "2026-11-16",
      total_calls: 2,
      total_cost_usd: 0.000000001,
      avg_latency_ms: 1_000,
      success_rate: 0.5,
      model_distribution: { "gpt-4o-mini": 1, "gpt-4o": 1 },
      task_distribution: { writing: 2 },
    });
    expect(answer.daily_data[0]).toMatchObject({
      total_calls: 0,
      total_cost_usd: 0,
      avg_latency_ms: null,
      success_rate: null,
      model_distribution: {},
    });
    expect(answer.trends).toEqual({
      calls_trend: "increasing",
      cost_trend: "increasing",
      quality_trend: "stable",
      // 2→0, 1→2, 2→1, 1→4, 4→1; today is not over.
      avg_daily_growth: (-1 + 1 - 0.5 + 3 - 0.75) / 5,
    });
  });
});
