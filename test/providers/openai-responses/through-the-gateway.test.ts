/** A model that is called on OpenAI's Responses API, through the whole gateway, by the official SDKs. */

import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { startGateway } from "../../support/gateway.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { refusalOf } from "../../support/openai-refusal.ts";
import { called, framesOf, refused, responseOf, responsesApi, said, thought } from "../../support/responses-stub.ts";
import { type Answer, json, sse, sseBody, stream, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const MODEL = "gpt-6-astra";
const WEATHER: OpenAI.ChatCompletionTool = {
  type: "function",
  function: {
    name: "weather",
    description: "The weather in a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let key: string;
let openai: OpenAI;
let anthropic: Anthropic;

const stub = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  environment: { OPENAI_API_KEY: "sk-one", OPENAI_BASE_URL: `${stub.url}/v1`, SIGNALBOX_COOLDOWN_MS: "1" },
  settings: `models: [{ id: ${MODEL}, dialect: openai-responses }]`,
});
beforeAll(async () => {
  ({ text: key } = await gateway.key({ mode: "live" }));
  openai = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 });
});

/** `request` with a tool, pinned. */
type Rest = Partial<Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream" | "stream_options">>;
const ask = (rest: Rest = {}) =>
  openai.chat.completions.create({
    model: MODEL,
    messages: [{ role: "user", content: "What is the weather in Oslo?" }],
    tools: [WEATHER],
    ...rest,
  });
const askStream = (rest: Rest = {}) =>
  openai.chat.completions.stream({
    model: MODEL,
    messages: [{ role: "user", content: "What is the weather in Oslo?" }],
    tools: [WEATHER],
    stream_options: { include_usage: true },
    ...rest,
  });
const callsIn = (message: OpenAI.ChatCompletionMessage) =>
  (message.tool_calls ?? []).map((call) => (call.type === "function" ? [call.function.name, call.function.arguments] : []));

test("a server that stands in for OpenAI is spoken to in chat completions, and models that take tools elsewhere are not chosen for them", async () => {
  stub.answer(json({ choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }] }));
  const standIn = await startGateway({ environment: { OPENAI_API_KEY: "sk-one", OPENAI_BASE_URL: `${stub.url}/v1` } });
  try {
    const { text: key } = await standIn.key({ mode: "live" });
    const body = { messages: [{ role: "user", content: "Prove Fermat's little theorem." }], quality_cost: 0 };
    const candidates = async (rest: object) => {
      const answer = await standIn.send(key, "POST", "/v1/chat", { ...body, ...rest });
      return ((await answer.json()) as any).svc.routing.candidates.map(({ model }: { model: string }) => model);
    };
    expect(await candidates({})).toContain(MODEL);
    expect(await candidates({ tools: [WEATHER] })).not.toContain(MODEL);
    expect(await candidates({ tools: [WEATHER], model: MODEL })).toEqual([MODEL]);
    expect(new Set(stub.seen.map(({ path }) => path))).toEqual(new Set(["/v1/chat/completions"]));
  } finally {
    await standIn.stop();
  }
});

test("a ceiling covers the sixteen tokens that the API makes of a smaller bound", async () => {
  stub.answer((request) => {
    const usage = { input_tokens: 20, output_tokens: request.body.max_output_tokens, total_tokens: 20 };
    return json({ ...responseOf([said("Mild.")]), usage })(request);
  });
  const messages = [{ role: "user", content: "Is it mild? Say yes or no." }];
  const within = async (max_cost_per_call: number) => {
    const body = { model: MODEL, messages, max_tokens: 1, max_cost_per_call };
    return (await (await gateway.send(key, "POST", "/v1/chat", body)).json()) as any;
  };
  const least = Number(/call costs ([\d.]+) USD/.exec((await within(1e-9)).error.message)![1]);
  expect((await within(least)).svc.cost_usd).toBeLessThanOrEqual(least);
  expect(stub.seen.at(-1)!.body.max_output_tokens).toBe(16);
});

test("a server that takes no bound is asked without one, but not under a ceiling, which could not hold", async () => {
  const unbound = await startGateway({
    environment: { OPENAI_API_KEY: "sk-one", OPENAI_BASE_URL: `${stub.url}/v1` },
    settings: `models: [{ id: ${MODEL}, dialect: openai-responses }]`,
  });
  const noBound = json(
    { error: { message: "Unsupported parameter: max_output_tokens", param: "max_output_tokens", code: "" } },
    400,
  );
  stub.answer((request) =>
    ("max_output_tokens" in request.body ? noBound : responsesApi(() => responseOf([said("Mild.")])))(request),
  );
  try {
    const caller = await unbound.key({ mode: "live" });
    const body = { model: MODEL, messages: [{ role: "user", content: "Is it mild?" }] };
    const status = async (more: object) => (await unbound.send(caller, "POST", "/v1/chat", { ...body, ...more })).status;
    expect([await status({ max_cost_per_call: 0.01 }), await status({})]).toEqual([400, 200]);
    expect([await status({}), await status({ max_cost_per_call: 0.01 })]).toEqual([200, 400]);
    expect(stub.seen.at(-1)!.body).toHaveProperty("max_output_tokens");
  } finally {
    await unbound.stop();
  }
});

test("tokens are told and billed by class, whole and streamed", async () => {
  stub.answer(responsesApi(() => responseOf([said("Mild.")])));
  // 500 plain at 10 $/M, 400 read at 1, 100 written at 12.5, 50 out at 50.
  const costUsd = (500 * 10 + 400 * 1 + 100 * 12.5 + 50 * 50) / 1e6;
  for (const answer of [await ask(), await askStream().finalChatCompletion()]) {
    expect(answer.usage).toMatchObject({
      prompt_tokens: 1_000,
      completion_tokens: 50,
      total_tokens: 1_050,
      prompt_tokens_details: { cached_tokens: 400 },
      completion_tokens_details: { reasoning_tokens: 30 },
    });
    expect((answer as any).svc.cost_usd).toBeCloseTo(costUsd, 9);
  }
});

/** Two rounds of calls, then the answer: what the model thought before each comes back to it. */
const loopOf = () => {
  const seals = ["seal of round 1", "seal of round 2"];
  const outputsIn = (body: any) => body.input.filter(({ type }: any) => type === "function_call_output");
  const api = responsesApi((body) => {
    const outputs = outputsIn(body);
    if (outputs.length === 0)
      return responseOf([
        thought(seals[0]!),
        said("I will look.", "commentary"),
        called("call_a", "weather", { city: "Oslo" }),
        called("call_b", "weather", { city: "Bergen" }),
      ]);
    if (outputs.length === 2) return responseOf([thought(seals[1]!), called("call_c", "weather", { city: "Voss" })]);
    return responseOf([thought("seal of the answer"), said(outputs.map(({ output }: any) => output).join(", "))]);
  }, seals);
  return { seals, api };
};
const sealsIn = (body: any): string[] =>
  body.input.filter(({ type }: any) => type === "reasoning").map(({ encrypted_content: seal }: any) => seal);

describe("a loop of tools over several turns", () => {
  test("by OpenAI's SDK, whole and streamed", async () => {
    for (const send of [ask, (rest: Rest) => askStream(rest).finalChatCompletion()]) {
      const { seals, api } = loopOf();
      stub.answer(api);
      stub.seen.length = 0;
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Weather?" }];
      const rounds: unknown[] = [];
      for (;;) {
        const { message, finish_reason: reason } = (await send({ messages })).choices[0]!;
        rounds.push([reason, message.content, callsIn(message)]);
        if (!message.tool_calls?.length) break;
        const { role, content, tool_calls } = message;
        messages.push({ role, content, tool_calls });
        for (const call of message.tool_calls)
          messages.push({ role: "tool", tool_call_id: call.id, content: `${messages.length} degrees` });
      }
      expect(rounds).toEqual([
        [
          "tool_calls",
          "I will look.",
          [
            ["weather", '{"city":"Oslo"}'],
            ["weather", '{"city":"Bergen"}'],
          ],
        ],
        ["tool_calls", null, [["weather", '{"city":"Voss"}']]],
        ["stop", "2 degrees, 3 degrees, 5 degrees", []],
      ]);
      expect(stub.seen.map(({ body }) => sealsIn(body))).toEqual([[], seals.slice(0, 1), seals]);
    }
  });

  test("by Anthropic's SDK, whole and streamed", async () => {
    const tools = [{ name: "weather", input_schema: { type: "object" as const, properties: { city: { type: "string" } } } }];
    for (const streams of [false, true]) {
      const { seals, api } = loopOf();
      stub.answer(api);
      stub.seen.length = 0;
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Weather?" }];
      for (;;) {
        const request = { model: MODEL, max_tokens: 500, messages, tools };
        const message = streams
          ? await anthropic.messages.stream(request).finalMessage()
          : await anthropic.messages.create(request);
        const calls = message.content.filter((block) => block.type === "tool_use");
        messages.push({ role: "assistant", content: message.content });
        if (calls.length === 0) break;
        messages.push({
          role: "user",
          content: calls.map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: (input as any).city })),
        });
      }
      expect(messages.at(-1)!.content).toMatchObject([{ type: "text", text: "Oslo, Bergen, Voss" }]);
      expect(stub.seen.map(({ body }) => sealsIn(body))).toEqual([[], seals.slice(0, 1), seals]);
    }
  });

  test("the log keeps the calls, and no sealed thoughts", async () => {
    stub.answer(loopOf().api);
    const { message } = (await ask()).choices[0]!;
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "user", content: "Weather?" },
      { role: message.role, content: message.content, tool_calls: message.tool_calls! },
      ...message.tool_calls!.map(({ id }) => ({ role: "tool" as const, tool_call_id: id, content: "1" })),
    ];
    const { svc } = (await ask({ messages })) as any;
    const logged = await (await gateway.send(key, "GET", `/v1/logs/${svc.request_id}`)).text();
    expect(logged).toContain('"call_a"');
    expect(logged).not.toContain("__rsn__");
  });

  test("thoughts that another account sealed are left behind, and the call is made all the same", async () => {
    const { api } = loopOf();
    stub.answer(api);
    const { message } = (await ask()).choices[0]!;
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "user", content: "Weather?" },
      { role: message.role, content: message.content, tool_calls: message.tool_calls! },
      ...message.tool_calls!.map(({ id }) => ({ role: "tool" as const, tool_call_id: id, content: "1" })),
    ];
    stub.answer(responsesApi(() => responseOf([said("Fine.")]), ["seals of its own alone"]));
    stub.seen.length = 0;
    expect((await ask({ messages })).choices[0]!.message.content).toBe("Fine.");
    expect(stub.seen.map(({ body }) => sealsIn(body).length)).toEqual([1, 0]);
  });
});

test("Responses in, Responses out", async () => {
  const { seals, api } = loopOf();
  stub.answer(api);
  const tools: OpenAI.Responses.Tool[] = [{ type: "function", name: "weather", parameters: { type: "object" }, strict: false }];
  const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Weather?" }];
  let answer = await openai.responses.create({ model: MODEL, input, tools });
  while (answer.output.some(({ type }) => type === "function_call")) {
    for (const item of answer.output) {
      input.push(item as OpenAI.Responses.ResponseInputItem);
      if (item.type === "function_call")
        input.push({ type: "function_call_output", call_id: item.call_id, output: JSON.parse(item.arguments).city });
    }
    answer = await openai.responses.create({ model: MODEL, input, tools });
  }
  expect(answer.output_text).toBe("Oslo, Bergen, Voss");
  expect(stub.seen.map(({ body }) => sealsIn(body))).toEqual([[], seals.slice(0, 1), seals]);
});

test("pictures, PDFs and schemas go along", async () => {
  stub.answer(responsesApi(() => responseOf([said('{"city":"Oslo"}')])));
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false };
  const answer = await ask({
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "Where?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ],
    response_format: { type: "json_schema", json_schema: { name: "place", schema, strict: true } },
    reasoning_effort: "high",
  });
  expect(answer.choices[0]!.message.content).toBe('{"city":"Oslo"}');
  expect(stub.seen[0]!.body).toMatchObject({
    input: [
      { role: "developer", content: "Be brief." },
      { role: "user", content: [{ type: "input_text", text: "Where?" }, { type: "input_image" }] },
    ],
    text: { format: { type: "json_schema", name: "place", strict: true } },
    reasoning: { effort: "high" },
    store: false,
  });
});

test("an answer that the bound cut off says so, and a refusal is shown as one", async () => {
  const cut = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  stub.answer(responsesApi(() => responseOf([said("Once upon")], cut)));
  for (const answer of [await ask({ max_tokens: 50 }), await askStream({ max_tokens: 50 }).finalChatCompletion()])
    expect(answer.choices[0]).toMatchObject({ finish_reason: "length", message: { content: "Once upon" } });
  stub.answer(responsesApi(() => responseOf([refused("I cannot.")])));
  for (const answer of [await ask(), await askStream().finalChatCompletion()])
    expect(answer.choices[0]!.message.refusal).toBe("I cannot.");
});

test("an answer ends at the caller's stop sequence, which Responses do not know", async () => {
  stub.answer(responsesApi(() => responseOf([said("one two STOP three")])));
  for (const answer of [await ask({ stop: ["STOP"] }), await askStream({ stop: ["STOP"] }).finalChatCompletion()])
    expect(answer.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "one two " } });
  expect(stub.seen[0]!.body).not.toHaveProperty("stop");
});

test("a caller that hangs up takes the upstream along", async () => {
  const frames = framesOf(responseOf([said("Once upon a time")])).slice(0, 5);
  stub.answer(
    stream(
      [
        sseBody(
          frames.map((frame) => JSON.stringify(frame)),
          { eventNames: true, done: false },
        ),
      ],
      "hang",
    ),
  );
  const running = askStream();
  for await (const chunk of running) if (chunk.choices[0]?.delta.content) break;
  running.abort();
  await stub.seen[0]!.gone;
});

describe("when it fails", () => {
  const limit: Answer = json(
    { error: { message: "Rate limit reached.", type: "tokens", param: null, code: "rate_limit_exceeded" } },
    429,
    { "retry-after-ms": "20" },
  );
  const tooLong = json(
    {
      error: {
        message: "Your input exceeds the context window.",
        type: "invalid_request_error",
        param: "input",
        code: "context_length_exceeded",
      },
    },
    400,
  );

  // Keys and models that rest are back.
  afterEach(() => gateway.clock.advance(600_000));

  test("a short limit is waited out", async () => {
    stub.answer(
      limit,
      responsesApi(() => responseOf([said("Mild.")])),
    );
    expect((await ask()).choices[0]!.message.content).toBe("Mild.");
    expect(stub.seen).toHaveLength(2);
  });

  test("a window that is too small and the caller's mistakes are told in our words", async () => {
    stub.answer(tooLong);
    const told = await refusalOf(ask());
    expect(told).toMatchObject({ status: 400, code: "context_length_exceeded" });
    expect(told.message).toContain("prompt is too long");
    for (const [place, param] of [
      ["input[0]", "messages"],
      ["tools[0].parameters", "tools"],
    ] as const) {
      const error = { message: "Invalid type.", type: "invalid_request_error", param: place, code: "invalid_type" };
      stub.answer(json({ error }, 400));
      expect(await refusalOf(ask())).toMatchObject({ status: 400, param });
    }
  });

  test("before the first content a failed stream is asked for once more; after it, it ends as an error", async () => {
    const good = responseOf([said("Mild.")]);
    const failed = {
      type: "response.failed",
      response: { ...good, status: "failed", error: { code: "server_error", message: "…" } },
    };
    const [created, started] = framesOf(good);
    stub.answer(
      sse([created!, started!, failed], { eventNames: true, done: false }),
      responsesApi(() => good),
    );
    expect((await askStream().finalChatCompletion()).choices[0]!.message.content).toBe("Mild.");
    stub.answer(sse(framesOf(good, failed), { eventNames: true, done: false }));
    await expect(askStream().finalChatCompletion()).rejects.toThrow();
  });
});

test("an operator can choose the format for a model, and for a provider", async () => {
  const chat = json({ choices: [{ index: 0, message: { role: "assistant", content: "chat" }, finish_reason: "stop" }] });
  const either: Answer = (request) =>
    request.path.endsWith("/responses") ? responsesApi(() => responseOf([said("responses")]))(request) : chat(request);
  stub.answer(either);
  const chosen = await startGateway({
    environment: { OPENAI_API_KEY: "sk-one", OPENAI_BASE_URL: `${stub.url}/v1` },
    settings: `providers:
  house: { base_url: "${stub.url}/v1", dialect: openai-responses }
  xai: { base_url: "${stub.url}/v1", key: k, dialect: openai-responses }
models:
  - { id: gpt-6-sol, dialect: openai-responses }
  - { id: gpt-6-astra, dialect: openai }
  - { id: house-large, provider: house, abilities: [tools] }
  - { id: house-small, provider: house, dialect: openai, abilities: [tools] }
`,
  });
  try {
    const { text: key } = await chosen.key({ mode: "live" });
    const client = new OpenAI({ apiKey: key, baseURL: `${chosen.url}/v1`, maxRetries: 0 });
    const spokenWith = async (model: string, tools: OpenAI.ChatCompletionTool[] = []) => {
      const answer = await client.chat.completions.create({ model, messages: [{ role: "user", content: "Hello there" }], tools });
      return answer.choices[0]!.message.content;
    };
    expect(await spokenWith("gpt-6-sol")).toBe("responses");
    expect(await spokenWith("gpt-6-sol", [WEATHER])).toBe("responses");
    expect(await spokenWith("gpt-6-astra", [WEATHER])).toBe("chat");
    expect(await spokenWith("gpt-4o", [WEATHER])).toBe("chat");
    expect(await spokenWith("house-large")).toBe("responses");
    expect(await spokenWith("house-small")).toBe("chat");
    expect(await spokenWith("grok-4.7")).toBe("responses");
    // Beside tools its thinking need not be turned off here.
    expect(stub.seen[1]!.body).not.toHaveProperty("reasoning");
  } finally {
    await chosen.stop();
  }
});
