/** How long a call took is one figure: the answer says what the log says. */

import { beforeAll, expect, test } from "bun:test";
import { startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson } from "../support/known-call.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();
beforeAll(async () => {
  // Whoever looks at the clock finds it later than the one before.
  let now = gateway.clock.now();
  gateway.clock.now = () => (now += 7);
});

const spoken = async (): Promise<FormData> => {
  const body = { model: "tts-1", input: "Mind the gap.", voice: "alloy", response_format: "wav" };
  const form = new FormData();
  form.append("file", new File([await (await gateway.send(key, "POST", "/v1/audio/speech", body)).bytes()], "gap.wav"));
  form.append("model", "transcribe-1");
  return form;
};
const messages = [{ role: "user", content: "Name three signals." }];

test.each<[string, () => unknown, (body: any) => unknown]>([
  ["/v1/chat", () => ({ messages }), ({ svc }) => svc.latency_ms],
  ["/v1/chat", () => ({ messages: [{ role: "user", content: "Draw a picture of a lighthouse." }] }), ({ svc }) => svc.latency_ms],
  ["/v1/images/generations", () => ({ prompt: "A lighthouse." }), ({ svc }) => svc.latency_ms],
  ["/v1/video/generations", () => ({ prompt: "A lighthouse." }), ({ svc }) => svc.latency_ms],
  ["/v1/audio/transcriptions", spoken, ({ svc }) => svc.latency_ms],
  ["/v1/audio/translations", spoken, ({ svc }) => svc.latency_ms],
  ["/v1/tools/search", () => ({ query: "lighthouses" }), ({ metadata }) => metadata.latency_ms],
  ["/v1/rerank", () => ({ query: "lighthouses", documents: ["A lighthouse."] }), ({ svc }) => svc.latency_ms],
  ["/v1/moderations", () => ({ input: "A lighthouse." }), ({ svc }) => svc.latency_ms],
  ["/v1/embeddings", () => ({ model: "embed-local", input: "A lighthouse." }), ({ svc }) => svc.latency_ms],
])("%s, call %#", async (path, body, latencyIn) => {
  const response = await gateway.send(key, "POST", path, await body());
  const said = latencyIn(await response.json());
  const log = await getJson(gateway, key, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
  expect([path, said]).toEqual([path, log.execution.latency_ms]);
});

test("a transcription that is plain text says it in its header", async () => {
  const form = await spoken();
  form.append("response_format", "text");
  const response = await gateway.send(key, "POST", "/v1/audio/transcriptions", form);
  const log = await getJson(gateway, key, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
  expect(response.headers.get("x-svc-latency-ms")).toBe(String(log.execution.latency_ms));
});

/** Each look at the clock finds it so much later than the one before. */
const latenciesWith = async (stepMs: number): Promise<number[]> => {
  const own = await startGateway();
  const ownKey = await own.key();
  let now = own.clock.now();
  own.clock.now = () => (now += stepMs);
  const { svc } = await (await own.send(ownKey, "POST", "/v1/chat", { messages })).json();
  await (await own.send(ownKey, "POST", "/v1/chat/stream", { messages })).text();
  const speech = { model: "tts-1", input: "Mind the gap.", voice: "alloy" };
  const spokenFor = (await own.send(ownKey, "POST", "/v1/audio/speech", speech)).headers.get("x-svc-latency-ms");
  const { logs } = await getJson(own, ownKey, "/v1/logs?start_date=2026-11-01&end_date=2027-12-01");
  await own.stop();
  return [svc.latency_ms, Number(spokenFor), ...logs.map((log: any) => log.execution.latency_ms)];
};

test("where the clock goes back a little while a call lasts, it took no time, rather than less than none", async () => {
  expect(await latenciesWith(-7)).toEqual([0, 0, 0, 0, 0]);
});

test.each([
  ["forward", 3_600_000],
  ["back", -3_600_000],
])("where the clock is set %s while a call lasts, it took as long as it did", async (_, stepMs) => {
  const latencies = await latenciesWith(stepMs);
  expect(latencies.length).toBe(5);
  // The first call compiles what it needs, and does not end within the millisecond.
  expect(Math.max(...latencies)).toBeGreaterThan(0);
  expect([Math.min(...latencies) >= 0, Math.max(...latencies) < 60_000]).toEqual([true, true]);
});
