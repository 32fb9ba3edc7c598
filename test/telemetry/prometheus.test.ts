import { expect, test } from "bun:test";
import { createCounter, createHistogram } from "../../src/telemetry/instruments.ts";
import { createMatcher } from "../../src/telemetry/observe-requests.ts";
import { toPrometheusText } from "../../src/telemetry/prometheus-text.ts";
import { startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { record } from "../support/known-call.ts";

const gateway = await gatewayOfFile({ environment: { SIGNALBOX_METRICS_TOKEN: "a-secret-token" } });

const scrape = async (headers: Record<string, string> = {}) => {
  const response = await gateway.send(null, "GET", "/metrics", undefined, headers);
  return { status: response.status, text: await response.text(), type: response.headers.get("content-type") };
};

test("tells of requests by route, of calls, of the gateway's own time, and of its state", async () => {
  const key = await gateway.key({ project: "scraped" });
  await record(gateway, key, {
    startedAtMs: gateway.clock.now(),
    completedAtMs: gateway.clock.now() + 1_000,
    upstreamMs: 996,
    attempts: [],
  });
  await gateway.send(key, "GET", "/v1/logs/call_nothing");
  await gateway.send(key, "GET", "/v1/logs");
  await gateway.send(key, "GET", "/no/such/path");
  const { status, text, type } = await scrape();
  expect(status).toBe(200);
  expect(type).toContain("version=0.0.4");
  expect(text).toContain('signalbox_requests_total{method="GET",route="/v1/logs/:call_id",status="404"} 1\n');
  expect(text).toContain('signalbox_requests_total{method="GET",route="/v1/logs",status="200"} 1\n');
  expect(text).toContain('signalbox_requests_total{method="GET",route="unknown",status="404"} 1\n');
  expect(text).toContain(
    'signalbox_calls_total{kind="chat",mode="test",provider="openai",model="gpt-4o",status="success",error_type=""} 1\n',
  );
  expect(text).toMatch(/signalbox_overhead_seconds_bucket\{kind="chat",le="0.002"\} 0\n/);
  expect(text).toMatch(/signalbox_overhead_seconds_bucket\{kind="chat",le="0.01"\} 1\n/);
  expect(text).toContain('signalbox_overhead_seconds_count{kind="chat"} 1\n');
  for (const name of [
    "signalbox_breaker_state",
    "signalbox_jobs_waiting",
    "signalbox_job_lag_seconds",
    "signalbox_streams_open",
    "signalbox_wal_bytes",
  ]) {
    expect(text).toContain(`# TYPE ${name} gauge\n`);
  }
  expect(text).not.toContain(key.text);
  expect(text).not.toContain("signal boxes");
});

test("opens to the metrics token, and to this machine unless a proxy passed the request on", async () => {
  expect((await scrape({ authorization: "Bearer a-secret-token" })).status).toBe(200);
  expect((await scrape({ authorization: "Bearer another" })).status).toBe(401);
  const fromProxies = {
    "x-forwarded-for": "203.0.113.5",
    "x-real-ip": "203.0.113.5",
    via: "1.1 proxy",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "gateway.example.com",
    forwarded: "for=203.0.113.5",
  };
  for (const [name, value] of Object.entries(fromProxies))
    expect([name, (await scrape({ [name]: value })).status]).toEqual([name, 401]);
  expect((await scrape({ "x-forwarded-for": "203.0.113.5", authorization: "Bearer a-secret-token" })).status).toBe(200);
});

test("is closed to a page whose name was pointed at this machine", async () => {
  expect((await scrape({ host: "rebound.example:8484" })).status).toBe(401);
  expect((await scrape({ host: "localhost:8484" })).status).toBe(200);
  expect((await scrape({ host: "rebound.example:8484", authorization: "Bearer a-secret-token" })).status).toBe(200);
});

test("an open stream is counted while it holds its place", async () => {
  const { project } = await gateway.key({ project: "streams" });
  const free = gateway.platform.limits.occupy({ project, mode: "test" }, "streams");
  expect((await scrape()).text).toContain("signalbox_streams_open 1\n");
  free();
  expect((await scrape()).text).toContain("signalbox_streams_open 0\n");
});

test("a job waits from when it fell due until somebody works on it", async () => {
  const now = gateway.clock.now();
  const insert = (kind: string, runAt: number, leaseUntil: number | null) =>
    gateway.platform.db.write((sql) =>
      sql.run(
        "INSERT INTO jobs (id, kind, payload, run_at, lease_until, created_at) VALUES (?, ?, '{}', ?, ?, 0)",
        crypto.randomUUID(),
        kind,
        runAt,
        leaseUntil,
      ),
    );
  await insert("under-way", now - 60_000, now + 60_000);
  await insert("later", now + 60_000, null);
  await insert("overdue", now - 60_000, null);
  await insert("overdue", now - 30_000, null);
  gateway.platform.background.handle("none-yet", { maxAttempts: 1, run: async () => {}, exhausted: async () => {} });
  const { text } = await scrape();
  const lag = (kind: string) => Number(new RegExp(`signalbox_job_lag_seconds\\{kind="${kind}"\\} (\\S+)`).exec(text)![1]);
  expect([lag("under-way"), lag("later")]).toEqual([0, 0]);
  expect(lag("overdue")).toBeGreaterThanOrEqual(60);
  expect(text).toContain('signalbox_jobs_waiting{kind="overdue"} 2\n');
  expect(text).toContain('signalbox_jobs_waiting{kind="none-yet"} 0\n');
  expect(lag("none-yet")).toBe(0);
});

test("histograms are cumulative and label values escaped", () => {
  const histogram = createHistogram({ name: "h", help: "H.", bounds: [1, 2] });
  for (const value of [0.5, 1, 1.5, 9]) histogram.record({ of: 'a"b\\c\nd' }, value);
  expect(toPrometheusText([histogram], [])).toBe(
    [
      "# HELP h H.",
      "# TYPE h histogram",
      'h_bucket{of="a\\"b\\\\c\\nd",le="1"} 2',
      'h_bucket{of="a\\"b\\\\c\\nd",le="2"} 3',
      'h_bucket{of="a\\"b\\\\c\\nd",le="+Inf"} 4',
      'h_sum{of="a\\"b\\\\c\\nd"} 12',
      'h_count{of="a\\"b\\\\c\\nd"} 4',
      "",
    ].join("\n"),
  );
});

test("labels that never end do not fill the memory", () => {
  const counter = createCounter({ name: "c", help: "C." });
  for (let n = 0; n < 5_000; n++) counter.add({ model: `m${n}` });
  expect(counter.points().length).toBeLessThanOrEqual(2_001);
  expect(counter.points().reduce((sum, { value }) => sum + value, 0)).toBe(5_000);
});

test("a path is told by its route", () => {
  const match = createMatcher(["/v1/logs", "/v1/logs/summary", "/v1/logs/:call_id", "/v1/logs/user/:user_id", "/assets/*"]);
  expect(["/v1/logs", "/v1/logs/summary", "/v1/logs/x", "/v1/logs/user/x", "/assets/a/b", "/v2"].map(match)).toEqual([
    "/v1/logs",
    "/v1/logs/summary",
    "/v1/logs/:call_id",
    "/v1/logs/user/:user_id",
    "/assets/*",
    "unknown",
  ]);
});

test("at debug level the process log has a line for each request: which, not what", async () => {
  const chatty = await startGateway({ environment: { LOG_LEVEL: "debug" } });
  const lines: object[] = [];
  chatty.platform.log.debug = (message, fields) => void lines.push({ message, ...fields });
  const answer = await chatty.send(await chatty.key(), "GET", "/v1/logs/call_nothing?user_id=secret");
  expect(lines).toEqual([
    {
      message: "Request",
      request_id: answer.headers.get("x-request-id"),
      method: "GET",
      route: "/v1/logs/:call_id",
      status: 404,
      duration_ms: expect.any(Number),
    },
  ]);
  await chatty.stop();
});
