/** A web search that `tool_choice` demands, asked for with Anthropic's SDK as Claude Code's WebSearch asks for it. */

import { beforeEach, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import type { TestKey } from "../support/gateway.ts";
import { type MediaHandler, mediaStubOfFile, says } from "../support/media-stub.ts";
import { twoVendorsOfFile } from "../support/two-vendors.ts";
import { json } from "../support/upstream-stub.ts";

const engine = mediaStubOfFile();
const { gateway, openai, anthropic, live } = await twoVendorsOfFile({
  TAVILY_API_KEY: "tvly-secret",
  TAVILY_BASE_URL: engine.url,
});
const testing = await gateway.key();

const clientWith = ({ text }: TestKey) => new Anthropic({ apiKey: text, baseURL: gateway.url, maxRetries: 0 });
const FOX = { title: "Fox", url: "https://example.com/fox", content: "Foxes are red.", score: 0.9 };
const finds = (results: object[]): MediaHandler => says({ results });

const worded = (input: object) =>
  json({
    id: "msg",
    type: "message",
    content: [{ type: "tool_use", id: "toolu_1", name: "web_search", input }],
    stop_reason: "tool_use",
    usage: { input_tokens: 5, output_tokens: 2 },
  });

beforeEach(() => {
  openai.seen.length = 0;
  anthropic.seen.length = 0;
  anthropic.answer(worded({ query: "red foxes" }));
  engine.answer({ "POST /search": finds([FOX]) });
});

const searchTool = { type: "web_search_20250305" as const, name: "web_search" as const };
const asked = {
  model: "claude-sonnet-4-6",
  max_tokens: 500,
  messages: [{ role: "user" as const, content: "Perform a web search for the query: red foxes" }],
  tools: [{ ...searchTool, max_uses: 8, allowed_domains: ["https://example.com/"] }],
  tool_choice: { type: "tool" as const, name: "web_search" },
};
const FOUND = [
  { type: "server_tool_use", id: expect.stringMatching(/^srvtoolu_/), name: "web_search", input: { query: "red foxes" } },
  {
    type: "web_search_tool_result",
    tool_use_id: expect.stringMatching(/^srvtoolu_/),
    content: [{ type: "web_search_result", title: "Fox", url: FOX.url, encrypted_content: "", page_age: null }],
  },
  { type: "text", text: `Fox\n${FOX.url}\nFoxes are red.` },
] as never;

test("is made, whole and streamed, with the query that the model words", async () => {
  const { messages } = clientWith(live);
  const thinking = { type: "enabled" as const, budget_tokens: 1024 };
  const whole = await messages.create(asked);
  const streamed = await messages.stream({ ...asked, max_tokens: 2000, thinking }).finalMessage();
  for (const message of [whole, streamed]) {
    expect(message.content).toEqual(FOUND);
    expect(message.stop_reason).toBe("end_turn");
    expect(message.usage).toMatchObject({ input_tokens: 5, output_tokens: 2, server_tool_use: { web_search_requests: 1 } });
    const [use, result] = message.content as [Anthropic.ServerToolUseBlock, Anthropic.WebSearchToolResultBlock];
    expect(result.tool_use_id).toBe(use.id);
  }
  for (const { body } of anthropic.seen) {
    expect(body.tools).toEqual([expect.objectContaining({ name: "web_search", input_schema: expect.anything() })]);
    expect(body.tool_choice).toMatchObject({ type: "tool", name: "web_search" });
    expect(body.thinking?.type).not.toBe("enabled");
  }
  expect(engine.asks.map(({ json }) => [json.query, json.include_domains])).toEqual([
    ["red foxes", ["example.com"]],
    ["red foxes", ["example.com"]],
  ]);
});

test("is in the log twice: as the model's call and as the search, both as the user's", async () => {
  const key = await gateway.key({ project: "demanded", mode: "live" });
  await clientWith(key).messages.create({ ...asked, metadata: { user_id: "maria" } });
  const { logs } = (await (await gateway.send(key, "GET", "/v1/logs?user_id=maria")).json()) as any;
  expect(logs.map(({ routing }: any) => routing.provider).sort()).toEqual(["anthropic", "tavily"]);
});

test("has a span of its own in the caller's trace", async () => {
  const trace = "0af7651916cd43dd8448eb211c80319c";
  await gateway.send(live, "POST", "/v1/messages", asked, { traceparent: `00-${trace}-b7ad6b7169203331-01` });
  const parents = [anthropic.seen[0]!, engine.asks[0]!].map(({ headers }) => headers.get("traceparent")!.split("-"));
  expect(parents.map(([, traceId]) => traceId)).toEqual([trace, trace]);
  expect(new Set(parents.map(([, , span]) => span)).size).toBe(2);
});

test("comes with the headers of any answer, whole and streamed", async () => {
  for (const stream of [false, true]) {
    const { headers } = await gateway.send(live, "POST", "/v1/messages", { ...asked, stream });
    expect(headers.get("x-svc-model")).toBe("claude-sonnet-4-6");
    expect(headers.get("x-svc-fallback")).toBe("false");
    expect(headers.get("x-svc-latency-ms")).toMatch(/^\d+$/);
  }
});

test("the sandbox makes one too", async () => {
  const { content } = await clientWith(testing).messages.create({ ...asked, model: "auto" });
  expect(content.map(({ type }) => type)).toEqual(["server_tool_use", "web_search_tool_result", "text"]);
});

test("finds nothing", async () => {
  engine.answer({ "POST /search": finds([]) });
  const { content } = await clientWith(live).messages.create(asked);
  expect(content.map(({ type }) => type)).toEqual(["server_tool_use", "web_search_tool_result"]);
  expect(content[1]).toMatchObject({ content: [] });
});

test("one that fails is told in the place of its results", async () => {
  const failed = async (key: TestKey) => {
    const { content, usage } = await clientWith(key).messages.create(asked);
    expect(usage.server_tool_use).toEqual({ web_search_requests: 0, web_fetch_requests: 0 });
    return content[1];
  };
  const unavailable = { content: { type: "web_search_tool_result_error", error_code: "unavailable" } };
  expect(await failed(await gateway.key({ mode: "live", scopes: ["chat"] }))).toMatchObject(unavailable);
  const spent = await gateway.key({ project: "searched", mode: "live", settings: { limits: { search: { perMinute: 0 } } } });
  expect(await failed(spent)).toMatchObject({ content: { error_code: "too_many_requests" } });
  expect(engine.asks).toEqual([]);
  engine.answer({ "POST /search": says({}, 500) });
  expect(await failed(live)).toMatchObject(unavailable);
  engine.answer({ "POST /search": says({}, 400) });
  expect(await failed(live)).toMatchObject({ content: { error_code: "invalid_input" } });
});

test("without a query, the answer is the model's", async () => {
  anthropic.answer(worded({ query: " " }));
  const { content, stop_reason } = await clientWith(live).messages.create(asked);
  expect([content.map(({ type }) => type), stop_reason]).toEqual([["tool_use"], "tool_use"]);
  expect(engine.asks).toEqual([]);
});

test("its price counts towards the ceiling, also where the model costs nothing", async () => {
  const model = gateway.platform.catalog.findChatModel("claude-haiku-4-5")!;
  const { prices } = model;
  Object.assign(model, { prices: Object.fromEntries(Object.keys(prices!).map((name) => [name, 0])) });
  const statusFor = async (max_cost_per_call: number) =>
    (await gateway.send(live, "POST", "/v1/messages", { ...asked, model: model.id, max_cost_per_call })).status;
  expect([await statusFor(0.005), engine.asks.length]).toEqual([400, 0]);
  expect([await statusFor(0.01), engine.asks.length]).toEqual([200, 1]);
  Object.assign(model, { prices });
});

test("a ceiling below the cheapest call is told what that costs with the search, and a warning names the caller's ceiling", async () => {
  const answerTo = async (max_cost_per_call: number) => {
    const response = await gateway.send(live, "POST", "/v1/messages", { ...asked, max_cost_per_call });
    return { status: response.status, body: (await response.json()) as any };
  };
  const { status, body } = await answerTo(0.005);
  const least = Number(/costs ([\d.]+) USD/.exec(body.error.message)![1]);
  expect([status, body.error.code, least > 0.01]).toEqual([400, "cost_ceiling_unreachable", true]);
  expect((await answerTo(least - 0.000001)).status).toBe(400);
  const enough = await answerTo(least);
  expect([enough.status, enough.body.svc.cost_warning]).toMatchObject([200, { ceiling_usd: least, estimated_cost_usd: least }]);
  expect(enough.body.svc.cost_warning.optimal_cost_usd).toBeGreaterThan(least);
});

test("a domain that is none, or too many of them, are refused before the model is asked", async () => {
  const complaint = (blocked_domains: string[]) =>
    clientWith(live)
      .messages.create({ ...asked, tools: [{ ...searchTool, blocked_domains }] })
      .then(String, ({ error }) => error.error);
  const refused = { type: "invalid_request_error", param: "tools.0.blocked_domains" };
  expect(await complaint(["example.org", "no domain"])).toMatchObject({ ...refused, param: `${refused.param}.1` });
  expect(await complaint(Array(51).fill("example.org"))).toMatchObject(refused);
  expect(anthropic.seen).toEqual([]);
});

test("one that is only offered is left out", async () => {
  anthropic.answer(
    json({ id: "msg", type: "message", content: [{ type: "text", text: "Red." }], stop_reason: "end_turn", usage: {} }),
  );
  const { content } = await clientWith(live).messages.create({ ...asked, tool_choice: { type: "auto" } });
  expect(content).toEqual([expect.objectContaining({ type: "text", text: "Red." })]);
  expect(anthropic.seen[0]?.body.tools).toBeUndefined();
  expect(engine.asks).toEqual([]);
});
