/** Thinking in tool loops, as Anthropic's clients have it: what its models thought comes with its proof, and goes back to them unchanged. */

import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import type { TestKey } from "../support/gateway.ts";
import { twoVendorsOfFile } from "../support/two-vendors.ts";
import { json, sse } from "../support/upstream-stub.ts";

const { gateway, openai, anthropic: upstream, live: key } = await twoVendorsOfFile();

const THOUGHT = { type: "thinking", thinking: "The user asks for the weather.", signature: "cHJvb2Y=" };
const HIDDEN = { type: "redacted_thinking", data: "c2VjcmV0" };
const CALL = { type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Paris" } };
const ANSWER = [THOUGHT, HIDDEN, { type: "text", text: "Let me look." }, CALL];
const USAGE = { input_tokens: 50, output_tokens: 40, output_tokens_details: { thinking_tokens: 30 } };

const answersWhole = () =>
  upstream.answer(json({ id: "msg", type: "message", content: ANSWER, stop_reason: "tool_use", usage: USAGE }));
const answersStreamed = () => {
  const block = (index: number, content_block: object, ...deltas: object[]) => [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
  upstream.answer(
    sse(
      [
        { type: "message_start", message: { id: "msg", content: [], usage: { input_tokens: 50, output_tokens: 0 } } },
        ...block(
          0,
          { type: "thinking", thinking: "", signature: "" },
          { type: "thinking_delta", thinking: "The user asks " },
          { type: "thinking_delta", thinking: "for the weather." },
          { type: "signature_delta", signature: THOUGHT.signature },
        ),
        ...block(1, HIDDEN),
        ...block(2, { type: "text", text: "" }, { type: "text_delta", text: "Let me look." }),
        ...block(3, { ...CALL, input: {} }, { type: "input_json_delta", partial_json: '{"city":"Paris"}' }),
        { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: USAGE },
        { type: "message_stop" },
      ],
      { eventNames: true, done: false },
    ),
  );
};

const clientFor = (as: TestKey) => new Anthropic({ apiKey: as.text, baseURL: gateway.url, maxRetries: 0 });
const QUESTION = { role: "user" as const, content: "What is the weather in Paris?" };
const request = (more: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}): Anthropic.MessageCreateParamsNonStreaming => ({
  model: "claude-haiku-4-5",
  max_tokens: 8_000,
  thinking: { type: "enabled", budget_tokens: 3_000 },
  tools: [{ name: "get_weather", input_schema: { type: "object", properties: { city: { type: "string" } } } }],
  messages: [QUESTION],
  ...more,
});
const ask = async (stream: boolean, more: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}, as = key) => {
  if (stream) answersStreamed();
  else answersWhole();
  const client = clientFor(as);
  return stream ? client.messages.stream(request(more)).finalMessage() : client.messages.create(request(more));
};
const withResult = (content: Anthropic.ContentBlockParam[]): Anthropic.MessageParam[] => [
  QUESTION,
  { role: "assistant", content },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "Sunny." }] },
];

/** Of a project whose policy reviews answers. */
const reviewedKey = async (project: string): Promise<TestKey> => {
  const reviewed = await gateway.key({ mode: "live", project });
  const config = { pii_detection: { enabled: true, types: ["email"], action: "redact" } };
  const policy = { name: "pii", policy_type: "content", config };
  expect((await gateway.send(reviewed, "POST", "/v1/policies", policy)).status).toBe(201);
  return reviewed;
};

for (const stream of [false, true]) {
  const how = stream ? "streamed" : "whole";

  test(`${how}: thoughts come with their proof and go back unchanged, in their places`, async () => {
    const message = await ask(stream);
    expect(message.content).toMatchObject(ANSWER as any);
    expect(message.usage).toMatchObject(USAGE);
    expect(upstream.seen[0]!.body.thinking).toEqual({ type: "enabled", budget_tokens: 3_000 });
    await ask(stream, { messages: withResult(message.content as Anthropic.ContentBlockParam[]) });
    const { thinking, messages } = upstream.seen[1]!.body;
    expect(thinking).toEqual({ type: "enabled", budget_tokens: 3_000 });
    expect(messages[1]).toEqual({ role: "assistant", content: ANSWER });
  });

  test(`${how}: who did not ask for thoughts is shown none`, async () => {
    const message = await ask(stream, { thinking: { type: "disabled" } });
    expect(message.content.map(({ type }) => type)).toEqual(["text", "tool_use"]);
  });

  test(`${how}: where a policy reviews answers, thoughts stay away, for a change would break their proof`, async () => {
    const message = await ask(stream, {}, await reviewedKey(`reviewed ${how}`));
    expect(message.content.map(({ type }) => type)).toEqual(["text", "tool_use"]);
  });
}

test("who did not ask for thoughts is shown no sealed ones either, where all of them are sealed", async () => {
  upstream.answer(json({ id: "msg", type: "message", content: ANSWER.slice(1), stop_reason: "tool_use", usage: USAGE }));
  const { content } = await clientFor(key).messages.create(request({ thinking: { type: "disabled" } }));
  expect(content.map(({ type }) => type)).toEqual(["text", "tool_use"]);
});

test("a bound that thoughts have spent is left to the words the second time", async () => {
  const answers = (content: object[], stop_reason: string) =>
    json({ id: "msg", type: "message", content, stop_reason, usage: USAGE });
  for (const more of [{}, { model: "claude-sonnet-4-6", thinking: { type: "adaptive" as const } }]) {
    upstream.seen.length = 0;
    upstream.answer(answers([THOUGHT], "max_tokens"), answers(ANSWER.slice(2), "tool_use"));
    const { content } = await clientFor(key).messages.create(request(more));
    expect(content.map(({ type }) => type)).toEqual(["text", "tool_use"]);
    expect(upstream.seen.map(({ body }) => ["enabled", "adaptive"].includes(body.thinking?.type))).toEqual([true, false]);
  }
});

test("clients that carry no thoughts do not make a budget's thinking join their tool loops", async () => {
  await ask(false, { messages: withResult([{ type: "tool_use", id: "toolu_1", name: "get_weather", input: {} }]) });
  expect(upstream.seen[0]!.body).not.toHaveProperty("thinking");
});

for (const stream of [false, true]) {
  const how = stream ? "streamed" : "whole";
  const vendorAnswers = () =>
    openai.answer(
      stream
        ? sse([
            { choices: [{ index: 0, delta: { reasoning_content: "hm, " } }] },
            { choices: [{ index: 0, delta: { reasoning_content: "sun" } }] },
            { choices: [{ index: 0, delta: { content: "Sunny." }, finish_reason: "stop" }] },
          ])
        : json({ choices: [{ index: 0, message: { content: "Sunny.", reasoning_content: "hm, sun" }, finish_reason: "stop" }] }),
    );
  const askVendor = (as: TestKey, more: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}) => {
    vendorAnswers();
    const asked = request({ model: "gpt-4o", messages: withResult(ANSWER as Anthropic.ContentBlockParam[]), ...more });
    const { messages } = clientFor(as);
    return stream ? messages.stream(asked).finalMessage() : messages.create(asked);
  };

  test(`${how}: another vendor is sent no thoughts, and its own are shown without proof`, async () => {
    const { content } = await askVendor(key);
    expect(content as unknown[]).toEqual([
      { type: "thinking", thinking: "hm, sun", signature: "unsigned" },
      { type: "text", text: "Sunny." },
    ]);
    const sent = JSON.stringify(openai.seen[0]!.body);
    for (const word of [THOUGHT.thinking, THOUGHT.signature, HIDDEN.data]) expect(sent).not.toContain(word);
  });

  test(`${how}: another vendor's thoughts are not shown unasked, nor where a policy reviews answers`, async () => {
    const { content } = await askVendor(key, { thinking: { type: "disabled" } });
    expect(content).toMatchObject([{ type: "text", text: "Sunny." }]);
    expect((await askVendor(await reviewedKey(`vendor reviewed ${how}`))).content).toMatchObject([
      { type: "text", text: "Sunny." },
    ]);
  });
}

test("thinking comes once, also if the provider answers a stream's request in one piece", async () => {
  answersWhole();
  const { content } = await clientFor(key).messages.stream(request()).finalMessage();
  expect(content).toMatchObject(ANSWER);
});

test("a stream that must fit a schema shows thoughts too, to who asked for them", async () => {
  const content = [THOUGHT, { type: "text", text: '{"sky":"blue"}' }];
  upstream.answer(json({ id: "msg", type: "message", content, stop_reason: "end_turn", usage: USAGE }));
  const schema = { type: "object", properties: { sky: { type: "string" } }, required: ["sky"], additionalProperties: false };
  const typesWith = async (thinking: Anthropic.ThinkingConfigParam) => {
    const { content } = await clientFor(key)
      .messages.stream(request({ thinking, tools: [], output_config: { format: { type: "json_schema", schema } } }))
      .finalMessage();
    return content.map(({ type }) => type);
  };
  expect(await typesWith({ type: "enabled", budget_tokens: 3_000 })).toEqual(["thinking", "text"]);
  expect(await typesWith({ type: "disabled" })).toEqual(["text"]);
});

test("the log keeps no thoughts", async () => {
  const message = await ask(false, { messages: withResult(ANSWER as Anthropic.ContentBlockParam[]) });
  const log = await (await gateway.send(key, "GET", `/v1/logs/${(message as { _request_id?: string })._request_id}`)).text();
  expect(log).toContain("weather in Paris");
  for (const word of [THOUGHT.thinking, THOUGHT.signature, HIDDEN.data]) expect(log).not.toContain(word);
});
