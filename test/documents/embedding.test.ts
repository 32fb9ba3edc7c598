import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countedSince } from "../../src/logs/counted-store.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";
import { documentOf, ingested, query, uploadFile, type WireDocument } from "./documents.ts";

/** An embedding endpoint that knows three meanings, whatever the words. */
const MEANINGS: [RegExp, number[]][] = [
  [/car|automobile/i, [1, 0, 0]],
  [/soup|broth/i, [0, 1, 0]],
  [/.*/, [0, 0, 1]],
];
const startEndpoint = () => {
  const state = {
    down: false,
    /** Takes texts, and answers nothing. */
    silent: false,
    downAfter: Number.POSITIVE_INFINITY,
    texts: 0,
    models: new Set<string>(),
    keys: new Set<string | null>(),
  };
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      if (state.down || state.texts >= state.downAfter) return new Response("down", { status: 503 });
      const { input, model } = (await request.json()) as { input?: string[]; model: string };
      if (input === undefined) {
        const message = { role: "assistant", content: "The red one." };
        const usage = { prompt_tokens: 40, completion_tokens: 4, total_tokens: 44 };
        return Response.json({
          id: "x",
          object: "chat.completion",
          choices: [{ index: 0, message, finish_reason: "stop" }],
          usage,
        });
      }
      state.models.add(model);
      if (state.silent) await new Promise(() => {});
      const isRefused = input.some((text) => text.includes("refused") || (input.length > 1 && text.includes("unreadable")));
      if (isRefused) return new Response("no", { status: 400 });
      state.texts += input.length;
      state.keys.add(request.headers.get("authorization"));
      const data = input.map((text, index) => ({
        object: "embedding",
        index,
        embedding: MEANINGS.find(([words]) => words.test(text))![1],
      }));
      return Response.json({
        object: "list",
        data,
        model: "meaning",
        usage: { prompt_tokens: input.length, total_tokens: input.length },
      });
    },
  });
  return { state, url: `http://127.0.0.1:${server.port}/v1`, stop: () => server.stop(true) };
};

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const withEndpoint = () => {
  const endpoint = startEndpoint();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-embed-"));
  cleanups.push(endpoint.stop, () => rmSync(folder, { recursive: true, force: true }));
  const settings = `providers:\n  meanings:\n    dialect: openai\n    base_url: ${endpoint.url}\n    key: secret\ndocuments:\n  embedding:\n    provider: meanings\n    model: meaning\n`;
  const open = async (remote: boolean): Promise<Gateway> => {
    const gateway = await startGateway({ folder, settings: remote ? settings : "log_level: silent\n" });
    cleanups.push(() => gateway.stop().catch(() => {}));
    return gateway;
  };
  return { endpoint, open };
};

test("a configured endpoint finds what shares no word, and a dead one leaves the words", async () => {
  const { endpoint, open } = withEndpoint();
  const gateway = await open(true);
  const key = await gateway.key({ mode: "live" });
  expect(await ingested(gateway, key, "a.txt", "The automobile was red.")).toMatchObject({ status: "ready" });
  await ingested(gateway, key, "b.txt", "A broth of roots.");
  const ask = async (text: string) =>
    (await (await gateway.send(key, "POST", "/v1/documents/query", { query: text })).json()) as any;
  const near = await ask("car");
  expect(near.results.map(({ filename }: any) => filename)).toEqual(["a.txt"]);
  expect(near.metadata.ranking).toBe("hybrid");
  endpoint.state.down = true;
  const words = await ask("automobile");
  expect(words.results.map(({ filename }: any) => filename)).toEqual(["a.txt"]);
  expect(words.metadata.ranking).toBe("lexical");
  expect((await ask("car")).results).toEqual([]);
});

test("what a question costs is in the ledger: as a row of its own, in a chat's, and of the key's budget", async () => {
  const { endpoint } = withEndpoint();
  const gateway = await startGateway({
    environment: { OPENAI_API_KEY: "secret", OPENAI_BASE_URL: endpoint.url },
    settings: "documents:\n  embedding:\n    provider: openai\n    model: text-embedding-3-small\n",
  });
  cleanups.push(gateway.stop);
  const key = await gateway.key({ mode: "live", tier: "pro" });
  const { id } = await ingested(gateway, key, "a.txt", "The automobile was red.");
  const price = 20e-9;
  const asked = await gateway.send(key, "POST", "/v1/documents/query", { query: "car" });
  expect(await asked.json()).toMatchObject({ results: [{ filename: "a.txt" }], metadata: { cost_usd: price } });
  const row = async (response: Response) => {
    const call = response.headers.get("x-svc-request-id");
    return (await (await gateway.send(key, "GET", `/v1/logs/${call}`)).json()) as any;
  };
  expect(await row(asked)).toMatchObject({
    prompt: { text: "car" },
    routing: { model_selected: "text-embedding-3-small", provider: "openai" },
    execution: { cost_usd: price, input_tokens: 1, attempts: [{ success: true, cost_usd: price }] },
  });
  const chat = await gateway.send(key, "POST", "/v1/chat", {
    model: "gpt-4o-mini",
    document_id: id,
    messages: [{ role: "user", content: "Which car is red?" }],
  });
  expect(chat.status).toBe(200);
  const { execution } = await row(chat);
  const attempts = execution.attempts.reduce((sum: number, attempt: any) => sum + attempt.cost_usd, 0);
  expect(execution.cost_usd - attempts).toBeCloseTo(price, 12);
  const spent = await gateway.key({ mode: "live", budgetUsd: 0 });
  const refused = await gateway.send(spent, "POST", "/v1/documents/query", { query: "car" });
  expect([refused.status, ((await refused.json()) as any).error.type]).toEqual([429, "budget_exceeded"]);
});

test("what embedding a document costs is in the ledger, by batch, and of the budget of the key that uploaded it", async () => {
  const { endpoint } = withEndpoint();
  const gateway = await startGateway({
    environment: { OPENAI_API_KEY: "secret", OPENAI_BASE_URL: endpoint.url },
    settings: "documents:\n  embedding:\n    provider: openai\n    model: text-embedding-3-small\n",
  });
  cleanups.push(gateway.stop);
  const key = await gateway.key({ mode: "live", tier: "pro", budgetUsd: 20e-9 });
  const { id } = await ingested(gateway, key, "car.txt", "The automobile was red.");
  const { logs } = (await (await gateway.send(key, "GET", "/v1/logs")).json()) as any;
  expect(logs).toHaveLength(1);
  expect(logs[0]).toMatchObject({
    prompt: { text: "car.txt" },
    routing: { model_selected: "text-embedding-3-small", provider: "openai" },
    execution: { cost_usd: 20e-9, input_tokens: 1, success: true },
    metadata: { kind: "embedding", endpoint: "/v1/documents", mode: "live", custom: { document_id: id } },
  });
  const usage = (await (await gateway.send(key, "GET", "/v1/usage")).json()) as any;
  expect(usage.budget).toMatchObject({ spent_usd: 20e-9, remaining_usd: 0 });
  // What a crash loses of the limit's window is rebuilt from the log, where this was no request for embeddings.
  expect(countedSince(gateway.platform.db, usage.project_id, "live", "embeddings", 0)).toEqual([]);
  const refused = await uploadFile(gateway, key, "b.txt", "A broth of roots.");
  expect([refused.status, ((await refused.json()) as any).error.type]).toEqual([429, "budget_exceeded"]);
});

test("what was embedded of a batch before the endpoint failed is in the ledger", async () => {
  const { endpoint, open } = withEndpoint();
  const gateway = await open(true);
  const key = await gateway.key({ mode: "live" });
  endpoint.state.downAfter = 1;
  const text = Array.from({ length: 9 }, (_, page) => `# Part ${page}\n\n${"The automobile was red. ".repeat(60)}`).join("\n\n");
  await uploadFile(gateway, key, "a.md", `${text} All of it is unreadable.`);
  await gateway.platform.background.idle();
  expect(endpoint.state.texts).toBeGreaterThan(1);
  const { logs } = (await (await gateway.send(key, "GET", "/v1/logs")).json()) as any;
  expect(logs.map(({ execution }: any) => execution.input_tokens)).toEqual([endpoint.state.texts]);
});

test("a text that the endpoint refuses is found by its words, and its neighbours by their meaning", async () => {
  const { endpoint, open } = withEndpoint();
  const gateway = await open(true);
  const key = await gateway.key({ mode: "live" });
  const part = (title: string, sentence: string) => `# ${title}\n\n${sentence.repeat(60)}\n\n`;
  const text = part("A", "The automobile was red. ") + part("B", "This part is refused. ");
  expect((await ingested(gateway, key, "car.md", text)).status).toBe("ready");
  const foundBy = async (question: string) =>
    (await query(gateway, key, { query: question })).map(({ chunk_index }) => chunk_index);
  expect([(await foundBy("car"))[0], await foundBy("refused")]).toEqual([0, [1]]);
  expect([...endpoint.state.models]).toEqual(["meaning"]);
});

test("while the endpoint is away a document waits, and is embedded once it is back", async () => {
  const { endpoint, open } = withEndpoint();
  const gateway = await open(true);
  const key = await gateway.key({ mode: "live" });
  endpoint.state.down = true;
  const { id } = (await (await uploadFile(gateway, key, "a.txt", "The automobile was red.")).json()) as WireDocument;
  await gateway.platform.background.idle();
  expect(await documentOf(gateway, key, id)).toMatchObject({ status: "processing" });
  endpoint.state.down = false;
  gateway.clock.advance(60_000);
  gateway.platform.background.wake();
  await gateway.platform.background.idle();
  expect(await documentOf(gateway, key, id)).toMatchObject({ status: "ready" });
  endpoint.state.down = true;
  const late = (await (await uploadFile(gateway, key, "b.txt", "A broth.")).json()) as WireDocument;
  await gateway.platform.background.idle();
  gateway.clock.advance(25 * 3_600_000);
  gateway.platform.background.wake();
  await gateway.platform.background.idle();
  expect(await documentOf(gateway, key, late.id)).toMatchObject({
    status: "failed",
    error_message: expect.stringContaining("24 hours"),
  });
});

test("a stop does not wait for an endpoint that says nothing, and the document is embedded after the next start", async () => {
  const { endpoint, open } = withEndpoint();
  const before = await open(true);
  const key = await before.key({ mode: "live" });
  endpoint.state.silent = true;
  const { id } = (await (await uploadFile(before, key, "cars.txt", "An automobile.")).json()) as WireDocument;
  while (endpoint.state.models.size === 0) await Bun.sleep(1);
  await before.stop();
  endpoint.state.silent = false;
  const after = await open(true);
  await after.platform.background.idle();
  expect((await documentOf(after, key, id)).status).toBe("ready");
});

test("a test key's text never leaves the machine", async () => {
  const { endpoint, open } = withEndpoint();
  const gateway = await open(true);
  const key = await gateway.key({ mode: "test" });
  expect(await ingested(gateway, key, "a.txt", "The automobile was red.")).toMatchObject({ status: "ready" });
  expect(await query(gateway, key, { query: "red automobile" })).toHaveLength(1);
  expect(endpoint.state.texts).toBe(0);
});

test("another embedder takes over in the background while the old one goes on answering, there and back", async () => {
  const { endpoint, open } = withEndpoint();
  const before = await open(false);
  const key = await before.key({ mode: "live" });
  await ingested(before, key, "a.txt", "The automobile was red.");
  await ingested(before, key, "b.txt", "A broth of roots.");
  await before.stop();

  endpoint.state.down = true;
  const during = await open(true);
  await during.platform.background.idle();
  expect((await query(during, key, { query: "red automobile" })).map(({ filename }) => filename)).toEqual(["a.txt"]);
  await ingested(during, key, "c.txt", "Another automobile, a blue one.");
  endpoint.state.down = false;
  during.clock.advance(120_000);
  during.platform.background.wake();
  await during.platform.background.idle();
  expect((await query(during, key, { query: "car" })).map(({ filename }) => filename).sort()).toEqual(["a.txt", "c.txt"]);
  const { logs } = (await (await during.send(key, "GET", "/v1/logs?sort_order=asc")).json()) as any;
  expect(logs.map(({ prompt, metadata }: any) => [prompt.text, metadata.endpoint])).toEqual([
    ...["a.txt", "b.txt", "c.txt"].map((name) => [name, "/v1/documents"]),
    ["car", "/v1/documents/query"],
  ]);
  expect(during.platform.db.all("SELECT provider, state FROM embedding_spaces")).toEqual([
    { provider: "meanings", state: "live" },
  ]);
  await during.stop();

  const after = await open(false);
  await after.platform.background.idle();
  expect((await query(after, key, { query: "red automobile" }))[0]).toMatchObject({ filename: "a.txt" });
  expect(after.platform.db.all("SELECT provider, state FROM embedding_spaces")).toEqual([{ provider: "local", state: "live" }]);
  const lost = "SELECT 1 FROM chunk_vectors WHERE space_id NOT IN (SELECT id FROM embedding_spaces)";
  expect(after.platform.db.get(lost)).toBeUndefined();
}, 60_000);

test.each([
  ["blocks the endpoint's provider", { policy_type: "routing", config: { provider_block_list: ["meanings"] } }],
  ["allows other models alone", { policy_type: "routing", config: { model_allow_list: ["gpt-4o"] } }],
  [
    "reviews what is sent",
    {
      policy_type: "content",
      config: { evaluate_input: true, blocked_terms: { enabled: true, terms: ["zeppelin"], action: "block" } },
    },
  ],
])("a project whose policy %s sends neither documents nor questions to it, its neighbour does", async (_what, policy) => {
  const { endpoint, open } = withEndpoint();
  const gateway = await open(true);
  const kept = await gateway.key({ mode: "live", project: "kept" });
  const made = await gateway.send(kept, "POST", "/v1/policies", { name: "rule", ...policy });
  expect(made.status).toBe(201);
  expect(await ingested(gateway, kept, "a.txt", "The automobile was red.")).toMatchObject({ status: "ready" });
  const answer = await gateway.send(kept, "POST", "/v1/documents/query", { query: "red automobile" });
  expect(await answer.json()).toMatchObject({ results: [{ filename: "a.txt" }], metadata: { ranking: "lexical" } });
  expect(endpoint.state.texts).toBe(0);
  const neighbour = await gateway.key({ mode: "live", project: "open" });
  await ingested(gateway, neighbour, "a.txt", "The automobile was red.");
  expect((await query(gateway, neighbour, { query: "car" })).map(({ filename }) => filename)).toEqual(["a.txt"]);
});

test("a change of embedder comes to its end beside a project whose text stays here", async () => {
  const { endpoint, open } = withEndpoint();
  const before = await open(false);
  const kept = await before.key({ mode: "live", project: "kept" });
  await before.send(kept, "POST", "/v1/policies", {
    name: "rule",
    policy_type: "routing",
    config: { provider_block_list: ["meanings"] },
  });
  await ingested(before, kept, "a.txt", "The automobile was red.");
  await before.stop();
  const after = await open(true);
  await after.platform.background.idle();
  expect(after.platform.db.all("SELECT provider, state FROM embedding_spaces")).toEqual([
    { provider: "meanings", state: "live" },
  ]);
  expect(endpoint.state.texts).toBe(0);
  expect((await query(after, kept, { query: "red automobile" })).map(({ filename }) => filename)).toEqual(["a.txt"]);
}, 60_000);
