/** A provider's status: what the breakers say of its models, else what the last two hours say. */

import { expect, test } from "bun:test";
import { uptimeOf } from "../../src/metrics/provider-figures.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, knownAttempt, record } from "../support/known-call.ts";

const HOUR = 3_600_000;
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-x", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" } });

const statusFor = async (key: TestKey): Promise<string> =>
  (await getJson(gateway, key, "/v1/metrics/providers")).providers.openai.status;

test.each([
  [0, 10, 0, "healthy"],
  [0, 8, 2, "degraded"],
  [0, 5, 5, "down"],
  [1, 5, 5, "down"],
  [2, 5, 5, "healthy"],
  // Two attempts are too few to call anybody down.
  [0, 0, 2, "healthy"],
])("%d hours ago %d attempts were answered and %d failed: %s", async (hoursAgo, answered, failed, status) => {
  const key = await gateway.key({ project: crypto.randomUUID() });
  const attempt = (success: boolean) => knownAttempt({ success, ...(!success && { failure: "server" }) });
  const calls = [...Array<boolean>(answered).fill(true), ...Array<boolean>(failed).fill(false)];
  const startedAtMs = gateway.clock.now() - hoursAgo * HOUR;
  await record(gateway, key, ...calls.map((success) => ({ startedAtMs, attempts: [attempt(success)] })));
  expect(await statusFor(key)).toBe(status);
});

test("calls that their callers left are no failures of the provider", async () => {
  const key = await gateway.key({ project: crypto.randomUUID() });
  const left = knownAttempt({ success: false, usageSource: "estimated", failure: "network" });
  const startedAtMs = gateway.clock.now();
  await record(gateway, key, ...Array(6).fill({ startedAtMs, status: 499, cancelled: true, attempts: [left] }));
  const { openai } = (await getJson(gateway, key, "/v1/metrics/providers")).providers;
  expect([openai.status, openai.error_rate, openai.total_attempts, openai.incidents]).toEqual(["healthy", 0, 6, []]);
});

test("where breakers have seen its models, they decide", async () => {
  const live = await gateway.key({ mode: "live" });
  const { health } = gateway.platform.providers;
  const fail = (model: string, times: number) => {
    for (let n = 0; n < times; n++) health.record("openai", model, { ok: false, kind: "server" });
  };
  expect(await statusFor(live)).toBe("healthy");
  health.record("openai", "one", { ok: true, latencyMs: 5 });
  expect(await statusFor(live)).toBe("healthy");
  fail("other", 4);
  expect(await statusFor(live)).toBe("degraded");
  fail("other", 1);
  expect(await statusFor(live)).toBe("degraded");
  fail("one", 5);
  expect(await statusFor(live)).toBe("down");
});

test("an hour in which half of at least three attempts got no answer is an outage", () => {
  const hour = (attempts: number, errors: number) =>
    uptimeOf([{ hour: 495_000, attempts, errors }] as unknown as Parameters<typeof uptimeOf>[0]);
  for (const [attempts, errors] of [
    [2, 2],
    [5, 2],
  ] as const)
    expect(hour(attempts, errors)).toEqual({ uptime: 1, incidents: [] });
  for (const [attempts, errors] of [
    [3, 3],
    [4, 2],
  ] as const)
    expect(hour(attempts, errors)).toMatchObject({ uptime: 0, incidents: [{ attempts, errors }] });
});
