/** Anthropic's official Node SDK against a gateway, unchanged but for base URL and key (decisions §5). */

import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const clientWith = (apiKey: string) => new Anthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 });

const gateway = await gatewayOfFile();
const key = await gateway.key();
const client = clientWith(key.text);

const hello = {
  model: "auto",
  max_tokens: 200,
  messages: [{ role: "user" as const, content: "[[sandbox:reply=All lines are clear.]]" }],
};

const weather: Anthropic.Tool = {
  name: "get_weather",
  description: "The weather in a city",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

test("messages.create answers with what the SDK types promise", async () => {
  const message = await client.messages.create({ ...hello, system: "Be brief." });
  expect(message).toMatchObject({
    type: "message",
    role: "assistant",
    stop_reason: "end_turn",
    stop_sequence: null,
    stop_details: null,
  });
  expect(message.content).toEqual([expect.objectContaining({ type: "text", text: "All lines are clear." })]);
  expect(message.usage.input_tokens).toBeGreaterThan(0);
  expect(message._request_id).toStartWith("call_");
});

test("a stream is put together by the SDK to the same message", async () => {
  const stream = client.messages.stream(hello);
  const pieces: string[] = [];
  stream.on("text", (piece) => pieces.push(piece));
  const message = await stream.finalMessage();
  expect(pieces.join("")).toBe("All lines are clear.");
  expect(message.stop_reason).toBe("end_turn");
  expect(message.usage.output_tokens).toBeGreaterThan(0);
});

test("tools are called in parallel, whole and streamed, and their results are taken", async () => {
  const question = { role: "user" as const, content: "What is the weather in Paris and Tokyo?" };
  const request = { model: "auto", max_tokens: 500, tools: [weather], messages: [question] };
  const whole = await client.messages.create(request);
  const streamed = await client.messages.stream(request).finalMessage();
  for (const message of [whole, streamed]) {
    expect(message.stop_reason).toBe("tool_use");
    const uses = message.content.filter((block) => block.type === "tool_use");
    expect(uses.map(({ name, input }) => [name, input])).toEqual([
      ["get_weather", { city: "Paris" }],
      ["get_weather", { city: "Tokyo" }],
    ]);
  }
  const results = whole.content.flatMap((block) =>
    block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "Sunny, 21 degrees." }] : [],
  );
  const answer = await client.messages.create({
    ...request,
    messages: [question, { role: "assistant", content: whole.content }, { role: "user", content: results }],
  });
  expect(answer.stop_reason).toBe("end_turn");
});

const extraction = (content: string): Anthropic.MessageCreateParamsNonStreaming => ({
  model: "auto",
  max_tokens: 500,
  messages: [{ role: "user", content }],
  output_config: {
    format: {
      type: "json_schema",
      schema: {
        type: "object",
        properties: { name: { type: "string" }, age: { type: "integer" } },
        required: ["name", "age"],
        additionalProperties: false,
      },
    },
  },
});

test("an output format makes answers that fit", async () => {
  const message = await client.messages.create(extraction("Ada Lovelace is 36 years old. Extract name and age."));
  const [block] = message.content;
  expect(JSON.parse(block?.type === "text" ? block.text : "")).toEqual({ name: expect.any(String), age: expect.any(Number) });
});

test("an answer that refuses to fit an output format says so in its stop reason, whole and streamed", async () => {
  const asked = extraction("[[sandbox:refuse:always]] Ada Lovelace is 36 years old. Extract name and age.");
  const whole = await client.messages.create(asked);
  const streamed = await client.messages.create({ ...asked, stream: true });
  const ends: unknown[] = [[whole.stop_reason, whole.stop_details?.type]];
  for await (const event of streamed)
    if (event.type === "message_delta") ends.push([event.delta.stop_reason, event.delta.stop_details?.type]);
  expect(ends).toEqual([
    ["refusal", "refusal"],
    ["refusal", "refusal"],
  ]);
});

test("tokens are counted without a call", async () => {
  const short = await client.messages.countTokens({ model: "auto", messages: hello.messages });
  const long = await client.messages.countTokens({ model: "auto", messages: hello.messages, system: "Be brief. ".repeat(100) });
  expect(long.input_tokens).toBeGreaterThan(short.input_tokens + 100);
});

/** The error that the SDK throws. */
const refusalOf = async (work: PromiseLike<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> => {
  try {
    await work;
  } catch (error) {
    return error as InstanceType<typeof Anthropic.APIError>;
  }
  throw new Error("The call was answered.");
};

test("each refusal is the error class that the SDK has for it, in Anthropic's envelope", async () => {
  const narrow = await gateway.key({ project: "narrow", scopes: ["media"] });
  const spent = await gateway.key({ project: "spent", budgetUsd: 0.000001 });
  const create = (apiKey: string, more: object = {}) => refusalOf(clientWith(apiKey).messages.create({ ...hello, ...more }));

  const unknownKey = await create("pk_test_nobody");
  expect(unknownKey).toBeInstanceOf(Anthropic.AuthenticationError);
  expect(unknownKey.error).toMatchObject({
    type: "error",
    error: { type: "authentication_error", message: "Invalid API key" },
    request_id: expect.any(String),
  });
  expect(await create(key.text, { model: "no-such-model" })).toBeInstanceOf(Anthropic.NotFoundError);
  expect(await create(key.text, { max_tokens: -1 })).toBeInstanceOf(Anthropic.BadRequestError);
  expect(await create(narrow.text)).toBeInstanceOf(Anthropic.PermissionDeniedError);
  expect(await create(spent.text)).toBeInstanceOf(Anthropic.RateLimitError);
  expect(await create(key.text, { messages: [{ role: "user", content: "[[sandbox:error-500:always]]" }] })).toBeInstanceOf(
    Anthropic.InternalServerError,
  );
});

test("a stream that breaks raises instead of ending", async () => {
  const stream = client.messages.stream({
    ...hello,
    messages: [{ role: "user", content: "[[sandbox:disconnect:always]] Tell me about railways." }],
  });
  expect(await refusalOf(stream.finalMessage())).toBeInstanceOf(Anthropic.AnthropicError);
});

test("the key is taken from Authorization too, as Claude Code sends it", async () => {
  const bearer = new Anthropic({ apiKey: null, authToken: key.text, baseURL: gateway.url, maxRetries: 0 });
  expect((await bearer.messages.create(hello)).type).toBe("message");
});
