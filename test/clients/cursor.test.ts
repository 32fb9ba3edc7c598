/** Cursor with its base URL set: requests for chat completions in the forms of other APIs, and answers in chat's. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { readSse } from "../support/read-sse.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();
const ask = (body: object) => gateway.send(key, "POST", "/v1/chat/completions", { model: "auto", ...body });
const answerTo = async (body: object): Promise<any> => (await ask(body)).json();

const PATCH = {
  type: "custom",
  name: "ApplyPatch",
  description: "Edits files",
  format: { type: "grammar", syntax: "lark", definition: "start: x" },
};
const READ = { type: "function", name: "read_file", parameters: { type: "object", properties: { path: { type: "string" } } } };
/** As an agent's request has them. */
const AGENT = {
  input: [
    { role: "system", content: "You edit code." },
    { role: "user", content: [{ type: "input_text", text: "Rename the function." }] },
  ],
  include: ["reasoning.encrypted_content"],
  reasoning: { effort: "medium", summary: "auto" },
  text: { verbosity: "low" },
  store: false,
  previous_response_id: null,
  tools: [READ, PATCH],
};

test("the body of a Responses request is answered as a chat completion, with calls in chat's form", async () => {
  const answer = await answerTo({ ...AGENT, tool_choice: { type: "custom", name: "ApplyPatch" } });
  expect(answer).toMatchObject({ object: "chat.completion", choices: [{ finish_reason: "tool_calls" }] });
  const [call] = answer.choices[0].message.tool_calls;
  expect(call).toEqual({ id: call.id, type: "custom", custom: { name: "ApplyPatch", input: "Rename the function." } });
  const input = [
    ...AGENT.input,
    { type: "custom_tool_call", call_id: call.id, name: "ApplyPatch", input: call.custom.input },
    { type: "custom_tool_call_output", call_id: call.id, output: "patched" },
  ];
  const next = await answerTo({ ...AGENT, input, messages: [] });
  expect(next.choices[0].message.content).toBe("ApplyPatch returned patched.");
  const row = await gateway.send(key, "GET", `/v1/logs/${next.svc.request_id}`);
  expect(await row.text()).toContain("/v1/chat/completions");
});

test("an error of the call names the field that the body has", async () => {
  for (const stream of [false, true]) {
    const { error } = await answerTo({ ...AGENT, model: "gpt-4o-mini", input: "a b ".repeat(150_000), stream });
    expect(error).toMatchObject({ param: "input", code: "context_length_exceeded" });
  }
});

test("it streams chunks of chat, with usage where `stream_options` asks for it", async () => {
  const response = await ask({
    ...AGENT,
    stream: true,
    stream_options: { include_usage: true },
    tool_choice: { type: "function", name: "read_file" },
  });
  const frames = (await readSse(response)).map(({ data }) => data);
  expect(frames.at(-1)).toBe("[DONE]");
  const chunks = frames.slice(0, -1);
  expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(["chat.completion.chunk"]));
  expect(chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls?.[0]?.function.name ?? [])).toEqual(["read_file"]);
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
});

test("messages may come with flat tools, and with Anthropic's tools and blocks", async () => {
  const mixed = [{ type: "function", function: { name: "look" } }, PATCH];
  expect((await ask({ messages: [{ role: "user", content: "hi" }], tools: mixed, tool_choice: { type: "auto" } })).status).toBe(
    200,
  );
  const claude = await answerTo({
    messages: [
      { role: "user", content: "Read it." },
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "Read", input: { path: "a" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "forty-two" }] },
    ],
    tools: [{ name: "Read", description: "Reads", input_schema: { type: "object" } }],
  });
  expect(claude.choices[0].message.content).toBe("Read returned forty-two.");
});

test("a body with neither `messages` nor `input` lacks `messages`; one with both is read by its messages", async () => {
  for (const body of [{}, { input: null }, { messages: [] }]) expect((await answerTo(body)).error.param).toBe("messages");
  // Messages are what such a body says, whatever stands beside them.
  const { error } = await answerTo({ input: "hi", messages: [{ role: "user", content: 5 }] });
  expect(error.param).toBe("messages.0.content");
});
