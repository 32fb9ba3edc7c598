import { describe, expect, test } from "bun:test";
import type { SearchRequest } from "../../../src/providers/media-calls.ts";
import { brave } from "../../../src/providers/search/brave.ts";
import { exa } from "../../../src/providers/search/exa.ts";
import { stripHtml, toSearchResults } from "../../../src/providers/search/search-results.ts";
import { searxng } from "../../../src/providers/search/searxng.ts";
import { tavily } from "../../../src/providers/search/tavily.ts";
import { contextFor, endpointAt, failureOf, mediaStubOfFile, says } from "../../support/media-stub.ts";

const stub = mediaStubOfFile();
const endpoint = endpointAt(stub.url);
const ask = (changes: Partial<SearchRequest> = {}): SearchRequest => ({
  query: "red fox",
  maxResults: 3,
  depth: "basic",
  includeDomains: [],
  excludeDomains: [],
  ...changes,
});

describe("the common filter", () => {
  const rows = [
    "https://a.example.com/1",
    "https://example.org/2",
    "https://notexample.com/3",
    "javascript:alert(1)",
    "nonsense",
  ].map((url) => ({ title: url, url, content: "" }));

  test("domains match whole labels, and what is no web address goes", () => {
    expect(toSearchResults(rows, ask({ maxResults: 10, includeDomains: ["example.com"] })).map(({ url }) => url)).toEqual([
      "https://a.example.com/1",
    ]);
    expect(toSearchResults(rows, ask({ maxResults: 10, excludeDomains: ["example.com"] })).map(({ url }) => url)).toEqual([
      "https://example.org/2",
      "https://notexample.com/3",
    ]);
  });

  test("scores lie in 0-1 whatever the engine's scale, and fall with the rank where there are none", () => {
    const scored = toSearchResults(
      [
        { ...rows[0]!, relevanceScore: 8 },
        { ...rows[1]!, relevanceScore: 2 },
        { ...rows[2]!, relevanceScore: -1 },
      ],
      ask(),
    );
    expect(scored.map(({ relevanceScore }) => relevanceScore)).toEqual([1, 0.25, 0]);
    const [first, second] = toSearchResults(rows, ask());
    expect(first!.relevanceScore).toBe(1);
    expect(second!.relevanceScore).toBeLessThan(1);
  });

  test("snippets lose their markup", () => {
    expect(stripHtml("the <strong>red</strong> fox &amp; the &lt;hound&gt;")).toBe("the red fox & the <hound>");
  });
});

test("Tavily knows depth and domains, and its scores are kept", async () => {
  stub.answer({
    "POST /search": says({ results: [{ title: "Fox", url: "https://example.com/fox", content: "red", score: 0.87 }] }),
  });
  const domains = { includeDomains: ["example.com"], excludeDomains: ["x.com"] };
  expect(await tavily(endpoint).search(ask({ depth: "advanced", ...domains }), contextFor())).toEqual([
    { title: "Fox", url: "https://example.com/fox", content: "red", relevanceScore: 0.87 },
  ]);
  expect(stub.asks[0]!.json).toEqual({
    query: "red fox",
    search_depth: "advanced",
    max_results: 3,
    include_domains: ["example.com"],
    exclude_domains: ["x.com"],
  });
  expect(stub.asks[0]!.headers.get("authorization")).toBe("Bearer secret");
});

test("Brave gets domains as operators and spare results to filter", async () => {
  stub.answer({
    "GET /res/v1/web/search": says({
      web: {
        results: [
          { title: "A <strong>fox</strong>", url: "https://example.com/1", description: "red", extra_snippets: ["more"] },
          { title: "x", url: "https://other.com/2", description: "" },
        ],
      },
    }),
  });
  const results = await brave(endpoint).search(
    ask({ includeDomains: ["example.com", "example.org"], excludeDomains: ["blog.example.com"], depth: "advanced" }),
    contextFor(),
  );
  expect(results).toEqual([{ title: "A fox", url: "https://example.com/1", content: "red\nmore", relevanceScore: 1 }]);
  const { query, headers } = stub.asks[0]!;
  expect(query.get("q")).toBe("red fox (site:example.com OR site:example.org) -site:blog.example.com");
  expect(query.get("count")).toBe("20");
  expect(headers.get("x-subscription-token")).toBe("secret");
});

test("SearXNG's scores are measured by the best, and a closed JSON door is explained to the operator", async () => {
  stub.answer({
    "GET /search": says({
      results: [
        { title: "1", url: "https://a.com/", content: "", score: 9.5 },
        { title: "2", url: "https://b.com/", content: "", score: 1.9 },
      ],
    }),
  });
  expect((await searxng(endpoint).search(ask(), contextFor())).map(({ relevanceScore }) => relevanceScore)).toEqual([1, 0.2]);
  expect(stub.asks[0]!.query.get("format")).toBe("json");
  stub.answer({ "GET /search": () => new Response("Forbidden", { status: 403 }) });
  const failure = await failureOf(searxng(endpoint).search(ask(), contextFor()));
  expect([failure.kind, failure.message]).toEqual(["auth", expect.stringContaining("search.formats")]);
});

test("Exa gives text, longer for a deeper search", async () => {
  stub.answer({
    "POST /search": says({ results: [{ title: "Fox", url: "https://example.com/fox", text: "red fur", score: 0.3 }] }),
  });
  expect(await exa(endpoint).search(ask({ depth: "advanced", excludeDomains: ["x.com"] }), contextFor())).toEqual([
    { title: "Fox", url: "https://example.com/fox", content: "red fur", relevanceScore: 0.3 },
  ]);
  expect(stub.asks[0]!.json).toMatchObject({
    numResults: 3,
    excludeDomains: ["x.com"],
    contents: { text: { maxCharacters: 3000 } },
  });
});

test("a spent plan is told apart from a rate limit", async () => {
  stub.answer({ "POST /search": says({ detail: { error: "slow down" } }, 429, { "retry-after": "2" }) });
  const limited = await failureOf(tavily(endpoint).search(ask(), contextFor()));
  expect([limited.kind, limited.details.retryAfterMs]).toEqual(["rate_limit", 2000]);
  stub.answer({ "POST /search": says({ detail: { error: "insufficient_quota" } }, 429) });
  expect((await failureOf(tavily(endpoint).search(ask(), contextFor()))).kind).toBe("billing");
});

test("an error that comes as a success is no empty answer: another engine may have one, and nobody pays for it", async () => {
  for (const body of [{ detail: { error: "try later" } }, { results: null }, []]) {
    stub.answer({ "POST /search": says(body), "GET /search": says(body) });
    for (const engine of [tavily, exa, searxng])
      expect((await failureOf(engine(endpoint).search(ask(), contextFor()))).kind).toBe("server");
  }
  stub.answer({ "POST /search": says({ results: [] }), "GET /res": says({ query: {} }) });
  expect(await tavily(endpoint).search(ask(), contextFor())).toEqual([]);
  // Brave leaves `web` out where it found no page.
  expect(await brave(endpoint).search(ask(), contextFor())).toEqual([]);
});
