/** The response cache: answers whole and streamed, over every API, and what caller and owner see of it. */

import { expect, test } from "bun:test";
import type { ProjectSettings } from "../../../src/accounts/project.ts";
import type { TestKey } from "../../support/gateway.ts";
import { getJson } from "../../support/known-call.ts";
import { readSse, textOf } from "../../support/read-sse.ts";
import { json, sse } from "../../support/upstream-stub.ts";
import { completion } from "../../support/vendor-answers.ts";
import { ask, chatWithTwo } from "../chat-with-two.ts";

const { gateway, openai, chat, logOf } = await chatWithTwo();
gateway.clock.stop();

const keyOf = (settings: ProjectSettings = { cache: { ttlS: 60 } }, more: object = {}): Promise<TestKey> =>
  gateway.key({ project: crypto.randomUUID(), mode: "live", settings, ...more });
const pinned = (text: string, more: object = {}) => ask(text, { model: "gpt-4o", max_tokens: 500, ...more });

const post = (key: TestKey, path: string, body: object) => gateway.send(key, "POST", path, body);

test("the same question gets the answer that was paid for", async () => {
  const key = await keyOf();
  const first = await chat(key, pinned("What is a signal box?"));
  expect(first.headers.get("x-svc-cache")).toBe("miss");
  expect(first.body.svc.cache).toBeUndefined();
  gateway.clock.advance(10_000);
  openai.answer(completion("Another answer."));
  const again = await chat(key, pinned("What is a signal box?", { user: "ann", metadata: { run: "2" } }));
  expect(again.status).toBe(200);
  expect(openai.seen).toHaveLength(1);
  expect(again.headers.get("x-svc-cache")).toBe("hit");
  expect(again.headers.get("age")).toBe("10");
  expect(again.headers.get("x-svc-model")).toBe("gpt-4o");
  expect(again.body.choices).toEqual(first.body.choices);
  expect(again.body.usage).toEqual(first.body.usage);
  expect(again.body.id).not.toBe(first.body.id);
  const { request_id, latency_ms, cost_usd, total_usage, cache, routing, ...alike } = again.body.svc;
  expect(first.body.svc).toMatchObject(alike);
  expect(cost_usd).toBe(0);
  expect(total_usage.total_tokens).toBe(0);
  expect(cache).toEqual({ hit: true, call_id: first.body.svc.request_id, age_s: 10 });
  expect(routing).toMatchObject({ first_choice: "gpt-4o", candidates: [], reason: expect.stringContaining(cache.call_id) });
});

test("the log has a call without attempts, and who was answered", async () => {
  const key = await keyOf();
  const first = await chat(key, pinned("Who sets the routes?"));
  const again = await chat(key, pinned("Who sets the routes?", { user: "ann" }));
  const entry = await logOf(key, again.body.svc.request_id);
  expect(entry.execution).toMatchObject({ cost_usd: 0, total_tokens: 0, usage_source: "none", attempts: [], success: true });
  const cost = first.body.svc.cost_usd;
  expect(entry.execution.cache).toEqual({ call_id: first.body.svc.request_id, saved_usd: cost });
  expect(entry.output).toMatchObject({ text: first.body.choices[0].message.content, format_valid: true });
  expect(entry.quality).toMatchObject({ validation_passed: true, validation_checks: { completeness: true } });
  const routing_reason = expect.stringContaining(first.body.svc.request_id);
  expect(entry.routing).toMatchObject({ model_selected: "gpt-4o", first_choice: null, routing_reason });
  expect(entry.metadata.user_id).toBe("ann");
  expect((await logOf(key, first.body.svc.request_id)).execution.cache).toBeNull();
  const { summary, routing } = await getJson(gateway, key, "/v1/metrics/overview");
  expect(summary).toMatchObject({ total_calls: 2, total_cost_usd: cost, cache_hits: 1, cache_saved_usd: cost });
  expect(routing.accuracy).toBeNull();
});

test("an answer's quality counts once, however often it is given, unless a caller judges it again", async () => {
  const key = await keyOf();
  const judge = async ({ body }: Awaited<ReturnType<typeof chat>>, score: number) =>
    post(key, `/v1/logs/${body.svc.request_id}/feedback`, { score });
  const quality = async () => (await getJson(gateway, key, "/v1/logs/summary")).quality_metrics.avg_quality_score;
  await chat(key, pinned("Which lever?"));
  await judge(await chat(key, pinned("Which bell?")), 0);
  expect(await quality()).toBe(0.75);
  const again = await chat(key, pinned("Which lever?"));
  await chat(key, pinned("Which lever?"));
  expect(await quality()).toBe(0.75);
  expect((await logOf(key, again.body.svc.request_id)).quality.output_quality_score).toBeNull();
  await judge(again, 0);
  expect(await quality()).toBe(0.5);
});

test("an answer of one API is given again over all others, streamed or not", async () => {
  const key = await keyOf();
  await chat(key, pinned("Where are the levers?"));
  const question = "Where are the levers?";
  const body = { model: "gpt-4o", max_tokens: 500, messages: [{ role: "user", content: question }] };
  const answer = "Hello from the one.";
  const ofResponses = { model: "gpt-4o", max_output_tokens: 500, input: question };
  const wholes: [string, object, (body: any) => string][] = [
    ["/v1/chat/completions", body, (whole) => whole.choices[0].message.content],
    ["/v1/messages", body, (whole) => whole.content[0].text],
    ["/v1/responses", ofResponses, (whole) => whole.output[0].content[0].text],
  ];
  for (const [path, sent, textIn] of wholes) {
    const response = await post(key, path, sent);
    expect([path, response.headers.get("x-svc-cache")]).toEqual([path, "hit"]);
    const whole = (await response.json()) as any;
    expect([textIn(whole), whole.svc.cache.hit]).toEqual([answer, true]);
  }
  const streamed = async (path: string, sent: object) => {
    const response = await post(key, path, sent);
    expect([path, response.headers.get("x-svc-cache")]).toEqual([path, "hit"]);
    return readSse(response);
  };
  const own = await streamed("/v1/chat/stream", body);
  expect(textOf(own)).toBe(answer);
  expect([own.at(-2)!.data.choices[0].finish_reason, own.at(-2)!.data.svc.cache.hit, own.at(-1)!.data]).toEqual([
    "stop",
    true,
    "[DONE]",
  ]);
  const open = await streamed("/v1/chat/completions", { ...body, stream: true, stream_options: { include_usage: true } });
  expect(textOf(open)).toBe(answer);
  expect(open.find(({ data }) => data.usage)?.data.usage.total_tokens).toBe(30);
  const messages = await streamed("/v1/messages", { ...body, stream: true });
  expect(messages.map(({ data }) => data.delta?.text ?? "").join("")).toBe(answer);
  expect(messages[0]!.data.message.usage.input_tokens).toBe(20);
  expect(messages.at(-1)!.event).toBe("message_stop");
  const responses = await streamed("/v1/responses", { ...ofResponses, stream: true });
  expect(responses.findLast(({ data }) => data.response)!.data.response.output[0].content[0].text).toBe(answer);
  expect(openai.seen).toHaveLength(1);
});

test("tool calls are given again, whole and streamed, also where words would have to fit a schema", async () => {
  const key = await keyOf();
  const tools = [
    { type: "function", function: { name: "look", parameters: { type: "object", properties: { at: { type: "string" } } } } },
  ];
  const schema = { type: "object", properties: { found: { type: "boolean" } }, required: ["found"] };
  const call = { id: "call_1", type: "function", function: { name: "look", arguments: '{"at":"box"}' } };
  const message = { role: "assistant", content: null, tool_calls: [call] };
  openai.answer(
    json({
      id: "c",
      choices: [{ index: 0, message, finish_reason: "tool_calls" }],
      usage: { prompt_tokens: 9, completion_tokens: 3 },
    }),
  );
  const first = await chat(key, pinned("Look.", { tools, schema }));
  const again = await chat(key, pinned("Look.", { tools, schema }));
  expect(again.body.svc.cache.hit).toBe(true);
  expect(again.body.choices).toEqual(first.body.choices);
  expect(again.body.choices[0].finish_reason).toBe("tool_calls");
  expect(again.body.svc.schema_validation).toEqual(first.body.svc.schema_validation);
  const frames = await readSse(await post(key, "/v1/chat/stream", pinned("Look.", { tools, schema })));
  const deltas = frames.flatMap(({ data }) => data.choices?.[0]?.delta?.tool_calls ?? []);
  expect(deltas.map((delta) => delta.function.arguments ?? "").join("")).toBe('{"at":"box"}');
  expect(frames.at(-2)!.data.choices[0].finish_reason).toBe("tool_calls");
  expect(openai.seen).toHaveLength(1);
});

test("an answer that was streamed, and redacted on its way, is given again as it was sent", async () => {
  const key = await keyOf();
  const config = { pii_detection: { types: ["email"], action: "redact" } };
  await gateway.policy(key, "content", config);
  const choice = (delta: object, finish_reason: string | null = null) => ({
    id: "c",
    choices: [{ index: 0, delta, finish_reason }],
  });
  openai.answer(sse([choice({ content: "Ask ann@exam" }), choice({ content: "ple.com." }), choice({}, "stop")]));
  const streamed = textOf(await readSse(await post(key, "/v1/chat/stream", pinned("Whom?"))));
  const again = await chat(key, pinned("Whom?"));
  expect([streamed, again.body.choices[0].message.content]).toEqual(Array(2).fill("Ask [REDACTED]."));
  expect(again.body.svc).toMatchObject({ cache: { hit: true }, content_evaluation: { result: "redact", redacted: true } });
});

test("JSON that fits a schema fits it again", async () => {
  const key = await keyOf();
  const schema = {
    type: "object",
    properties: { levers: { type: "integer" } },
    required: ["levers"],
    additionalProperties: false,
  };
  openai.answer(completion('```json\n{"levers": 12}\n```'));
  const first = await chat(key, pinned("How many?", { schema }));
  const again = await chat(key, pinned("How many?", { schema }));
  expect(again.body.svc.cache.hit).toBe(true);
  expect(again.body.choices[0].message.content).toBe(first.body.choices[0].message.content);
  expect(again.body.svc.schema_validation).toEqual({ enabled: true, passed: true });
  expect((await logOf(key, again.body.svc.request_id)).output.parsed_json).toEqual({ levers: 12 });
  expect((await chat(key, pinned("How many?", { schema, schema_strict: true }))).status).toBe(422);
});

test("a session remembers the turn, and its next question is another one", async () => {
  const key = await keyOf();
  await chat(key, pinned("What rang?"));
  const again = await chat(key, pinned("What rang?", { session_id: "s" }));
  expect(again.body.svc.cache.hit).toBe(true);
  expect(await getJson(gateway, key, "/v1/memory/s")).toMatchObject({ message_count: 2 });
  expect((await chat(key, pinned("What rang?", { session_id: "s" }))).headers.get("x-svc-cache")).toBe("miss");
});

test("an answer given again can be continued, and counts as a request but costs no budget", async () => {
  const key = await keyOf({ cache: { ttlS: 60 }, limits: { chat: { perMinute: 3 } } });
  await chat(key, pinned("Ready?"));
  const spent = gateway.platform.budgets.spent.length;
  expect(spent).toBeGreaterThan(0);
  const again = (await (
    await post(key, "/v1/responses", { model: "gpt-4o", max_output_tokens: 500, input: "Ready?" })
  ).json()) as any;
  expect(again.svc.cache.hit).toBe(true);
  const next = await post(key, "/v1/responses", { model: "gpt-4o", previous_response_id: again.id, input: "And now?" });
  expect([next.status, next.headers.get("x-svc-cache")]).toEqual([200, "miss"]);
  expect(openai.seen.at(-1)!.body.messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user"]);
  expect((await chat(key, pinned("Ready?"))).status).toBe(429);
});

test("no shadow is asked, the router learns nothing, and the process counts the hit", async () => {
  const key = await keyOf({ cache: { ttlS: 60 }, shadow: { model: "gpt-4o-mini", sampleRate: 1 } });
  await chat(key, pinned("Clear?"));
  await gateway.platform.background.idle();
  const asked = openai.seen.length;
  const known = () => Bun.inspect(gateway.platform.learning.of(key.project.id, "live"), { depth: 6 });
  const before = known();
  expect((await chat(key, pinned("Clear?"))).body.svc.cache.hit).toBe(true);
  await gateway.platform.background.idle();
  expect([openai.seen.length, known()]).toEqual([asked, before]);
  const figures = await (await gateway.send(null, "GET", "/metrics")).text();
  const counts = figures.split("\n").filter((line) => /^signalbox_cache_(?:hits|saved_usd)_total\{/.test(line));
  expect(counts).toEqual(Array(2).fill(expect.stringMatching(/mode="live".*model="gpt-4o".*\} [1-9]|0\.\d+$/)));
});

test("what the ceiling changed is told again", async () => {
  const key = await keyOf();
  const dear = pinned("Explain photosynthesis.", { allow_fallback: true, max_cost_per_call: 0.0005 });
  const [first, again] = [await chat(key, dear), await chat(key, dear)];
  expect([first.body.svc.cost_warning?.optimal_model, again.headers.get("x-svc-cache")]).toEqual(["gpt-4o", "hit"]);
  expect(again.body.svc.cost_warning).toEqual(first.body.svc.cost_warning);
});
