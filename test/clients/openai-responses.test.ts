/** OpenAI's official Node SDK on its Responses API against a gateway, unchanged but for base URL and key. */

import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { accumulateResponse } from "openai/lib/responses/ResponseAccumulator";
import type { Response as OpenAiResponse, ResponseCreateParams, ResponseStreamEvent } from "openai/resources/responses/responses";
import { BOUNDS } from "../../src/limits/bounds.ts";
import type { Call } from "../../src/logs/call.ts";
import { ingested } from "../documents/documents.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { record } from "../support/known-call.ts";
import { refusalOf } from "../support/openai-refusal.ts";
import { json, sse, stream, upstreamStubOfFile } from "../support/upstream-stub.ts";

const clientWith = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1`, SIGNALBOX_COOLDOWN_MS: "1" },
});
const key = await gateway.key();
const client = clientWith(key.text);
const live = clientWith((await gateway.key({ mode: "live" })).text);

type Asked = Omit<ResponseCreateParams, "stream">;
type Told = OpenAiResponse & { svc: Record<string, unknown> };

const input = "[[sandbox:reply=All lines are clear.]]";
const weatherTool = {
  type: "function" as const,
  name: "get_weather",
  description: "The weather in a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  strict: false,
};

const eventsOf = async (asked: Asked, by = client): Promise<ResponseStreamEvent[]> => {
  const events: ResponseStreamEvent[] = [];
  for await (const event of await by.responses.create({ ...asked, stream: true })) events.push(event);
  return events;
};

/** Without what differs from call to call, or because only an answer that is whole can be asked for once more (`total_usage`). */
const comparable = ({ id, created_at, completed_at, output, svc, _request_id, ...rest }: Told & { _request_id?: string }) => ({
  ...rest,
  isCompleted: completed_at !== null,
  output: output.map(({ id: itemId, ...item }: any) => ({ ...item, ...(item.call_id && { call_id: "call" }) })),
  svc: Object.keys(svc)
    .filter((name) => name !== "total_usage")
    .sort(),
});

/** Without what the log does not keep. */
const fetchable = ({ _request_id: _, svc, ...rest }: any) => ({
  ...JSON.parse(JSON.stringify(rest, (name, value) => (name === "annotations" ? [] : value))),
  svc: { ...svc, ...notFetched },
});
const UNKEPT = ["ignored_parameters", "total_usage", "schema_validation", "citations", "media", "document_id", "context"];
const notFetched = Object.fromEntries(UNKEPT.map((name) => [name, undefined]));

/** The whole answer, after the streamed one was found to be the same: as its last event says it, and as its pieces add up. */
const asked = async (body: Asked, by = client): Promise<Told> => {
  const whole = (await by.responses.create(body as Asked & { stream?: false })) as Told;
  const events = await eventsOf(body, by);
  const last = events.at(-1) as Extract<ResponseStreamEvent, { response: unknown }>;
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  let pieces: OpenAiResponse | undefined;
  for (const event of events.slice(0, -1)) pieces = accumulateResponse(event, pieces);
  expect(pieces!.output).toEqual(last.response.output);
  expect(pieces!.output_text).toBe(whole.output_text);
  expect(comparable({ ...last.response, output_text: whole.output_text } as Told)).toEqual(comparable(whole));
  const final = await by.responses.stream(body as never).finalResponse();
  expect([final.output_text, final.status]).toEqual([whole.output_text, whole.status]);
  expect(fetchable(await by.responses.retrieve(whole.id))).toEqual(fetchable(whole));
  return whole;
};

test("a text is answered with what the SDK types promise, whole and streamed", async () => {
  const response = await asked({
    model: "auto",
    input,
    instructions: "Answer briefly.",
    metadata: { team: "signals" },
    user: "u1",
  });
  expect(response).toMatchObject({
    id: expect.stringMatching(/^resp_\w+$/),
    object: "response",
    created_at: expect.any(Number),
    completed_at: expect.any(Number),
    status: "completed",
    background: false,
    error: null,
    frequency_penalty: 0,
    incomplete_details: null,
    instructions: "Answer briefly.",
    max_tool_calls: null,
    metadata: { team: "signals" },
    parallel_tool_calls: true,
    presence_penalty: 0,
    temperature: 1,
    top_logprobs: 0,
    top_p: 1,
    tool_choice: "auto",
    tools: [],
    truncation: "disabled",
    previous_response_id: null,
    service_tier: "default",
    store: true,
    text: { format: { type: "text" } },
    output_text: "All lines are clear.",
    output: [
      {
        id: expect.stringMatching(/^msg_\w+$/),
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "All lines are clear.", annotations: [], logprobs: [] }],
      },
    ],
    svc: { model_selected: response.model },
  });
  const { input_tokens, output_tokens, total_tokens } = response.usage!;
  expect([input_tokens > 0, output_tokens > 0, total_tokens]).toEqual([true, true, input_tokens + output_tokens]);
});

test("the events of a text come in OpenAI's order, each named as it is", async () => {
  const names = (await eventsOf({ model: "auto", input })).map(({ type }) => type);
  expect(names.filter((name, index) => name !== names[index - 1])).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  const raw = await (await gateway.send(key, "POST", "/v1/responses", { input, stream: true })).text();
  for (const [, event, type] of raw.matchAll(/^event: (.*)\ndata: \{"type":"([^"]*)"/gm)) expect(event).toBe(type!);
  expect(raw).not.toContain("[DONE]");
});

test("functions are called in parallel, and their results are answered", async () => {
  const question = { role: "user" as const, content: "What is the weather in Paris and Tokyo?" };
  const response = await asked({ model: "auto", input: [question], tools: [weatherTool], tool_choice: "auto" });
  const calls = response.output.map((item) => (item.type === "function_call" ? item : undefined)!);
  expect(calls.map(({ name, status, arguments: text }) => [name, status, JSON.parse(text)])).toEqual([
    ["get_weather", "completed", { city: "Paris" }],
    ["get_weather", "completed", { city: "Tokyo" }],
  ]);
  expect(response.tools).toEqual([weatherTool]);
  const results = calls.map(({ call_id }) => ({
    type: "function_call_output" as const,
    call_id,
    output: "Sunny, 21 degrees.",
  }));
  const answer = await client.responses.create({
    model: "auto",
    input: [question, ...response.output, ...results] as never,
    tools: [weatherTool],
  });
  expect(answer.output_text).toContain("21");
});

test("responses.parse gives what fits the schema, streamed too", async () => {
  const body = {
    model: "auto",
    input: "Ada Lovelace is 36 years old. Extract name and age.",
    text: {
      format: {
        type: "json_schema" as const,
        name: "person",
        strict: true,
        schema: {
          type: "object",
          properties: { name: { type: "string" }, age: { type: "integer" } },
          required: ["name", "age"],
          additionalProperties: false,
        },
      },
    },
  };
  const person = { name: expect.any(String), age: expect.any(Number) };
  expect((await client.responses.parse(body)).output_parsed).toEqual(person);
  expect((await client.responses.stream(body).finalResponse()).output_parsed).toEqual(person);
  expect((await asked(body)).text).toMatchObject({ format: body.text.format });
  const object = await client.responses.create({ ...body, text: { format: { type: "json_object" } } });
  expect(JSON.parse(object.output_text)).toBeObject();
  // Not parsed by whoever is refused. The model is named, because from refusals the router learns to choose another.
  const refused = await asked({ ...body, model: "gpt-4o", input: "[[sandbox:refuse:always]] Extract name and age." });
  expect(refused.output).toMatchObject([{ content: [{ type: "refusal", refusal: expect.stringContaining("I can't help") }] }]);
});

const chunk = (delta: object, more: object = {}, finish: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
const usage = {
  prompt_tokens: 100,
  completion_tokens: 30,
  total_tokens: 130,
  prompt_tokens_details: { cached_tokens: 80 },
  completion_tokens_details: { reasoning_tokens: 20 },
};
/** The same answer of a provider's, whole or streamed as it is asked. */
const answerBoth = (message: object, deltas: object[], finish: string) =>
  upstream.answer((request) =>
    request.body.stream
      ? sse([...deltas.map((delta) => chunk(delta)), chunk({}, { usage }, finish)])(request)
      : json({ choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }], usage })(request),
  );
const model = "gpt-4o";

test("an answer that was cut says so, and counts what OpenAI counts", async () => {
  answerBoth({ content: "One, two" }, [{ content: "One, " }, { content: "two" }], "length");
  const response = await asked({ model, input: "Count.", max_output_tokens: 30 }, live);
  expect(response).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
    max_output_tokens: 30,
    output: [{ type: "message", status: "incomplete" }],
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 80 },
      output_tokens: 30,
      output_tokens_details: { reasoning_tokens: 20 },
      total_tokens: 130,
    },
  });
});

test("an answer that a safety system cut says so", async () => {
  answerBoth({ content: "One" }, [{ content: "One" }], "content_filter");
  const { status, incomplete_details } = await asked({ model, input: "Count." }, live);
  expect([status, incomplete_details]).toEqual(["incomplete", { reason: "content_filter" }]);
});

test("a refusal is a refusal, whole and streamed", async () => {
  const refusal = "I'm sorry, but I can't assist with that.";
  answerBoth({ content: null, refusal }, [{ refusal: "I'm sorry, but I " }, { refusal: "can't assist with that." }], "stop");
  const response = await asked({ model, input: "Do it." }, live);
  expect(response.output).toMatchObject([{ type: "message", content: [{ type: "refusal", refusal }] }]);
});

test("the pages that a model names as its sources stand beside its text, whole and streamed, unless a policy reviews what leaves", async () => {
  const about = { url: "https://example.org/rails", title: "Rails", start_index: 0, end_index: 5 };
  const marked = { annotations: [{ type: "url_citation", url_citation: about }] };
  answerBoth({ content: "Steel.", ...marked }, [{ content: "Steel." }, marked], "stop");
  const response = await asked({ model, input: "What are rails made of?" }, live);
  const annotations = [{ type: "url_citation", ...about }];
  expect(response.output).toMatchObject([{ type: "message", content: [{ text: "Steel.", annotations }] }]);
  const question = { model, messages: [{ role: "user" as const, content: "What are rails made of?" }] };
  const ask = async (by: OpenAI) => [
    (await by.chat.completions.create(question)).choices[0]!.message.annotations,
    (await by.chat.completions.stream(question).finalChatCompletion()).choices[0]!.message.annotations,
  ];
  expect(await ask(live)).toEqual([marked.annotations, marked.annotations] as never);
  const { messages } = new Anthropic({ apiKey: live.apiKey, baseURL: gateway.url });
  const citations = [{ type: "web_search_result_location", url: about.url, title: about.title }];
  for (const { content } of [
    await messages.create({ ...question, max_tokens: 50 }),
    await messages.stream({ ...question, max_tokens: 50 }).finalMessage(),
  ])
    expect(content).toMatchObject([{ type: "text", text: "Steel.", citations }]);
  const reviewed = await gateway.key({ project: "reviewed", mode: "live" });
  const policy = { name: "p", policy_type: "content", config: { pii_detection: { enabled: true, types: ["email"] } } };
  expect((await gateway.send(reviewed, "POST", "/v1/policies", policy)).status).toBe(201);
  expect(await ask(clientWith(reviewed.text))).toEqual([undefined, undefined]);
});

test("a text before calls whose pieces come in turns: three items, one after the other", async () => {
  const call = (index: number, text: string, more: object = {}) => ({
    tool_calls: [{ index, ...more, function: { arguments: text, ...(more && (more as any).named) } }],
  });
  const whole = (id: string, text: string) => ({ id, type: "function", function: { name: "get_weather", arguments: text } });
  answerBoth(
    { content: "Let me look.", tool_calls: [whole("call_a", '{"city":"Paris"}'), whole("call_b", '{"city":"Tokyo"}')] },
    [
      { content: "Let me look." },
      call(0, "", { id: "call_a", type: "function", named: { name: "get_weather" } }),
      call(1, "", { id: "call_b", type: "function", named: { name: "get_weather" } }),
      call(0, '{"city":'),
      call(1, '{"city":"To'),
      call(0, '"Paris"}'),
      call(1, 'kyo"}'),
    ],
    "tool_calls",
  );
  const response = await asked({ model, input: "Weather?", tools: [weatherTool] }, live);
  expect(response.output).toMatchObject([
    { type: "message" },
    { type: "function_call", call_id: "call_a", arguments: '{"city":"Paris"}' },
    { type: "function_call", call_id: "call_b", arguments: '{"city":"Tokyo"}' },
  ]);
});

test("a function in a namespace is one tool for the provider, and told apart again in the answer", async () => {
  const deltas = [
    { tool_calls: [{ index: 0, id: "call_a", type: "function", function: { name: "crm__get_weather", arguments: "{}" } }] },
  ];
  const { tool_calls } = {
    tool_calls: [{ id: "call_a", type: "function", function: { name: "crm__get_weather", arguments: "{}" } }],
  };
  answerBoth({ content: null, tool_calls }, deltas, "tool_calls");
  const tools = [{ type: "namespace" as const, name: "crm", description: "", tools: [weatherTool] }, weatherTool];
  const response = await asked({ model, input: "Weather?", tools }, live);
  expect(response.output).toMatchObject([{ type: "function_call", name: "get_weather", namespace: "crm", call_id: "call_a" }]);
  const result = { type: "function_call_output", call_id: "call_a", output: "Sunny." };
  answerBoth({ content: "Sunny." }, [{ content: "Sunny." }], "stop");
  await live.responses.create({ model, input: [...response.output, result] as never, tools });
  const { body } = upstream.seen.at(-1)!;
  expect(body.tools.map((tool: any) => tool.function.name)).toEqual(["crm__get_weather", "get_weather"]);
  expect(body.messages[0].tool_calls[0].function.name).toBe("crm__get_weather");
});

test("a tool that takes any text is a function for the provider, and a tool of the caller's again in the answer", async () => {
  const call = { id: "call_a", type: "function", function: { name: "sql", arguments: '{"input":"SELECT 1;"}' } };
  answerBoth({ content: null, tool_calls: [call] }, [{ tool_calls: [{ index: 0, ...call }] }], "tool_calls");
  const tools = [{ type: "custom" as const, name: "sql", description: "Runs a query.", format: { type: "text" as const } }];
  const response = await asked({ model, input: "One.", tools }, live);
  expect(response.output).toMatchObject([{ type: "custom_tool_call", name: "sql", call_id: "call_a", input: "SELECT 1;" }]);
  const result = { type: "custom_tool_call_output" as const, call_id: "call_a", output: "1" };
  answerBoth({ content: "One." }, [{ content: "One." }], "stop");
  await live.responses.create({ model, input: [...response.output, result] as never, tools });
  const { body } = upstream.seen.at(-1)!;
  expect(body.messages[0].tool_calls[0].function).toEqual(call.function);
  expect(body.messages[1]).toMatchObject({ role: "tool", content: "1" });
});

test("the caller's own search for tools, as Codex has one, brings the model the tools that it finds", async () => {
  const call = { id: "call_a", type: "function", function: { name: "tool_search", arguments: '{"query":"weather"}' } };
  answerBoth({ content: null, tool_calls: [call] }, [{ tool_calls: [{ index: 0, ...call }] }], "tool_calls");
  const parameters = { type: "object", properties: { query: { type: "string" } } };
  const tools = [{ type: "tool_search" as const, execution: "client" as const, description: "Finds tools.", parameters }];
  const response = await asked({ model, input: "Weather?", tools }, live);
  expect(upstream.seen.at(-1)!.body.tools[0].function).toMatchObject({ name: "tool_search", parameters });
  const search = { type: "tool_search_call", execution: "client", call_id: "call_a", arguments: { query: "weather" } };
  expect(response.output).toMatchObject([search]);
  const found = { type: "namespace", name: "crm", description: "", tools: [weatherTool] };
  const result = { type: "tool_search_output", execution: "client", call_id: "call_a", status: "completed" };
  answerBoth({ content: "Sunny." }, [{ content: "Sunny." }], "stop");
  for (const goesOn of [{ input: response.output }, { previous_response_id: response.id, input: [] }]) {
    const input = [...goesOn.input, { ...result, tools: [found] }] as never;
    await live.responses.create({ ...goesOn, model, input, tools });
    const { messages, tools: offered } = upstream.seen.at(-1)!.body;
    expect(messages.at(-2).tool_calls[0].function).toEqual(call.function);
    expect(messages.at(-1)).toMatchObject({ role: "tool", content: "crm__get_weather" });
    expect(offered.map((tool: any) => tool.function.name)).toEqual(["tool_search", "crm__get_weather"]);
  }
  await live.responses.create({ model, input: [...response.output, { ...result, tools: [] }] as never, tools });
  expect(upstream.seen.at(-1)!.body.messages.at(-1)).toMatchObject({ role: "tool", content: "No tools were found." });
});

test("agents of Codex tell each other what they worded here, sealed as it would be at OpenAI", async () => {
  answerBoth({ content: "Three." }, [{ content: "Three." }], "stop");
  const message = { type: "string", description: "Message text", encrypted: true };
  const parameters = { type: "object", properties: { message, encrypted: { type: "boolean" } } };
  const spawn = { type: "function" as const, name: "spawn_agent", parameters, strict: false };
  const told = (...content: object[]) => ({ type: "agent_message", author: "/root", recipient: "/root/one", content }) as never;
  const input = [
    told({ type: "input_text", text: "Payload:" }, { type: "encrypted_content", encrypted_content: "Count the signals." }),
    told(),
  ];
  await asked({ model, input, tools: [spawn] }, live);
  const { body } = upstream.seen.at(-1)!;
  expect(body.messages).toEqual([{ role: "user", content: "Payload:\nCount the signals." }]);
  expect(body.tools[0].function.parameters.properties).toEqual({
    message: { type: "string", description: "Message text" },
    encrypted: { type: "boolean" },
  });
});

test("the provider gets what was asked", async () => {
  answerBoth({ content: "Yes." }, [{ content: "Yes." }], "stop");
  const pixel =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await live.responses.create({
    model,
    instructions: "Be brief.",
    input: [
      { role: "developer", content: [{ type: "input_text", text: "In English." }] },
      {
        role: "user",
        content: [
          { type: "input_text", text: "Is this red?" },
          { type: "input_image", image_url: pixel, detail: "low" },
        ],
      },
    ],
    temperature: 0.5,
    top_p: 0.9,
    max_output_tokens: 50,
    tools: [weatherTool],
    tool_choice: { type: "function", name: "get_weather" },
    parallel_tool_calls: false,
    user: "u1",
    prompt_cache_key: "signals",
    store: true,
    include: ["reasoning.encrypted_content"],
  });
  expect(upstream.seen.at(-1)!.body).toMatchObject({
    model: "gpt-4o",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "system", content: "In English." },
      {
        role: "user",
        content: [
          { type: "text", text: "Is this red?" },
          { type: "image_url", image_url: { url: pixel, detail: "low" } },
        ],
      },
    ],
    temperature: 0.5,
    top_p: 0.9,
    tools: [{ type: "function", function: { name: "get_weather", parameters: weatherTool.parameters } }],
    tool_choice: { type: "function", function: { name: "get_weather" } },
    parallel_tool_calls: false,
    user: "u1",
    prompt_cache_key: "signals",
  });
});

test("a stream that breaks raises in the loop and in the helper, after it said what failed", async () => {
  upstream.answer(stream([`data: ${JSON.stringify(chunk({ content: "One, two" }))}\n\n`]));
  const asking = { model, input: "Count." };
  const error = await refusalOf(eventsOf(asking, live));
  expect(error).toBeInstanceOf(OpenAI.APIError);
  expect(error.message).toContain("broke off");
  expect((await refusalOf(live.responses.stream(asking).finalResponse())).message).toContain("broke off");

  const { text } = await gateway.key({ mode: "live" });
  const raw = await (await gateway.send(text, "POST", "/v1/responses", { ...asking, stream: true })).text();
  const events = [...raw.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
  expect(events.at(-2)).toMatchObject({
    type: "response.failed",
    response: {
      status: "failed",
      error: { code: "server_error" },
      output: [{ status: "incomplete", content: [{ text: "One, two" }] }],
    },
  });
  expect(events.at(-1)).toMatchObject({
    type: "error",
    sequence_number: events.length - 1,
    error: { type: "service_unavailable", request_id: expect.stringMatching(/^call_/) },
  });
});

test("refusals before the first byte are the SDK's error classes, and name fields of this API", async () => {
  const create = (body: object, apiKey = key.text) =>
    refusalOf(clientWith(apiKey).responses.create({ model: "auto", input, ...body } as never));
  const narrow = await gateway.key({ project: "narrow", tier: "free", scopes: ["media"] });

  expect(await create({}, "pk_test_nobody")).toBeInstanceOf(OpenAI.AuthenticationError);
  expect(await create({}, narrow.text)).toBeInstanceOf(OpenAI.PermissionDeniedError);
  expect(await create({ model: "no-such-model" })).toMatchObject({ status: 404, code: "model_not_found", param: "model" });
  expect(await create({ input: [{ role: "nobody", content: "x" }] })).toMatchObject({ status: 400, param: "input.0.role" });
  expect(await create({ input: "word ".repeat(3_000_000) })).toMatchObject({ code: "context_length_exceeded", param: "input" });
  expect(await create({ input: "[[sandbox:error-500:always]]" })).toBeInstanceOf(OpenAI.InternalServerError);
  expect(await create({ input: "[[sandbox:error-500:always]]", stream: true })).toBeInstanceOf(OpenAI.InternalServerError);
});

test("what would need memory is refused with what to do instead", async () => {
  const refused = async (body: object): Promise<[string | null | undefined, string]> => {
    const error = await refusalOf(client.responses.create({ model: "auto", input, ...body } as never));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    return [error.param, error.message];
  };
  expect(await refused({ previous_response_id: "resp_1" })).toEqual([
    "previous_response_id",
    expect.stringContaining("whole conversation"),
  ]);
  expect(await refused({ conversation: "conv_1" })).toEqual(["conversation", expect.stringContaining("whole conversation")]);
  expect(await refused({ conversation: { id: "conv_1" } })).toEqual(["conversation", expect.any(String)]);
  expect(await refused({ background: true })).toEqual(["background", expect.stringContaining("`stream`")]);
  expect(await refused({ prompt: { id: "pmpt_1" } })).toEqual(["prompt", expect.stringContaining("`instructions`")]);

  const format = { type: "json_schema", name: "x", schema: { type: "nothing" } };
  expect(await refused({ text: { format } })).toEqual(["text.format.schema", expect.any(String)]);
});

test("tokens are counted without a call, those of what goes before included", async () => {
  const { inputTokens } = client.responses;
  const long = "All lines are clear. ".repeat(50);
  const short = await inputTokens.count({ model: "auto", input: long, instructions: "Be brief.", tools: [weatherTool] });
  expect(short.input_tokens).toBeGreaterThan(200);
  const before = await client.responses.create({ model: "auto", input: long });
  const after = await inputTokens.count({ model: "auto", input: long, previous_response_id: before.id });
  expect(after.input_tokens).toBeGreaterThan(400);
});

const messagesOf = async ({ _request_id: id }: { _request_id?: string | null }) =>
  ((await (await gateway.send(key, "GET", `/v1/logs/${id}`)).json()) as any).prompt.messages;
const says = (text: string) => `[[sandbox:reply=${text}]]`;

test("a response goes on from the one before it, answer by answer, as the log has them", async () => {
  const first = await client.responses.create({ model: "auto", instructions: "Be kind.", input: says("One.") });
  const second = await client.responses.create({ model: "auto", input: says("Two."), previous_response_id: first.id });
  const asking = { model: "auto", instructions: "Be brief.", input: says("Three."), previous_response_id: second.id };
  const third = await client.responses.stream(asking).finalResponse();
  expect([third.output_text, third.previous_response_id]).toEqual(["Three.", second.id]);
  const said = [
    { role: "user", content: says("One.") },
    { role: "assistant", content: "One." },
    { role: "user", content: says("Two.") },
    { role: "assistant", content: "Two." },
    { role: "user", content: says("Three.") },
  ];
  const messages = await messagesOf({ _request_id: (third as any).svc.request_id });
  expect(messages).toEqual([{ role: "system", content: "Be brief." }, ...said]);
  // Instructions are the call's own; what is said as the system in `input` is the conversation's.
  const rule = { role: "system" as const, content: "Rhyme." };
  const fourth = await client.responses.create({ model: "auto", input: [rule], previous_response_id: third.id });
  const fifth = await client.responses.create({ ...asking, previous_response_id: fourth.id });
  expect((await messagesOf(fourth)).filter(({ role }: any) => role !== "assistant")).toEqual([
    ...said.filter(({ role }) => role !== "assistant"),
    rule,
  ]);
  expect((await messagesOf(fifth)).filter(({ role }: any) => role === "system")).toEqual([
    { role: "system", content: "Be brief." },
    rule,
  ]);
});

test("what a function returned answers a call that is named by the response before it, or by its own id", async () => {
  const question = { role: "user" as const, content: "What is the weather in Paris?" };
  const asking = { model: "auto", tools: [weatherTool] };
  for (const called of [
    await client.responses.create({ ...asking, input: [question] }),
    await client.responses.stream({ ...asking, input: [question] }).finalResponse(),
  ]) {
    const [call] = called.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
    // As a vendor's seal comes back within the id of the call.
    const returned = {
      type: "function_call_output" as const,
      call_id: `${call!.call_id}__sig__c2VhbA`,
      output: "Sunny, 21 degrees.",
    };
    const after = await client.responses.create({ ...asking, previous_response_id: called.id, input: [returned] });
    const named = { type: "item_reference" as const, id: call!.id! };
    const alone = await client.responses.create({ ...asking, input: [question, named, returned] });
    for (const answer of [after, alone]) expect(answer.output_text).toContain("Sunny");
    expect(await messagesOf(after)).toEqual(await messagesOf(alone));
  }
});

test("what grew longer than a request may be is gone on from no more", async () => {
  const route = "/v1/responses";
  const messages = (characters: number) => [{ role: "user", content: "a".repeat(characters) }];
  const [long, tooLong] = await record(
    gateway,
    key,
    { id: `call_${"a".repeat(32)}`, route, messages: messages(1_000) },
    { id: `call_${"b".repeat(32)}`, route, messages: messages(BOUNDS.mediaBodyBytes) },
  );
  const goOn = (from: Call) => client.responses.create({ input, previous_response_id: from.id.replace("call_", "resp_") });
  expect((await goOn(long!)).output_text).toBe("All lines are clear.");
  expect(await refusalOf(goOn(tooLong!))).toMatchObject({ status: 400, param: "previous_response_id" });
});

test("text that was streamed before and after a call comes back with it, by the ids of all three", async () => {
  const call = { index: 0, id: "c1", type: "function", function: { name: "get_weather", arguments: "{}" } };
  const deltas = [{ content: "I look. " }, { tool_calls: [call] }, { content: "Wait." }];
  upstream.answer(
    sse([
      ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
      { choices: [{ index: 0, finish_reason: "tool_calls" }] },
    ]),
    json({ choices: [{ index: 0, message: { role: "assistant", content: "Sunny." }, finish_reason: "stop" }] }),
  );
  const asking = { model, tools: [weatherTool] };
  const { output } = await live.responses.stream({ ...asking, input }).finalResponse();
  expect(output.map(({ type }) => type)).toEqual(["message", "function_call", "message"]);
  // The type may be left out.
  const named = output.map(({ id, type }) => ({ ...(type === "message" && { type: "item_reference" as const }), id: id! }));
  const returned = { type: "function_call_output" as const, call_id: "c1", output: "Sunny." };
  await live.responses.create({ ...asking, input: [...named, returned] });
  expect(upstream.seen.at(-1)!.body.messages).toMatchObject([
    { role: "assistant", content: "I look. Wait.", tool_calls: [{ id: "c1" }] },
    { role: "tool", tool_call_id: "c1" },
  ]);
});

test("an earlier answer may stand as a reference; what the log has not as it was is refused", async () => {
  const item = (id: string) => [
    { type: "item_reference" as const, id },
    { role: "user" as const, content: says("Two.") },
  ];
  const picture = { type: "input_image" as const, image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "auto" as const };
  const shown = [{ role: "user" as const, content: [{ type: "input_text" as const, text: says("One.") }, picture] }];
  const first = await client.responses.create({ model: "auto", input: shown });
  const second = await client.responses.create({ model: "auto", input: item(first.output[0]!.id!) });
  expect(await messagesOf(second)).toEqual([
    { role: "assistant", content: "One." },
    { role: "user", content: says("Two.") },
  ]);
  const refused = async (by: OpenAI, body: object) => {
    const { status, param } = await refusalOf(by.responses.create({ model: "auto", input, ...body } as never));
    return [status, param];
  };
  // The picture is not in the log.
  expect(await refused(client, { previous_response_id: first.id })).toEqual([400, "previous_response_id"]);
  expect(await refused(client, { input: item(`${first.output[0]!.id}9`) })).toEqual([400, "input.0.id"]);
  const stranger = clientWith((await gateway.key({ project: "strangers" })).text);
  expect(await refused(stranger, { previous_response_id: second.id })).toEqual([400, "previous_response_id"]);
  expect(await refused(stranger, { input: item(first.output[0]!.id!) })).toEqual([400, "input.0.id"]);
  expect(await refused(live, { previous_response_id: second.id })).toEqual([400, "previous_response_id"]);
  const masked = await gateway.key({ project: "masked" });
  const policy = {
    name: "p",
    policy_type: "content",
    config: { redact_logs: true, pii_detection: { enabled: true, types: ["email"] } },
  };
  expect((await gateway.send(masked, "POST", "/v1/policies", policy)).status).toBe(201);
  const withheld = await clientWith(masked.text).responses.create({ model: "auto", input });
  expect(await refused(clientWith(masked.text), { previous_response_id: withheld.id })).toEqual([400, "previous_response_id"]);
});

test("tools of OpenAI's own machines are left out, and named beside the answer", async () => {
  for (const type of ["web_search", "file_search", "image_generation", "computer", "mcp", "code_interpreter"]) {
    const response = await client.responses.create({ model: "auto", input, tools: [weatherTool, { type }] } as never);
    expect([type, (response as any).svc.ignored_parameters]).toEqual([type, ["tools.1"]]);
  }
});

test("it is a chat call as any other: in the log, under its route, with its custom fields", async () => {
  const response = await client.responses.create({ model: "auto", input, metadata: { team: "signals", user_id: "u7" } });
  const { logs } = (await (await gateway.send(key, "GET", "/v1/logs?limit=1")).json()) as any;
  expect(logs[0]).toMatchObject({
    call_id: response._request_id,
    metadata: { endpoint: "/v1/responses", custom: { team: "signals", user_id: "u7" }, user_id: "u7" },
  });
  const headers = { "idempotency-key": "responses-1" };
  const first = await gateway.send(key, "POST", "/v1/responses", { input, stream: true }, headers);
  const body = await first.text();
  const again = await gateway.send(key, "POST", "/v1/responses", { input, stream: true }, headers);
  expect([again.headers.get("x-svc-idempotent-replay"), await again.text()]).toEqual(["true", body]);
});

test("a session remembers across calls, a document is cited, a prompt for a picture is answered with one", async () => {
  const more = { session_id: "responses-session" };
  answerBoth({ content: "Noted." }, [{ content: "Noted." }], "stop");
  for (const words of ["My signal box is called Fernhill.", "What is it called?"])
    await live.responses.create({ model, input: words, ...more } as never);
  expect(JSON.stringify(upstream.seen.at(-1)!.body.messages)).toContain("Fernhill");

  const { id } = await ingested(gateway, key, "frame.txt", "The lever frame at Fernhill has 42 levers.");
  const cited = await asked({ model: "auto", input: "How many levers has Fernhill?", document_ids: [id] } as never);
  expect(cited.svc["citations"]).toMatchObject([{ document_id: id }]);

  const prompt = { model: "auto", input: "Generate an image of a signal box at dusk." };
  expect((await client.responses.create(prompt)).output_text).toContain("/v1/files/");
  expect((await client.responses.stream(prompt).finalResponse()).output_text).toContain("/v1/files/");
});

test("a stream that broke off is not kept for its Idempotency-Key, however much was echoed", async () => {
  const broken = {
    input: "[[sandbox:disconnect:always]] Tell me about railways.",
    instructions: "Be brief. ".repeat(1_000),
    stream: true,
  };
  for (const _ of [1, 2]) {
    const response = await gateway.send(key, "POST", "/v1/responses", broken, { "idempotency-key": "responses-2" });
    expect(response.headers.get("x-svc-idempotent-replay")).toBeNull();
    expect(await response.text()).toContain("event: error");
  }
});

test("a conversation is compacted, by its own endpoint or by a trigger, and goes on from the one item", async () => {
  const conversation = [
    { role: "user" as const, content: "The build fails in parse.ts at line 42, because a bracket is missing." },
    { role: "assistant" as const, content: "Shall I add it?" },
  ];
  const compacted = await client.responses.compact({ model: "auto", input: conversation });
  expect(compacted).toMatchObject({ object: "response.compaction", output: [{ type: "compaction" }] });
  const triggered = await client.responses.create({ model: "auto", input: [...conversation, { type: "compaction_trigger" }] });
  expect(compacted.usage.input_tokens).toBe(triggered.usage!.input_tokens);
  const whole = await client.responses.create({
    model: "auto",
    input: [...(compacted.output as OpenAI.Responses.ResponseCompactionItem[]), { role: "user", content: "What is missing?" }],
  });
  expect(whole.output_text).toContain("parse.ts at line 42");
  const asked = { model: "auto", input: [...conversation, { type: "compaction_trigger" as const }], tools: [weatherTool] };
  const events = await eventsOf(asked);
  expect(events.map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.output_item.done",
    "response.completed",
  ]);
  const { response } = events.at(-1) as { response: OpenAiResponse };
  expect(response.output).toEqual([{ id: expect.any(String), type: "compaction", encrypted_content: expect.any(String) }]);
  expect((await client.responses.create(asked)).output.map(({ type }) => type)).toEqual(["compaction"]);
});

test("a summary that a model refuses to write is asked for again, and takes no conversation's place", async () => {
  const refusal = "I'm sorry, but I can't help with that request.";
  const said = (content: string) =>
    json({
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      usage: { prompt_tokens: 9, completion_tokens: 9 },
    });
  const conversation = [{ role: "user" as const, content: "The build fails in parse.ts at line 42." }];
  const trigger = { type: "compaction_trigger" as const };
  const triggered = { model: "gpt-4o", input: [...conversation, trigger] };
  const last = async () => (await eventsOf(triggered, live)).at(-1) as { response: OpenAiResponse };
  upstream.answer(said(refusal));
  expect((await live.responses.compact({ model: "gpt-4o", input: conversation })).output).toEqual([]);
  expect((await live.responses.create(triggered)).output).toEqual([]);
  expect((await last()).response.output).toEqual([]);
  upstream.answer(said(refusal), said("The build fails in parse.ts, line 42."));
  expect((await last()).response.output).toMatchObject([{ type: "compaction" }]);
});

test("a summary that a judge has replaced takes no conversation's place either", async () => {
  const judgedKey = await gateway.key({ mode: "live", project: "judged summaries" });
  await gateway.policy(judgedKey, "content", { criteria: ["It names no file."], on_violation: "soft_block" });
  const judged = clientWith(judgedKey.text);
  const input = [{ role: "user" as const, content: "The build fails in parse.ts at line 42." }];
  for (const passed of [false, true]) {
    const verdict = JSON.stringify({ verdicts: [{ criterion: 1, passed }] });
    upstream.answer(({ body }) => {
      const content = JSON.stringify(body).includes("You check a text") ? verdict : "The build fails in parse.ts, line 42.";
      const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
      return Response.json({ choices, usage: { prompt_tokens: 9, completion_tokens: 9 } });
    });
    const { output } = await judged.responses.compact({ model: "gpt-4o", input });
    const events = await eventsOf({ model: "gpt-4o", input: [...input, { type: "compaction_trigger" }] }, judged);
    const { response } = events.at(-1) as { response: OpenAiResponse };
    const types = passed ? ["compaction"] : [];
    expect([output, response.output].map((items) => items.map(({ type }) => String(type)))).toEqual([types, types]);
  }
});
