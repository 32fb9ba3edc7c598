/** Which servers' answers are read for calls in their text, and what agents get of them through the official SDKs. */

import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { Dialect } from "../../../src/catalog/model.ts";
import { PROVIDERS } from "../../../src/catalog/providers.ts";
import type { ChatRequest } from "../../../src/providers/provider.ts";
import { askFor, collect, contextWith, listsOf, providerFor } from "../../support/chat-provider.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { delta, end } from "../../support/openai-stub.ts";
import { type Answer, json, sse, stream, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  environment: { OLLAMA_HOST: upstream.url },
  settings: `
providers:
  mine: { base_url: ${upstream.url}/v1 }
models:
  - { id: local, provider: ollama, abilities: [tools] }
  - { id: hosted, provider: mine, abilities: [tools] }
`,
});
const key = await gateway.key({ mode: "live" });
const openai = new OpenAI({ apiKey: key.text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey: key.text, baseURL: gateway.url, maxRetries: 0 });

const CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>';
const TEXT = `Let me look.\n${CALL}`;
const parameters = { type: "object" as const, properties: { city: { type: "string" } } };
const pieces = (text: string): string[] => text.match(/[\s\S]{1,7}/g)!;

/** Answers in the wire format that the request has; once the tool has answered, in words. */
const answer: Answer = (seen) => {
  const text = seen.body.messages.some(({ role }: { role: string }) => role === "tool") ? "It is sunny." : TEXT;
  if (seen.path === "/api/chat") {
    const lines = seen.body.stream ? pieces(text).map((content) => ({ message: { content } })) : [];
    const last = { message: { content: seen.body.stream ? "" : text }, done: true, prompt_eval_count: 9, eval_count: 7 };
    return stream(
      [...lines, last].map((line) => `${JSON.stringify(line)}\n`),
      "end",
      "application/x-ndjson",
    )(seen);
  }
  const usage = { prompt_tokens: 9, completion_tokens: 7 };
  if (!seen.body.stream) return json({ choices: [{ message: { content: text }, finish_reason: "stop" }], usage })(seen);
  return sse([...pieces(text).map((content) => delta({ content })), end(), { choices: [], usage }])(seen);
};

const messages = [{ role: "user" as const, content: "What is the weather in Paris?" }];

for (const model of ["local", "hosted"]) {
  test(`${model}: chat completions, until the agent's loop is over`, async () => {
    upstream.answer(answer);
    const tools = [{ type: "function" as const, function: { name: "get_weather", parameters } }];
    const whole = await openai.chat.completions.create({ model, messages, tools });
    const streamed = await openai.chat.completions.stream({ model, messages, tools }).finalChatCompletion();
    for (const { choices } of [whole, streamed]) {
      expect(choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: "Let me look.\n" } });
      expect(choices[0]!.message.tool_calls).toMatchObject([
        { function: { name: "get_weather", arguments: '{"city": "Paris"}' } },
      ]);
    }
    expect(whole.usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 7 });
    const { message } = whole.choices[0]!;
    const result = { role: "tool" as const, tool_call_id: message.tool_calls![0]!.id, content: "Sunny" };
    const next = await openai.chat.completions.create({ model, messages: [...messages, message, result], tools });
    expect(next.choices[0]!.message.content).toBe("It is sunny.");
    const [, called, told] = upstream.seen.at(-1)!.body.messages;
    expect(called).toMatchObject({
      content: "Let me look.\n",
      tool_calls: [{ id: result.tool_call_id, function: { name: "get_weather" } }],
    });
    expect(told).toMatchObject({ role: "tool", tool_call_id: result.tool_call_id, content: "Sunny" });
  });

  test(`${model}: responses and messages, whole and streamed`, async () => {
    upstream.answer(answer);
    const tools = [{ type: "function" as const, name: "get_weather", parameters, strict: false }];
    const body = { model, input: "What is the weather in Paris?", tools };
    for (const response of [await openai.responses.create(body), await openai.responses.stream(body).finalResponse()])
      expect(response.output).toMatchObject([{ type: "message" }, { type: "function_call", arguments: '{"city": "Paris"}' }]);
    const asked = { model, messages, max_tokens: 500, tools: [{ name: "get_weather", input_schema: parameters }] };
    for (const message of [await anthropic.messages.create(asked), await anthropic.messages.stream(asked).finalMessage()])
      expect(message).toMatchObject({
        content: [{ text: "Let me look.\n" }, { type: "tool_use", input: { city: "Paris" } }],
        stop_reason: "tool_use",
      });
  });
}

test("a stream that breaks off within a call is made again unnoticed", async () => {
  upstream.answer(sse([delta({ content: CALL.slice(0, 40) })], { done: false }), answer);
  const tools = [{ type: "function" as const, function: { name: "get_weather", parameters } }];
  const { choices } = await openai.chat.completions.stream({ model: "hosted", messages, tools }).finalChatCompletion();
  expect(choices[0]!.message).toMatchObject({ content: "Let me look.\n", tool_calls: [{ function: { name: "get_weather" } }] });
  expect(upstream.seen).toHaveLength(2);
});

test("what came of a call is billed, although the stream broke off before it was told", async () => {
  upstream.answer(sse([delta({ content: CALL.split("Paris")[0] }), delta({ content: "Paris ".repeat(50) })], { done: false }));
  const tools = [{ type: "function", function: { name: "get_weather", parameters } }];
  const broken = await gateway.send(key, "POST", "/v1/chat/completions", { model: "hosted", messages, stream: true, tools });
  expect(broken.status).toBe(503);
  const { execution } = await gateway.read(key, `/v1/logs/${broken.headers.get("x-request-id")}`);
  for (const attempt of execution.attempts) expect(attempt.output_tokens).toBeGreaterThan(50);
});

/** The text and the calls' names of an answer that says `text`, whole and streamed. */
const readFrom = async (dialect: Dialect, isVendors: boolean, text: string, more: Partial<ChatRequest> = {}) => {
  const provider = providerFor(dialect, `${upstream.url}/v1`, { isVendors });
  const request = { ...askFor("hi"), tools: [{ name: "get_weather", parameters }], ...more };
  const anthropicBody = { type: "message", content: [{ type: "text", text }], stop_reason: "end_turn", usage: {} };
  const openAiBody = { choices: [{ message: { content: text }, finish_reason: "stop" }] };
  upstream.answer(json(dialect === "anthropic" ? anthropicBody : openAiBody));
  const whole = await provider.chat!("m", request, contextWith());
  if (dialect === "openai") upstream.answer(sse([...pieces(text).map((content) => delta({ content })), end()]));
  const streamed = await collect(listsOf((take) => provider.streamChat!("m", request, contextWith(), take)));
  expect(streamed.text).toBe(whole.text);
  expect(streamed.toolCalls.map(({ name }) => name)).toEqual(whole.toolCalls.map(({ name }) => name));
  return { text: whole.text, reasoning: whole.reasoning, names: whole.toolCalls.map(({ name }) => name) };
};

test("the vendors' own servers are believed, and so are Anthropic's and what stands in for it", async () => {
  expect(await readFrom("openai", false, TEXT)).toMatchObject({ text: "Let me look.\n", names: ["get_weather"] });
  expect(await readFrom("openai", true, TEXT)).toMatchObject({ text: TEXT, names: [] });
  expect(await readFrom("anthropic", false, TEXT)).toMatchObject({ text: TEXT, names: [] });
  expect(PROVIDERS.filter(({ runsOpenModels }) => runsOpenModels).map(({ id }) => id)).toEqual([
    "openrouter",
    "together",
    "ollama",
  ]);
});

test("thinking is set apart first, and a stop sequence ends the text first", async () => {
  const thinking = `<think>A ${CALL} may do.</think>\n${CALL}`;
  expect(await readFrom("openai", false, thinking)).toMatchObject({
    text: "",
    reasoning: `A ${CALL} may do.`,
    names: ["get_weather"],
  });
  expect(await readFrom("openai", false, TEXT, { stop: ["</tool_call>"] })).toMatchObject({ names: ["get_weather"] });
  expect(await readFrom("openai", false, TEXT, { stop: ["Paris"] })).toMatchObject({ names: [] });
});

test("a tool that was renamed for the server has its own name in the call", async () => {
  const name = "weather in a city";
  const tools = [{ name, parameters }];
  await readFrom("openai", false, "Hello", { tools });
  const sent = upstream.seen.at(-1)!.body.tools[0].function.name;
  expect(sent).not.toBe(name);
  expect(await readFrom("openai", false, CALL.replace("get_weather", sent), { tools })).toMatchObject({ names: [name] });
});
