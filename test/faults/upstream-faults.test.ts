/**
 * Everything an upstream or the way to it can do wrong, on chat and its stream: the second provider answers, the same model is asked
 * at most twice, every attempt is in the ledger and the call is billed once.
 */

import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { type Fault, startFaultRelay } from "../support/fault-relay.ts";
import { startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { readSse, textOf } from "../support/read-sse.ts";
import { type Answer, json, neverAnswers, sse, startUpstreamStub, stream, text } from "../support/upstream-stub.ts";

const QUESTION = "Explain in one sentence how a railway signal box works.";
const FIRST = "A signal box sets points and signals so that only one train holds each stretch of track.";
const SECOND = "A signal box lets one train at a time onto each stretch by setting points and signals.";

const chunk = (delta: object, finish: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const usage = { prompt_tokens: 20, completion_tokens: 18, total_tokens: 38 };
const whole: Answer = json({
  id: "c",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: FIRST }, finish_reason: "stop" }],
  usage,
});
const streamed: Answer = sse([chunk({ role: "assistant", content: FIRST }), chunk({}, "stop"), { id: "c", choices: [], usage }]);
const claudeWhole: Answer = json({
  id: "m",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [{ type: "text", text: SECOND }],
  stop_reason: "end_turn",
  usage: { input_tokens: 21, output_tokens: 17 },
});
const claudeStreamed: Answer = sse(
  [
    { type: "message_start", message: { id: "m", model: "claude", usage: { input_tokens: 21, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: SECOND } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 17 } },
    { type: "message_stop" },
  ],
  { eventNames: true, done: false },
);
/** What the request asks for decides which form comes back. */
const either =
  (plain: Answer, streaming: Answer): Answer =>
  (request) =>
    (request.body.stream ? streaming : plain)(request);

const hugeLine: Answer = () => {
  const piece = new Uint8Array(1 << 20).fill(97);
  let sent = 0;
  return new Response(
    new ReadableStream({
      pull: (controller) => {
        if (sent === 0) controller.enqueue(new TextEncoder().encode("data: "));
        if (sent++ < 200) controller.enqueue(piece);
        else controller.close();
      },
    }),
    { headers: { "content-type": "text/event-stream" } },
  );
};

/** Long enough for a healthy answer on a machine that is busy. */
const IDLE_MS = 2_000;
const first = startUpstreamStub();
const second = startUpstreamStub();
const relay = await startFaultRelay(first.url, 7);
const gateway = await gatewayOfFile({
  environment: {
    OPENAI_API_KEY: "sk-first",
    OPENAI_BASE_URL: `${relay.url}/v1`,
    ANTHROPIC_API_KEY: "sk-second",
    ANTHROPIC_BASE_URL: second.url,
    SIGNALBOX_TIMEOUT_FIRST_BYTE_MS: String(IDLE_MS),
    SIGNALBOX_TIMEOUT_IDLE_MS: String(IDLE_MS),
    SIGNALBOX_TIMEOUT_TOTAL_MS: "30000",
  },
});
const key = await gateway.key({ mode: "live" });
beforeEach(() => {
  // No case inherits the last one's breakers or spent retries.
  gateway.clock.advance(10 * 60_000);
  for (const provider of ["openai", "anthropic"]) gateway.platform.providers.health.forgive(provider);
  first.seen.length = second.seen.length = 0;
  first.answer(either(whole, streamed));
  second.answer(either(claudeWhole, claudeStreamed));
  relay.plan(() => ({ kind: "none" }));
});
afterAll(() => {
  relay.stop();
  first.stop();
  second.stop();
});

type Outcome = { status: number; said: string; log: any; callId: string };
const call = async (streams: boolean, more: object = { model: "gpt-4o", allow_fallback: true }): Promise<Outcome> => {
  const body = { messages: [{ role: "user", content: QUESTION }], ...more };
  const response = await gateway.send(key, "POST", streams ? "/v1/chat/stream" : "/v1/chat", body);
  const said = !response.ok
    ? ((await response.json()) as any).error.type
    : streams
      ? textOf(await readSse(response))
      : ((await response.json()) as any).choices[0].message.content;
  const callId = response.headers.get("x-svc-request-id")!;
  const log = (await (await gateway.send(key, "GET", `/v1/logs/${callId}`)).json()) as any;
  return { status: response.status, said, log, callId };
};

/** Same model at most twice; attempts add up to the call, the call to the key's spending. */
const expectHonestBooks = ({ log }: Outcome) => {
  const attempts: { model: string; success: boolean; cost_usd: number }[] = log.execution.attempts;
  for (const { model } of attempts) expect(attempts.filter((each) => each.model === model).length).toBeLessThanOrEqual(2);
  expect(attempts.filter(({ model }) => model.startsWith("gpt")).length).toBe(relayed());
  expect(attempts.filter(({ model }) => model.startsWith("claude")).length).toBe(second.seen.length);
  expect(attempts.reduce((sum, { cost_usd }) => sum + cost_usd, 0)).toBeCloseTo(log.execution.cost_usd, 9);
  const { db } = gateway.platform;
  const spent = db.get<{ sum: number }>("SELECT sum(spent_nano_usd) AS sum FROM key_spend WHERE key_id = ?", key.id)!.sum;
  expect(spent).toBe(db.get<{ sum: number }>("SELECT sum(cost_nano_usd) AS sum FROM calls WHERE key_id = ?", key.id)!.sum);
};
let relayedBefore = 0;
const relayed = () => relay.exchanges() - relayedBefore;
beforeEach(() => {
  relayedBefore = relay.exchanges();
});

const error = { error: { message: "The server had an error.", type: "server_error" } };
const answers: [string, Answer][] = [
  ["500", json(error, 500)],
  ["502 with a page", text("<html><h1>502 Bad Gateway</h1></html>", 502, "text/html")],
  ["503", json(error, 503)],
  ["529", json(error, 529)],
  ["429 without a hint", json({ error: { message: "Slow down." } }, 429)],
  ["429 with a hint of a minute", json({ error: { message: "Slow down." } }, 429, { "retry-after": "60" })],
  ["401", json({ error: { message: "Incorrect API key." } }, 401)],
  ["a login page with 200", text("<html>Log in</html>", 200, "text/html")],
  [
    "cut JSON",
    either(
      text('{"id":"c","choices":[{"index":0,"mess', 200, "application/json"),
      text('data: {"id":"c","choi', 200, "text/event-stream"),
    ),
  ],
  ["an empty body", text("", 200, "application/json")],
  ["a redirect", () => new Response(null, { status: 307, headers: { location: "http://127.0.0.1:1/" } })],
  ["an error event after 200", either(json(error, 500), sse([error], { done: false }))],
  ["no final chunk", either(json(error, 500), sse([chunk({ role: "assistant" })], { done: false }))],
  ["a line of 200 MB", hugeLine],
];
const ways: [string, Fault][] = [
  ["a reset before the headers", { kind: "reset", afterBytes: 0 }],
  ["a reset in the head", { kind: "reset", afterBytes: 40 }],
  ["a reset in the body", { kind: "reset", afterBytes: 140 }],
  ["a half-closed connection", { kind: "half-close", afterBytes: 0 }],
  ["a half-closed connection in the body", { kind: "half-close", afterBytes: 160 }],
  ["garbage for an answer", { kind: "garbage", afterBytes: 0 }],
  ["garbage in the head", { kind: "garbage", afterBytes: 30 }],
  ["silence before the headers", { kind: "silence", afterBytes: 0 }],
  ["silence in the head", { kind: "silence", afterBytes: 60 }],
  ["silence before the first content", { kind: "silence", afterBytes: 140 }],
];

for (const streams of [false, true]) {
  describe(streams ? "streamed" : "whole", () => {
    for (const [name, answer] of answers) {
      test(`${name}: the second provider answers`, async () => {
        first.answer(answer);
        const outcome = await call(streams);
        expect([outcome.status, outcome.said]).toEqual([200, SECOND]);
        expectHonestBooks(outcome);
        expect(outcome.log.quality.fallback_used).toBe(true);
      });
    }
    for (const [name, fault] of ways) {
      test(`${name}: the second provider answers`, async () => {
        relay.plan(() => fault);
        // A longer answer would be waited for up to four times as long.
        const outcome = await call(streams, { model: "gpt-4o", allow_fallback: true, max_tokens: 100 });
        expect([outcome.status, outcome.said]).toEqual([200, SECOND]);
        expectHonestBooks(outcome);
      });
    }
    for (const fault of [
      { kind: "slices", bytes: 1 },
      { kind: "latency", ms: 20 },
      { kind: "bandwidth", bytesPerSecond: 20_000 },
    ] satisfies Fault[]) {
      test(`a slow way (${fault.kind}) is no fault`, async () => {
        relay.plan(() => fault);
        const outcome = await call(streams);
        expect([outcome.status, outcome.said, relayed()]).toEqual([200, FIRST, 1]);
      });
    }
    test("a fault that passes costs one retry with the same model", async () => {
      let exchanges = 0;
      relay.plan(() => (exchanges++ === 0 ? { kind: "reset", afterBytes: 0 } : { kind: "none" }));
      const outcome = await call(streams);
      expect([outcome.status, outcome.said, relayed()]).toEqual([200, FIRST, 2]);
      expect(outcome.log.execution.attempts.map((each: any) => [each.model, each.success])).toEqual([
        ["gpt-4o", false],
        ["gpt-4o", true],
      ]);
      expectHonestBooks(outcome);
    });
  });
}

test("the call's deadline holds over all its attempts", async () => {
  const hurried = await startGateway({
    environment: {
      OPENAI_API_KEY: "sk-first",
      OPENAI_BASE_URL: `${first.url}/v1`,
      ANTHROPIC_API_KEY: "sk-second",
      ANTHROPIC_BASE_URL: second.url,
      SIGNALBOX_TIMEOUT_FIRST_BYTE_MS: "60000",
      SIGNALBOX_TIMEOUT_TOTAL_MS: "300",
    },
  });
  try {
    first.answer(neverAnswers);
    const live = await hurried.key({ mode: "live" });
    for (const path of ["/v1/chat", "/v1/chat/stream"]) {
      const body = { model: "gpt-4o", allow_fallback: true, messages: [{ role: "user", content: QUESTION }] };
      const response = await hurried.send(live, "POST", path, body);
      expect([response.status, ((await response.json()) as any).error.type]).toEqual([503, "service_unavailable"]);
    }
    for (const { gone } of first.seen) await gone;
    expect(second.seen).toEqual([]);
  } finally {
    await hurried.stop();
  }
});

test("silence in mid-stream ends the stream with an error frame, not with [DONE]", async () => {
  first.answer(stream([`data: ${JSON.stringify(chunk({ role: "assistant", content: "A signal box" }))}\n\n`], "hang"));
  const response = await gateway.send(key, "POST", "/v1/chat/stream", {
    model: "gpt-4o",
    allow_fallback: true,
    messages: [{ role: "user", content: QUESTION }],
  });
  const frames = await readSse(response);
  expect(textOf(frames)).toBe("A signal box");
  expect(frames.at(-1)!.data.error.type).toBe("service_unavailable");
  expect(frames.some(({ data }) => data === "[DONE]")).toBe(false);
});

for (const routed of [true, false]) {
  test(`a dead provider is called at most ten times, then once a cooldown (${routed ? "auto" : "pinned"})`, async () => {
    relay.plan(() => ({ kind: "reset", afterBytes: 0 }));
    const ask = () => call(false, routed ? {} : { model: "gpt-4o", allow_fallback: true });
    for (let cooldowns = 0; cooldowns <= 6; cooldowns++) {
      for (let asked = 0; asked < 15; asked++) expect((await ask()).said).toBe(SECOND);
      expect(relayed()).toBeLessThanOrEqual(10 + cooldowns);
      gateway.clock.advance(30_001);
    }
    relay.plan(() => ({ kind: "none" }));
    expect((await call(false, { model: "gpt-4o", allow_fallback: true })).said).toBe(FIRST);
  });
}

test("when all are dead the answer is 503 with a time to wait, and nobody is called", async () => {
  first.answer(json(error, 500));
  second.answer(json({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, 529));
  for (let asked = 0; asked < 20; asked++) await call(false, {});
  first.seen.length = second.seen.length = 0;
  const response = await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content: QUESTION }] });
  expect([response.status, first.seen.length, second.seen.length]).toEqual([503, 0, 0]);
  const body = (await response.json()) as any;
  expect(body.error.type).toBe("service_unavailable");
  expect(body.error.retry_after).toBeGreaterThanOrEqual(1);
  expect(body.error.retry_after).toBeLessThanOrEqual(30);
  expect(Number(response.headers.get("retry-after"))).toBe(body.error.retry_after);
});

test("a dead provider of embeddings is left alone too", async () => {
  first.answer(json(error, 500));
  const ask = () => gateway.send(key, "POST", "/v1/embeddings", { model: "text-embedding-3-small", input: "late" });
  for (let cooldowns = 0; cooldowns <= 3; cooldowns++) {
    for (let asked = 0; asked < 15; asked++) {
      const response = await ask();
      expect([response.status, ((await response.json()) as any).error.retry_after >= 1]).toEqual([503, true]);
    }
    expect(relayed()).toBeLessThanOrEqual(10 + cooldowns);
    gateway.clock.advance(30_001);
  }
  first.answer(json({ data: [{ index: 0, embedding: [1, 0] }], usage: { prompt_tokens: 1 } }));
  expect((await ask()).status).toBe(200);
});

test("a caller's own errors never open a breaker", async () => {
  for (const status of [400, 404, 413, 422]) {
    first.answer(json({ error: { message: "No such thing.", type: "invalid_request_error" } }, status));
    for (let asked = 0; asked < 12; asked++) await call(false, { model: "gpt-4o" });
  }
  first.answer(whole);
  expect((await call(false, { model: "gpt-4o" })).said).toBe(FIRST);
});

for (const [name, baseUrl] of [
  ["a refused connection", "http://127.0.0.1:1/v1"],
  ["a name that does not resolve", "http://nowhere.invalid/v1"],
  ["no TLS where it is expected", undefined],
] as const) {
  test(`${name}: the second provider answers`, async () => {
    const broken = await startGateway({
      environment: {
        OPENAI_API_KEY: "sk-first",
        OPENAI_BASE_URL: baseUrl ?? `${first.url.replace("http:", "https:")}/v1`,
        ANTHROPIC_API_KEY: "sk-second",
        ANTHROPIC_BASE_URL: second.url,
        SIGNALBOX_TIMEOUT_FIRST_BYTE_MS: "2000",
      },
    });
    try {
      const live = await broken.key({ mode: "live" });
      const response = await broken.send(live, "POST", "/v1/chat", {
        model: "gpt-4o",
        allow_fallback: true,
        messages: [{ role: "user", content: QUESTION }],
      });
      const body = (await response.json()) as any;
      expect([response.status, body.choices?.[0].message.content]).toEqual([200, SECOND]);
    } finally {
      await broken.stop();
    }
  });
}
