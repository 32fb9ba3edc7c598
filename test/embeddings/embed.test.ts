/** What a model cannot embed is refused before a provider is asked, with the field that names it, and is a row of the log. */

import { expect, test } from "bun:test";
import { startGateway, type TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { type Answer, json, neverAnswers, upstreamStubOfFile } from "../support/upstream-stub.ts";

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1` } });
const live = await gateway.key({ mode: "live" });
const sandbox = await gateway.key();

const embed = async (key: TestKey, body: object) => {
  const response = await gateway.send(key, "POST", "/v1/embeddings", { model: "text-embedding-3-small", ...body });
  return { status: response.status, body: (await response.json()) as any, headers: response.headers };
};

test("an input longer than the model reads, and a vector longer than it makes", async () => {
  for (const mode of ["live", "test"] as const) {
    const key = await gateway.key({ project: "too long", mode });
    const long = await embed(key, { input: ["short", "lorem ipsum ".repeat(8_000)] });
    expect([long.status, long.body.error]).toMatchObject([400, { param: "input.1", code: "context_length_exceeded" }]);
    expect((await embed(key, { input: "lorem ipsum ".repeat(8_000) })).body.error.param).toBe("input");
    const wide = await embed(key, { input: "short", dimensions: 1_537 });
    expect([wide.status, wide.body.error.param]).toEqual([400, "dimensions"]);
    const { logs } = (await (await gateway.send(key, "GET", "/v1/logs?failed_only=true")).json()) as any;
    expect(logs).toHaveLength(3);
  }
  expect(upstream.seen).toHaveLength(0);
});

test("what fits goes to the provider, or has the length that was asked for", async () => {
  upstream.answer(json({ data: [{ index: 0, embedding: [0.6, 0.8] }], usage: { prompt_tokens: 2, total_tokens: 2 } }));
  expect((await embed(live, { input: "short", dimensions: 2 })).body.data[0].embedding).toHaveLength(2);
  expect(upstream.seen[0]!.body).toMatchObject({ input: ["short"], dimensions: 2 });
  expect((await embed(sandbox, { input: "short", dimensions: 1_536 })).body.data[0].embedding).toHaveLength(1_536);
});

const detailOfLast = async (key: TestKey) => {
  const { logs } = (await (await gateway.send(key, "GET", "/v1/logs?limit=1")).json()) as any;
  return (await (await gateway.send(key, "GET", `/v1/logs/${logs[0].call_id}`)).json()) as any;
};

test("a caller who hangs up is in the log, with what the provider had begun to work on", async () => {
  const key = await gateway.key({ project: "impatient", mode: "live" });
  upstream.answer(neverAnswers);
  const before = upstream.seen.length;
  const leaving = new AbortController();
  const left = fetch(`${gateway.url}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "text-embedding-3-small", input: "words that are billed", user: "ann" }),
    signal: leaving.signal,
  }).catch(() => "gone");
  while (upstream.seen.length === before) await Bun.sleep(1);
  leaving.abort();
  expect(await left).toBe("gone");
  while (((await (await gateway.send(key, "GET", "/v1/logs")).json()) as any).total === 0) await Bun.sleep(1);
  const { execution, metadata } = await detailOfLast(key);
  expect(execution).toMatchObject({
    status: 499,
    error_type: "client_closed_request",
    cancelled: true,
    usage_source: "estimated",
  });
  expect(execution.input_tokens).toBeGreaterThan(0);
  expect(execution.cost_usd).toBeGreaterThan(0);
  expect(metadata.user_id).toBe("ann");
});

test("what a policy refuses asked no provider: it is no attempt", async () => {
  const key = await gateway.key({ project: "blocked", mode: "live" });
  const config = { provider_block_list: ["openai"], on_violation: "hard_block" };
  await gateway.send(key, "POST", "/v1/policies", { name: "not there", policy_type: "routing", config });
  expect((await embed(key, { input: "short" })).status).toBe(403);
  expect((await detailOfLast(key)).execution).toMatchObject({ status: 403, attempts: [], cost_usd: 0 });
  const { providers } = (await (await gateway.send(key, "GET", "/v1/metrics/providers")).json()) as any;
  expect(providers.openai).toMatchObject({ total_attempts: 0, avg_latency_ms: null });
});

test("what the policies said of the input stands in the log, whether it was let through or not", async () => {
  const policies = async (project: string, pii_detection: object) => {
    const key = await gateway.key({ project });
    await gateway.send(key, "POST", "/v1/policies", {
      name: project,
      policy_type: "content",
      config: { evaluate_input: true, redact_logs: true, pii_detection },
    });
    await gateway.send(key, "POST", "/v1/policies", {
      name: "dear",
      policy_type: "routing",
      config: { model_block_list: ["text-embedding-3-small"], on_violation: "warn" },
    });
    return key;
  };
  for (const [action, status] of [
    ["redact", 200],
    ["block", 403],
  ] as const) {
    const asking = await policies(`input-${action}`, { action });
    const body = { model: "text-embedding-3-small", input: ["Mail ann@example.com.", "Nothing here."] };
    const response = await gateway.send(asking, "POST", "/v1/embeddings", body);
    expect(response.status).toBe(status);
    const row = (await (await gateway.send(asking, "GET", `/v1/logs/${response.headers.get("x-svc-request-id")}`)).json()) as any;
    expect(row.policies).toMatchObject({
      policy_evaluation: { result: "warn" },
      content_evaluation: { result: action, phase: "pre_request", pii_count: 1 },
    });
  }
});

test("what a provider's error quotes of the input is redacted in the log as the input is", async () => {
  const key = await gateway.key({ project: "quoted", mode: "live" });
  await gateway.send(key, "POST", "/v1/policies", {
    name: "no addresses",
    policy_type: "content",
    config: { redact_logs: true, pii_detection: { action: "redact" } },
  });
  upstream.answer(json({ error: { message: "I cannot embed 'Mail ann@example.com.'" } }, 400));
  expect((await embed(key, { input: "Mail ann@example.com." })).status).toBe(400);
  const row = await detailOfLast(key);
  expect(row.execution.attempts[0].failure_message).toContain("cannot embed 'Mail [REDACTED]");
  expect(JSON.stringify(row)).not.toContain("ann@example.com");
});

test("a provider's failure is an attempt with its latency", async () => {
  const key = await gateway.key({ project: "failing", mode: "live" });
  upstream.answer(async () => {
    await Bun.sleep(20);
    return Response.json({ error: { message: "no" } }, { status: 400 });
  });
  expect((await embed(key, { input: "short" })).status).toBe(400);
  const [attempt] = (await detailOfLast(key)).execution.attempts;
  expect(attempt).toMatchObject({ success: false, failure: "bad_request", cost_usd: 0 });
  expect(attempt.latency_ms).toBeGreaterThan(0);
});

test("a provider that says nothing is given up when its time for a first byte is over", async () => {
  const environment = {
    OPENAI_API_KEY: "sk-upstream",
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    SIGNALBOX_TIMEOUT_FIRST_BYTE_MS: "50",
  };
  await using quick = await startGateway({ environment });
  const key = await quick.key({ mode: "live" });
  upstream.answer(neverAnswers);
  const response = await quick.send(key, "POST", "/v1/embeddings", { model: "text-embedding-3-small", input: "short" });
  expect(response.status).toBe(503);
  const row = (await (await quick.send(key, "GET", `/v1/logs/${response.headers.get("x-svc-request-id")}`)).json()) as any;
  expect(row.execution.attempts).toMatchObject([{ failure: "timeout" }]);
});

test("a failure that may pass is tried once more, a lasting one is a 503; each attempt is in the log", async () => {
  const key = await gateway.key({ project: "flickering", mode: "live" });
  const failed = json({ error: { message: "try again" } }, 500);
  // Long enough that the first attempt's share of the call can be told.
  const broken: Answer = async (request) => {
    await Bun.sleep(20);
    return failed(request);
  };
  const fine = json({ data: [{ index: 0, embedding: [0.5, 0.5] }], usage: { prompt_tokens: 1 } });
  upstream.answer(broken, fine);
  expect((await embed(key, { input: "short", dimensions: 2 })).body.data[0].embedding).toEqual([0.5, 0.5]);
  const { attempts, latency_ms, overhead_ms } = (await detailOfLast(key)).execution;
  expect(attempts).toMatchObject([
    { attempt_number: 1, success: false, failure: "server", cost_usd: 0 },
    { attempt_number: 2, success: true },
  ]);
  expect(latency_ms - overhead_ms).toBe(attempts[0].latency_ms + attempts[1].latency_ms);
  upstream.answer(broken);
  expect((await embed(key, { input: "short" })).status).toBe(503);
  expect((await detailOfLast(key)).execution.attempts).toHaveLength(2);
  for (const [named, told] of [
    [{}, 5],
    [{ "retry-after": "7" }, 7],
    [{ "retry-after": "99999999" }, 60],
  ] as const) {
    upstream.answer(json({ error: { message: "slow down" } }, 429, named));
    const limited = await embed(key, { model: "text-embedding-3-large", input: "short" });
    expect(limited.body.error).toMatchObject({ type: "service_unavailable", retry_after: told });
    gateway.clock.advance(60_000);
  }
  for (const model of ["text-embedding-3-small", "embed-local", "auto"]) {
    expect((await embed(sandbox, { model, input: "[[sandbox:error-500]] short" })).status).toBe(200);
    const lasting = await embed(sandbox, { model, input: "[[sandbox:error-500:always]] short" });
    // Another retry, by the client, would only ask as often again.
    expect([lasting.status, lasting.headers.get("x-should-retry")]).toEqual([503, "false"]);
  }
});

test("what was paid for before a large batch failed is billed with the call, in each attempt", async () => {
  const key = await gateway.key({ project: "half-paid", mode: "live" });
  const input = Array.from({ length: 600 }, (_, place) => `word ${place}`);
  const fine: Answer = ({ body }) =>
    Response.json({
      data: body.input.map((_: string, index: number) => ({ index, embedding: [1] })),
      usage: { prompt_tokens: 3 * body.input.length },
    });
  const broken = json({ error: { message: "try again" } }, 500);
  upstream.answer(fine, broken, fine);
  const { usage, svc } = (await embed(key, { input })).body;
  const { execution } = await detailOfLast(key);
  const attempts = execution.attempts.map(({ input_tokens, success }: any) => [input_tokens, success]);
  expect(attempts).toEqual([
    [3 * 512, false],
    [3 * 600, true],
  ]);
  expect([usage.prompt_tokens, execution.input_tokens, execution.cost_usd]).toEqual([3 * 600, 3 * 1_112, svc.cost_usd]);
  upstream.answer(fine, json({ error: { message: "no" } }, 400));
  expect((await embed(key, { input })).status).toBe(400);
  expect((await detailOfLast(key)).execution).toMatchObject({ input_tokens: 3 * 512, usage_source: "provider", success: false });
});

test("tokens that the provider does not count are estimated, and the log says so", async () => {
  const key = await gateway.key({ project: "uncounted", mode: "live" });
  upstream.answer(json({ data: [{ index: 0, embedding: [1] }] }));
  const { usage } = (await embed(key, { input: "nine tokens, or about that many.", user: "ann" })).body;
  expect(usage.prompt_tokens).toBe(8);
  expect((await detailOfLast(key)).execution).toMatchObject({ input_tokens: 8, usage_source: "estimated" });
});

test("a server that counts no tokens of what it embedded has not counted", async () => {
  const key = await gateway.key({ project: "zero", mode: "live" });
  upstream.answer(json({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 0, total_tokens: 0 } }));
  expect((await embed(key, { input: "nine tokens, or about that many." })).body.usage.prompt_tokens).toBe(8);
  expect((await detailOfLast(key)).execution).toMatchObject({ input_tokens: 8, usage_source: "estimated" });
});

test("a model of one's own server embeds, is listed with its size, and is not told the only size that it has", async () => {
  const settings = `
providers: { house: { base_url: "${upstream.url}/v1", key: k } }
models: [{ id: bge, provider: house, upstream_model: BAAI/bge-m3, dimensions: 3, input_usd_per_million: 0.5 }]`;
  await using own = await startGateway({ settings });
  const key = await own.key({ mode: "live" });
  upstream.answer(json({ data: [{ index: 0, embedding: [1, 2, 3] }], usage: { prompt_tokens: 4, total_tokens: 4 } }));
  const response = await own.send(key, "POST", "/v1/embeddings", { model: "bge", input: "hi", dimensions: 3 });
  const body = (await response.json()) as any;
  expect([response.status, body.data[0].embedding, body.svc.cost_usd]).toEqual([200, [1, 2, 3], 0.000002]);
  expect(upstream.seen.at(-1)!.body).toEqual({ model: "BAAI/bge-m3", input: ["hi"] });
  const wider = await own.send(key, "POST", "/v1/embeddings", { model: "bge", input: "hi", dimensions: 4 });
  expect([wider.status, ((await wider.json()) as any).error.param]).toEqual([400, "dimensions"]);
  expect(await (await own.send(key, "GET", "/v1/models/bge")).json()).toMatchObject({ type: "embedding", dimensions: 3 });
});

test("an answer with too few vectors is of no use, but billed", async () => {
  const key = await gateway.key({ project: "too few", mode: "live" });
  const few = { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 5 } };
  const two = { data: [0, 1].map((index) => ({ index, embedding: [1] })), usage: { prompt_tokens: 5 } };
  upstream.answer(json(few), json(two));
  const { usage, svc } = (await embed(key, { input: ["one", "two"] })).body;
  const { execution } = await detailOfLast(key);
  expect(execution.attempts.map(({ input_tokens }: any) => input_tokens)).toEqual([5, 5]);
  expect([usage.prompt_tokens, execution.input_tokens, execution.cost_usd]).toEqual([5, 10, svc.cost_usd]);
});

test("the local encoder says the same to both kinds of keys", async () => {
  const [one, other] = await Promise.all(
    [live, sandbox].map((key) => embed(key, { model: "embed-local", input: ["one", "two"] })),
  );
  expect(one!.body.data).toEqual(other!.body.data);
  expect(one!.body.usage).toEqual(other!.body.usage);
  const narrow = await embed(live, { model: "embed-local", input: "one", dimensions: 128 });
  expect([narrow.status, narrow.body.error.param]).toEqual([400, "dimensions"]);
});

test("a failure that nobody foresaw is a row of the log, as any other", async () => {
  const key = await gateway.key({ project: "unforeseen", mode: "live" });
  const provider = gateway.platform.providers.find("live", "openai")!;
  const { embed: own } = provider;
  provider.embed = () => Promise.reject(new TypeError("a mistake of ours"));
  const { status, body } = await embed(key, { input: "short" });
  provider.embed = own!;
  expect([status, body.error.type]).toEqual([500, "server_error"]);
  expect((await detailOfLast(key)).execution).toMatchObject({ status: 500, error_type: "server_error", cost_usd: 0 });
});

test("an input that the provider finds too long is told as such", async () => {
  const message = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.";
  upstream.answer(json({ error: { message, type: "invalid_request_error", code: "context_length_exceeded" } }, 400));
  const { status, body } = await embed(live, { input: "short" });
  expect([status, body.error.param, body.error.code]).toEqual([400, "input", "context_length_exceeded"]);
});

test("an input that the provider's safety system rejects is told as such", async () => {
  upstream.answer(json({ error: { message: "The response was filtered.", code: "content_filter" } }, 400));
  const { status, body } = await embed(live, { input: "short" });
  expect([status, body.error.type, body.error.param]).toEqual([400, "content_policy_violation", "input"]);
});

test("dimensions that the provider cannot make are the caller's mistake, however it says so", async () => {
  for (const error of [
    { message: "This model does not support specifying dimensions", type: "invalid_request_error", param: "dimensions" },
    {
      message: "Model m does not support matryoshka representation, changing output dimensions will lead to poor results.",
      code: 400,
    },
  ]) {
    upstream.answer(json({ error }, 400));
    const { status, body } = await embed(live, { input: "short", dimensions: 2 });
    expect([status, body.error.type, body.error.param]).toEqual([400, "invalid_request", "dimensions"]);
  }
});

test("token numbers go to a provider that reads them, and are billed by their count", async () => {
  upstream.answer(({ body }) =>
    Response.json({ data: body.input.map((_: unknown, index: number) => ({ index, embedding: [0.6, 0.8] })) }),
  );
  for (const [input, sent] of [
    [[9906, 1917], [[9906, 1917]]],
    [
      [[9906, 1917], [4438]],
      [[9906, 1917], [4438]],
    ],
  ]) {
    const { status, body } = await embed(live, { input });
    expect([status, body.data.length]).toEqual([200, sent!.length]);
    expect(body.usage.prompt_tokens).toBe((sent as number[][]).flat().length);
    expect(upstream.seen.at(-1)!.body.input).toEqual(sent);
  }
  expect((await detailOfLast(live)).prompt.text).toBe("(token numbers: 2)\n(token numbers: 1)");
  expect((await embed(sandbox, { input: [[9906], [4438]] })).body.data).toHaveLength(2);
});

test("token numbers are refused where nobody reads them, or a policy would have to", async () => {
  for (const model of ["auto", "embed-local", "gemini-embedding-001"]) {
    const response = await gateway.send(live, "POST", "/v1/embeddings", { model, input: [1, 2] });
    expect([model, response.status]).toEqual([model, model.startsWith("gemini") ? 503 : 400]);
    if (response.status === 400) expect(((await response.json()) as any).error.message).toContain("embed-local reads text");
  }
  // The sandbox can read them, but answers for a model that cannot.
  expect((await embed(sandbox, { model: "embed-local", input: [1, 2] })).status).toBe(400);
  const reviewed = await gateway.key({ project: "reviewed", mode: "live" });
  await gateway.send(reviewed, "POST", "/v1/policies", {
    name: "Words",
    policy_type: "content",
    config: { evaluate_input: true, blocked_terms: { enabled: true, terms: ["secret"], action: "block" } },
  });
  const { status, body } = await embed(reviewed, { input: [1, 2] });
  expect([status, body.error.param]).toEqual([400, "input"]);
  expect((await embed(live, { input: [1, "two"] })).status).toBe(400);
  expect((await embed(live, { input: [[]] })).status).toBe(400);
});

test("a batch of many texts lets others have their turn between them", async () => {
  const { encoder } = gateway.platform;
  const { embed: encode } = encoder;
  const turns: boolean[] = [];
  let hadTurn = false;
  encoder.embed = (text) => {
    turns.push(hadTurn);
    hadTurn = false;
    setImmediate(() => {
      hadTurn = true;
    });
    // Longer than a batch may go on by itself.
    for (const until = performance.now() + 10; performance.now() < until; );
    return encode(text);
  };
  try {
    const { status, body } = await embed(live, { model: "embed-local", input: ["one", "two", "three"] });
    expect([status, body.data.length, turns]).toEqual([200, 3, [false, true, true]]);
  } finally {
    encoder.embed = encode;
  }
});
