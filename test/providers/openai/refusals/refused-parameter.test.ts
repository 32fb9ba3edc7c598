/** What an OpenAI-compatible vendor refuses is left out, and that is remembered for as long as it holds. */

import { expect, test } from "bun:test";
import type { ChatMessage, ChatRequest } from "../../../../src/providers/provider.ts";
import { bodiesAfter, GOOD, withOtherSchemas } from "../../../support/bodies-after.ts";
import { askFor, collect, contextWith, listsOf, providerFor } from "../../../support/chat-provider.ts";
import { stubOpenAi } from "../../../support/openai-stub.ts";
import { json, sse } from "../../../support/upstream-stub.ts";

const { stub } = stubOpenAi();

/** Whether the field is in each request when all have it, and the first gets this error. */
const asksFor = async (field: string, error: unknown, status = 400): Promise<boolean[]> => {
  const asked: Partial<ChatRequest> = {
    ...{ temperature: 2, topP: 0, seed: 7, presencePenalty: 0.5, reasoningEffort: "none" },
    ...{ tools: [{ name: "f" }], toolChoice: "required" },
  };
  const message = { message: error, type: "invalid_request_error", param: null, code: null };
  const refusal = json(typeof error === "string" ? { error: message } : error, status);
  return (await bodiesAfter(stub, refusal, [asked, asked])).map((body) => field in body);
};

test("names that a server refuses are left out of every message (Mistral, vLLM, Groq)", async () => {
  const loc = ["body", "messages", 0, "user", "name"];
  const messages = [{ role: "user" as const, content: "a", name: "Ann" }];
  for (const refusal of [
    { detail: [{ type: "extra_forbidden", loc, msg: "Extra inputs are not permitted" }] },
    { object: "error", message: { detail: [{ type: "extra_forbidden", loc, msg: "Extra inputs are not permitted" }] } },
    {
      object: "error",
      message:
        "1 validation error for ChatCompletionRequest\nmessages.0.user.name\n  Extra inputs are not permitted [type=extra_forbidden, input_value='Ann', input_type=str]",
    },
    {
      error: {
        message:
          "'messages.0' : for 'role:user' the following must be satisfied[('messages.0' : property 'name' is unsupported)]",
      },
    },
  ]) {
    const sent = await bodiesAfter(stub, json(refusal, 422), [{ messages }, { messages }]);
    expect(sent.map((body) => body.messages[0].name)).toEqual(["Ann", undefined, undefined]);
  }
});

test("Gemini behind OpenRouter or Google's server of this format gets past calls as another model's, once it asks for signatures", async () => {
  const missing = "Function call is missing a thought_signature in functionCall parts.";
  const raw = `Gemini models require OpenRouter reasoning details to be preserved. Upstream error: {"message": "${missing}"}`;
  const refusals = [
    { error: { message: "Provider returned error", code: 400, metadata: { raw, provider_name: "Google AI Studio" } } },
    [{ error: { code: 400, message: missing, status: "INVALID_ARGUMENT" } }],
  ];
  const call = (id: string) => ({ id, name: "look_up", arguments: "{}" });
  const messages: ChatMessage[] = [
    { role: "user", content: "Look." },
    { role: "assistant", content: "", toolCalls: [call("a"), call("b")] },
    { role: "tool", toolCallId: "a", content: "x" },
    { role: "tool", toolCallId: "b", content: "y" },
  ];
  for (const refusal of refusals) {
    const signed = (await bodiesAfter(stub, json(refusal, 400), [{ messages }, { messages }])).map((body) => {
      const { tool_calls: calls, reasoning_details: details } = body.messages[1];
      return [
        calls.map((each: any) => each.extra_content?.google.thought_signature),
        details?.map((each: any) => [each.id, each.data]),
      ];
    });
    const word = "skip_thought_signature_validator";
    const right = [[word, undefined], [["a", word]]];
    // The lesson is kept: the second call is right at once.
    expect(signed).toEqual([[[undefined, undefined], undefined], right, right]);
  }
});

test("calls get ids of nine letters and digits, once a server of a Mistral model asks for them (vLLM, llama.cpp, MLX, OpenRouter)", async () => {
  const told = "Tool call id was call_PTLP8xhu3uwZk4l3nlnrrJha but must be a-z, A-Z, 0-9, with a length of 9.";
  const template = "Tool call IDs should be alphanumeric strings with length 9!";
  const refusals = [
    json({ object: "error", message: told, type: "invalid_function_call", param: null, code: "3280" }, 400),
    json({ error: { code: 500, message: `Jinja Exception: ${template}`, type: "server_error" } }, 500),
    json({ error: template }, 404),
    json({ error: { message: "Provider returned error", code: 400, metadata: { raw: JSON.stringify({ message: told }) } } }, 400),
  ];
  const call = (id: string) => ({ id, name: "look_up", arguments: "{}" });
  const messages: ChatMessage[] = [
    { role: "user", content: "Look." },
    { role: "assistant", content: "", toolCalls: [call("call_PTLP8xhu3uwZk4l3nlnrrJha"), call("abcDEF123")] },
    { role: "tool", toolCallId: "call_PTLP8xhu3uwZk4l3nlnrrJha", content: "x" },
    { role: "tool", toolCallId: "abcDEF123", content: "y" },
  ];
  for (const refusal of refusals) {
    const sent = await bodiesAfter(stub, refusal, [{ messages }, { messages }]);
    const ids = sent.map((body) => [
      body.messages[1].tool_calls.map(({ id }: any) => id),
      body.messages.slice(2).map((result: any) => result.tool_call_id),
    ]);
    const short = [expect.stringMatching(/^[A-Za-z0-9]{9}$/), "abcDEF123"];
    expect(ids).toEqual([expect.anything(), [short, short], [short, short]]);
    for (const [calls, results] of ids) expect(results).toEqual(calls);
  }
});

test("messages go in the order of a model's chat template, once it refuses another (Qwen, MiniMax, Perplexity, DeepSeek)", async () => {
  const template = "Jinja Exception: System message must be at the beginning.";
  const refusals = [
    json({ error: { code: 500, message: `While executing CallExpression at line 85:\n${template}`, type: "server_error" } }, 500),
    json({ error: { message: "invalid params, invalid chat setting (2013)", type: "bad_request_error" } }, 400),
    ...[
      "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).",
      "After the (optional) system message(s), user and assistant roles should be alternating.",
      "m does not support successive user or assistant messages (messages[2] and messages[3] in your input).",
    ].map((message) => json({ error: { message, code: 400 } }, 400)),
  ];
  const image = { type: "image" as const, url: "https://a.example/b.png" };
  const messages: ChatMessage[] = [
    { role: "system", content: "Be brief." },
    { role: "system", content: "Said before: yes." },
    { role: "user", content: "One." },
    { role: "user", content: [image] },
    { role: "assistant", content: "Let me look." },
    { role: "assistant", content: "", toolCalls: [{ id: "a", name: "look_up", arguments: "{}" }] },
    { role: "tool", toolCallId: "a", content: "x" },
    { role: "system", content: "Be kind." },
    { role: "user", content: "Two." },
  ];
  for (const refusal of refusals) {
    const [first, ...others] = (await bodiesAfter(stub, refusal, [{ messages }, { messages }])).map((body) => body.messages);
    expect(first).toHaveLength(messages.length);
    expect(others).toHaveLength(2);
    for (const sent of others) {
      expect(sent.map(({ role }: any) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
      expect(sent[0].content).toBe("Be brief.\n\nSaid before: yes.\n\nBe kind.");
      expect(sent[1].content.map(({ type }: any) => type)).toEqual(["text", "image_url"]);
      expect([sent[2].content, sent[2].tool_calls.length]).toEqual(["Let me look.", 1]);
    }
  }
});

test("a model without a system role hears from the user what the system would say (Gemma, Mistral)", async () => {
  const messages: ChatMessage[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "One." },
    { role: "assistant", content: "1" },
    { role: "system", content: "Be kind." },
    { role: "user", content: "Two." },
  ];
  for (const message of [
    "Conversation roles must alternate user/assistant/user/assistant/...",
    "System role not supported",
    "Only user and assistant roles are supported!",
  ]) {
    const refusal = json({ object: "error", message, type: "BadRequestError", code: 400 }, 400);
    const [, sent] = await bodiesAfter(stub, refusal, [{ messages }]);
    expect(sent.messages).toEqual([
      { role: "user", content: "Be brief.\n\nBe kind.\n\nOne." },
      { role: "assistant", content: "1" },
      { role: "user", content: "Two." },
    ]);
  }
});

test("where the prompt asks for a format that was refused, it does so in the order of the model's template", async () => {
  const refusals = [
    { message: "System message must be at the beginning.", roles: ["system", "user"] },
    { message: "System role not supported", roles: ["user"] },
  ];
  const format = json({ error: { message: "response_format is not supported by this model" } }, 400);
  const messages: ChatMessage[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "One." },
  ];
  const outputFormat = { type: "schema" as const, name: "answer", schema: { title: "the schema" }, strict: false };
  for (const { message, roles } of refusals) {
    const sent = (await bodiesAfter(stub, [json({ error: { message } }, 400), format], [{ messages, outputFormat }])).at(
      -1,
    ).messages;
    expect(sent.map(({ role }: any) => role)).toEqual(roles);
    expect(sent[0].content).toMatch(/the schema.*Be brief\./s);
  }
});

test("an error that quotes the caller teaches nothing about the model", async () => {
  const quoting = json({ error: { message: "Invalid schema for function 'f': 'System role not supported' is not valid" } }, 400);
  const provider = providerFor("openai", stub.url);
  stub.answer(quoting);
  await expect(provider.chat!("m", askFor("hi"), contextWith())).rejects.toThrow("does not take a parameter");
  stub.answer(GOOD);
  const messages: ChatMessage[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "One." },
  ];
  await provider.chat!("m", { messages }, contextWith());
  expect(stub.seen.at(-1)!.body.messages).toEqual(messages);
});

test("of calls that begin together, each is sent again without what was refused", async () => {
  stub.answer(({ body }) =>
    body.temperature === undefined
      ? GOOD(undefined as never)
      : json({ error: { message: "Unsupported parameter: 'temperature'" } }, 400)(undefined as never),
  );
  const provider = providerFor("openai", stub.url);
  const call = () => provider.chat!("m", { ...askFor("hi"), temperature: 1 }, contextWith());
  expect((await Promise.all([call(), call(), call()])).map(({ text }) => text)).toEqual(["ok", "ok", "ok"]);
});

test("a refused parameter is left out, the request sent again, and the lesson kept for that model", async () => {
  const refused = json(
    { error: { message: "Unsupported parameter: 'temperature'", param: "temperature", code: "unsupported_parameter" } },
    400,
  );
  const provider = providerFor("openai", stub.url);
  stub.answer(refused, GOOD);
  await provider.chat!("m", { ...askFor("hi"), temperature: 1 }, contextWith());
  await provider.chat!("m", { ...askFor("hi"), temperature: 1 }, contextWith());
  await provider.chat!("other", { ...askFor("hi"), temperature: 1 }, contextWith());
  expect(stub.seen.map(({ body }) => body.temperature)).toEqual([1, undefined, undefined, 1]);
});

test("a model that may not be streamed is asked without, and answers all the same", async () => {
  const message = "Your organization must be verified to stream this model.";
  const provider = providerFor("openai", stub.url);
  stub.answer(json({ error: { message, param: "stream", code: "unsupported_value" } }, 400), GOOD);
  const { text } = await collect(listsOf((take) => provider.streamChat!("m", askFor("hi"), contextWith(), take)));
  expect(text).toBe("ok");
  expect(stub.seen.map(({ body }) => [body.stream, body.stream_options?.include_usage])).toEqual([
    [true, true],
    [undefined, undefined],
  ]);
});

test("a model that thinks in streams alone is told not to elsewhere (Qwen)", async () => {
  const message = "parameter.enable_thinking must be set to false for non-streaming calls";
  const provider = providerFor("openai", stub.url);
  stub.answer(json({ error: { message, type: "invalid_request_error", code: "invalid_parameter_error" } }, 400), GOOD);
  for (let turn = 0; turn < 2; turn++) await provider.chat!("m", askFor("hi"), contextWith());
  await collect(listsOf((take) => provider.streamChat!("m", askFor("hi"), contextWith(), take)));
  expect(stub.seen.map(({ body }) => body.enable_thinking)).toEqual([undefined, false, false, undefined]);
});

test("a model that answers in streams alone is asked for one, and its answer is collected", async () => {
  const usage = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };
  const call = { index: 0, id: "call_1", function: { name: "look", arguments: '{"at":' } };
  for (const message of [
    "This model only support stream mode, please enable the stream parameter to access the model. ",
    "Requests with max_tokens > 4096 must have stream=true",
    "current user api does not support http call.",
  ]) {
    const provider = providerFor("openai", stub.url);
    stub.seen.length = 0;
    stub.answer(
      json({ error: { message, type: "invalid_request_error", code: "invalid_parameter_error" } }, 400),
      sse([
        { choices: [{ index: 0, delta: { role: "assistant", reasoning_content: "Hm." } }] },
        { choices: [{ index: 0, delta: { content: "Let me " } }] },
        { choices: [{ index: 0, delta: { content: "see.", tool_calls: [call] } }] },
        { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: "1}" } }] } }] },
        { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
        { choices: [], usage },
      ]),
    );
    for (let turn = 0; turn < 2; turn++) {
      const { text, reasoning, toolCalls, finishReason, usageSource, usage } = await provider.chat!(
        "m",
        askFor("hi"),
        contextWith(),
      );
      expect([text, reasoning, finishReason, usageSource, usage.input]).toEqual([
        "Let me see.",
        "Hm.",
        "tool_calls",
        "provider",
        7,
      ]);
      expect(toolCalls).toEqual([{ id: "call_1", name: "look", arguments: '{"at":1}' }]);
    }
    expect(stub.seen.map(({ body }) => [body.stream, body.stream_options?.include_usage])).toEqual([
      [undefined, undefined],
      [true, true],
      [true, true],
    ]);
  }
});

test("a parameter that is named in words alone is left out too, and the answer is cut where it was to stop (xAI)", async () => {
  const provider = providerFor("openai", stub.url);
  const refused = (name: string) =>
    json({ code: "invalid-argument", error: `Model grok-4.7 does not support parameter ${name}.` }, 400);
  stub.seen.length = 0;
  stub.answer(
    refused("stop"),
    refused("presencePenalty"),
    json({ choices: [{ message: { content: "one STOP two" }, finish_reason: "stop" }] }),
  );
  const asked = { ...askFor("hi"), stop: ["STOP"], presencePenalty: 1, temperature: 0.5 };
  const { text, stopSequence } = await provider.chat!("m", asked, contextWith());
  expect([text, stopSequence]).toEqual(["one ", "STOP"]);
  expect(stub.seen.map(({ body }) => [body.stop, body.presence_penalty, body.temperature])).toEqual([
    [["STOP"], 1, 0.5],
    [undefined, 1, 0.5],
    [undefined, undefined, 0.5],
  ]);
});

test("a format that is refused is asked for in the prompt, and only for as long as it is refused", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const asked = { ...askFor("hi"), outputFormat: { type: "schema" as const, name: "s", schema, strict: true } };
  const answers = async (error: object) => {
    const refusal = json({ error: { type: "invalid_request_error", ...error } }, 400);
    const sent = await bodiesAfter(stub, refusal, [asked, withOtherSchemas(asked)]);
    return sent.map((body) => [body.response_format?.type, body.messages.length]);
  };
  const asks = ["json_schema", 1];
  const prompts = [undefined, 2];
  expect(await answers({ message: "This response_format type is unavailable now" })).toEqual([asks, prompts, prompts]);
  expect(await answers({ message: "This model does not support response format `json_schema`." })).toEqual([
    asks,
    prompts,
    prompts,
  ]);
  for (const message of ["json mode cannot be combined with tool/function calling", "Invalid schema for response_format 's'"])
    expect(await answers({ message, param: "response_format" })).toEqual([asks, prompts, asks]);
  expect(stub.seen[1]!.body.messages[0]).toMatchObject({ role: "system", content: expect.stringContaining('"required":["a"]') });
});

test("thinking that a server does not know, or misses, is left out or switched off", async () => {
  const messages: ChatMessage[] = [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "c1", name: "a", arguments: "{}" }],
      thoughts: [{ thought: { text: "Hm." }, partsBefore: 0, callsBefore: 0 }],
    },
    { role: "tool", toolCallId: "c1", content: "1" },
  ];
  const loc = ["body", "messages", 1, "assistant", "reasoning_content"];
  for (const error of [
    { detail: [{ type: "extra_forbidden", loc, msg: "Extra inputs are not permitted", input: "Hm." }] },
    { error: { message: "messages[1].reasoning_content: property 'reasoning_content' is unsupported" } },
    { error: { message: "Unknown parameter: 'messages[1].reasoning_content'.", param: "messages[1].reasoning_content" } },
  ]) {
    const sent = await bodiesAfter(stub, json(error, 422), [{ messages }, { messages }]);
    expect(sent.map((body) => body.messages[1].reasoning_content)).toEqual(["Hm.", undefined, undefined]);
  }
  for (const missing of [
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1",
    "Missing `reasoning_content` field in the assistant message at message index 1.",
  ]) {
    const sent = await bodiesAfter(stub, json({ error: { message: missing, type: "invalid_request_error" } }, 400), [
      { messages },
    ]);
    expect(sent.map((body) => body.thinking)).toEqual([undefined, { type: "disabled" }]);
  }
});

test("switches of thinking that a server does not know are left out, also if it names several at once", async () => {
  const provider = providerFor("openai", stub.url);
  stub.seen.length = 0;
  stub.answer(({ body }) => {
    const unknown = ["chat_template_kwargs", "thinking"].filter((name) => name in body);
    if (unknown.length === 0) return Response.json({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] });
    const message = `Unrecognized request argument${unknown.length > 1 ? "s" : ""} supplied: ${unknown.join(", ")}`;
    return Response.json({ error: { message, type: "invalid_request_error", param: null, code: null } }, { status: 400 });
  });
  const asked = { ...askFor("hi"), reasoningEffort: "none" as const };
  for (let turn = 0; turn < 2; turn++) expect((await provider.chat!("m", asked, contextWith())).text).toBe("ok");
  expect(stub.seen).toHaveLength(4);
});

test("a server that knows one of the two formats for JSON is still asked for that one", async () => {
  const good = json({ choices: [{ message: { content: "{}" }, finish_reason: "stop" }] });
  const schema = { type: "schema" as const, name: "s", schema: { type: "object" }, strict: false };
  for (const [message, refused] of [
    ["'response_format.type' must be 'json_schema' or 'text'", "json_object"],
    ["unsupported format type: json_object", "json_object"],
    ["This model does not support response format `json_schema`.", "json_schema"],
    ["Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", "json_schema"],
  ] as const) {
    const provider = providerFor("openai", stub.url);
    stub.seen.length = 0;
    stub.answer((asked) =>
      asked.body.response_format?.type === refused ? Response.json({ error: message }, { status: 400 }) : good(asked),
    );
    for (const outputFormat of [{ type: "json" as const }, schema, { type: "json" as const }, schema])
      await provider.chat!("m", { ...askFor("hi"), outputFormat }, contextWith());
    const sent = stub.seen.map(({ body }) => body.response_format?.type);
    expect(sent).toEqual(
      refused === "json_object"
        ? ["json_object", undefined, "json_schema", undefined, "json_schema"]
        : ["json_object", "json_schema", undefined, "json_object", undefined],
    );
  }
});

test("a refusal that names both formats for JSON is met whichever of them it means", async () => {
  const good = json({ choices: [{ message: { content: "{}" }, finish_reason: "stop" }] });
  const message = "response_format json_schema is not supported; use json_object or text";
  stub.answer((asked) => (asked.body.response_format ? Response.json({ error: message }, { status: 400 }) : good(asked)));
  const outputFormat = { type: "schema" as const, name: "s", schema: { type: "object" }, strict: false };
  const provider = providerFor("openai", stub.url);
  expect((await provider.chat!("m", { ...askFor("hi"), outputFormat }, contextWith())).text).toBe("{}");
});

test.each([
  ["This model does not support assistant message prefill. The conversation must end with a user message.", ["Continue."]],
  ["Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant", ["Continue."]],
  ["Assistant response prefill is incompatible with enable_thinking.", ["Continue."]],
  ["Unexpected role 'user' after role 'tool'", ["OK."]],
])("what a model wants after an answer, or after results, is added once it says so (%s)", async (message, added) => {
  const messages: ChatMessage[] = [
    { role: "user", content: "Look." },
    { role: "assistant", content: "", toolCalls: [{ id: "a", name: "look_up", arguments: "{}" }] },
    { role: "tool", toolCallId: "a", content: "x" },
    { role: "user", content: "And?" },
    { role: "assistant", content: "It" },
  ];
  const bodies = await bodiesAfter(stub, json({ error: { message } }, 400), [{ messages }, { messages }]);
  const texts = bodies.map((body) => body.messages.map(({ content }: any) => content));
  const given = ["Look.", "x", "And?", "It"];
  for (const sent of texts.slice(1))
    expect(sent.filter((text: unknown) => text && !given.includes(text as string))).toEqual(added);
  expect(bodies.map((body) => body.messages.length)).toEqual([5, 6, 6]);
});

test("the output bound changes its name instead of getting lost", async () => {
  const error = { message: "Use 'max_completion_tokens' instead.", param: "max_tokens", code: "unsupported_parameter" };
  const sent = await bodiesAfter(stub, json({ error }, 400), [{}]);
  expect(sent.map((body) => [body.max_tokens, body.max_completion_tokens])).toEqual([
    [100, undefined],
    [undefined, 100],
  ]);
});

test("strict tools are sent as loose ones once a model has none, and a schema that cannot be enforced as a guide", async () => {
  const tools = [{ name: "a", parameters: { type: "object", properties: {} }, strict: true }];
  for (const dialect of ["openai", "openai-responses"] as const) {
    for (const [error, isLasting] of [
      [{ message: "Tools with strict=True are not supported by this model" }, true],
      [{ message: "Tools with mixed values for 'strict' are not allowed." }, true],
      [{ message: "Invalid schema for function 'a': too deep.", code: "invalid_function_parameters" }, false],
    ] as const) {
      const refusal = json({ error: { ...error, type: "invalid_request_error" } }, 400);
      const sent = await bodiesAfter(stub, refusal, [{ tools }, withOtherSchemas({ tools })], { dialect });
      const strict = sent.map(({ tools }) => tools.map((tool: any) => (tool.function ?? tool).strict ?? false));
      expect(strict).toEqual([[true], [false], [!isLasting]]);
    }
  }
});

test.each([
  ["openai", "tools[1].function.description", 1_024],
  ["openai-responses", "tools[1].description", 3_000],
] as const)("%s: descriptions of tools are cut once they are called too long (Azure)", async (dialect, param, most) => {
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${most}, but got a string with length 4394 instead.`;
  const refusal = json({ error: { message, type: "invalid_request_error", param, code: "string_above_max_length" } }, 400);
  const tools = [
    { name: "a", description: "x".repeat(most) },
    { name: "b", description: "y".repeat(4_394) },
    { name: "c", description: "😀".repeat(2_197) },
  ];
  const [refused, cut, without] = (await bodiesAfter(stub, refusal, [{ tools }, {}], { dialect })).map((body) =>
    body.tools?.map((tool: any) => (tool.function ?? tool).description as string),
  );
  expect(refused).toEqual(tools.map(({ description }) => description));
  // An emoji takes two places, and is not cut in half.
  expect(cut.map(({ length }: string) => length)).toEqual([most, most, most - 1]);
  expect(cut.slice(1).map((text: string) => text.slice(-3))).toEqual(["yy…", "😀…"]);
  expect(without).toBeUndefined();
});

test.each([
  [
    "'max_tokens' or 'max_completion_tokens' is too large: 8183. This model's maximum context length is 8192 tokens and your request has 36 input tokens (8183 > 8192 - 36). None",
    8_156,
    8_183,
  ],
  [
    "This model's maximum context length is 8192 tokens. However, you requested 9060 tokens (877 in the messages, 8183 in the completion).",
    7_315,
    8_183,
  ],
  [
    "This model's maximum context length is 8192 tokens. However, you requested 9070 tokens (800 in the messages, 87 in the functions, and 8183 in the completion).",
    7_305,
    8_183,
  ],
  ["max_tokens is too large: 8183. This model supports at most 4096 completion tokens, whereas you provided 8183.", 4_096, 4_096],
  ["Invalid 'max_tokens': integer above maximum value. Expected a value <= 4096, but got 8183 instead.", 4_096, 4_096],
  ["max_tokens: 8183 > 4096, which is the maximum allowed number of output tokens for m", 4_096, 4_096],
  ["`max_tokens` must be less than or equal to `8000`, the maximum value for `max_tokens`", 8_000, 8_000],
  ["<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 2048]", 2_048, 2_048],
  [
    "The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 4096, but got 8183 instead. Request id: 0217",
    4_096,
    4_096,
  ],
  ["max_tokens (current value: 8183) must be between 0 and 4000", 4_000, 4_000],
  ["The maximum tokens you requested exceeds the model limit of 2048. Try again with a value lower than 2048.", 2_048, 2_048],
])("a bound of the output that is too large becomes the one that is named (%s)", async (message, sent, next) => {
  for (const [dialect, field] of [
    ["openai", "max_tokens"],
    ["openai-responses", "max_output_tokens"],
  ] as const) {
    const refusal = json({ error: { message, type: "invalid_request_error", param: null, code: null } }, 400);
    const bodies = await bodiesAfter(stub, refusal, [{ maxOutputTokens: 8_183 }, { maxOutputTokens: 8_183 }], { dialect });
    expect(bodies.map((body) => body[field])).toEqual([8_183, sent, next]);
  }
});

test("a limit of one provider behind OpenRouter is not learned for the others", async () => {
  const raw = "max_tokens is too large: 8000. This model supports at most 4096 completion tokens, whereas you provided 8000.";
  const error = { message: "Provider returned error", code: 400, metadata: { raw, provider_name: "Small" } };
  const sent = await bodiesAfter(stub, json({ error }, 400), [{ maxOutputTokens: 8_000 }, { maxOutputTokens: 8_000 }]);
  expect(sent.map((body) => body.max_tokens)).toEqual([8_000, 4_096, 8_000]);
});

const balance = (asked: number, left: number) => {
  const message = `This request requires more credits, or fewer max_tokens. You requested up to ${asked} tokens, but can only afford ${left}. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account`;
  return json({ error: { message, code: 402, metadata: { provider_name: null } } }, 402);
};

test("an answer is bounded by what an account can still pay, for that request (OpenRouter)", async () => {
  const refusals = [balance(65_536, 5_365), balance(5_365, 4_292)];
  for (const [dialect, field] of [
    ["openai", "max_tokens"],
    ["openai-responses", "max_output_tokens"],
  ] as const) {
    const asked = [{ maxOutputTokens: 65_536 }, { maxOutputTokens: 65_536 }];
    const sent = await bodiesAfter(stub, refusals, asked, { dialect });
    expect(sent.map((body) => body[field])).toEqual([65_536, 5_365, 4_292, 65_536]);
  }
});

test("an account that can hardly pay an answer is spent", async () => {
  for (const left of [0, 222, 1_023]) {
    stub.seen.length = 0;
    stub.answer(balance(65_536, left));
    const ask = { ...askFor("hi"), maxOutputTokens: 65_536 };
    await expect(providerFor("openai", stub.url).chat!("m", ask, contextWith())).rejects.toMatchObject({ kind: "billing" });
    expect(stub.seen).toHaveLength(1);
  }
});

test.each([
  ["server", 500, "Failed to parse input at pos 0: max_tokens must be less than or equal to 4096"],
  ["bad_request", 400, "This model supports at most 400 images per request."],
  ["bad_request", 400, "max_tokens must be less than or equal to 1"],
])("%s: no bound of the output is read from another failure (%d %s)", async (kind, status, message) => {
  stub.seen.length = 0;
  stub.answer(json({ error: { message, type: "", code: null } }, status));
  const ask = { ...askFor("hi"), maxOutputTokens: 8_000 };
  await expect(providerFor("openai", stub.url).chat!("m", ask, contextWith())).rejects.toMatchObject({ kind });
  expect(stub.seen).toHaveLength(1);
});

test("a prompt that leaves no room for an answer is too long, and so is one that is refused within a stream", async () => {
  const message = (prompt: number) =>
    `This model's maximum context length is 8192 tokens and your request has ${prompt} input tokens (8000 > 8192 - ${prompt}).`;
  const ask = { ...askFor("hi"), maxOutputTokens: 8_000 };
  stub.answer(json({ error: { message: message(8_100), code: 400 } }, 400));
  await expect(providerFor("openai", stub.url).chat!("m", ask, contextWith())).rejects.toMatchObject({ kind: "context_length" });
  stub.answer(sse([{ error: { message: message(400), code: 400 } }]));
  const streamed = collect(listsOf((take) => providerFor("openai", stub.url).streamChat!("m", ask, contextWith(), take)));
  await expect(streamed).rejects.toMatchObject({ kind: "context_length" });
});

test("a model that reasons only without tools is told not to, beside tools alone", async () => {
  const message =
    "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
  const refusal = json({ error: { message, type: "invalid_request_error", param: "reasoning_effort", code: null } }, 400);
  const tools = [{ name: "a" }];
  const sent = await bodiesAfter(stub, refusal, [{ tools }, { tools }, { reasoningEffort: "high" }]);
  expect(sent.map((body) => body.reasoning_effort)).toEqual([undefined, "none", "none", "high"]);
});

for (const message of [
  "Reasoning is mandatory for this endpoint and cannot be disabled.",
  "<400> InternalError.Algo.InvalidParameter: The value of the enable_thinking parameter is restricted to True.",
])
  test(`a model that cannot but think does so a little where it was not to, from then on: ${message.slice(0, 30)}`, async () => {
    const none = { reasoningEffort: "none" as const };
    const sent = await bodiesAfter(stub, json({ error: { message, code: 400 } }, 400), [
      none,
      none,
      { reasoningEffort: "high" },
      {},
    ]);
    expect(sent.map((body) => body.reasoning_effort)).toEqual(["none", "low", "low", "high", undefined]);
    expect(sent.map((body) => "thinking" in body || "chat_template_kwargs" in body)).toEqual([true, false, false, false, false]);
    const items = await bodiesAfter(stub, [json({ error: { message, code: 400 } }, 400), json({ output: [] })], [none], {
      dialect: "openai-responses",
    });
    expect(items.map((body) => body.reasoning.effort)).toEqual(["none", "low"]);
  });

test("a tool that is forced by its name is the only one and forced, once a server knows words alone (LM Studio)", async () => {
  const refused = json({ error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required" }, 400);
  const tools = [{ name: "f" }, { name: "g" }];
  for (const dialect of ["openai", "openai-responses"] as const) {
    const asked = [{ tools, toolChoice: { name: "g" } }, { tools, toolChoice: { name: "g" } }, { tools }];
    const sent = await bodiesAfter(stub, refused, asked, { dialect });
    const told = sent.map((body) => [body.tool_choice, body.tools.map((tool: any) => (tool.function ?? tool).name)]);
    const changed = ["required", ["g"]];
    expect(told).toEqual([[expect.any(Object), ["f", "g"]], changed, changed, [undefined, ["f", "g"]]]);
  }
});

const cerebras = (field: string) => ({
  message: `${field}: property '${field}' is unsupported`,
  type: "invalid_request_error",
  param: "validation_error",
  code: "wrong_api_format",
});
const LITERAL = `[{'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': "Input should be 'low' or 'high'", 'input': 'none'}]`;
const EXTRA = "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted', 'input': 7}]";
const NOT_NONE = {
  message: "Unsupported value: 'none' is not supported with the 'm' model. Supported values are: 'low', 'medium', and 'high'.",
  type: "invalid_request_error",
  param: "reasoning.effort",
  code: "unsupported_value",
};
const of = (loc: string, type: string) => ({ detail: [{ type, loc: ["body", loc], msg: "Input should be another." }] });

test.each([
  // xAI, Cerebras, Ollama, SiliconFlow, Fireworks.
  ["presence_penalty", { code: "invalid", error: "Argument not supported on this model: presencePenalty" }],
  ["presence_penalty", cerebras("body.presence_penalty")],
  ["reasoning_effort", '"qwen3-coder:30b" does not support thinking'],
  ["chat_template_kwargs", { code: 20015, message: "Value error, current model does not support parameter `enable_thinking`." }],
  ["reasoning_effort", "Extra inputs are not permitted, field: 'reasoning_effort', value: 'none'"],
  // Lists, of LiteLLM, vLLM, NVIDIA.
  ["seed", "litellm.UnsupportedParamsError: azure does not support parameters: ['seed'], for model=m."],
  ["seed", "litellm.UnsupportedParamsError: azure does not support parameters: {'seed': 7}, for model=m."],
  ["seed", "litellm.UnsupportedParamsError: fireworks_ai does not support parameters: [seed, logit_bias], for model=m"],
  ["seed", EXTRA],
  ["seed", "Unsupported parameter(s): `seed`"],
  ["seed", "Unsupported parameter(s): seed, logit_bias"],
])("%s is left out from then on (%j)", async (field, error) => expect(await asksFor(field, error)).toEqual([true, false, false]));

test.each<[string, number, unknown]>([
  // As OpenAI and Mistral say it, and vLLM.
  ["temperature", 400, { error: { message: "`temperature` must be one of `0.2`, `1`", param: "temperature" } }],
  ["temperature", 400, { error: { message: "Expected a value <= 1.", param: "temperature", code: "decimal_above_max_value" } }],
  ["temperature", 422, of("temperature", "less_than_equal")],
  ["reasoning_effort", 422, { error: { message: "must be one of `low`, `medium` or `high`", param: "reasoning_effort" } }],
  ["reasoning_effort", 400, { error: { ...NOT_NONE, param: "reasoning_effort" } }],
  ["reasoning_effort", 422, of("reasoning_effort", "enum")],
  ["reasoning_effort", 400, LITERAL],
  // Behind OpenRouter.
  [
    "reasoning_effort",
    400,
    { error: { message: "No.", code: 400, metadata: { raw: JSON.stringify({ error: NOT_NONE }, null, 2) } } },
  ],
  // Moonshot, LiteLLM, Claude.
  ["temperature", 400, "invalid temperature: only 1 is allowed for this model"],
  ["temperature", 400, "litellm.UnsupportedParamsError: m does not support temperature=0.3. Only temperature=1 is supported."],
  ["temperature", 400, "litellm.UnsupportedParamsError: O-series models don't support temperature=0.3."],
  ["temperature", 400, "`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation."],
  // Outside of a vendor's range.
  ["temperature", 400, "<400> InternalError.Algo.InvalidParameter: Temperature should be in [0.0, 2.0)"],
  ["top_p", 400, "<400> InternalError.Algo.InvalidParameter: Range of top_p should be (0.0, 1.0]"],
  ["temperature", 400, "temperature: range: 0..1"],
  ["temperature", 400, "Input validation error: `temperature` must be strictly positive"],
  ["temperature", 400, "temperature: must be in (0, 1.0]"],
  // A forced tool: Moonshot, OpenRouter, Qwen, DeepSeek elsewhere.
  ["tool_choice", 400, "tool_choice 'required' is incompatible with thinking enabled"],
  ["tool_choice", 404, "No endpoints found that support the provided 'tool_choice' value."],
  ["tool_choice", 400, "The tool_choice parameter does not support being set to required in thinking mode"],
  ["tool_choice", 400, "Thinking mode does not support this tool_choice"],
])("%s is left out of that request, and of no other (%d %j)", async (field, status, error) =>
  expect(await asksFor(field, error, status)).toEqual([true, false, true]),
);

test("a provider that refuses the same parameter for ever is asked twice", async () => {
  stub.answer(json({ error: { message: "no", param: "seed", code: "unsupported_parameter" } }, 400));
  await expect(providerFor("openai", stub.url).chat!("m", { ...askFor("hi"), seed: 1 }, contextWith())).rejects.toMatchObject({
    kind: "unsupported_param",
  });
  expect(stub.seen.length).toBe(2);
});

test.each([
  [{ message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', param: null, code: 400 }],
  [{ message: "Unsupported parameter: 'tools'", param: "tools", code: "unsupported_parameter" }],
])("a server or model without tools is not asked without them: an agent would get words (%j)", async (error) => {
  stub.seen.length = 0;
  stub.answer(json({ error }, 400));
  const asked = { ...askFor("hi"), tools: [{ name: "f" }], toolChoice: "auto" as const };
  await expect(providerFor("openai", stub.url).chat!("m", asked, contextWith())).rejects.toThrow();
  expect(stub.seen.length).toBe(1);
});

test("a vendor that refuses something else each time is asked five times, not for ever", async () => {
  let refusals = 0;
  stub.answer(() => {
    const param = `extra_${refusals++}`;
    return Response.json(
      { error: { message: `Unsupported parameter: '${param}'`, param, code: "unsupported_parameter" } },
      { status: 400 },
    );
  });
  await expect(providerFor("openai", stub.url).chat!("m", askFor("hi"), contextWith())).rejects.toThrow("does not take");
  expect(stub.seen.length).toBe(5);
});

test("answers without content or calls are left out, once a server refuses them (Mistral's models)", async () => {
  const message = "Assistant message must have either content or tool_calls, but not none.";
  const messages: ChatMessage[] = [
    { role: "user", content: "a" },
    { role: "assistant", content: "" },
    { role: "user", content: "b" },
  ];
  const sent = await bodiesAfter(stub, json({ error: { message, type: "invalid_request_error" } }, 400), [
    { messages },
    { messages },
  ]);
  expect(sent.map((body) => body.messages.map(({ content }: any) => content).join())).toEqual(["a,,b", "a,b", "a,b"]);
});

test("what Google's server of this format refuses in Google's words is met in the words of this one", async () => {
  const messages: ChatMessage[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "hi" },
  ];
  const schema = { type: "object", properties: {} };
  const request = {
    messages,
    reasoningEffort: "low",
    presencePenalty: 1,
    frequencyPenalty: 1,
    outputFormat: { type: "schema", name: "s", schema, strict: false },
  } as const;
  const lost = async (message: string): Promise<string[]> => {
    const googles = { error: { code: 400, message, status: "INVALID_ARGUMENT" } };
    const metadata = { raw: JSON.stringify(googles), provider_name: "Google AI Studio" };
    const lists: string[][] = [];
    for (const refusal of [[googles], { error: { message: "Provider returned error", code: 400, metadata } }]) {
      const [asked, again] = await bodiesAfter(stub, json(refusal, 400), [request]);
      lists.push(Object.keys(asked).filter((name) => again?.[name] === undefined));
    }
    expect(lists[1]).toEqual(lists[0]!);
    return lists[0]!;
  };
  expect(await lost("Thinking level LOW is not supported for this model.")).toEqual(["reasoning_effort"]);
  expect(await lost("Penalty is not enabled for models/m")).toEqual(["presence_penalty", "frequency_penalty"]);
  expect(await lost("JSON mode is not enabled for models/m")).toEqual(["response_format"]);
  const system = "Developer instruction is not enabled for models/m";
  const refusal = json([{ error: { code: 400, message: system, status: "INVALID_ARGUMENT" } }], 400);
  const [, again] = await bodiesAfter(stub, refusal, [{ messages }]);
  expect(again.messages).toEqual([{ role: "user", content: "Be brief.\n\nhi" }]);
});

test.each([
  ["`temperature` is deprecated for this model.", "temperature", true],
  ["`temperature` and `top_p` cannot both be specified for this model. Please use only one.", "top_p", false],
  ["`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.", "top_p", false],
  ["Thinking may not be enabled when tool_choice forces tool use.", "reasoning_effort", false],
  ["`max_tokens` must be greater than `thinking.budget_tokens`.", "reasoning_effort", false],
  ["thinking.enabled.budget_tokens: Input should be greater than or equal to 1024", "reasoning_effort", false],
  ["messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.", "reasoning_effort", false],
  ["This model does not support the effort parameter.", "reasoning_effort", true],
  ['tool_choice: type "tool" and "any" are not supported for this model.', "tool_choice", true],
  ["presence_penalty: Extra inputs are not permitted", "presence_penalty", true],
])("what Claude refuses behind a server of this format is left out (%s)", async (message, lost, isLearned) => {
  const inner = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } });
  const request: Partial<ChatRequest> = {
    temperature: 0.5,
    topP: 0.9,
    presencePenalty: 1,
    reasoningEffort: "low",
    tools: [{ name: "f" }],
    toolChoice: "required",
  };
  for (const error of [
    { message: `litellm.BadRequestError: AnthropicException - ${inner}. Received Model Group=m`, code: "400" },
    { message: "Provider returned error", code: 400, metadata: { raw: inner } },
    { message },
  ]) {
    const bodies = await bodiesAfter(stub, json({ error }, 400), [request, request]);
    const [asked, again, next] = bodies.map(Object.keys);
    expect(asked!.filter((name) => !again!.includes(name))).toEqual([lost]);
    expect(next!.includes(lost)).toBe(!isLearned);
  }
});

test.each([
  "Invalid 'response_format.json_schema.name': string does not match pattern. Expected a string that matches '^[a-zA-Z0-9_-]+$'.",
  "response_format.json_schema.schema: nesting is deeper than 10 levels",
  "invalid JSON schema for response_format: 's': /properties/a: `pattern` is not supported",
  "Unsupported JSON schema fields: {'pattern'}",
  "response_format: keyword 'pattern' is not supported in json_schema",
])("one caller's schema that is refused does not take the format from others (%s)", async (message) => {
  const request: Partial<ChatRequest> = {
    outputFormat: { type: "schema", name: "s", schema: { type: "object" }, strict: false },
  };
  const refusal = { error: { message, type: "invalid_request_error", param: "response_format", code: null } };
  const sent = await bodiesAfter(stub, json(refusal, 400), [request, withOtherSchemas(request)]);
  expect(sent.map((body) => "response_format" in body)).toEqual([true, false, true]);
});
