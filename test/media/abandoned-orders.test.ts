/** Orders of media and searches whose caller leaves: what an upstream works on is paid for, and counts. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { wasAbandoned } from "../../src/providers/targets/targets-call.ts";
import { tryTargets } from "../../src/providers/targets/try-targets.ts";
import { UpstreamError } from "../../src/providers/upstream-error.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { mediaStubOfFile, TINY_PNG } from "../support/media-stub.ts";

const stub = mediaStubOfFile();
const gateway = await gatewayOfFile({
  environment: {
    OPENAI_API_KEY: "sk-secret",
    OPENAI_BASE_URL: `${stub.url}/v1`,
    TAVILY_API_KEY: "tv-secret",
    TAVILY_BASE_URL: stub.url,
  },
});

const DRAW = "Draw a picture of a red fox in the snow.";
const tone = await Bun.file(join(import.meta.dir, "../fixtures/audio/tone.wav")).bytes();
/** A second and a half. */
const recording = (): FormData => {
  const form = new FormData();
  form.set("file", new File([tone], "tone.wav"));
  form.set("model", "transcribe-1");
  return form;
};

const edit = (): FormData => {
  const form = new FormData();
  form.set("image", new File([TINY_PNG], "dot.png"));
  form.set("prompt", "x");
  return form;
};

type Order = { path: string; body: object; group: string; costUsd: number; used: number };
const ORDERS: Order[] = [
  { path: "/v1/images/generations", body: { prompt: "x", model: "image-a-2", n: 2 }, group: "images", costUsd: 0.04, used: 2 },
  { path: "/v1/images/edits", body: edit(), group: "images", costUsd: 0.04, used: 1 },
  { path: "/v1/chat", body: { messages: [{ role: "user", content: DRAW }] }, group: "images", costUsd: 0.04, used: 1 },
  {
    path: "/v1/audio/speech",
    body: { input: "x".repeat(100), model: "tts-1", voice: "echo" },
    group: "speech",
    costUsd: 0.0015,
    used: 1,
  },
  { path: "/v1/audio/transcriptions", body: recording(), group: "transcription", costUsd: 0.00015, used: 0.025 },
  { path: "/v1/audio/translations", body: recording(), group: "transcription", costUsd: 0.00015, used: 0.025 },
  { path: "/v1/tools/search", body: { query: "x" }, group: "search", costUsd: 0.012, used: 1 },
];

const rowOf = async (key: TestKey): Promise<any> => {
  for (;;) {
    const { logs } = await gateway.read(key, "/v1/logs?limit=1");
    if (logs.length > 0) return gateway.read(key, `/v1/logs/${logs[0].call_id}`);
    await Bun.sleep(20);
  }
};
/** Leaves as soon as the upstream has been asked, which answers no more than `begun`. */
const leave = async (key: TestKey, { path, body }: Pick<Order, "path" | "body">, begun?: () => Response): Promise<void> => {
  const leaving = new AbortController();
  const asked = Promise.withResolvers<void>();
  stub.answer({
    "POST /": () => {
      asked.resolve();
      return begun?.() ?? new Promise<Response>(() => {});
    },
  });
  const isForm = body instanceof FormData;
  const left = fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key.text}`, ...(!isForm && { "content-type": "application/json" }) },
    body: isForm ? body : JSON.stringify(body),
    signal: leaving.signal,
  }).catch(() => "gone");
  await asked.promise;
  leaving.abort();
  expect(await left).toBe("gone");
};
const usageOf = async (key: TestKey): Promise<any> => gateway.read(key, "/v1/usage");

for (const order of ORDERS) {
  test(`an order of ${order.group} at ${order.path} is paid for, and counts, though its caller left`, async () => {
    const key = await gateway.key({ project: order.path, mode: "live", tier: "pro", budgetUsd: 1 });
    await leave(key, order);
    const { execution } = await rowOf(key);
    expect(execution).toMatchObject({
      status: 499,
      error_type: "client_closed_request",
      cancelled: true,
      cost_usd: order.costUsd,
      attempts: [{ success: false, cost_usd: order.costUsd }],
    });
    const { limits, key: terms, month } = await usageOf(key);
    expect([limits[order.group].used, terms.budget.used_usd, month.cost_usd]).toEqual([order.used, order.costUsd, order.costUsd]);
  });
}

test("speech that had begun when the caller of a chat left is paid for", async () => {
  const key = await gateway.key({ project: "half spoken", mode: "live" });
  const body = { messages: [{ role: "user", content: "Read this aloud: the fox is in the snow." }] };
  const half = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1_000)) });
  await leave(key, { path: "/v1/chat", body }, () => new Response(half, { headers: { "content-type": "audio/mpeg" } }));
  const { execution, metadata } = await rowOf(key);
  expect(metadata.kind).toBe("speech");
  expect(execution.cost_usd).toBeGreaterThan(0);
  expect(execution).toMatchObject({ cancelled: true, attempts: [{ success: false, cost_usd: execution.cost_usd }] });
});

test("who leaves before anybody works for them, or between two attempts, owes nothing", async () => {
  const ask = (leaving: AbortController, use: () => Promise<never>) =>
    tryTargets(gateway.platform, {
      caller: { mode: "live", requestId: "call_left", traceparent: null },
      signal: leaving.signal,
      what: "image-a-2",
      targets: [{ provider: "openai", model: "left alone" }],
      service: "image",
      use,
    });
  const before = new AbortController();
  before.abort();
  const between = new AbortController();
  const refuse = async () => {
    setTimeout(() => between.abort());
    throw new UpstreamError("rate_limit", "busy", { retryAfterMs: 1_000 });
  };
  for (const outcome of [await ask(before, async () => Promise.reject(before.signal.reason)), await ask(between, refuse)]) {
    expect(outcome).toMatchObject({ ok: false, cancelled: true, attempts: [{ number: 1 }] });
    expect(wasAbandoned(outcome.attempts)).toBe(false);
  }
});
