import { afterAll, beforeEach, expect, test } from "bun:test";
import { childOf } from "../../src/lib/trace-context.ts";
import { createOtlpExporter } from "../../src/telemetry/otlp-exporter.ts";
import { toOtlpTraces } from "../../src/telemetry/otlp-json.ts";
import { spansOf } from "../../src/telemetry/spans-of-call.ts";
import { startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { knownCall, record } from "../support/known-call.ts";

type Received = { path: string; headers: Headers; body: any };
let received: Received[] = [];
let answer = 200;

const collector = Bun.serve({
  port: 0,
  fetch: async (request) => {
    received.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.json() });
    return new Response("{}", { status: answer });
  },
});
const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "traced" });
afterAll(() => collector.stop(true));
beforeEach(() => {
  received = [];
  answer = 200;
});

const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const newExporter = (log = silentLog, port = collector.port) =>
  createOtlpExporter(
    {
      endpoint: `http://127.0.0.1:${port}/`,
      headers: "x-team=a%20b,x-share=50%,broken",
      serviceName: "tested",
      resourceAttributes: "deployment.environment.name=staging%2C eu,service.name=hidden",
    },
    [],
    { now: () => 5 },
    log,
  );
const attributesOf = (span: any): Record<string, any> =>
  Object.fromEntries(span.attributes.map(({ key, value }: any) => [key, Object.values(value)[0]]));

test("a call becomes a server span and a client span for each attempt, under the caller's trace", async () => {
  const trace = childOf("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  const call = knownCall(key, { startedAtMs: 1_000_000, completedAtMs: 1_001_000, trace, sessionId: "s-1" });
  const exporter = newExporter();
  exporter.addSpans(spansOf(call));
  await exporter.close();
  const [{ path, headers, body }] = received as [Received];
  expect(path).toBe("/v1/traces");
  expect([headers.get("x-team"), headers.get("x-share")]).toEqual(["a b", "50%"]);
  const [server, client] = body.resourceSpans[0].scopeSpans[0].spans;
  expect(server).toMatchObject({
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: "00f067aa0ba902b7",
    name: "POST /v1/chat",
    kind: 2,
    startTimeUnixNano: "1000000000000",
    endTimeUnixNano: "1001000000000",
    status: {},
  });
  expect(attributesOf(server)).toMatchObject({
    "http.response.status_code": "200",
    "signalbox.call_id": call.id,
    "gen_ai.conversation.id": "s-1",
  });
  expect(client).toMatchObject({ traceId: trace.traceId, parentSpanId: trace.spanId, name: "chat gpt-4o", kind: 3 });
  expect(attributesOf(client)).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-4o",
    "gen_ai.conversation.id": "s-1",
  });
  expect(JSON.stringify(body)).not.toContain("signal boxes");
  expect(attributesOf(body.resourceSpans[0].resource)).toMatchObject({
    "service.name": "tested",
    "deployment.environment.name": "staging, eu",
  });
});

test("the server's span is an error where the server failed, not where the caller did", () => {
  const errorOf = (status: number, errorType?: string) =>
    spansOf(knownCall(key, { status, ...(errorType && { errorType }) }))[0]!.error;
  expect([errorOf(200), errorOf(404, "not_found"), errorOf(503, "service_unavailable"), errorOf(500)]).toEqual([
    undefined,
    undefined,
    "service_unavailable",
    "500",
  ]);
  expect(spansOf(knownCall(key))[0]!.parentSpanId).toBeUndefined();
});

test("a call's tokens and cost stand under the conventions' names once, with its attempts", () => {
  const call = knownCall(key);
  const usage = { input: 10, cacheRead: 80, cacheWrite: 5, output: 7, reasoning: 3 };
  const spans = spansOf({ ...call, usage, attempts: [{ ...call.attempts[0]!, usage, costNanoUsd: 2_000_000 }] });
  const [server, client] = spans.map(({ attributes }) => attributes);
  expect(Object.keys(server!).filter((name) => name.startsWith("gen_ai."))).toEqual(["gen_ai.conversation.id"]);
  expect(server).toMatchObject({ "signalbox.input_tokens": 95, "signalbox.output_tokens": 10 });
  expect(client).toMatchObject({
    "gen_ai.usage.input_tokens": 95,
    "gen_ai.usage.cache_read.input_tokens": 80,
    "gen_ai.usage.cache_creation.input_tokens": 5,
    "gen_ai.usage.output_tokens": 10,
    "gen_ai.usage.cost": 0.002,
  });
});

test("providers have the conventions' names, and a cost is a fraction also where it is whole", async () => {
  const call = knownCall(key, { costNanoUsd: 0 });
  const attempts = ["xai", "google"].map((provider) => ({ ...call.attempts[0]!, provider, costNanoUsd: 0 }));
  const [server, ...clients] = toOtlpTraces(spansOf({ ...call, attempts }), {}).resourceSpans[0]!.scopeSpans[0]!.spans;
  expect(clients.map((client) => attributesOf(client)["gen_ai.provider.name"])).toEqual(["x_ai", "gcp.gemini"]);
  const costOf = ({ attributes }: NonNullable<typeof server>, name: string) => attributes.find(({ key }) => key === name)?.value;
  expect(costOf(server!, "signalbox.cost_usd")).toEqual({ doubleValue: 0 });
  expect(costOf(clients[0]!, "gen_ai.usage.cost")).toEqual({ doubleValue: 0 });
});

test("a collector that fails is told of once, its spans are kept and sent again when it is back", async () => {
  const said: string[] = [];
  const exporter = newExporter({
    ...silentLog,
    warn: (text: string) => void said.push(text),
    info: (text: string) => void said.push(text),
  } as never);
  answer = 503;
  exporter.addSpans(spansOf(knownCall(key)));
  await exporter.flush();
  await exporter.flush();
  answer = 200;
  received = [];
  await exporter.flush();
  expect(received).toHaveLength(1);
  expect(received[0]!.body.resourceSpans[0].scopeSpans[0].spans).toHaveLength(2);
  expect(said).toEqual(["The OpenTelemetry collector does not take data", "The OpenTelemetry collector takes data again"]);
  await exporter.close();
});

test("a collector that takes traces only is told of once", async () => {
  const said: unknown[] = [];
  const tracesOnly = Bun.serve({
    port: 0,
    fetch: (request) => new Response("{}", { status: request.url.endsWith("/v1/traces") ? 200 : 404 }),
  });
  const log = { ...silentLog, warn: (_: string, about: unknown) => void said.push(about), info: () => void said.push("info") };
  const exporter = newExporter(log as never, tracesOnly.port);
  for (let minute = 0; minute < 2; minute++) {
    exporter.addSpans(spansOf(knownCall(key)));
    await exporter.flush();
    // Sends the metrics too.
    await exporter.close();
  }
  expect(said).toEqual([{ path: "/v1/metrics", reason: "status 404" }]);
  await tracesOnly.stop(true);
});

test("what waits is bounded", async () => {
  answer = 503;
  const exporter = newExporter();
  for (let n = 0; n < 3_000; n++) exporter.addSpans(spansOf(knownCall(key)));
  await exporter.flush();
  answer = 200;
  received = [];
  await exporter.flush();
  const sent = received.reduce((sum, { body }) => sum + body.resourceSpans[0].scopeSpans[0].spans.length, 0);
  expect(sent).toBe(2_048);
  await exporter.close();
});

test("a gateway with a collector sends spans and metrics at the latest when it stops", async () => {
  const observed = await startGateway({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
      OTEL_SERVICE_NAME: "gateway-west",
      OTEL_RESOURCE_ATTRIBUTES: "cloud.region=west",
    },
  });
  const caller = await observed.key();
  await record(
    observed,
    caller,
    { startedAtMs: observed.clock.now() },
    { startedAtMs: observed.clock.now(), trace: { ...childOf(null), sampled: false } },
  );
  await observed.stop();
  const spans = received
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans);
  expect(spans.map(({ name }: any) => name)).toEqual(["POST /v1/chat", "chat gpt-4o"]);
  const metrics = received.find(({ path }) => path === "/v1/metrics")!.body.resourceMetrics[0].scopeMetrics[0].metrics;
  for (const { body } of received)
    expect(attributesOf((body.resourceSpans ?? body.resourceMetrics)[0].resource)).toMatchObject({
      "service.name": "gateway-west",
      "cloud.region": "west",
    });
  const tokens = metrics.find(({ name }: any) => name === "gen_ai.client.token.usage");
  expect(tokens.unit).toBe("{token}");
  expect(tokens.histogram.dataPoints).toHaveLength(2);
  expect(tokens.histogram.dataPoints[0]).toMatchObject({ count: "2", sum: 200 });
  // What the conventions require of both GenAI metrics.
  for (const name of ["gen_ai.client.token.usage", "gen_ai.client.operation.duration"]) {
    const metric = metrics.find((each: any) => each.name === name);
    expect(attributesOf(metric.histogram.dataPoints[0])).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-4o",
    });
  }
});

test("a gateway whose collector is gone stops all the same", async () => {
  const observed = await startGateway({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" } });
  await record(observed, await observed.key(), {});
  await observed.stop();
  expect(received).toEqual([]);
});
