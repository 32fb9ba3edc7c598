/** The response cache through the official SDKs: asked for by a header of one call, whichever SDK asked first. */

import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();
const openai = new OpenAI({ apiKey: key.text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey: key.text, baseURL: gateway.url, maxRetries: 0 });

const headers = { "cache-control": "max-age=600" };
const REPLY = "All lines are clear.";
const prompt = `[[sandbox:reply=${REPLY}]] Are they?`;
const body = { model: "gpt-4o", max_tokens: 100, messages: [{ role: "user" as const, content: prompt }] };
const cacheOf = (answer: object): unknown => (answer as { svc: { cache?: unknown } }).svc.cache;

test("one answer serves both SDKs, whole and as streams", async () => {
  const first = await openai.chat.completions.create(body, { headers });
  expect(cacheOf(first)).toBeUndefined();
  const call_id = (first as any).svc.request_id;

  const { data: again, response } = await openai.chat.completions.create(body, { headers }).withResponse();
  expect([response.headers.get("x-svc-cache"), again.choices, again.usage]).toEqual(["hit", first.choices, first.usage]);
  expect([cacheOf(again), again.id === first.id]).toMatchObject([{ hit: true, call_id }, false]);
  const parsed = await openai.chat.completions.stream(body, { headers }).finalChatCompletion();
  expect(parsed.choices[0]!.message.content).toBe(REPLY);

  const message = await anthropic.messages.create(body, { headers });
  expect([message.content, message.stop_reason, cacheOf(message)]).toMatchObject([[{ text: REPLY }], "end_turn", { call_id }]);
  expect(await anthropic.messages.stream(body, { headers }).finalText()).toBe(REPLY);

  const asked = { model: "gpt-4o", max_output_tokens: 100, input: prompt };
  const answered = await openai.responses.create(asked, { headers });
  expect([answered.output_text, cacheOf(answered)]).toMatchObject([REPLY, { call_id }]);
  const streamed = await openai.responses.stream(asked, { headers }).finalResponse();
  expect(streamed.output_text).toBe(REPLY);

  const { logs } = (await (await gateway.send(key, "GET", "/v1/logs?cache_hit=true")).json()) as any;
  expect(logs.map(({ metadata }: any) => metadata.endpoint).sort()).toEqual(
    ["chat/completions", "chat/completions", "messages", "messages", "responses", "responses"].map((path) => `/v1/${path}`),
  );
});

test("without the header each call asks anew", async () => {
  const [one, two] = [await openai.chat.completions.create(body), await anthropic.messages.create(body)];
  expect([cacheOf(one), cacheOf(two)]).toEqual([undefined, undefined]);
});
