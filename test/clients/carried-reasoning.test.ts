/**
 * DeepSeek goes on with tool calls only where what it thought before them comes back: OpenAI's clients carry it as `reasoning_content`,
 * Anthropic's as a thinking block.
 */

import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { json, sse, upstreamStubOfFile } from "../support/upstream-stub.ts";

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({ environment: { DEEPSEEK_API_KEY: "sk-x", DEEPSEEK_BASE_URL: `${upstream.url}/v1` } });
const key = await gateway.key({ mode: "live" });
const client = new OpenAI({ apiKey: key.text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

const CALLS = [
  { index: 0, id: "call_1", type: "function" as const, function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
];
const usage = { prompt_tokens: 50, completion_tokens: 20 };
const whole = (message: object, finish_reason: string) => json({ choices: [{ index: 0, message, finish_reason }], usage });
const called = whole(
  { role: "assistant", content: "", reasoning_content: "I must look it up.", tool_calls: CALLS },
  "tool_calls",
);
const answered = whole({ role: "assistant", content: "It is sunny.", reasoning_content: "Now I know." }, "stop");
const chunk = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] });

const question = { role: "user" as const, content: "What is the weather in Paris?" };
const result = { role: "tool" as const, tool_call_id: "call_1", content: "Sunny." };
const ask = (...messages: OpenAI.ChatCompletionMessageParam[]) => ({
  model: "deepseek-v4-pro",
  tools: [{ type: "function" as const, function: { name: "get_weather", parameters: { type: "object", properties: {} } } }],
  messages: [question, ...messages],
});

const streamed = () =>
  sse([
    chunk({ role: "assistant", reasoning_content: "I must " }),
    chunk({ reasoning_content: "look it up." }),
    chunk({ tool_calls: CALLS }),
    chunk({}, "tool_calls"),
  ]);

test("what was thought before calls comes with them and goes back to its vendor, which goes on thinking", async () => {
  upstream.answer(called, answered);
  const { message } = (await client.chat.completions.create(ask())).choices[0]!;
  expect(message).toMatchObject({ reasoning_content: "I must look it up." });
  const last = await client.chat.completions.create(ask(message, result));
  expect(last.choices[0]!.message).toMatchObject({ reasoning_content: "Now I know.", content: "It is sunny." });
  const { thinking, messages } = upstream.seen[1]!.body;
  expect(thinking).toBeUndefined();
  expect(messages[1]).toMatchObject({ role: "assistant", reasoning_content: "I must look it up." });
});

test("a whole answer that comes as a stream has it too", async () => {
  upstream.answer(streamed());
  const { message } = (await client.chat.completions.create(ask())).choices[0]!;
  expect(message).toMatchObject({ reasoning_content: "I must look it up.", tool_calls: [{ id: "call_1" }] });
});

const response_format = { type: "json_schema" as const, json_schema: { name: "sky", schema: { type: "object" } } };

test.each([
  ["a stream", streamed(), {}],
  ["a stream whose answer has to fit a schema", called, { response_format }],
])("%s tells it once, before the first call", async (_, answer, more) => {
  upstream.answer(answer);
  const deltas = [];
  for await (const { choices } of await client.chat.completions.create({ ...ask(), ...more, stream: true }))
    deltas.push(choices[0]!.delta);
  expect(deltas[0]).toMatchObject({ role: "assistant", reasoning_content: "I must look it up." });
  expect(deltas[1]!.tool_calls?.[0]).toMatchObject({ id: "call_1" });
  expect(deltas.filter((delta) => "reasoning_content" in delta).length).toBe(1);
});

test("where it does not come back, and where that is complained of, the call is made without thinking", async () => {
  const bare = { role: "assistant" as const, content: null, tool_calls: CALLS };
  upstream.answer(answered);
  await client.chat.completions.create(ask(bare, result));
  expect(upstream.seen[0]!.body.thinking).toEqual({ type: "disabled" });
  const complaint = {
    message: "The `reasoning_content` in the thinking mode must be passed back to the API.",
    type: "invalid_request_error",
  };
  upstream.answer(json({ error: complaint }, 400), answered);
  const carried = { ...bare, reasoning_content: "I must look it up." };
  const { choices } = await client.chat.completions.create({ ...ask(carried, result), reasoning_effort: "high" });
  expect(choices[0]!.message.content).toBe("It is sunny.");
  expect(upstream.seen.map(({ body }) => [body.thinking, body.reasoning_effort])).toEqual([
    [{ type: "disabled" }, undefined],
    [undefined, "high"],
    [{ type: "disabled" }, undefined],
  ]);
});

for (const stream of [false, true]) {
  test(`on /v1/responses, who asks for summaries is shown it and carries it, ${stream ? "streamed" : "whole"}`, async () => {
    upstream.seen.length = 0;
    upstream.answer(stream ? streamed() : called, answered);
    const asked = {
      model: "deepseek-v4-pro",
      reasoning: { summary: "auto" as const },
      tools: [{ type: "function" as const, name: "get_weather", parameters: { type: "object", properties: {} }, strict: false }],
    };
    const events: string[] = [];
    const { output } = stream
      ? await client.responses
          .stream({ ...asked, input: [question] })
          .on("event", ({ type }) => events.push(type))
          .finalResponse()
      : await client.responses.create({ ...asked, input: [question] });
    expect(output).toMatchObject([
      { type: "reasoning", status: "completed", summary: [{ type: "summary_text", text: "I must look it up." }] },
      { type: "function_call", call_id: "call_1" },
    ]);
    if (stream)
      expect(events.filter((type) => type.includes("reasoning"))).toEqual([
        "response.reasoning_summary_part.added",
        "response.reasoning_summary_text.delta",
        "response.reasoning_summary_text.delta",
        "response.reasoning_summary_text.done",
        "response.reasoning_summary_part.done",
      ]);
    const result = { type: "function_call_output" as const, call_id: "call_1", output: "Sunny." };
    const last = await client.responses.create({ ...asked, input: [question, ...output, result] as never });
    expect(last.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    const { thinking, messages } = upstream.seen[1]!.body;
    expect(thinking).toBeUndefined();
    expect(messages[1]).toMatchObject({ role: "assistant", reasoning_content: "I must look it up." });
    // The Vercel AI SDK names items by their ids.
    const references = output.map(({ id }) => ({ type: "item_reference" as const, id: id! }));
    upstream.answer(answered);
    const named = await client.responses.create({ ...asked, reasoning: {}, input: [question, ...references, result] });
    expect(named.output.map(({ type }) => type)).toEqual(["message"]);
  });
}

test("an answer on /v1/responses that is cut off while its model thinks is the thinking alone, whole as streamed", async () => {
  const asked = { model: "deepseek-v4-pro", reasoning: { summary: "auto" as const }, input: "Why?" };
  upstream.answer(whole({ role: "assistant", content: "", reasoning_content: "I must" }, "length"));
  const answer = await client.responses.create(asked);
  upstream.answer(sse([chunk({ role: "assistant", reasoning_content: "I must" }), chunk({}, "length")]));
  const streamedAnswer = await client.responses.stream(asked).finalResponse();
  for (const { status, output } of [answer, streamedAnswer])
    expect([status, output]).toMatchObject(["incomplete", [{ type: "reasoning", status: "incomplete" }]]);
});

const anthropic = new Anthropic({ apiKey: key.text, baseURL: gateway.url, maxRetries: 0 });
const request = (thinks: boolean, ...messages: Anthropic.MessageParam[]): Anthropic.MessageCreateParamsNonStreaming => ({
  model: "deepseek-v4-pro",
  max_tokens: 8_000,
  thinking: thinks ? { type: "enabled", budget_tokens: 4_000 } : { type: "disabled" },
  tools: [{ name: "get_weather", input_schema: { type: "object", properties: {} } }],
  messages: [question, ...messages],
});

for (const stream of [false, true]) {
  test(`Anthropic's clients that ask for thinking carry it, ${stream ? "streamed" : "whole"}`, async () => {
    upstream.seen.length = 0;
    upstream.answer(stream ? streamed() : called, answered);
    const { content } = stream
      ? await anthropic.messages.stream(request(true)).finalMessage()
      : await anthropic.messages.create(request(true));
    expect(content.map(({ type }) => type)).toEqual(["thinking", "tool_use"]);
    expect(content[0]).toMatchObject({ thinking: "I must look it up." });
    const results = [{ type: "tool_result" as const, tool_use_id: "call_1", content: "Sunny." }];
    const last = await anthropic.messages.create(
      request(true, { role: "assistant", content }, { role: "user", content: results }),
    );
    expect(last.content).toMatchObject([{ thinking: "Now I know." }, { text: "It is sunny." }]);
    const { thinking, messages } = upstream.seen[1]!.body;
    expect(thinking).toBeUndefined();
    expect(messages[1]).toMatchObject({ role: "assistant", reasoning_content: "I must look it up." });
  });

  test(`others of Anthropic's clients see none of it, ${stream ? "streamed" : "whole"}`, async () => {
    upstream.answer(stream ? streamed() : called);
    const { content } = stream
      ? await anthropic.messages.stream(request(false)).finalMessage()
      : await anthropic.messages.create(request(false));
    expect(content.map(({ type }) => type)).toEqual(["tool_use"]);
  });
}
