/** `/v1/chat/stream` over HTTP: events, silent fallback before the first byte, honest ends after it. */

import { heapStats } from "bun:jsc";
import { beforeEach, expect, jest, test } from "bun:test";
import { KEPT_CHARACTERS } from "../../src/chat/output/kept-text.ts";
import { estimateTokens } from "../../src/lib/estimate-tokens.ts";
import { createSemaphore } from "../../src/lib/semaphore.ts";
import type { TestKey } from "../support/gateway.ts";
import { type Frame, readSse, textOf } from "../support/read-sse.ts";
import { twoVendorsOfFile } from "../support/two-vendors.ts";
import { type Answer, heldStreams, json, sse, sseBody, stream } from "../support/upstream-stub.ts";

const { gateway, openai, anthropic, live } = await twoVendorsOfFile();
const sandbox = await gateway.key({ mode: "test" });

const chunk = (delta: object, finish: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const usage = { id: "c", choices: [], usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 } };
const claudeStream = (text: string) =>
  sse(
    [
      { type: "message_start", message: { id: "m", model: "claude", usage: { input_tokens: 9, output_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } },
      { type: "message_stop" },
    ],
    { eventNames: true, done: false },
  );

const ask = (text: string, more: object = {}) => ({ messages: [{ role: "user", content: text }], ...more });
const open = (key: TestKey, body: unknown, path = "/v1/chat/stream") => gateway.send(key, "POST", path, body);
const last = (frames: Frame[]) => frames.at(-1)!.data;
const finalOf = (frames: Frame[]) => frames.find(({ data }) => data?.choices?.[0]?.finish_reason)!.data;
const logOf = async (key: TestKey, id: string) => (await (await gateway.send(key, "GET", `/v1/logs/${id}`)).json()) as any;

beforeEach(() => {
  gateway.clock.advance(120_000);
  openai.answer(
    sse([
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "Hel" }),
      chunk({ content: "lo" }),
      chunk({}, "stop"),
      usage,
    ]),
  );
  anthropic.answer(claudeStream("Other."));
});

test("events follow spec.md: role first, deltas, a final chunk with svc, then [DONE]", async () => {
  const response = await open(live, ask("Say hello.", { model: "gpt-4o", stream_options: { include_usage: true } }));
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  expect(response.headers.get("x-svc-model")).toBe("gpt-4o");
  const frames = await readSse(response);
  expect(frames[0]!.data.choices[0].delta).toEqual({ role: "assistant", content: "Hel" });
  expect(frames[1]!.data.choices[0].delta).toEqual({ content: "lo" });
  expect(frames[0]!.data.choices[0].finish_reason).toBeNull();
  const final = finalOf(frames);
  expect(final.choices[0]).toMatchObject({ delta: {}, finish_reason: "stop" });
  expect(final.svc).toMatchObject({ model_selected: "gpt-4o", fallback_used: false });
  expect(final.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 3 });
  expect(last(frames)).toBe("[DONE]");
  const log = await logOf(live, response.headers.get("x-svc-request-id")!);
  expect(log.output.text).toBe("Hello");
  expect(log.execution).toMatchObject({ streamed: true, input_tokens: 11, output_tokens: 3, usage_source: "provider" });
});

test("OpenAI's path sends usage in a chunk of its own, and only where asked", async () => {
  const asked = await readSse(
    await open(
      live,
      ask("Hi", { model: "gpt-4o", stream: true, stream_options: { include_usage: true } }),
      "/v1/chat/completions",
    ),
  );
  expect(asked.at(-2)!.data).toMatchObject({ choices: [], usage: { total_tokens: 14 } });
  // As at OpenAI: null in the chunks before it.
  expect(new Set(asked.slice(0, -2).map(({ data }) => data.usage))).toEqual(new Set([null]));
  const plain = await readSse(await open(live, ask("Hi", { model: "gpt-4o", stream: true }), "/v1/chat/completions"));
  expect(plain.some(({ data }) => data.usage !== undefined)).toBe(false);
});

test("until the first content a failure falls back unseen", async () => {
  for (const broken of [
    json({ error: { message: "down" } }, 500),
    sse([{ error: { message: "overloaded", type: "server_error" } }]),
    sse([chunk({ role: "assistant" })], { done: false }),
    sse([chunk({ role: "assistant" }), chunk({}, "stop")]),
    sse([chunk({ content: "\n\n" }), chunk({ content: " " }), chunk({}, "stop")]),
    sse([chunk({ content: "\n\n" })], { done: false }),
  ]) {
    gateway.clock.advance(120_000);
    openai.answer(broken);
    const response = await open(live, ask("Hi", { model: "gpt-4o", allow_fallback: true }));
    const frames = await readSse(response);
    expect(textOf(frames)).toBe("Other.");
    expect(finalOf(frames).svc.fallback_used).toBe(true);
    expect(response.headers.get("x-svc-fallback")).toBe("true");
  }
});

test("blanks that open an answer come with its first word", async () => {
  openai.answer(sse([...["\n", "\n", "Hel", " ", "lo"].map((content) => chunk({ content })), chunk({}, "stop"), usage]));
  const frames = await readSse(await open(live, ask("Hi", { model: "gpt-4o" })));
  expect(frames[0]!.data.choices[0].delta.content).toStartWith("\n\nHel");
  expect(textOf(frames)).toBe("\n\nHel lo");
});

test("a model that sends nothing but blanks keeps nobody waiting for ever", async () => {
  openai.answer(sse([...Array.from({ length: 50 }, () => chunk({ content: "\n\n\n" })), chunk({}, "stop"), usage]));
  expect(textOf(await readSse(await open(live, ask("Hi", { model: "gpt-4o" }))))).toBe("\n".repeat(150));
});

test("an empty answer is the best there is where the model fails when it is asked again, as without a stream", async () => {
  const empty = [chunk({ role: "assistant" }), chunk({}, "stop"), usage];
  openai.answer(sse(empty), json({ error: { message: "down" } }, 500));
  const response = await open(live, ask("Hi", { model: "gpt-4o" }));
  const frames = await readSse(response);
  expect(response.status).toBe(200);
  expect(textOf(frames)).toBe("");
  expect(last(frames)).toBe("[DONE]");
  const log = await logOf(live, response.headers.get("x-svc-request-id")!);
  expect(log.quality).toMatchObject({ validation_passed: false, output_quality_score: 0 });
  expect(log.execution.attempts.map(({ success }: { success: boolean }) => success)).toEqual([false, false]);
});

test("an empty answer is a failed attempt also where the next one is the answer", async () => {
  openai.answer(
    sse([chunk({ role: "assistant" }), chunk({}, "stop"), usage]),
    sse([chunk({ content: "Hello" }), chunk({}, "stop"), usage]),
  );
  const response = await open(live, ask("Hi", { model: "gpt-4o" }));
  expect(textOf(await readSse(response))).toBe("Hello");
  const { attempts } = (await logOf(live, response.headers.get("x-svc-request-id")!)).execution;
  expect(attempts.map(({ success }: { success: boolean }) => success)).toEqual([false, true]);
});

test("a model that declines without a word has refused, as without a stream", async () => {
  const key = await gateway.key({ project: "wordless", mode: "live" });
  const declined = {
    id: "c",
    object: "chat.completion",
    choices: [{ index: 0, message: { content: "" }, finish_reason: "content_filter" }],
  };
  openai.answer(
    json({ ...declined, usage: usage.usage }),
    json({ choices: [{ index: 0, message: { content: "Hello" }, finish_reason: "stop" }], usage: usage.usage }),
    sse([chunk({ role: "assistant" }), chunk({}, "content_filter"), usage]),
    sse([chunk({ content: "Hello" }), chunk({}, "stop"), usage]),
  );
  for (const path of ["/v1/chat", "/v1/chat/stream"]) {
    const response = await open(key, ask("Hi", { model: "gpt-4o" }), path);
    expect(await response.text()).toContain("Hello");
    const { execution, quality } = await logOf(key, response.headers.get("x-svc-request-id")!);
    expect(execution.attempts).toMatchObject([
      { failure: "refusal", failure_message: "the answer is a refusal" },
      { success: true },
    ]);
    expect(quality.failure_mode).toBe("refusal");
  }
});

test("after the first content a failure is an error frame and no [DONE]", async () => {
  openai.answer(stream([sseBody([JSON.stringify(chunk({ content: "Half an ans" }))], { done: false })]));
  const response = await open(live, ask("Hi", { model: "gpt-4o", allow_fallback: true }));
  const frames = await readSse(response);
  expect(textOf(frames)).toBe("Half an ans");
  expect(last(frames).error).toMatchObject({ type: "service_unavailable", request_id: response.headers.get("x-svc-request-id") });
  expect(frames.some(({ data }) => data === "[DONE]")).toBe(false);
  const log = await logOf(live, response.headers.get("x-svc-request-id")!);
  expect(log.execution.usage_source).toBe("estimated");
  expect(log.execution.output_tokens).toBeGreaterThan(0);
});

/** The response of a call to a model of which nothing has come in ten seconds, and the model's side of it. */
const openAfterSilence = async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Answer>();
  openai.answer(async (request) => {
    asked.resolve();
    return (await answer.promise)(request);
  });
  jest.useFakeTimers();
  try {
    const opened = open(live, ask("Hi", { model: "gpt-4o" }));
    await asked.promise;
    jest.advanceTimersByTime(10_000);
    return { response: await opened, answer: answer.resolve };
  } finally {
    jest.useRealTimers();
  }
};

test("a model that is silent for ten seconds keeps nobody from the headers; if it fails then, the stream says so", async () => {
  const { response, answer } = await openAfterSilence();
  expect(response.status).toBe(200);
  answer(json({ error: { message: "no such key" } }, 401));
  const frames = await readSse(response);
  expect(frames).toHaveLength(1);
  expect(last(frames).error).toMatchObject({ type: "service_unavailable", request_id: response.headers.get("x-svc-request-id") });
});

test("once the headers are sent, thinking is shown as it comes", async () => {
  const { response, answer } = await openAfterSilence();
  answer(sse([chunk({ reasoning_content: "Hm." })], { done: false }));
  const frames = await readSse(response);
  expect(frames[0]!.data.choices[0].delta).toMatchObject({ reasoning_content: "Hm." });
  expect(last(frames).error.type).toBe("service_unavailable");
});

test("an answer that broke off is billed for all that came, also beyond what is kept, whatever the provider had said by then", async () => {
  const costOf = async (model: string) => {
    const response = await open(live, ask("Hi", { model }));
    expect(last(await readSse(response)).error.type).toBe("service_unavailable");
    return (await logOf(live, response.headers.get("x-svc-request-id")!)).execution;
  };
  // It begins with one token of output; the true sum comes last.
  const text = "Half an answer of many words. ".repeat(50);
  const broken = [
    { type: "message_start", message: { id: "m", model: "claude", usage: { input_tokens: 9, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  ];
  anthropic.answer(sse(broken, { eventNames: true, done: false }));
  expect(await costOf("claude-haiku-4-5")).toMatchObject({
    input_tokens: 9,
    output_tokens: estimateTokens(text),
    usage_source: "estimated",
  });

  const piece = "many words ".repeat(10_000);
  const pieces = Array.from({ length: 2 + KEPT_CHARACTERS / piece.length }, () => chunk({ content: piece }));
  openai.answer(sse(pieces, { done: false }));
  const { output_tokens } = await costOf("gpt-4o");
  expect(output_tokens).toBeGreaterThanOrEqual(estimateTokens(piece.repeat(pieces.length)));
});

test("an answer that is cut here at the caller's stop sequence is billed for what came, not for what the provider had told by then", async () => {
  const text = "Many words before the end. ".repeat(20);
  const begun = [
    { type: "message_start", message: { id: "m", model: "claude", usage: { input_tokens: 9, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: `${text}END and on` } },
  ];
  anthropic.answer(sse(begun, { eventNames: true, hangs: true }));
  const response = await open(live, ask("Hi", { model: "claude-haiku-4-5", stop: ["END"] }));
  const frames = await readSse(response);
  expect([textOf(frames), last(frames)]).toEqual([text, "[DONE]"]);
  expect((await logOf(live, response.headers.get("x-svc-request-id")!)).execution).toMatchObject({
    input_tokens: 9,
    output_tokens: estimateTokens(text),
    usage_source: "estimated",
  });
});

test("all failing before the first byte is an ordinary 503", async () => {
  openai.answer(json({}, 500));
  anthropic.answer(json({}, 500));
  const response = await open(live, ask("Hi"));
  expect([response.status, ((await response.json()) as any).error.type]).toEqual([503, "service_unavailable"]);
});

test("what is refused before its first byte, or left before it, holds no stream open", async () => {
  const timers = () => {
    Bun.gc(true);
    return heapStats().objectTypeCounts["Timeout"] ?? 0;
  };
  await (await open(live, ask("Hi", { model: "gpt-4o" }))).text();
  const before = timers();
  openai.answer(stream([], "hang"));
  for (let call = 0; call < 20; call++) {
    const abort = new AbortController();
    const { length } = openai.seen;
    const left = fetch(`${gateway.url}/v1/chat/stream`, {
      method: "POST",
      signal: abort.signal,
      headers: { authorization: `Bearer ${live.text}`, "content-type": "application/json" },
      body: JSON.stringify(ask("Hi", { model: "gpt-4o" })),
    }).catch(() => undefined);
    while (openai.seen.length === length) await Bun.sleep(1);
    abort.abort();
    await left;
    await openai.seen[length]!.gone;
  }
  openai.answer(json({}, 500));
  anthropic.answer(json({}, 500));
  for (let call = 0; call < 20; call++) expect((await open(live, ask("Hi"))).status).toBe(503);
  await gateway.platform.background.idle();
  expect(timers() - before).toBeLessThan(15);
});

test("long answers that break off together are written down one by one, so that they are not all in memory together", async () => {
  const { platform } = gateway;
  const usual = platform.longAnswers;
  const oneByOne = createSemaphore(1);
  // One that works, whatever failed before: then all of them are let through.
  await readSse(await open(live, ask("Hi", { model: "gpt-4.1" })));
  const logged = () => platform.db.get<{ count: number }>("SELECT count(*) AS count FROM calls")!.count;
  const before = logged();
  const loggedBefore: number[] = [];
  platform.longAnswers = {
    acquire: async () => {
      const release = await oneByOne.acquire();
      loggedBefore.push(logged() - before);
      return release;
    },
  };
  try {
    openai.answer(sse([chunk({ content: "many words ".repeat(10_000) })], { done: false }));
    const responses = await Promise.all(Array.from({ length: 3 }, () => open(live, ask("Hi", { model: "gpt-4.1" }))));
    for (const response of responses) expect(last(await readSse(response)).error.type).toBe("service_unavailable");
    openai.answer(sse([chunk({ content: "a few words" })], { done: false }));
    await readSse(await open(live, ask("Hi", { model: "gpt-4.1" })));
  } finally {
    platform.longAnswers = usual;
  }
  expect(loggedBefore).toEqual([0, 1, 2]);
});

test("a caller that leaves aborts the provider and is logged for what had come, thoughts included", async () => {
  const frames = [{ reasoning_content: "a word ".repeat(200) }, { content: "One two three four " }].map((delta) => chunk(delta));
  openai.answer(sse(frames, { hangs: true }));
  const abort = new AbortController();
  const response = await fetch(`${gateway.url}/v1/chat/stream`, {
    method: "POST",
    signal: abort.signal,
    headers: { authorization: `Bearer ${live.text}`, "content-type": "application/json" },
    body: JSON.stringify(ask("Hi", { model: "gpt-4o" })),
  });
  const id = response.headers.get("x-svc-request-id")!;
  const reader = response.body!.getReader();
  await reader.read();
  abort.abort();
  await openai.seen[0]!.gone;
  let log = await logOf(live, id);
  // At intervals: the log answers 600 requests a minute.
  for (; log.execution === undefined; log = await logOf(live, id)) await Bun.sleep(100);
  expect(log.output.text).toContain("One two");
  expect(log.execution.usage_source).toBe("estimated");
  expect(log.execution.output_tokens).toBeGreaterThan(300);
  expect(log.execution.cost_usd).toBeGreaterThan(0);
});

test("streams take a place each and give it back", async () => {
  const key = await gateway.key({ project: "small", tier: "free", mode: "live" });
  const asked = ask("Tell me something long about trains.", { model: "gpt-4o" });
  const frames = [chunk({ content: "Long " }), chunk({}, "stop")].map((frame) => JSON.stringify(frame));
  const { answer, letGo } = heldStreams(sseBody([frames[0]!], { done: false }), sseBody([frames[1]!]));
  // After the failures of other tests one call alone may try the model.
  await (await open(key, asked)).text();
  openai.answer(answer);
  const opened = await Promise.all(Array.from({ length: 5 }, () => open(key, asked)));
  expect(opened.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
  letGo();
  await Promise.all(opened.map((response) => response.text()));
  expect((await open(key, asked)).status).toBe(200);
  letGo();
});

test("a schema holds in a stream too", async () => {
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const frames = await readSse(
    await open(sandbox, ask("[[sandbox:bad-json]] Where is the Eiffel tower? City: Paris.", { schema })),
  );
  expect(typeof JSON.parse(textOf(frames)).city).toBe("string");
  expect(finalOf(frames).svc.schema_validation).toMatchObject({ enabled: true, passed: true });
});

test("where no answer fits the schema, the stream names the model whose answer it carries", async () => {
  const told = "There is none.";
  const message = { role: "assistant", content: told };
  openai.answer(json({ id: "c", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }], usage: usage.usage }));
  anthropic.answer(
    json({ id: "m", content: [{ type: "text", text: told }], stop_reason: "end_turn", usage: { input_tokens: 9 } }),
  );
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  for (const path of ["/v1/chat/stream", "/v1/chat/completions"]) {
    gateway.clock.advance(120_000);
    const body = ask("Name the city.", { model: "gpt-4o", allow_fallback: true, schema, stream: true });
    const response = await open(live, body, path);
    const frames = await readSse(response);
    // All three were as bad, so the first is sent, after the fallback was asked.
    const { svc } = finalOf(frames);
    expect(svc).toMatchObject({ model_selected: "gpt-4o", fallback_used: true, schema_validation: { passed: false } });
    expect(response.headers.get("x-svc-model")).toBe("gpt-4o");
    expect(frames.filter(({ data }) => data.choices).map(({ data }) => data.model)).toEqual(["gpt-4o", "gpt-4o"]);
  }
});

test("redaction in a stream lets no character of a match out", async () => {
  const key = await gateway.key({ project: "governed" });
  await gateway.policy(key, "content", { pii_detection: { enabled: true, types: ["email", "ssn"], action: "redact" } });
  const frames = await readSse(await open(key, ask("[[sandbox:reply=Write to ada.lovelace@example.com or 536-22-8726 today.]]")));
  expect(textOf(frames)).toBe("Write to [REDACTED] or [REDACTED] today.");
  // Not `ada` or `8726` alone, which a request id may hold by chance.
  for (const { data } of frames) expect(JSON.stringify(data)).not.toMatch(/ada\.|lovelace|536-|-8726/);
  expect(finalOf(frames).svc.content_evaluation).toMatchObject({
    result: "redact",
    phase: "post_response",
    pii_detected: true,
    pii_count: 2,
    redacted: true,
  });
});

test("a stream that a policy stops is not read on: its upstream is let go", async () => {
  const watched = await gateway.key({ project: "watched", mode: "live" });
  await gateway.policy(watched, "content", { blocked_terms: { terms: ["secret"], action: "block" } });
  const said = ["All of it is fine. ".repeat(20), "But this is a secret. ".repeat(20)].map((content) => chunk({ content }));
  openai.answer(sse(said, { hangs: true }));
  const frames = await readSse(await open(watched, ask("Hi", { model: "gpt-4o" })));
  expect(last(frames).error).toMatchObject({ code: "CONTENT_BLOCKED" });
  await openai.seen[0]!.gone;
});

test("Anthropic's stream has its named events in strict order", async () => {
  const response = await open(
    sandbox,
    { model: "auto", max_tokens: 100, stream: true, messages: [{ role: "user", content: "Say hello." }] },
    "/v1/messages",
  );
  const frames = await readSse(response);
  const names = frames.map(({ event }) => event);
  expect(names.slice(0, 3)).toEqual(["message_start", "content_block_start", "content_block_delta"]);
  expect(names.slice(-3)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
  for (const { event, data } of frames) expect(data.type).toBe(event);
});

test("JSON that was asked for flows without the fence that its model set around it", async () => {
  const pieces = ["``", "`json\n{", '"city": ', '"Paris"}', "\n``", "`\n"].map((content) => chunk({ content }));
  openai.answer(sse([...pieces, chunk({}, "stop"), usage]));
  const body = ask("Name the city.", { model: "gpt-4o", response_format: { type: "json_object" }, stream: true });
  for (const path of ["/v1/chat/stream", "/v1/chat/completions"]) {
    const frames = await readSse(await open(live, body, path));
    expect(textOf(frames)).toBe('{"city": "Paris"}');
    expect(frames.filter(({ data }) => data.choices?.[0]?.delta?.content).length).toBeGreaterThan(2);
    expect(finalOf(frames).svc.validation_passed).toBe(true);
    expect((await logOf(live, finalOf(frames).svc.request_id)).output).toMatchObject({ format_valid: true });
  }
});

test("an answer that flowed and does not pass is a failed attempt of its model, as without a stream", async () => {
  const key = await gateway.key({ project: "declined", mode: "live" });
  const text = "I'm sorry, but I can't help with that.";
  openai.answer(sse([chunk({ role: "assistant", content: text }), chunk({}, "stop"), usage]));
  const response = await open(key, ask("Write a short poem about spring flowers.", { model: "gpt-4o" }));
  expect(textOf(await readSse(response))).toBe(text);
  const log = await logOf(key, response.headers.get("x-svc-request-id")!);
  expect(log.quality).toMatchObject({ validation_passed: false, failure_mode: "refusal" });
  expect(log.execution.attempts).toMatchObject([{ success: false, failure: "refusal" }]);
  const failures = (await (await gateway.send(key, "GET", "/v1/metrics/failures")).json()) as any;
  expect(failures.by_failure_mode.refusal).toMatchObject({ count: 1, affected_models: ["gpt-4o"] });
  expect(failures.by_model["gpt-4o"]).toMatchObject({ total_calls: 1, failures: 1, top_failure_modes: ["refusal"] });
});

test("a refusal is told as such to OpenAI's clients, and as text to all", async () => {
  openai.answer(sse([chunk({ refusal: "I will " }), chunk({ refusal: "not." }), chunk({}, "stop"), usage]));
  const body = ask("Do harm.", { model: "gpt-4o", stream: true });
  const frames = await readSse(await open(live, body, "/v1/chat/completions"));
  expect(textOf(frames)).toBe("I will not.");
  expect(frames.map(({ data }) => data?.choices?.[0]?.delta?.refusal).filter(Boolean)).toEqual(["I will not."]);
  const plain = await readSse(await open(live, { ...body, stream: undefined }));
  expect(plain.some(({ data }) => data?.choices?.[0]?.delta?.refusal !== undefined)).toBe(false);
});

test("a stream that is refused before it is one holds no place", async () => {
  const key = await gateway.key({ project: "few places", tier: "free" });
  const picture = { type: "image_url", image_url: { url: "https://10.0.0.1/a.png" } };
  for (const [body, status] of [
    [{ messages: [{ role: "user", content: [picture] }] }, 400],
    [{ messages: [{ role: "user", content: "Hello." }], model: "unheard-of" }, 404],
    [{ messages: [{ role: "user", content: "Hello." }], schema_id: "unheard-of" }, 400],
  ] as const) {
    for (let times = 0; times < 4; times++)
      expect((await gateway.send(key, "POST", "/v1/chat/stream", body)).status).toBe(status);
  }
  expect(gateway.platform.limits.occupiedByAll("streams")).toBe(0);
});
