/** Tools that take a text of any form: a function to the provider, in the caller's form again in the answer. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { readSse } from "../support/read-sse.ts";
import { json, sse, upstreamStubOfFile } from "../support/upstream-stub.ts";
import { completion } from "../support/vendor-answers.ts";

const stub = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  settings: `
providers:
  caller: { base_url: "${stub.url}/v1", key: upstream, dialect: openai }
models:
  - { id: calls, provider: caller, upstream_model: x, context_window: 9000, input_usd_per_million: 1, output_usd_per_million: 2, abilities: [tools, parallel_tools] }
`,
});
const key = await gateway.key({ mode: "live" });

const grammar = { syntax: "lark", definition: "start: /.+/" };
const tools = [
  { type: "custom", custom: { name: "sql", description: "Runs a query.", format: { type: "grammar", grammar } } },
  { type: "function", function: { name: "look_up" } },
];
const asked = { model: "calls", messages: [{ role: "user", content: "One." }], tools };
const written = [
  { index: 0, id: "a", type: "function", function: { name: "sql", arguments: '{"input":"SELECT 1;"}' } },
  { index: 1, id: "b", type: "function", function: { name: "look_up", arguments: "{}" } },
];
const query = { id: "a", type: "custom", custom: { name: "sql", input: "SELECT 1;" } };
const look = { id: "b", type: "function", function: { name: "look_up", arguments: "{}" } };

test("whole", async () => {
  stub.answer(
    json({
      choices: [{ index: 0, message: { role: "assistant", content: null, tool_calls: written }, finish_reason: "tool_calls" }],
    }),
  );
  for (const path of ["/v1/chat/completions", "/v1/chat"]) {
    const { choices } = (await (await gateway.send(key, "POST", path, asked)).json()) as any;
    expect(choices[0]).toMatchObject({ message: { tool_calls: [query, look] }, finish_reason: "tool_calls" });
  }
  const [offered] = stub.seen[0]!.body.tools;
  expect(offered.function.parameters.properties).toEqual({ input: { type: "string" } });
  expect(offered.function.description).toContain(`Runs a query.\n\nThe input must fit this lark grammar:\n${grammar.definition}`);
});

test("streamed, a call with its input in one piece", async () => {
  const [call, other] = written as [any, any];
  const pieces = [
    { ...call, function: { name: "sql", arguments: "" } },
    { index: 0, function: { arguments: '{"input":"SELE' } },
    other,
    { index: 0, function: { arguments: 'CT 1;"}' } },
  ];
  stub.answer(
    sse([
      ...pieces.map((piece) => ({ choices: [{ index: 0, delta: { tool_calls: [piece] }, finish_reason: null }] })),
      { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    ]),
  );
  for (const [path, more] of [
    ["/v1/chat/completions", { stream: true }],
    ["/v1/chat/stream", {}],
  ] as const) {
    const frames = await readSse(await gateway.send(key, "POST", path, { ...asked, ...more }));
    const deltas = frames.flatMap(({ data }: any) => data.choices?.[0]?.delta?.tool_calls ?? []);
    expect(deltas.filter(({ index }: any) => index === 0)).toEqual([{ index: 0, ...query }]);
    expect(deltas.filter(({ index }: any) => index === 1)[0]).toMatchObject({ id: "b", function: { name: "look_up" } });
    // OpenAI's SDKs keep calls in a list, where none can come before the one in front of it.
    if (path === "/v1/chat/completions") expect(deltas[0].index).toBe(0);
  }
});

test("earlier calls, and a choice that names one", async () => {
  stub.answer(completion("One."));
  stub.seen.length = 0;
  const messages = [
    { role: "user", content: "One." },
    { role: "assistant", content: null, tool_calls: [query] },
    { role: "tool", tool_call_id: "a", content: "1" },
  ];
  const choices = [
    { type: "custom", custom: { name: "sql" } },
    { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [{ type: "custom", custom: { name: "sql" } }] } },
  ];
  for (const tool_choice of choices) {
    const response = await gateway.send(key, "POST", "/v1/chat/completions", { ...asked, messages, tool_choice });
    expect(response.status).toBe(200);
  }
  const [named, allowed] = stub.seen.map(({ body }) => body);
  expect(named.messages[1].tool_calls[0].function).toEqual({ name: "sql", arguments: '{"input":"SELECT 1;"}' });
  expect(named.tool_choice).toEqual({ type: "function", function: { name: "sql" } });
  expect(allowed.tools.map(({ function: { name } }: any) => name)).toEqual(["sql"]);
});
