/** A sampling parameter that the answering model does not take is named, not dropped in silence. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { readSse } from "../support/read-sse.ts";
import { json, upstreamStubOfFile } from "../support/upstream-stub.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key({ mode: "test" });
const upstream = upstreamStubOfFile();
const standIn = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-one", OPENAI_BASE_URL: `${upstream.url}/v1` } });

const ask = (path: string, model: string, more: object) =>
  gateway.send(key, "POST", path, { model, max_tokens: 50, messages: [{ role: "user", content: "Hello there" }], ...more });
const ignoredBy = async (model: string, more: object, path = "/v1/chat") =>
  ((await (await ask(path, model, more)).json()) as any).svc.ignored_parameters;

test("a model of fixed sampling takes none of them, others all", async () => {
  const all = { temperature: 0.2, top_p: 0.5, presence_penalty: 1, frequency_penalty: -1 };
  expect(await ignoredBy("gpt-5-mini", all)).toEqual(["temperature", "top_p", "presence_penalty", "frequency_penalty"]);
  expect(await ignoredBy("gemini-3.8-flash", all)).toEqual(["temperature", "top_p", "presence_penalty", "frequency_penalty"]);
  expect(await ignoredBy("gpt-4o-mini", all)).toBeUndefined();
  expect(await ignoredBy("gpt-4o-mini", { top_k: 40 })).toEqual(["top_k"]);
  expect(await ignoredBy("gemini-2.5-flash", { top_k: 40 })).toBeUndefined();
});

test("a model that takes one of two says which it left", async () => {
  const both = { temperature: 0.2, top_p: 0.5 };
  expect(await ignoredBy("claude-haiku-4-5", both, "/v1/messages")).toEqual(["top_p"]);
  for (const one of [{ temperature: 0.2 }, { top_p: 0.5 }])
    expect(await ignoredBy("claude-haiku-4-5", one, "/v1/messages")).toBeUndefined();
});

test("a model that samples only while it does not think takes them where it does not", async () => {
  const all = { temperature: 0.2, presence_penalty: 1 };
  expect(await ignoredBy("gpt-6-luna", all)).toEqual(["temperature", "presence_penalty"]);
  expect(await ignoredBy("gpt-6-luna", { ...all, reasoning_effort: "none" })).toEqual(["presence_penalty"]);
  const tools = [{ type: "function", function: { name: "f" } }];
  expect(await ignoredBy("gpt-6-luna", { ...all, tools })).toEqual(["presence_penalty"]);
});

test("a model that samples only while it does not think says so when it thinks", async () => {
  const thoughtful = { temperature: 0.2, reasoning_effort: "high", max_tokens: 4_000 };
  expect(await ignoredBy("claude-haiku-4-5", thoughtful)).toEqual(["temperature"]);
  expect(await ignoredBy("claude-haiku-4-5", { ...thoughtful, reasoning_effort: "none" })).toBeUndefined();
});

test("formats that know no penalties and no seed say so", async () => {
  const penalties = { presence_penalty: 1, frequency_penalty: 0, seed: 7 };
  expect(await ignoredBy("claude-haiku-4-5", penalties)).toEqual(["presence_penalty", "seed"]);
  expect(await ignoredBy("gemini-2.5-flash", penalties)).toBeUndefined();
});

test("what only the vendor's own format for tools lacks is not missed at a server that stands in for the vendor", async () => {
  const asked = { seed: 7, temperature: 0.2, reasoning_effort: "high", tools: [{ type: "function", function: { name: "f" } }] };
  expect(await ignoredBy("gpt-6-luna", asked)).toEqual(["temperature", "seed"]);
  upstream.answer(json({ choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }] }));
  const live = await standIn.key({ mode: "live" });
  const body = { model: "gpt-6-luna", messages: [{ role: "user", content: "Hello there" }], ...asked };
  const answer: any = await (await standIn.send(live, "POST", "/v1/chat", body)).json();
  expect(upstream.seen[0]).toMatchObject({ path: "/v1/chat/completions", body: { seed: 7, reasoning_effort: "high" } });
  expect(answer.svc.ignored_parameters).toEqual(["temperature"]);
});

test("a model without a setting for it says that its answer is as long as ever", async () => {
  expect(await ignoredBy("gpt-4o-mini", { verbosity: "low" })).toEqual(["verbosity"]);
  expect(await ignoredBy("gpt-5-mini", { verbosity: "low" })).toBeUndefined();
});

test("what asks for nothing is not missed", async () => {
  const usual = { temperature: 1, top_p: 1, presence_penalty: 0 };
  expect(await ignoredBy("gpt-5-mini", usual)).toBeUndefined();
  expect(await ignoredBy("gpt-4o-mini", { ...usual, verbosity: "medium" })).toBeUndefined();
});

test("a stream says so in its last chunk", async () => {
  const frames = await readSse(await ask("/v1/chat/stream", "gpt-5-mini", { temperature: 0 }));
  const svc = frames.map(({ data }) => data.svc).find((each) => each !== undefined);
  expect(svc.ignored_parameters).toEqual(["temperature"]);
});
