/** `/v1/chat` over HTTP against a provider on loopback: rule by rule of spec.md "Chat" and decisions §5. */

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Gateway, TestKey } from "../support/gateway.ts";
import { spendRetries } from "../support/spend-retries.ts";
import { startTwoVendors, type TwoVendors } from "../support/two-vendors.ts";
import { type Answer, json, type UpstreamStub } from "../support/upstream-stub.ts";

let openai: UpstreamStub;
let anthropic: UpstreamStub;
let gateway: Gateway;
let stop: TwoVendors["stop"];
let live: TestKey;
let sandbox: TestKey;

const completion = (
  text: string,
  usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
  finish = "stop",
): Answer =>
  json({
    id: "up-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: finish }],
    usage,
  });
const claude = (text: string): Answer =>
  json({
    id: "msg",
    type: "message",
    role: "assistant",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    usage: { input_tokens: 20, output_tokens: 10 },
  });
const failing = (status: number, headers: Record<string, string> = {}): Answer =>
  json({ error: { message: "sk-secret at http://upstream", type: "server_error" } }, status, headers);

const ask = (text: string, more: Record<string, unknown> = {}) => ({ messages: [{ role: "user", content: text }], ...more });
const chat = async (key: TestKey | null, body: unknown, headers: Record<string, string> = {}) => {
  const response = await gateway.send(key, "POST", "/v1/chat", body, headers);
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
};
const logOf = async (key: TestKey, id: string) => (await (await gateway.send(key, "GET", `/v1/logs/${id}`)).json()) as any;

beforeAll(async () => {
  ({ gateway, openai, anthropic, live, stop } = await startTwoVendors({
    OPENAI_API_KEY: "sk-secret",
    ANTHROPIC_API_KEY: "sk-ant-secret",
    SIGNALBOX_COOLDOWN_MS: "60000",
  }));
  sandbox = await gateway.key({ mode: "test" });
});
beforeEach(() => {
  // Breakers of one test must not meet the next.
  gateway.clock.advance(120_000);
  openai.seen.length = 0;
  anthropic.seen.length = 0;
  openai.answer(completion("Hello from the one."));
  anthropic.answer(claude("Hello from the other."));
});
afterAll(() => stop());

test("an answer has the shape of spec.md, with the headers", async () => {
  const { status, headers, body } = await chat(live, ask("Say hello."));
  expect(status).toBe(200);
  expect(body.object).toBe("chat.completion");
  expect(typeof body.created).toBe("number");
  expect(body.choices[0]).toMatchObject({ index: 0, message: { role: "assistant" }, finish_reason: "stop" });
  expect(body.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
  expect(body.svc).toMatchObject({
    fallback_used: false,
    validation_passed: true,
    model_selected: body.model,
    request_id: headers.get("x-svc-request-id"),
  });
  expect(body.svc.complexity).toBeWithin(0, 1.0001);
  expect(headers.get("x-svc-model")).toBe(body.model);
  expect(headers.get("x-svc-fallback")).toBe("false");
  expect(Number(headers.get("x-svc-latency-ms"))).toBeGreaterThanOrEqual(0);
});

test("missing messages are refused with the field's name", async () => {
  for (const wrong of [{}, { messages: null }, { messages: "hi" }, { messages: [] }]) {
    const { status, body } = await chat(live, wrong);
    expect([status, body.error.type, body.error.param]).toEqual([400, "invalid_request", "messages"]);
  }
  const { body } = await chat(live, { messages: [{ role: "user", content: 5 }] });
  expect(body.error.param).toBe("messages.0.content");
});

test("a missing, wrong or mistyped key is refused before the body is looked at", async () => {
  for (const key of [null, "nonsense", `${live.text.slice(0, -1)}!`, `pk_live_${"a".repeat(38)}`]) {
    const response = await gateway.send(key as string | null, "POST", "/v1/chat", "not json");
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: { type: "authentication_error", message: "Invalid API key" } });
  }
});

test("a key that has expired is refused as one that never was, from that moment on", async () => {
  const key = await gateway.key({ project: "passing", expiresAtMs: gateway.clock.now() + 60_000 });
  expect((await chat(key, ask("Hello."))).status).toBe(200);
  gateway.clock.advance(60_000);
  const { status, body } = await chat(key, ask("Hello."));
  expect([status, body]).toEqual([401, { error: { type: "authentication_error", message: "Invalid API key" } }]);
});

test("a failing provider is replaced by another, and every attempt is in the log", async () => {
  openai.answer(failing(500));
  anthropic.answer(claude("Fallback answer."));
  const { status, body, headers } = await chat(live, ask("Say hello to the world.", { model: "gpt-4o", allow_fallback: true }));
  expect(status).toBe(200);
  expect(body.choices[0].message.content).toBe("Fallback answer.");
  expect(body.svc.fallback_used).toBe(true);
  expect(headers.get("x-svc-fallback")).toBe("true");
  const log = await logOf(live, body.svc.request_id);
  expect(log.execution.attempts.map((attempt: any) => [attempt.model, attempt.success])).toEqual([
    ["gpt-4o", false],
    ["gpt-4o", false],
    [body.model, true],
  ]);
  expect(openai.seen.length).toBe(2);
});

test("where too many of a provider's attempts are retries already, the next model is asked at once, and the log says why", async () => {
  spendRetries(gateway, "openai");
  openai.answer(failing(500));
  const { body } = await chat(live, ask("Say hello to the world.", { model: "gpt-4o", allow_fallback: true }));
  const { execution } = await logOf(live, body.svc.request_id);
  expect(execution.attempts.map(({ model, purpose, not_retried }: any) => [model, purpose, not_retried])).toEqual([
    ["gpt-4o", "first", "retry_budget"],
    [body.model, "fallback", null],
  ]);
  // What the provider asks for itself is no storm, and an answer that did not pass no failure.
  for (const first of [failing(429, { "retry-after-ms": "1" }), completion("")]) {
    openai.answer(first, completion("Hello."));
    expect((await chat(live, ask("Say hello.", { model: "gpt-4o" }))).body.choices[0].message.content).toBe("Hello.");
  }
});

test("a call that no model answered counts against the one that was asked first, in the log and in the metrics", async () => {
  const own = await gateway.key({ project: "unlucky" });
  const { headers } = await chat(own, ask("[[sandbox:error-500:always]] Explain hail.", { model: "gpt-4o" }));
  const row = await logOf(own, headers.get("x-svc-request-id")!);
  expect([row.execution.status, row.routing.model_selected, row.routing.provider]).toEqual([503, "gpt-4o", "openai"]);
  const found = (await (await gateway.send(own, "GET", "/v1/logs?failed_only=true&model=gpt-4o")).json()) as any;
  expect(found.total).toBe(1);
  const { by_task_type } = (await (await gateway.send(own, "GET", "/v1/metrics/performance")).json()) as any;
  expect(by_task_type[row.classification.task_type].models["gpt-4o"]).toMatchObject({ calls: 1, success_rate: 0 });
});

test("all providers failing is a 503 with retry_after that names neither key nor address", async () => {
  openai.answer(failing(500));
  anthropic.answer(failing(500));
  const { status, body, headers } = await chat(live, ask("Say hello."));
  expect([status, body.error.type]).toEqual([503, "service_unavailable"]);
  expect(body.error.retry_after).toBeGreaterThan(0);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(headers.get("x-should-retry")).toBe("false");
  expect(body.error.request_id).toBe(headers.get("x-svc-request-id"));
  expect(JSON.stringify(body)).not.toMatch(/sk-|127\.0\.0\.1|http:/);
});

test("a refusal is retried once with the same model, then a fallback is asked", async () => {
  const { body } = await chat(sandbox, ask("[[sandbox:refuse]] Explain photosynthesis."));
  const log = await logOf(sandbox, body.svc.request_id);
  expect(log.execution.attempts.length).toBe(2);
  expect(body.svc).toMatchObject({ validation_passed: true, fallback_used: false });
  const always = await chat(sandbox, ask("[[sandbox:refuse:always]] Explain photosynthesis."));
  const models = (await logOf(sandbox, always.body.svc.request_id)).execution.attempts.map((attempt: any) => attempt.model);
  expect(models.length).toBe(3);
  expect(models[0]).toBe(models[1]);
  expect(models[2]).not.toBe(models[0]);
  expect(always.status).toBe(200);
  expect(always.body.svc).toMatchObject({ validation_passed: false, fallback_used: true });
});

test("usage is the answer's; with what was discarded it is total_usage, which the log and the cost count", async () => {
  openai.answer(
    completion("", { prompt_tokens: 20, completion_tokens: 1, total_tokens: 21 }),
    completion("A hill is a small mountain."),
  );
  const { body } = await chat(live, ask("What is a hill?", { model: "gpt-4o" }));
  expect(body.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
  expect(body.svc.total_usage).toMatchObject({ prompt_tokens: 40, completion_tokens: 11, total_tokens: 51 });
  const { execution } = await logOf(live, body.svc.request_id);
  expect(execution).toMatchObject({ input_tokens: 40, output_tokens: 11, total_tokens: 51, cost_usd: body.svc.cost_usd });
  expect(execution.attempts.map((each: any) => [each.input_tokens, each.output_tokens])).toEqual([
    [20, 1],
    [20, 10],
  ]);
  expect(execution.side_calls).toEqual({ input_tokens: 0, output_tokens: 0, cost_usd: 0 });
  const plain = await chat(live, ask("What is a hill?", { model: "gpt-4o" }));
  expect("total_usage" in plain.body.svc).toBe(false);
});

test("the sum over all attempts never exceeds the ceiling", async () => {
  for (const trigger of ["", "[[sandbox:refuse:always]] ", "[[sandbox:truncate:always]] ", "[[sandbox:bad-json:always]] "]) {
    for (const ceiling of [0.0001, 0.001, 0.01]) {
      const { status, body } = await chat(
        sandbox,
        ask(`${trigger}Write a long story about a railway in the mountains.`, { max_cost_per_call: ceiling }),
      );
      expect(status).toBe(200);
      const log = await logOf(sandbox, body.svc.request_id);
      expect(log.execution.cost_usd).toBeLessThanOrEqual(ceiling);
      expect(body.svc.cost_usd).toBeLessThanOrEqual(ceiling);
    }
  }
});

test("a ceiling that changes the choice is told in cost_warning; one below every call is refused", async () => {
  const free = await chat(
    sandbox,
    ask("Prove that the square root of two is irrational, in full rigor, and generalise.", { quality_cost: 0 }),
  );
  expect(free.body.svc.cost_warning).toBeUndefined();
  const bound = await chat(
    sandbox,
    ask("Prove that the square root of two is irrational, in full rigor, and generalise.", {
      quality_cost: 0,
      max_cost_per_call: 0.0005,
    }),
  );
  expect(bound.body.svc.cost_warning).toMatchObject({
    ceiling_usd: 0.0005,
    optimal_model: free.body.model,
    selected_model: bound.body.model,
  });
  expect(bound.body.svc.cost_warning.optimal_cost_usd).toBeGreaterThan(0.0005);
  const refused = await chat(sandbox, ask("Hello", { max_cost_per_call: 0.000000001 }));
  expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
    400,
    "cost_ceiling_unreachable",
    "max_cost_per_call",
  ]);
  expect(refused.body.error.message).toMatch(/0\.0000\d+ USD/);
  for (const wrong of [0, -1, "1", null]) {
    const { status, body } = await chat(sandbox, ask("Hello", { max_cost_per_call: wrong }));
    if (wrong === null) expect(status).toBe(200);
    else expect([status, body.error.param]).toEqual([400, "max_cost_per_call"]);
  }
});

test("a schema is enforced: repaired, retried with the errors, refused when strict", async () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer" } },
    required: ["name", "age"],
    additionalProperties: false,
  };
  const fine = await chat(sandbox, ask("Ada is 36 years old. Extract her name and age.", { schema }));
  expect(fine.body.svc.schema_validation).toMatchObject({ enabled: true, passed: true });
  expect(Object.keys(JSON.parse(fine.body.choices[0].message.content)).sort()).toEqual(["age", "name"]);
  openai.answer(completion("Sure! ```json\n{'name': 'Ada', 'age': 36,}\n```"));
  const repaired = await chat(live, ask("Extract.", { schema, model: "gpt-4o" }));
  expect(JSON.parse(repaired.body.choices[0].message.content)).toEqual({ name: "Ada", age: 36 });
  expect(repaired.body.svc.schema_validation.passed).toBe(true);
  openai.answer(completion('{"name": 5}'), completion('{"name":"Ada","age":36}'));
  const mended = await chat(live, ask("Extract.", { schema, model: "gpt-4o" }));
  expect(JSON.parse(mended.body.choices[0].message.content)).toEqual({ name: "Ada", age: 36 });
  expect(JSON.stringify(openai.seen.at(-1)!.body.messages.at(-1))).toContain("age");
  openai.answer(completion('```json\n{"name":"Ada","age":36}\n```'));
  const strict = await chat(live, ask("Extract.", { schema, schema_strict: true, model: "gpt-4o" }));
  expect([strict.status, strict.body.error.type]).toEqual([422, "schema_validation_failed"]);
  expect(strict.body.error.errors[0]).toHaveProperty("message");
  const wrong = await chat(sandbox, ask("Extract.", { schema: { type: "nonsense" } }));
  expect([wrong.status, wrong.body.error.param]).toEqual([400, "schema"]);
});

test("vision goes to a model that sees, audio to one that hears", async () => {
  const png =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const seen = await chat(sandbox, {
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is it?" },
          { type: "image_url", image_url: { url: png } },
        ],
      },
    ],
  });
  expect(seen.body.svc.task_type).toBe("vision");
  expect(gateway.platform.catalog.findChatModel(seen.body.model)!.abilities).toContain("vision");
  const heard = await chat(sandbox, {
    messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "UklGRiQAAABXQVZF", format: "wav" } }] }],
  });
  expect(heard.body.svc.task_type).toBe("audio");
  expect(gateway.platform.catalog.findChatModel(heard.body.model)!.abilities).toContain("audio_input");
});

test("URLs that lead inside are refused with their place", async () => {
  for (const url of [
    "http://example.com/a.png",
    "https://localhost/a.png",
    "https://127.0.0.1/a.png",
    "https://10.0.0.1/x",
    "https://[::1]/x",
    "https://169.254.169.254/",
    "file:///etc/passwd",
    "https://0x7f000001/x",
    "https://user:pw@example.com/",
  ]) {
    const { status, body } = await chat(sandbox, {
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
    });
    expect([status, body.error.param]).toEqual([400, "messages.0.content.0.image_url.url"]);
  }
});

test("an unknown model is 404 and no row of the log; a pinned one answers", async () => {
  const before = ((await (await gateway.send(live, "GET", "/v1/logs?limit=1")).json()) as any).total;
  const unknown = await chat(live, ask("Hi", { model: "gpt-99" }));
  expect([unknown.status, unknown.body.error.type, unknown.body.error.param, unknown.body.error.code]).toEqual([
    404,
    "not_found",
    "model",
    "model_not_found",
  ]);
  const after = ((await (await gateway.send(live, "GET", "/v1/logs?limit=1")).json()) as any).total;
  expect(after).toBe(before);
  expect((await chat(live, ask("Hi", { model: "gpt-4o" }))).body.model).toBe("gpt-4o");
});

test("tools, sampling and the rest reach the provider; tool calls come back", async () => {
  openai.answer(
    json({
      id: "x",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "t1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } }],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
    }),
  );
  const tools = [
    {
      type: "function",
      function: { name: "weather", description: "d", parameters: { type: "object", properties: { city: { type: "string" } } } },
    },
  ];
  const { body } = await chat(
    live,
    ask("Weather in Paris?", {
      model: "gpt-4o",
      tools,
      tool_choice: "required",
      temperature: 0.2,
      top_p: 0.9,
      stop: ["END"],
      seed: 7,
      max_tokens: 50,
      user: "u-1",
      metadata: { team: "x" },
    }),
  );
  expect(body.choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { content: null, tool_calls: [{ id: "t1", function: { name: "weather", arguments: '{"city":"Paris"}' } }] },
  });
  expect(openai.seen[0]!.body).toMatchObject({ model: "gpt-4o", temperature: 0.2, top_p: 0.9, stop: ["END"], seed: 7 });
  const log = await logOf(live, body.svc.request_id);
  expect(log.metadata).toMatchObject({ user_id: "u-1", custom: { team: "x" } });
});

test("a spent budget refuses with 429, and parallel calls cannot overdraw it", async () => {
  const key = await gateway.key({ project: "poor", budgetUsd: 0.01 });
  // Slow enough for all of them to be let in, or not, before the first has cost anything.
  const prompt = "[[sandbox:slow=500]] Explain the theory of relativity at length.";
  const results = await Promise.all(
    Array.from({ length: 60 }, () => chat(key, ask(prompt, { max_tokens: 40, model: "claude-sonnet-5-5" }))),
  );
  const refused = results.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.body.error.type).toBe("budget_exceeded");
  expect(refused[0]!.headers.get("x-should-retry")).toBe("false");
  const spent = results.reduce((sum, { body }) => sum + (body.svc?.cost_usd ?? 0), 0);
  expect(spent).toBeWithin(0.005, 0.01 + 1e-9);
});

test("the same idempotency key and body answer the stored response; another body is a mismatch", async () => {
  const first = await chat(sandbox, ask("Say something."), { "idempotency-key": "k-1" });
  const again = await chat(sandbox, ask("Say something."), { "idempotency-key": "k-1" });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("x-svc-idempotent-replay")).toBe("true");
  const other = await chat(sandbox, ask("Say something else."), { "idempotency-key": "k-1" });
  expect([other.status, other.body.error.type]).toEqual([422, "idempotency_mismatch"]);
  // Neither is answered before the other has been refused.
  const { promise: refusal, resolve: answer } = Promise.withResolvers<void>();
  openai.answer(async (request) => {
    await refusal;
    return completion("Hello.")(request);
  });
  const asked = () => chat(live, ask("Say hello.", { model: "gpt-4o" }), { "idempotency-key": "k-2" });
  const both = [asked(), asked()];
  const { status, body, headers } = await Promise.race(both);
  answer();
  expect(status).toBe(409);
  expect((await Promise.all(both)).map((each) => each.status).sort()).toEqual([200, 409]);
  expect([body.error.type, headers.get("retry-after")]).toEqual(["idempotency_in_progress", "1"]);
});

test("a caller that hangs up aborts the provider and is logged with the prompt", async () => {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  openai.answer(async (request) => {
    resolve();
    await request.gone;
    return new Response(null, { status: 500 });
  });
  const abort = new AbortController();
  const call = fetch(`${gateway.url}/v1/chat`, {
    method: "POST",
    signal: abort.signal,
    headers: { authorization: `Bearer ${live.text}`, "content-type": "application/json" },
    body: JSON.stringify(ask("Hang up on me.", { model: "gpt-4o" })),
  }).catch(() => undefined);
  await reached;
  abort.abort();
  await call;
  await openai.seen[0]!.gone;
  let row: any;
  while (row === undefined)
    row = (await (await gateway.send(live, "GET", "/v1/logs?limit=1&failed_only=true")).json()).logs.find(
      ({ prompt }: any) => prompt.text === "Hang up on me.",
    );
  expect(row.execution).toMatchObject({ status: 499, usage_source: "estimated", output_tokens: 0 });
  expect(row.execution.input_tokens).toBeGreaterThan(0);
});

test("a trigger of the sandbox changes neither the task nor what counts as a good answer", async () => {
  const plain = await chat(sandbox, ask("Extract the name and age from: Bob is 44 years old."));
  const broken = await chat(sandbox, ask("Extract the name and age from: Bob is 44 years old. [[sandbox:bad-json]]"));
  expect(broken.body.svc).toMatchObject({ task_type: plain.body.svc.task_type, validation_passed: true });
  expect(broken.body.choices[0].message.content).toBe(plain.body.choices[0].message.content);
  const { execution } = await logOf(sandbox, broken.body.svc.request_id);
  expect(execution.attempts.map(({ failure }: { failure: string | null }) => failure)).toEqual(["format_violation", null]);
});

test("the cost that a warning expects keeps the ceiling, and a ceiling of nothing is below every price", async () => {
  const { body } = await chat(
    sandbox,
    ask("Write a long essay of two thousand words about bread.", { max_cost_per_call: 0.00001 }),
  );
  expect(body.svc.cost_warning.estimated_cost_usd).toBeLessThanOrEqual(0.00001);
  const nothing = await chat(sandbox, ask("Hi.", { max_cost_per_call: 0 }));
  expect([nothing.status, nothing.body.error.code]).toEqual([400, "cost_ceiling_unreachable"]);
});

test.each([
  ["Hi.", {}],
  ["Prove that there are infinitely many primes, then generalise.", {}],
  ["Which of spam and ham is this: you have won a prize", { max_tokens: 3 }],
  [`Summarise: ${"The harbour was quiet that morning. ".repeat(2_000)}`, {}],
])(
  "a ceiling of just what the first choice is told to cost changes nothing, a billionth less does: %.40s",
  async (content, more) => {
    const free = await chat(sandbox, ask(content, more));
    const told = free.body.svc.routing.candidates[0].estimated_cost_usd;
    const { svc, model } = (await chat(sandbox, ask(content, { ...more, max_cost_per_call: told }))).body;
    expect([model, svc.cost_warning]).toEqual([free.body.model, undefined]);
    const below = Math.round((told - 1e-9) * 1e9) / 1e9;
    const warning = (await chat(sandbox, ask(content, { ...more, max_cost_per_call: below }))).body.svc.cost_warning;
    expect(warning).toMatchObject({ ceiling_usd: below, optimal_model: free.body.model, optimal_cost_usd: told });
    expect(warning.estimated_cost_usd).toBeLessThanOrEqual(below);
  },
);

test("a ceiling that leaves no cheaper model, only a shorter answer, is told as well", async () => {
  const essay = "Write a long essay of two thousand words about bread.";
  const { body } = await chat(sandbox, ask(essay, { model: "gpt-4o", max_cost_per_call: 0.001 }));
  expect(body.svc.cost_warning).toMatchObject({ optimal_model: "gpt-4o", selected_model: "gpt-4o", estimated_cost_usd: 0.001 });
  expect(body.svc.cost_warning.optimal_cost_usd).toBeGreaterThan(0.001);
  const free = await chat(sandbox, ask(essay, { model: "gpt-4o", max_cost_per_call: 1 }));
  expect(free.body.svc.cost_warning).toBeUndefined();
});

test("a schema waits for the answer while the model calls a tool, and svc says so", async () => {
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const tools = [{ type: "function", function: { name: "find_city", parameters: schema } }];
  const { body } = await chat(sandbox, ask("Where is it?", { schema, tools, tool_choice: "required" }));
  expect(body.choices[0].finish_reason).toBe("tool_calls");
  expect(body.svc.schema_validation).toEqual({ enabled: false, passed: true });
});

test("a 503 asks for as long as the providers did", async () => {
  openai.answer(failing(429, { "retry-after": "47" }));
  anthropic.answer(failing(429, { "retry-after": "47" }));
  const { status, body } = await chat(live, ask("Say hello."));
  expect(status).toBe(503);
  expect(body.error.retry_after).toBeWithin(35, 48);
});

test("a call that a spent budget refuses is no row of the log", async () => {
  const spent = await gateway.key({ budgetUsd: 0 });
  for (const path of ["/v1/chat", "/v1/chat/stream"]) {
    const refused = await gateway.send(spent, "POST", path, ask("Hello."));
    expect([refused.status, ((await refused.json()) as any).error.type]).toEqual([429, "budget_exceeded"]);
    expect((await gateway.send(sandbox, "GET", `/v1/logs/${refused.headers.get("x-svc-request-id")}`)).status).toBe(404);
  }
});

test("JSON in a fence is the JSON that was asked for: one attempt, and the fence stays here", async () => {
  openai.answer(completion('```json\n{"animal": "fox"}\n```'));
  const format = { response_format: { type: "json_object" }, model: "gpt-4.1" };
  const { body } = await chat(live, ask("Name an animal, as JSON.", format));
  expect(body.choices[0].message.content).toBe('{"animal": "fox"}');
  expect(body.svc.validation_passed).toBe(true);
  expect(openai.seen).toHaveLength(1);
  expect((await logOf(live, body.svc.request_id)).output).toMatchObject({ text: '{"animal": "fox"}', format_valid: true });
  // Where nobody asked for JSON the fence is part of the answer.
  const plain = await chat(live, ask("Name an animal.", { model: "gpt-4.1" }));
  expect(plain.body.choices[0].message.content).toStartWith("```json");
});

test("what a provider did not count is estimated for the caller as for the log", async () => {
  const call = { id: "c1", type: "function", function: { name: "find_fox", arguments: '{"where":"in the wood"}' } };
  for (const message of [
    { role: "assistant", content: "A fox lives in the wood." },
    { role: "assistant", content: null, tool_calls: [call] },
  ]) {
    openai.answer(json({ id: "up-1", object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] }));
    const tools = [{ type: "function", function: { name: "find_fox", parameters: { type: "object" } } }];
    const { body } = await chat(live, ask("Where does a fox live?", { model: "gpt-4.1", tools }));
    const { execution } = await logOf(live, body.svc.request_id);
    expect(execution.usage_source).toBe("estimated");
    expect(body.usage.completion_tokens).toBeGreaterThan(4);
    expect(body.usage).toMatchObject({
      prompt_tokens: execution.input_tokens,
      completion_tokens: execution.output_tokens,
      total_tokens: execution.total_tokens,
    });
  }
});
