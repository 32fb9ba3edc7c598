/** Judges and summaries are asked besides the caller's question: what they use is paid for, and they end with the call. */

import { expect, test } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { type Answer, json, sse } from "../support/upstream-stub.ts";
import { completion } from "../support/vendor-answers.ts";
import { ask, chatWithTwo } from "./chat-with-two.ts";

const { gateway, openai, anthropic, chat, logOf } = await chatWithTwo();

const judged = async (config: object): Promise<TestKey> => {
  const key = await gateway.key({ project: crypto.randomUUID(), mode: "live" });
  await gateway.policy(key, "content", { criteria: ["It is polite."], ...config });
  return key;
};

const isJudge = (body: unknown): boolean => JSON.stringify(body).includes("You check a text against criteria");
const VERDICT = '{"verdicts":[{"criterion":1,"passed":true}]}';

test("a judge whose provider does not count is paid for by an estimate, as an attempt is", async () => {
  const key = await judged({});
  const uncounted = json({ choices: [{ index: 0, message: { role: "assistant", content: VERDICT }, finish_reason: "stop" }] });
  openai.answer((request) => (isJudge(request.body) ? uncounted : completion("Good day."))(request));
  await gateway.policy(key, "routing", { provider_allow_list: ["openai"] });
  const { body } = await chat(key, ask("Say hello."));
  expect(body.svc.content_evaluation.criteria_passed).toBe(1);
  const { execution } = await logOf(key, body.svc.request_id);
  expect(execution.side_calls.input_tokens).toBeGreaterThan(30);
  expect(execution.side_calls.output_tokens).toBeGreaterThan(5);
  expect(execution.attempts[0].cost_usd + execution.side_calls.cost_usd).toBeCloseTo(body.svc.cost_usd, 9);
  expect(execution.side_calls.cost_usd).toBeGreaterThan(0);
});

test("waiting for a judge is time spent reviewing, and waiting for a provider", async () => {
  const key = await judged({});
  // Long enough that the judge's share of the call can be told.
  const slow: Answer = async (request) => {
    await Bun.sleep(40);
    return completion(VERDICT)(request);
  };
  for (const stub of [openai, anthropic])
    stub.answer((request) => (isJudge(request.body) ? slow : completion("Good day."))(request));
  await gateway.policy(key, "routing", { provider_allow_list: ["openai"] });
  const { svc } = (await chat(key, ask("Say hello."))).body;
  expect(svc.content_evaluation.latency_ms).toBeGreaterThanOrEqual(39);
  const { attempts, latency_ms, overhead_ms } = (await logOf(key, svc.request_id)).execution;
  expect(latency_ms - overhead_ms - attempts[0].latency_ms).toBeGreaterThanOrEqual(38);
});

test("a judge is not sent what a policy keeps out of prompts", async () => {
  const key = await judged({});
  const terms = { enabled: true, terms: ["kestrel"], action: "block" };
  const secret = { evaluate_input: true, evaluate_output: false, blocked_terms: terms };
  await gateway.policy(key, "content", secret);
  for (const stub of [openai, anthropic])
    stub.answer((request) => completion(isJudge(request.body) ? VERDICT : "A kestrel.")(request));
  const { status, body } = await chat(key, ask("Which bird is it?", { model: "gpt-4o" }));
  expect([status, body.choices[0].message.content]).toEqual([200, "A kestrel."]);
  expect(openai.seen.length + anthropic.seen.length).toBe(1);
});

test("a judge is shown the answer that the caller gets, whole and streamed: what a policy redacts goes to no other model", async () => {
  const key = await judged({ pii_detection: { types: ["email"], action: "redact" } });
  await gateway.policy(key, "routing", { provider_allow_list: ["openai"] });
  const said = "Write to ann@example.com, please.";
  const streamed = sse([{ choices: [{ index: 0, delta: { content: said }, finish_reason: "stop" }] }]);
  const answer = (body: any): Answer => (isJudge(body) ? completion(VERDICT) : body.stream ? streamed : completion(said));
  openai.answer((request) => answer(request.body)(request));
  for (const path of ["/v1/chat", "/v1/chat/stream"]) {
    const text = await (await gateway.send(key, "POST", path, ask("Whom can I ask?"))).text();
    expect(text).toContain('"criteria_passed":1');
  }
  const shown = openai.seen.filter(({ body }) => isJudge(body)).map(({ body }) => body.messages[0].content);
  expect(shown.length).toBe(2);
  for (const text of shown) expect(text).toContain("Write to [REDACTED], please.");
});

test("no judge is paid to read what another finding blocks, in a prompt or an answer", async () => {
  const emails = { pii_detection: { types: ["email"], action: "block" } };
  const question = { role: "user", content: "Whom can I ask?" };
  const asker = await judged({ evaluate_input: true, evaluate_output: false, ...emails });
  const system = { role: "system", content: "You are ann@example.com." };
  expect((await chat(asker, { messages: [system, question] })).status).toBe(403);
  expect(openai.seen.length + anthropic.seen.length).toBe(0);
  const key = await judged(emails);
  const call = { id: "call_1", type: "function", function: { name: "find", arguments: '{"whom":"ann@example.com"}' } };
  const message = { role: "assistant", content: "Let me look.", tool_calls: [call] };
  openai.answer(json({ choices: [{ index: 0, message, finish_reason: "tool_calls" }], usage: {} }));
  const tools = [{ type: "function", function: { name: "find", parameters: { type: "object", properties: {} } } }];
  expect((await chat(key, { messages: [question], tools, model: "gpt-4o" })).status).toBe(403);
  expect(openai.seen.filter(({ body }) => isJudge(body)).length + anthropic.seen.length).toBe(0);
});

test("who hangs up while a judge thinks leaves nobody thinking, and pays for what the judge was given to read", async () => {
  const key = await judged({ evaluate_input: true, evaluate_output: false, on_violation: "hard_block" });
  const asked = Promise.withResolvers<{ gone: Promise<void> }>();
  const thinks: Answer = ({ gone }) => {
    asked.resolve({ gone });
    return new Promise<Response>(() => {});
  };
  openai.answer(thinks);
  anthropic.answer(thinks);
  const leave = new AbortController();
  const answer = fetch(`${gateway.url}/v1/chat`, {
    method: "POST",
    signal: leave.signal,
    headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json" },
    body: JSON.stringify(ask("Say hello.")),
  }).catch(() => undefined);
  const { gone } = await asked.promise;
  leave.abort();
  await Promise.all([gone, answer]);
  let [logged]: any[] = [];
  for (; logged === undefined; await Bun.sleep(20))
    [logged] = ((await (await gateway.send(key, "GET", "/v1/logs")).json()) as any).logs;
  const { execution, policies } = await logOf(key, logged.call_id);
  expect([execution.status, execution.attempts.length]).toEqual([499, 0]);
  expect(execution.side_calls.input_tokens).toBeGreaterThan(30);
  // The text did not fail: nobody judged it.
  expect(policies.content_evaluation).toBeNull();
  expect(openai.seen.length + anthropic.seen.length).toBe(1);
});

test("what was streamed is in the log, also where its reader leaves while it is judged", async () => {
  const key = await judged({});
  const asked = Promise.withResolvers<{ gone: Promise<void> }>();
  const thinks: Answer = ({ gone }) => {
    asked.resolve({ gone });
    return new Promise<Response>(() => {});
  };
  const said = sse([{ choices: [{ index: 0, delta: { content: "Good day." }, finish_reason: "stop" }] }]);
  openai.answer((request) => (isJudge(request.body) ? thinks : said)(request));
  anthropic.answer(thinks);
  const leave = new AbortController();
  const { headers } = await fetch(`${gateway.url}/v1/chat/stream`, {
    method: "POST",
    signal: leave.signal,
    headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json" },
    body: JSON.stringify(ask("Say hello.", { model: "gpt-4o" })),
  });
  const { gone } = await asked.promise;
  leave.abort();
  await gone;
  let log: any;
  for (; log?.execution === undefined; await Bun.sleep(20)) log = await logOf(key, headers.get("x-svc-request-id")!);
  expect([log.execution.status, log.output.text]).toEqual([499, "Good day."]);
});

test("a judge that failed has been paid all the same: no other is asked for a verdict that the ceiling does not leave room for", async () => {
  const key = await judged({ evaluate_input: true, evaluate_output: false, on_violation: "info" });
  const broken: Answer = () => new Response("{", { headers: { "content-type": "application/json" } });
  openai.answer(broken);
  anthropic.answer(broken);
  for (let ceiling = 0.00003; ceiling < 0.00006; ceiling += 0.000001) {
    await chat(key, ask("Say hello.", { max_cost_per_call: ceiling }));
    gateway.clock.advance(120_000);
  }
  const bounds = [...openai.seen, ...anthropic.seen].filter(({ body }) => isJudge(body)).map(({ body }) => boundIn(body));
  expect(bounds.length).toBeGreaterThan(30);
  expect(Math.min(...bounds)).toBeGreaterThanOrEqual(16);
});

const boundIn = (body: any): number => body.max_tokens ?? body.max_completion_tokens;

test("a model is not blamed for a judge that says nothing, nor for what a judge says of the prompt", async () => {
  const goodness = async (config: object, verdict: Answer): Promise<number> => {
    const key = await judged({ on_violation: "info", ...config });
    for (const stub of [openai, anthropic])
      stub.answer((request) => (isJudge(request.body) ? verdict : completion("Good day to you."))(request));
    const { status } = await chat(key, ask("Say hello.", { model: "gpt-4o" }));
    expect(status).toBe(200);
    const { strengths } = (await (await gateway.send(key, "GET", "/v1/learning")).json()) as any;
    return strengths.find(({ model }: { model: string }) => model === "gpt-4o").good;
  };
  const unmet = completion('{"verdicts":[{"criterion":1,"passed":false}]}');
  const met = await goodness({}, completion(VERDICT));
  expect(await goodness({}, unmet)).toBe(0);
  expect(await goodness({}, json({ error: { message: "no such model", code: "model_not_found" } }, 404))).toBe(met);
  expect(await goodness({}, completion("I would rather not say."))).toBe(met);
  expect(await goodness({ evaluate_input: true, evaluate_output: false }, unmet)).toBe(met);
});
