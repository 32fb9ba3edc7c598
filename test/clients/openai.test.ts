/** OpenAI's official Node SDK against a gateway, unchanged but for base URL and key (decisions §5). */

import { expect, test } from "bun:test";
import { join } from "node:path";
import OpenAI, { toFile } from "openai";
import { makeParseableResponseFormat } from "openai/lib/parser";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { refusalOf } from "../support/openai-refusal.ts";
import { upstreamStubOfFile } from "../support/upstream-stub.ts";

const clientWith = (apiKey: string, options: ConstructorParameters<typeof OpenAI>[0] = {}) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0, ...options });

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1` } });
const key = await gateway.key();
const client = clientWith(key.text);

const hello = [{ role: "user" as const, content: "[[sandbox:reply=All lines are clear.]]" }];

const weatherTool = {
  type: "function" as const,
  function: {
    name: "get_weather",
    description: "The weather in a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};

test("chat.completions.create answers with what the SDK types promise", async () => {
  const completion = await client.chat.completions.create({ model: "auto", messages: hello });
  expect(completion.object).toBe("chat.completion");
  expect(completion.choices[0]!.message).toMatchObject({ role: "assistant", content: "All lines are clear." });
  expect(completion.choices[0]!.finish_reason).toBe("stop");
  expect(completion.usage!.total_tokens).toBe(completion.usage!.prompt_tokens + completion.usage!.completion_tokens);
  expect(completion._request_id).toStartWith("call_");
});

test("a stream gives the text in order, and usage in a last chunk where asked", async () => {
  const stream = await client.chat.completions.create({
    model: "auto",
    messages: hello,
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  const finishes: unknown[] = [];
  let usage: OpenAI.CompletionUsage | null | undefined;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    if (chunk.choices[0]?.finish_reason) finishes.push(chunk.choices[0].finish_reason);
    usage = chunk.usage ?? usage;
  }
  expect([text, finishes]).toEqual(["All lines are clear.", ["stop"]]);
  expect(usage!.completion_tokens).toBeGreaterThan(0);
});

test("the stream helper puts tool calls made in parallel together", async () => {
  const request = {
    model: "auto",
    messages: [{ role: "user" as const, content: "What is the weather in Paris and Tokyo?" }],
    tools: [weatherTool],
  };
  const whole = (await client.chat.completions.create(request)).choices[0]!;
  const streamed = (await client.chat.completions.stream(request).finalChatCompletion()).choices[0]!;
  for (const choice of [whole, streamed]) {
    expect(choice.finish_reason).toBe("tool_calls");
    const calls = choice.message.tool_calls!.map((call) => (call.type === "function" ? call.function : undefined)!);
    expect(calls.map(({ name }) => name)).toEqual(["get_weather", "get_weather"]);
    expect(calls.map((call) => JSON.parse(call.arguments).city)).toEqual(["Paris", "Tokyo"]);
    expect(new Set(choice.message.tool_calls!.map(({ id }) => id)).size).toBe(2);
  }
});

test("the loop over tools ends with an answer", async () => {
  const asked: string[] = [];
  const runner = client.chat.completions.runTools({
    model: "auto",
    messages: [{ role: "user", content: "What is the weather in Paris?" }],
    tools: [
      {
        type: "function",
        function: {
          name: "get_weather",
          description: "The weather in a city",
          parameters: weatherTool.function.parameters,
          parse: JSON.parse,
          function: ({ city }: { city: string }) => {
            asked.push(city);
            return "Sunny, 21 degrees.";
          },
        },
      },
    ],
  });
  expect(await runner.finalContent()).toBeString();
  expect(asked).toEqual(["Paris"]);
});

test("functions, which tools came after, are called one at a time and told in their own form, whole and streamed", async () => {
  const question = { role: "user" as const, content: "What is the weather in Paris and Tokyo?" };
  const asked = { model: "auto", messages: [question], functions: [weatherTool.function] };
  const whole = (await client.chat.completions.create(asked)).choices[0]!;
  const streamed = (await client.chat.completions.stream(asked).finalChatCompletion()).choices[0]!;
  for (const { message, finish_reason } of [whole, streamed]) {
    expect([finish_reason, message.function_call?.name, message.tool_calls]).toEqual(["function_call", "get_weather", undefined]);
    expect(JSON.parse(message.function_call!.arguments)).toEqual({ city: "Paris" });
  }
  const result = { role: "function" as const, name: "get_weather", content: "Sunny, 21 degrees." };
  const answer = await client.chat.completions.create({ ...asked, messages: [question, whole.message, result] });
  expect(answer.choices[0]!.message.content).toContain("Sunny");
  const greeting = [{ role: "user" as const, content: "Good day." }];
  const forced = { ...asked, messages: greeting, function_call: { name: "get_weather" } };
  expect((await client.chat.completions.create(forced)).choices[0]!.finish_reason).toBe("function_call");
  const none = await client.chat.completions.create({ ...asked, function_call: "none" });
  expect(none.choices[0]!.finish_reason).toBe("stop");
});

const person = {
  type: "json_schema" as const,
  json_schema: {
    name: "person",
    strict: true,
    schema: {
      type: "object",
      properties: { name: { type: "string" }, age: { type: "integer" } },
      required: ["name", "age"],
      additionalProperties: false,
    },
  },
};
const extraction = (content: string) => ({
  model: "auto",
  messages: [{ role: "user" as const, content }],
  response_format: makeParseableResponseFormat(person, (text) => JSON.parse(text) as { name: string; age: number }),
});

test("json_schema makes answers that fit", async () => {
  const completion = await client.chat.completions.parse(extraction("Ada Lovelace is 36 years old. Extract name and age."));
  expect(completion.choices[0]!.message.parsed).toEqual({ name: expect.any(String), age: expect.any(Number) });
});

test("in place of an answer that must fit a schema, a model's own words of refusal are told as such: nobody parses them", async () => {
  const asked = extraction("[[sandbox:refuse:always]] Ada Lovelace is 36 years old. Extract name and age.");
  const whole = await client.chat.completions.parse(asked);
  const streamed = await client.chat.completions.stream(asked).finalChatCompletion();
  for (const { choices } of [whole, streamed])
    expect(choices[0]!.message).toMatchObject({ refusal: expect.stringContaining("I can't help"), parsed: null });
});

test("pictures may stand in a prompt", async () => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const completion = await client.chat.completions.create({
    model: "auto",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is in this picture?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } },
        ],
      },
    ],
  });
  expect(completion.choices[0]!.message.content).toBeString();
});

test("images, speech and transcription go through the SDK's own methods", async () => {
  const images = await client.images.generate({ model: "image-a-3", prompt: "A signal box at dusk" });
  expect((await fetch(images.data![0]!.url!)).headers.get("content-type")).toBe("image/png");

  const speech = await client.audio.speech.create({
    model: "tts-1",
    voice: "alloy",
    input: "Mind the gap.",
    response_format: "wav",
  });
  const wav = new Uint8Array(await speech.arrayBuffer());
  expect(new TextDecoder().decode(wav.subarray(0, 4))).toBe("RIFF");

  const { text } = await client.audio.transcriptions.create({ model: "transcribe-1", file: await toFile(wav, "spoken.wav") });
  expect(text).toBeString();
  const tone = Bun.file(join(import.meta.dir, "../fixtures/audio/tone.mp3"));
  const verbose = await client.audio.transcriptions.create({
    model: "transcribe-1",
    file: await toFile(await tone.bytes(), "tone.mp3"),
    response_format: "verbose_json",
  });
  expect(verbose.segments!.length).toBeGreaterThan(0);
});

test("embeddings are the same as floats and as the base64 that the SDK asks for by itself", async () => {
  const input = ["A signal box.", "A loaf of bread."];
  const packed = await client.embeddings.create({ model: "embed-local", input });
  const plain = await client.embeddings.create({ model: "embed-local", input, encoding_format: "float" });
  expect(packed.data.map(({ embedding }) => embedding.length)).toEqual([256, 256]);
  for (const [index, { embedding }] of packed.data.entries()) {
    for (const [at, value] of embedding.entries()) expect(value).toBeCloseTo(plain.data[index]!.embedding[at]!, 6);
  }
});

test("models are listed, and found by their id", async () => {
  const models = [];
  for await (const model of client.models.list()) models.push(model);
  expect(models.length).toBeGreaterThan(5);
  expect(await client.models.retrieve(models[0]!.id)).toMatchObject({ id: models[0]!.id, object: "model" });
});

test("each refusal is the error class that the SDK has for it", async () => {
  const narrow = await gateway.key({ project: "narrow", tier: "free", scopes: ["media"] });
  const free = await gateway.key({ project: "spent", tier: "enterprise", budgetUsd: 0.000001 });
  const create = (apiKey: string, more: object = {}) =>
    refusalOf(clientWith(apiKey).chat.completions.create({ model: "auto", messages: hello, ...more }));

  const unknownKey = await create("pk_test_nobody");
  expect(unknownKey).toBeInstanceOf(OpenAI.AuthenticationError);
  expect(unknownKey).toMatchObject({ status: 401, type: "authentication_error" });
  expect(unknownKey.message).toContain("Invalid API key");

  expect(await create(key.text, { model: "no-such-model" })).toBeInstanceOf(OpenAI.NotFoundError);
  expect(await create(key.text, { model: "no-such-model" })).toMatchObject({ code: "model_not_found", param: "model" });
  expect(await create(key.text, { messages: [{ role: "user" }] })).toBeInstanceOf(OpenAI.BadRequestError);
  expect(await create(key.text, { messages: [{ role: "nobody", content: "x" }] })).toMatchObject({ param: "messages.0.role" });
  expect(await create(narrow.text)).toBeInstanceOf(OpenAI.PermissionDeniedError);
  expect(await create(free.text)).toBeInstanceOf(OpenAI.RateLimitError);
  expect(await create(key.text, { messages: [{ role: "user", content: "[[sandbox:error-500:always]]" }] })).toBeInstanceOf(
    OpenAI.InternalServerError,
  );
});

test("pictures, transcripts and speech come as the events that the SDK reads, where a stream is asked for", async () => {
  const tone = Bun.file(join(import.meta.dir, "../fixtures/audio/tone.mp3"));
  const file = await toFile(await tone.bytes(), "tone.mp3");
  const { images, audio } = client;
  const typesOf = async (events: AsyncIterable<{ type: string }>) => (await Array.fromAsync(events)).map(({ type }) => type);
  const picture = await images.generate({ model: "image-a-3", prompt: "A signal box at dusk", stream: true });
  expect(await typesOf(picture)).toEqual(["image_generation.completed"]);
  const transcript = await audio.transcriptions.create({ model: "transcribe-1", file, stream: true });
  expect(await typesOf(transcript)).toEqual(["transcript.text.delta", "transcript.text.done"]);
  const spoken = { model: "tts-1", voice: "alloy", input: "Mind the gap.", stream_format: "sse" } as const;
  const speech = await (await audio.speech.create(spoken)).text();
  expect(new Set(speech.match(/(?<="type":")[a-z.]+/g))).toEqual(new Set(["speech.audio.delta", "speech.audio.done"]));
});

test("a stream that breaks raises in the loop instead of looking complete", async () => {
  const stream = await client.chat.completions.create({
    model: "auto",
    messages: [{ role: "user", content: "[[sandbox:disconnect:always]] Tell me about railways." }],
    stream: true,
  });
  const error = await refusalOf(
    (async () => {
      for await (const chunk of stream) expect(chunk.object).toBe("chat.completion.chunk");
    })(),
  );
  expect(error).toBeInstanceOf(OpenAI.APIError);
});

/** Counts what the SDK sends. */
const counted = () => {
  let sent = 0;
  const send = (...given: Parameters<typeof fetch>) => {
    sent++;
    return fetch(...given);
  };
  return { fetch: Object.assign(send, { preconnect: fetch.preconnect }), sent: () => sent };
};

test("the SDK's retries are called off where they would only cost, and obeyed where they help", async () => {
  const final = counted();
  await refusalOf(
    clientWith(key.text, { maxRetries: 2, fetch: final.fetch }).chat.completions.create({
      model: "auto",
      messages: [{ role: "user", content: "[[sandbox:error-500:always]]" }],
    }),
  );
  expect(final.sent()).toBe(1);

  const spent = await gateway.key({ project: "spent", budgetUsd: 0.000001 });
  const budget = counted();
  await refusalOf(
    clientWith(spent.text, { maxRetries: 2, fetch: budget.fetch }).chat.completions.create({ model: "auto", messages: hello }),
  );
  expect(budget.sent()).toBe(1);
});

test("an abort reaches the upstream", async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  upstream.answer(() => {
    resolve();
    const first = {
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta: { role: "assistant", content: "One" }, finish_reason: null }],
    };
    return new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(first)}\n\n`)),
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  });
  const live = await gateway.key({ mode: "live" });
  const model = gateway.platform.catalog.chatModels().find(({ provider }) => provider === "openai")!.id;
  const stream = await clientWith(live.text).chat.completions.create({
    model,
    messages: [{ role: "user", content: "Count to a thousand." }],
    stream: true,
  });
  await arrived;
  for await (const chunk of stream) {
    expect(chunk.choices[0]!.delta.content).toBe("One");
    break;
  }
  await upstream.seen.at(-1)!.gone;
});
