import { expect, test } from "bun:test";
import { startGateway, type TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, knownCall, record } from "../support/known-call.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "metrics" });

const PATHS = ["overview", "customer", "performance", "failures", "providers", "daily"];

test.each(PATHS)("%s of an empty project holds zeros and nulls, never a text for a missing number", async (path) => {
  const text = await (await gateway.send(key, "GET", `/v1/metrics/${path}`)).text();
  expect(text).not.toContain("NaN");
  expect(text).not.toContain("Infinity");
  const answer = JSON.parse(text);
  expect(answer.period[path === "providers" ? "start_time" : "start_date"]).toMatch(/^\d{4}-\d\d-\d\d/);
  if (path === "overview") {
    expect(answer).toMatchObject({
      summary: { total_calls: 0, total_cost_usd: 0, avg_cost_per_call: null, avg_latency_ms: null, success_rate: null },
      routing: { accuracy: null, fallback_rate: null, retry_rate: null },
      models: {},
      task_distribution: {},
    });
  }
  if (path === "daily") expect(answer.daily_data).toHaveLength(30);
});

test.each([
  ["overview?days=0", "days"],
  ["overview?days=91", "days"],
  ["customer?days=x", "days"],
  ["daily?days=1.5", "days"],
  ["failures?days=-1", "days"],
  ["providers?hours=0", "hours"],
  ["providers?hours=169", "hours"],
  ["performance?task_type=cooking", "task_type"],
  ["overview?mode=none", "mode"],
])("%s is refused and %s named", async (path, param) => {
  const response = await gateway.send(key, "GET", `/v1/metrics/${path}`);
  expect(response.status).toBe(400);
  expect(((await response.json()) as any).error).toMatchObject({ type: "invalid_request", param });
});

test("each project and mode has metrics of its own", async () => {
  const now = gateway.clock.now();
  const one = await gateway.key({ project: "one" });
  const other = await gateway.key({ project: "other", mode: "live" });
  await record(gateway, one, { startedAtMs: now }, { startedAtMs: now, mode: "live" }, { startedAtMs: now, mode: "live" });
  const calls = async (as: TestKey, mode = "") => (await getJson(gateway, as, `/v1/metrics/overview${mode}`)).summary.total_calls;
  expect([
    await calls(one),
    await calls(one, "?mode=live"),
    await calls(one, "?mode=all"),
    await calls(other, "?mode=all"),
  ]).toEqual([1, 2, 3, 0]);
});

test("answers given again cost nothing, and make no model cheaper or better than it is", async () => {
  const own = await gateway.key({ project: "again" });
  const asked = { taskType: "code", model: "gpt-4o", costNanoUsd: 2_000_000, qualityScore: 0.5 };
  const reused = { callId: "call_of_before", savedNanoUsd: 2_000_000 };
  const again = { ...asked, costNanoUsd: 0, attempts: [], reused };
  await record(gateway, own, asked, again, again, { ...again, taskType: "writing" });
  const { summary } = await getJson(gateway, own, "/v1/metrics/overview");
  expect(summary).toMatchObject({ total_calls: 4, total_cost_usd: 0.002, cache_hits: 3, cache_saved_usd: 0.006 });
  const { code, writing } = (await getJson(gateway, own, "/v1/metrics/performance")).by_task_type;
  expect([code.total_calls, code.models["gpt-4o"]]).toMatchObject([3, { calls: 1, avg_cost_usd: 0.002, quality_score: 0.5 }]);
  expect([code.optimal_model, writing.total_calls, writing.models]).toEqual([null, 1, {}]);
});

test("live metrics list configured providers without traffic, with their state", async () => {
  const configured = await startGateway({ environment: { OPENAI_API_KEY: "sk-x", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" } });
  try {
    const live = await configured.key({ mode: "live" });
    const { providers } = await getJson(configured, live, "/v1/metrics/providers");
    expect(providers.openai).toMatchObject({
      status: "healthy",
      uptime: null,
      avg_latency_ms: null,
      error_rate: 0,
      rate_limit_hits: 0,
      incidents: [],
    });
  } finally {
    await configured.stop();
  }
});

test("what took no time counts as the shortest, not as nothing", async () => {
  const quick = await gateway.key({ project: "quick" });
  const [attempt] = knownCall(quick).attempts;
  const startedAtMs = gateway.clock.now();
  await record(gateway, quick, { startedAtMs, attempts: [{ ...attempt!, latencyMs: 0 }] });
  const { openai } = (await getJson(gateway, quick, "/v1/metrics/providers")).providers;
  expect(openai).toMatchObject({ total_attempts: 1, avg_latency_ms: 0, p95_latency_ms: 1 });
});

test("the tier's limit of requests a minute holds and is told", async () => {
  const free = await gateway.key({ project: "limited", tier: "free" });
  const statuses: number[] = [];
  for (let n = 0; n < 11; n++) statuses.push((await gateway.send(free, "GET", "/v1/metrics/overview")).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});
