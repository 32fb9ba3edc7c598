import { describe, expect, test } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { mediaStubOfFile, says } from "../support/media-stub.ts";

const PATH = "/v1/tools/search";
const stub = mediaStubOfFile();

const gateway = await gatewayOfFile({
  environment: { TAVILY_API_KEY: "tvly-secret", TAVILY_BASE_URL: stub.url, SEARXNG_URL: `${stub.url}/searxng` },
});
const key = await gateway.key();

const search = (body: unknown, as: TestKey = key) => gateway.send(as, "POST", PATH, body);
const paramOf = async (body: unknown) => {
  const response = await search(body);
  return [response.status, ((await response.json()) as any).error.param];
};

test("results and metadata have spec.md's fields, five results unless asked otherwise", async () => {
  const body = (await (await search({ query: "red foxes" })).json()) as any;
  expect(body.results).toHaveLength(5);
  expect(Object.keys(body.results[0]).sort()).toEqual(["content", "relevance_score", "title", "url"]);
  expect(Object.keys(body.metadata).sort()).toEqual(["cost_usd", "latency_ms", "provider"]);
  expect(body.metadata.provider).toBe("sandbox");
});

test("each tier pays its own price", async () => {
  for (const [tier, price] of [
    ["free", 0.015],
    ["starter", 0.015],
    ["pro", 0.012],
    ["growth", 0.011],
    ["team", 0.01],
    ["enterprise", 0.01],
  ] as const) {
    const body = (await (await search({ query: "x" }, await gateway.key({ project: `search-${tier}`, tier }))).json()) as any;
    expect(body.metadata.cost_usd).toBe(price);
  }
});

test("belongs in the log to the user it names", async () => {
  const response = await search({ query: "red foxes", user: "ann" });
  const row = await gateway.send(key, "GET", `/v1/logs/${response.headers.get("x-svc-request-id")}`);
  expect(((await row.json()) as any).metadata.user_id).toBe("ann");
});

test("bad fields are named", async () => {
  expect(await paramOf({})).toEqual([400, "query"]);
  expect(await paramOf({ query: "  " })).toEqual([400, "query"]);
  for (const max_results of [0, 11, 2.5, "5"]) expect(await paramOf({ query: "x", max_results })).toEqual([400, "max_results"]);
  expect(await paramOf({ query: "x", search_depth: "deep" })).toEqual([400, "search_depth"]);
  expect(await paramOf({ query: "x", include_domains: "example.com" })).toEqual([400, "include_domains"]);
  expect(await paramOf({ query: "x", exclude_domains: ["ok.com", "not a domain"] })).toEqual([400, "exclude_domains.1"]);
});

test("a limited project sees its window shrink", async () => {
  const response = await search({ query: "x" }, await gateway.key({ project: "search-window", tier: "free" }));
  expect([response.headers.get("x-ratelimit-limit"), response.headers.get("x-ratelimit-remaining")]).toEqual(["30", "29"]);
});

describe("with real engines", () => {
  const live = () => gateway.key({ project: "live-search", mode: "live", tier: "pro" });
  const page = {
    results: [
      { title: "Fox", url: "https://www.example.com/fox", content: "red", score: 0.5 },
      { title: "No", url: "https://other.org/", content: "", score: 0.4 },
    ],
  };

  test("the first that is configured answers; pasted addresses count as domains", async () => {
    stub.answer({ "POST /search": says(page) });
    const response = await search(
      { query: "fox", include_domains: ["https://Example.com/a path", ".example.com", "*.example.com"] },
      await live(),
    );
    expect(await response.json()).toEqual({
      results: [{ title: "Fox", url: "https://www.example.com/fox", content: "red", relevance_score: 0.5 }],
      metadata: { provider: "tavily", latency_ms: expect.any(Number), cost_usd: 0.012 },
    });
    expect(stub.asks[0]!.json.include_domains).toEqual(["example.com", "example.com", "example.com"]);
  });

  test("when it fails the next one does, and the ledger has the whole story", async () => {
    stub.answer({ "POST /search": says({}, 500), "GET /searxng/search": says(page) });
    const as = await live();
    const response = await search({ query: "fox" }, as);
    expect(((await response.json()) as any).metadata.provider).toBe("searxng");
    const row = await gateway.read(as, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
    expect(row.execution.attempts.map(({ success }: any) => success)).toEqual([false, false, true]);
    expect(row.quality.fallback_used).toBe(true);
    expect(row.execution.cost_usd).toBe(0.012);
  });

  test("a SearXNG that serves no JSON says in the log what its operator can do, whatever its page says", async () => {
    stub.answer({
      "POST /search": says({}, 500),
      "GET /searxng/search": () => new Response("<h1>Forbidden</h1>", { status: 403 }),
    });
    const as = await live();
    const response = await search({ query: "fox" }, as);
    expect(response.status).toBe(503);
    const row = await gateway.read(as, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
    expect(row.execution.attempts.at(-1)).toMatchObject({
      failure: "auth",
      upstream_status: 403,
      failure_message: expect.stringContaining("search.formats"),
    });
  });

  test("when none answers it is a 503, which costs nothing", async () => {
    stub.answer({});
    const as = await live();
    const response = await search({ query: "fox" }, as);
    expect(response.status).toBe(503);
    const row = await gateway.read(as, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
    expect(row.execution.cost_usd).toBe(0);
  });
});
