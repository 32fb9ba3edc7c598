/** What a model cannot embed is refused before a provider is asked, with the field that names it, and is a row of the log. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";
import { json, startUpstreamStub, type UpstreamStub } from "../support/upstream-stub.ts";

let gateway: Gateway;
let upstream: UpstreamStub;
let live: TestKey;
let sandbox: TestKey;

beforeAll(async () => {
  upstream = startUpstreamStub();
  gateway = await startGateway({ environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1` } });
  live = await gateway.key({ mode: "live" });
  sandbox = await gateway.key();
});
afterAll(async () => {
  await gateway.stop();
  upstream.stop();
});

const embed = async (key: TestKey, body: object) => {
  const response = await gateway.send(key, "POST", "/v1/embeddings", { model: "text-embedding-3-small", ...body });
  return { status: response.status, body: (await response.json()) as any };
};

test("an input longer than the model reads, and a vector longer than it makes", async () => {
  for (const key of [live, sandbox]) {
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
