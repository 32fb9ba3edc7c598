/** `POST /v1/rerank`: the form that clients of Cohere, Jina, Voyage and LiteLLM know, the gateway's own scores, and vendors in their wire forms. */

import { describe, expect, test } from "bun:test";
import { estimateTokens } from "../../src/lib/estimate-tokens.ts";
import { readBaseUrl } from "../../src/providers/read-base-url.ts";
import { cohereRerank } from "../../src/providers/rerank/rerankers.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { contextFor, endless, endpointAt, type MediaHandler, mediaStubOfFile, says } from "../support/media-stub.ts";

const stub = mediaStubOfFile();
const gateway = await gatewayOfFile({
  environment: {
    COHERE_API_KEY: "co-secret",
    COHERE_BASE_URL: `${stub.url}/cohere`,
    OPENROUTER_API_KEY: "or-secret",
    OPENROUTER_BASE_URL: `${stub.url}/openrouter/v1`,
    JINA_API_KEY: "jina-secret",
    JINA_BASE_URL: `${stub.url}/jina/v1`,
    VOYAGE_API_KEY: "voyage-secret",
    VOYAGE_BASE_URL: `${stub.url}/voyage/v1`,
  },
  settings: `
providers: { vllm: { base_url: "${stub.url}/vllm/v1" } }
media_models:
  rerank-own: [{ provider: vllm, model: BAAI/bge-reranker-v2-m3 }]
  rerank-2.5-lite: [{ provider: voyage, model: rerank-2.5-lite }, { provider: local, model: rerank-local }]
media_aliases: { bge-reranker: rerank-own }
`,
});
const key = await gateway.key();
const live = await gateway.key({ project: "live", mode: "live" });

const QUERY = "What is the capital of France?";
const DOCUMENTS = [
  "Bread is baked from flour, water and salt.",
  "Paris is the capital of France.",
  "Berlin is the capital of Germany.",
];

const rerank = async (body: object, as: TestKey = key) => {
  const response = await gateway.send(as, "POST", "/v1/rerank", { query: QUERY, documents: DOCUMENTS, ...body });
  const requestId = response.headers.get("x-svc-request-id")!;
  return { status: response.status, headers: response.headers, requestId, body: (await response.json()) as any };
};
const rowOf = ({ requestId }: { requestId: string }, as: TestKey = key) => gateway.read(as, `/v1/logs/${requestId}`);
/** Of the query with each document. */
const TOKENS = DOCUMENTS.reduce((sum, text) => sum + estimateTokens(QUERY) + estimateTokens(text), 0);
const orderOf = ({ body }: { body: any }): number[] => body.results.map(({ index }: any) => index);

describe("by the gateway itself", () => {
  test("the best come first, with calibrated scores, for nothing and without a provider", async () => {
    for (const as of [live, key]) {
      const answer = await rerank({}, as);
      expect(orderOf(answer)).toEqual([1, 2, 0]);
      const [best, second, last] = answer.body.results.map(({ relevance_score }: any) => relevance_score);
      expect([best > 0.5, best > second, second > last, last < 0.3]).toEqual([true, true, true, true]);
      expect(answer.body).toEqual({
        id: answer.requestId,
        object: "list",
        model: "rerank-local",
        results: expect.any(Array),
        meta: { billed_units: { total_tokens: TOKENS }, tokens: { input_tokens: TOKENS } },
        usage: { total_tokens: TOKENS },
        svc: { request_id: answer.requestId, model_selected: "rerank-local", cost_usd: 0, latency_ms: expect.any(Number) },
      });
      const row = await rowOf(answer, as);
      expect(row.execution).toMatchObject({ status: 200, cost_usd: 0, input_tokens: TOKENS, usage_source: "estimated" });
      expect(row.execution.attempts).toMatchObject([{ provider: "local", success: true, cost_usd: 0, input_tokens: TOKENS }]);
      expect([row.metadata.kind, row.routing.model_selected, row.prompt.text.split("\n")]).toEqual([
        "rerank",
        "rerank-local",
        [QUERY, ...DOCUMENTS],
      ]);
    }
    expect(stub.asks).toHaveLength(0);
  });

  test("Cohere's SDKs find it under the path of their second version", async () => {
    const response = await gateway.send(key, "POST", "/v2/rerank", { query: QUERY, documents: DOCUMENTS, top_n: 1 });
    expect((await response.json()) as any).toMatchObject({ results: [{ index: 1 }], meta: { tokens: { input_tokens: TOKENS } } });
    const row = await gateway.read(key, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
    expect(row.metadata.endpoint).toBe("/v2/rerank");
  });

  test("documents may be objects, and come back as they were sent if asked for", async () => {
    const documents = [{ text: DOCUMENTS[0], id: 7 }, DOCUMENTS[1]];
    const { body } = await rerank({ documents, return_documents: true });
    expect(body.results).toMatchObject([
      { index: 1, document: { text: DOCUMENTS[1] } },
      { index: 0, document: { text: DOCUMENTS[0], id: 7 } },
    ]);
    expect((await rerank({ documents })).body.results[0]).not.toHaveProperty("document");
  });

  test("`top_n` and `top_k` are the same, and a document has the same score however many are wanted", async () => {
    const all = await rerank({});
    for (const top of [{ top_n: 1 }, { top_k: 1 }, { top_n: 1, top_k: 1 }])
      expect((await rerank(top)).body.results).toEqual(all.body.results.slice(0, 1));
    expect((await rerank({ top_n: 99, top_k: null })).body.results).toEqual(all.body.results);
  });

  test("who sends Voyage's names finds the results where its clients look for them, too", async () => {
    for (const names of [{ top_k: 1 }, { top_k: null, truncation: true }, { truncation: false }]) {
      const { body } = await rerank(names);
      expect(body.data).toEqual(body.results);
    }
    for (const names of [{ top_n: 1 }, { top_k: null, truncation: null }])
      expect((await rerank(names)).body).not.toHaveProperty("data");
  });

  test("what is behind `max_tokens_per_doc` is not read; a document without words, or a query, has a score of 0", async () => {
    const documents = [`${"word ".repeat(20)}Paris is the capital of France.`, "Berlin.", " ", "?!"];
    expect(orderOf(await rerank({ documents }))[0]).toBe(0);
    const { body } = await rerank({ documents, max_tokens_per_doc: 20 });
    expect(body.results.find(({ index }: any) => index === 0).relevance_score).toBeLessThan(0.3);
    expect(body.results.find(({ index }: any) => index === 2).relevance_score).toBe(0);
    const longest = [`${"word ".repeat(6_554)}Paris is the capital of France.`];
    const whole = await rerank({ documents: longest, max_tokens_per_doc: 1_000_000 });
    expect(whole.body.results[0].relevance_score).toBeLessThan(0.3);
    expect((await rerank({ query: "?!" })).body.results.map(({ relevance_score }: any) => relevance_score)).toEqual([0, 0, 0]);
  });

  test("a thousand documents are ranked; texts in other scripts by their words", async () => {
    const many = Array.from({ length: 999 }, (_, at) => `Line ${at} of a table of departures.`);
    expect(orderOf(await rerank({ documents: [...many, DOCUMENTS[1]], top_n: 1 }))).toEqual([999]);
    expect(orderOf(await rerank({ query: "首都はどこですか", documents: ["パンの作り方", "日本の首都は東京です"] }))[0]).toBe(1);
  });
});

describe("what a request may be", () => {
  const paramOf = async (body: object) => {
    const { status, body: answer } = await rerank(body);
    return [status, answer.error?.param];
  };

  test("bad fields are named", async () => {
    for (const query of [undefined, null, "", "  ", 7, ["x"], "x".repeat(20_001)])
      expect(await paramOf({ query })).toEqual([400, "query"]);
    for (const documents of [undefined, null, [], "text", {}]) expect(await paramOf({ documents })).toEqual([400, "documents"]);
    expect(await paramOf({ documents: Array(1_001).fill("x") })).toEqual([400, "documents"]);
    for (const [wrong, param] of [
      ["", "documents.1"],
      [7, "documents.1"],
      [{ title: "x" }, "documents.1.text"],
      [{ text: "" }, "documents.1.text"],
    ])
      expect(await paramOf({ documents: ["x", wrong] })).toEqual([400, param]);
    for (const top of [0, -1, 1.5, "3"]) expect(await paramOf({ top_n: top })).toEqual([400, "top_n"]);
    expect(await paramOf({ top_n: 1, top_k: 2 })).toEqual([400, "top_k"]);
    expect(await paramOf({ return_documents: "yes" })).toEqual([400, "return_documents"]);
    expect(await paramOf({ max_tokens_per_doc: 0 })).toEqual([400, "max_tokens_per_doc"]);
  });

  test("a body of more than 4 MB is refused, one of nearly as much is ranked", async () => {
    const big = "A table of departures. ".repeat(180_000);
    expect((await rerank({ documents: [big, DOCUMENTS[1]], max_tokens_per_doc: 10_000_000 })).body.results[0].index).toBe(1);
    expect((await rerank({ documents: [big, DOCUMENTS[1], big.slice(0, 100_000)] })).status).toBe(413);
  });

  test("fields of the vendors that have no meaning here are ignored", async () => {
    expect((await rerank({ truncation: true, priority: 1, rank_fields: ["text"], stream: true })).status).toBe(200);
  });

  test("an unknown model is a 404, one that a key may not use a 403", async () => {
    const unknown = await rerank({ model: "rerank-v99" });
    expect([unknown.status, unknown.body.error.param]).toEqual([404, "model"]);
    expect(unknown.body.error.message).toMatch(/"rerank-v99" was not found; there are rerank-local, .*`media_aliases`/);
    expect((await rerank({ model: "image-a-3" })).status).toBe(404);
    const bound = await gateway.key({ terms: { models: ["rerank-2.5"] } });
    expect([(await rerank({}, bound)).status, (await rerank({ model: "rerank-2.5" }, bound)).status]).toEqual([403, 200]);
    expect((await rerank({}, await gateway.key({ scopes: ["search"] }))).status).toBe(403);
  });

  test("counts with embeddings towards the tier's limits and the key's tokens", async () => {
    const free = await gateway.key({ project: "free", tier: "free" });
    const { headers } = await rerank({}, free);
    expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual(["60", "59"]);
    const few = await gateway.key({ project: "few", terms: { tokensPerMinute: 2 * TOKENS - 1 } });
    expect([(await rerank({}, few)).status, (await rerank({}, few)).status, (await rerank({}, few)).status]).toEqual([
      200, 200, 429,
    ]);
  });

  test("the same request with an `Idempotency-Key` is answered once", async () => {
    const ask = () =>
      gateway.send(key, "POST", "/v1/rerank", { query: QUERY, documents: DOCUMENTS }, { "idempotency-key": "rank-once" });
    const [first, second] = [await (await ask()).json(), await (await ask()).json()];
    expect(second).toEqual(first);
  });

  test("with a test key the query may hold the sandbox's fault triggers", async () => {
    const failed = await rerank({ query: "[[sandbox:error-500:always]] x" });
    expect([failed.status, failed.body.error.type]).toEqual([503, "service_unavailable"]);
    expect((await rowOf(failed)).execution.attempts).toHaveLength(2);
    const saved = await rerank({ query: `[[sandbox:error-500]] ${QUERY}` });
    expect(orderOf(saved)).toEqual([1, 2, 0]);
    expect((await rowOf(saved)).execution.attempts.map(({ success }: any) => success)).toEqual([false, true]);
    expect((await rerank({ query: "[[sandbox:empty:always]] x" })).status).toBe(503);
    const refused = await rerank({ query: "[[sandbox:refuse]] x" });
    expect([refused.status, refused.body.error.type]).toEqual([400, "content_policy_violation"]);
  });
});

describe("by vendors", () => {
  const results = [
    { index: 1, relevance_score: 0.98 },
    { index: 2, relevance_score: 0.4 },
    { index: 0, relevance_score: 0.01 },
  ];
  const askedBy = async (handlers: Record<string, MediaHandler>, body: object) => {
    stub.answer(handlers);
    const answer = await rerank(body, live);
    return { ...answer, ask: stub.asks.at(-1) };
  };

  test("Cohere, which bills searches", async () => {
    const meta = { api_version: { version: "2" }, billed_units: { search_units: 3 } };
    const { body, ask, requestId } = await askedBy(
      { "POST /cohere/v2/rerank": says({ id: "co-1", results: results.slice(0, 2), meta }) },
      { model: "rerank-v3.5", top_n: 2, return_documents: true },
    );
    expect(ask!.headers.get("authorization")).toBe("Bearer co-secret");
    expect(ask!.json).toEqual({ model: "rerank-v3.5", query: QUERY, documents: DOCUMENTS, top_n: 2, max_tokens_per_doc: 4096 });
    expect(body).toMatchObject({
      model: "rerank-v3.5",
      results: [
        { index: 1, relevance_score: 0.98, document: { text: DOCUMENTS[1] } },
        { index: 2, relevance_score: 0.4, document: { text: DOCUMENTS[2] } },
      ],
      meta: { billed_units: { search_units: 3 } },
      svc: { model_selected: "rerank-v3.5", cost_usd: 0.006 },
    });
    const { execution } = await rowOf({ requestId }, live);
    expect(execution).toMatchObject({ cost_usd: 0.006, attempts: [{ provider: "cohere", cost_usd: 0.006 }] });
  });

  test("Cohere's address may be the one of its SDKs, of its endpoints like OpenAI's, or of this one", async () => {
    stub.answer({ "POST /cohere/v2/rerank": says({ results }) });
    const request = { query: QUERY, documents: DOCUMENTS, topN: 3, maxTokensPerDocument: 9 };
    for (const path of ["", "/v1", "/v2", "/v2/rerank", "/compatibility/v1"]) {
      const baseUrl = readBaseUrl("COHERE_BASE_URL", `${stub.url}/cohere${path}`, undefined);
      const { ranked } = await cohereRerank({ ...endpointAt(baseUrl), key: "" }).rerank("rerank-v3.5", request, contextFor());
      expect(ranked).toHaveLength(3);
    }
    expect(stub.asks.map(({ headers }) => headers.get("authorization"))).toEqual([null, null, null, null, null]);
  });

  test("OpenRouter if Cohere fails, by LiteLLM's name of the model; the log has both attempts", async () => {
    const { body, ask, requestId } = await askedBy(
      {
        "POST /cohere/v2/rerank": says({ message: "busy" }, 500),
        "POST /openrouter/v1/rerank": says({ results, usage: { search_units: 1, total_tokens: 90 } }),
      },
      { model: "cohere/rerank-v4.0-pro" },
    );
    expect(ask!.json).toMatchObject({ model: "cohere/rerank-4-pro", top_n: 3, return_documents: false });
    expect(body).toMatchObject({ usage: { total_tokens: 90 }, svc: { model_selected: "rerank-v4.0-pro", cost_usd: 0.0025 } });
    const { execution, quality } = await rowOf({ requestId }, live);
    expect(execution.attempts.map(({ provider, success, input_tokens }: any) => [provider, success, input_tokens])).toEqual([
      ["cohere", false, 0],
      ["cohere", false, 0],
      ["openrouter", true, 90],
    ]);
    expect([quality.fallback_used, execution.input_tokens, execution.usage_source]).toEqual([true, 90, "provider"]);
  });

  test("Jina, which bills tokens and may find less than nothing", async () => {
    const found = [
      { index: 0, relevance_score: -0.11 },
      { index: 1, relevance_score: 0.62 },
    ];
    const { body, ask } = await askedBy(
      { "POST /jina/v1/rerank": says({ object: "list", results: found, usage: { total_tokens: 4_000 } }) },
      { model: "jina-reranker-v3", top_k: 2 },
    );
    expect(ask!.json).toMatchObject({ model: "jina-reranker-v3", top_n: 2, return_documents: false });
    expect(body).toMatchObject({
      results: [
        { index: 1, relevance_score: 0.62 },
        { index: 0, relevance_score: 0 },
      ],
      meta: { billed_units: { total_tokens: 4_000 } },
      svc: { cost_usd: 0.0002 },
    });
  });

  test("Voyage, with names of its own", async () => {
    const { body, ask } = await askedBy(
      { "POST /voyage/v1/rerank": says({ object: "list", data: results, usage: { total_tokens: 1_000 } }) },
      { model: "rerank-2.5", top_n: 3 },
    );
    expect(ask!.json).toEqual({ model: "rerank-2.5", query: QUERY, documents: DOCUMENTS, top_k: 3 });
    expect([orderOf({ body }), body.svc.cost_usd]).toEqual([[1, 2, 0], 0.00005]);
  });

  test("a server of the operator's own, under another name, whose scores are log-odds", async () => {
    const found = [
      { index: 0, relevance_score: -9.2, document: { text: "x" } },
      { index: 1, relevance_score: 3.1 },
      { index: 2, relevance_score: 0 },
    ];
    const { body, ask } = await askedBy({ "POST /vllm/v1/rerank": says({ id: "r", results: found }) }, { model: "bge-reranker" });
    expect(ask!.json.model).toBe("BAAI/bge-reranker-v2-m3");
    expect(ask!.headers.get("authorization")).toBeNull();
    expect(body.results.map(({ index, relevance_score }: any) => [index, Number(relevance_score.toFixed(4))])).toEqual([
      [1, 0.9569],
      [2, 0.5],
      [0, 0.0001],
    ]);
    expect(body.svc).toMatchObject({ model_selected: "rerank-own", cost_usd: 0 });
  });

  test("those below zero, and those too high to be told apart, keep their order", async () => {
    for (const scores of [
      [-0.9, -0.2, -0.5],
      [41, 60, 50],
    ]) {
      const found = scores.map((relevance_score, index) => ({ index, relevance_score }));
      const answer = await askedBy({ "POST /vllm/v1/rerank": says({ results: found }) }, { model: "rerank-own" });
      expect(orderOf(answer)).toEqual([1, 2, 0]);
      expect(new Set(answer.body.results.map(({ relevance_score }: any) => relevance_score)).size).toBe(1);
    }
  });

  test("a cosine that was rounded to a little more than 1 is no log-odds", async () => {
    const found = [
      { index: 1, relevance_score: 1.0000002 },
      { index: 0, relevance_score: 0.2 },
    ];
    const { body } = await askedBy({ "POST /vllm/v1/rerank": says({ results: found }) }, { model: "rerank-own" });
    expect(body.results.map(({ relevance_score }: any) => relevance_score)).toEqual([1, 0.2]);
  });

  test("the gateway stands in, for nothing, where its owner wants that", async () => {
    const { body, requestId } = await askedBy({ "POST /voyage/v1/rerank": says({}, 500) }, { model: "rerank-2.5-lite" });
    expect([orderOf({ body }), body.svc.cost_usd]).toEqual([[1, 2, 0], 0]);
    expect((await rowOf({ requestId }, live)).execution.attempts.at(-1)).toMatchObject({ provider: "local", success: true });
  });

  test("an answer that ranks nothing, one document twice or one that was not sent is a failure of the vendor", async () => {
    for (const wrong of [
      [],
      [results[0], results[0]],
      [{ index: 3, relevance_score: 0.5 }],
      [{ index: 0.5, relevance_score: 0.5 }],
      [{ index: 0, relevance_score: "0.5" }],
      ["0"],
    ]) {
      gateway.clock.advance(3_600_000);
      const { status, body } = await askedBy({ "POST /jina/v1/rerank": says({ results: wrong }) }, { model: "jina-reranker-v3" });
      expect([status, body.error.type]).toEqual([503, "service_unavailable"]);
    }
  });

  test("a vendor's 400 is the caller's, without the vendor's words", async () => {
    const said = { "POST /voyage/v1/rerank": says({ detail: "Total tokens 700000 exceed 600000" }, 400) };
    const { status, body, requestId } = await askedBy(said, { model: "rerank-2.5" });
    expect([status, body.error.param, body.error.message.includes("700000")]).toEqual([400, "documents", false]);
    expect((await rowOf({ requestId }, live)).execution.attempts[0].failure_message).toContain("700000");
  });

  test("a caller who hangs up is in the log, with what the vendor had begun to work on", async () => {
    const as = await gateway.key({ project: "impatient", mode: "live" });
    stub.answer({ "POST /voyage/v1/rerank": endless("application/json") });
    const leaving = new AbortController();
    const left = fetch(`${gateway.url}/v1/rerank`, {
      method: "POST",
      headers: { authorization: `Bearer ${as.text}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "rerank-2.5", query: QUERY, documents: DOCUMENTS, user: "ann" }),
      signal: leaving.signal,
    }).catch(() => "gone");
    while (stub.asks.length === 0) await Bun.sleep(1);
    leaving.abort();
    expect(await left).toBe("gone");
    while ((await gateway.read(as, "/v1/logs")).total === 0) await Bun.sleep(1);
    const { logs } = await gateway.read(as, "/v1/logs");
    expect(logs[0].execution).toMatchObject({ status: 499, error_type: "client_closed_request", cost_usd: (TOKENS * 50) / 1e9 });
  });

  test("a budget that does not cover the estimate refuses the call before anybody is asked", async () => {
    stub.answer({});
    const poor = await gateway.key({ project: "poor", mode: "live", budgetUsd: 0.001 });
    const { status, body } = await rerank({ model: "rerank-v3.5" }, poor);
    expect([status, body.error.type, stub.asks.length]).toEqual([429, "budget_exceeded", 0]);
    expect((await rerank({}, poor)).status).toBe(200);
  });

  test("a search holds a hundred documents, where the vendor does not say how many it counted", async () => {
    for (const [count, cost] of [
      [100, 0.002],
      [101, 0.004],
    ]) {
      const asked = { model: "rerank-v3.5", documents: Array(count).fill("x"), top_n: 1 };
      const { body } = await askedBy({ "POST /cohere/v2/rerank": says({ results: results.slice(0, 1) }) }, asked);
      expect(body.svc.cost_usd).toBe(cost);
    }
  });

  test("a vendor that tells zeros has not counted: the estimate is paid", async () => {
    const meta = { billed_units: { search_units: 0 } };
    const cohere = { "POST /cohere/v2/rerank": says({ results, meta }) };
    expect((await askedBy(cohere, { model: "rerank-v3.5" })).body.svc.cost_usd).toBe(0.002);
    const voyage = { "POST /voyage/v1/rerank": says({ data: results, usage: { total_tokens: 0 } }) };
    expect((await askedBy(voyage, { model: "rerank-2.5" })).body).toMatchObject({
      usage: { total_tokens: TOKENS },
      svc: { cost_usd: (TOKENS * 50) / 1e9 },
    });
  });

  test("what nobody counted is estimated by its script", async () => {
    const asked = { model: "rerank-2.5", query: "铁路", documents: ["信号楼控制铁路的道岔和信号机。".repeat(20)] };
    const { body } = await askedBy({ "POST /voyage/v1/rerank": says({ data: [{ index: 0, relevance_score: 0.5 }] }) }, asked);
    expect(body.usage.total_tokens).toBeGreaterThan(200);
  });

  test("a vendor that tells more than anybody can count has not counted either: the call is answered, logged and estimated", async () => {
    const meta = { billed_units: { search_units: 1e300 } };
    const cohere = { "POST /cohere/v2/rerank": says({ results, meta }) };
    expect((await askedBy(cohere, { model: "rerank-v3.5" })).body.svc?.cost_usd).toBe(0.002);
    const voyage = { "POST /voyage/v1/rerank": says({ data: results, usage: { total_tokens: 1e15 } }) };
    const answer = await askedBy(voyage, { model: "rerank-2.5" });
    expect(answer.body).toMatchObject({ usage: { total_tokens: TOKENS }, svc: { cost_usd: (TOKENS * 50) / 1e9 } });
    expect((await rowOf(answer, live)).execution).toMatchObject({ input_tokens: TOKENS, usage_source: "estimated" });
  });

  test("a vendor that bills tokens reads documents whole, so `max_tokens_per_doc` makes none cheaper, neither before nor after", async () => {
    const asked = { model: "rerank-2.5", query: "x", documents: ["word ".repeat(8_000)], max_tokens_per_doc: 1 };
    const { body } = await askedBy({ "POST /voyage/v1/rerank": says({ data: [{ index: 0, relevance_score: 0.5 }] }) }, asked);
    expect(body.svc.cost_usd).toBe(0.00038485);
    const poor = await gateway.key({ project: "poor", mode: "live", budgetUsd: 0.0003 });
    expect((await rerank(asked, poor)).status).toBe(429);
  });
});

describe("under policies", () => {
  test("personal data is redacted in query and documents before they are sent, and in the log", async () => {
    const as = await gateway.key({ project: "redacting", mode: "live" });
    const pii = { types: ["email"], action: "redact" };
    await gateway.policy(as, "content", { evaluate_input: true, redact_logs: true, pii_detection: pii });
    stub.answer({ "POST /voyage/v1/rerank": says({ data: [{ index: 1, relevance_score: 0.9 }] }) });
    const documents = ["Bread.", "Write to ann@example.com."];
    const asked = { model: "rerank-2.5", query: "Where is bob@example.com?", documents, return_documents: true, top_n: 1 };
    const answer = await rerank(asked, as);
    expect(stub.asks[0]!.json).toMatchObject({ query: "Where is [REDACTED]?", documents: ["Bread.", "Write to [REDACTED]."] });
    expect(answer.body.results[0].document).toEqual({ text: documents[1] });
    const row = await rowOf(answer, as);
    expect(JSON.stringify(row)).not.toContain("@example.com");
    expect(row.policies.content_evaluation).toMatchObject({ result: "redact", phase: "pre_request", pii_count: 2 });
  });

  test("a blocked word in one document refuses the call, also for the gateway's own reranker", async () => {
    const as = await gateway.key({ project: "blocking" });
    await gateway.policy(as, "content", { evaluate_input: true, pii_detection: { types: ["email"], action: "block" } });
    const { status, body } = await rerank({ documents: ["fine", "ann@example.com"] }, as);
    expect([status, body.error.code, body.content_evaluation.pii_count]).toEqual([403, "CONTENT_BLOCKED", 1]);
  });

  test("routing policies hold for vendors, not for what stays on this machine", async () => {
    gateway.clock.advance(3_600_000);
    const as = await gateway.key({ project: "routing", mode: "live" });
    await gateway.policy(as, "routing", { provider_allow_list: ["jina"], on_violation: "hard_block" });
    expect((await rerank({ model: "rerank-2.5" }, as)).status).toBe(403);
    expect((await rerank({}, as)).status).toBe(200);
    stub.answer({ "POST /jina/v1/rerank": says({ results: [{ index: 0, relevance_score: 0.9 }] }) });
    expect((await rerank({ model: "jina-reranker-v3" }, as)).status).toBe(200);
  });
});

test("without a vendor's key or an own server the answer says what to set", async () => {
  const bare = await gatewayOfFile();
  const as = await bare.key({ mode: "live" });
  const messageFor = async (model: string) => {
    const response = await bare.send(as, "POST", "/v1/rerank", { model, query: QUERY, documents: DOCUMENTS });
    return [response.status, ((await response.json()) as any).error.message];
  };
  expect(await messageFor("rerank-v3.5")).toEqual([
    503,
    "No provider is configured for rerank-v3.5: set COHERE_API_KEY or OPENROUTER_API_KEY.",
  ]);
  expect(await messageFor("rerank-own")).toEqual([
    503,
    "No provider is configured for rerank-own: name its servers under media_models.",
  ]);
  const listed = (await bare.read(as, "/v1/models")).data.filter(({ type }: any) => type === "rerank");
  expect(listed.map(({ id }: any) => id)).toEqual(["rerank-local"]);
});
