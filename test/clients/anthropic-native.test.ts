/** What Anthropic's clients say to Anthropic alone reaches its models, and them only; what nothing is made of is named. */

import { beforeEach, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import { twoVendorsOfFile } from "../support/two-vendors.ts";
import { json, sse } from "../support/upstream-stub.ts";

const { gateway, openai, anthropic: upstream, live: key } = await twoVendorsOfFile();
const client = new Anthropic({ apiKey: key.text, baseURL: gateway.url, maxRetries: 0 });
const ANSWERED = json({
  id: "msg",
  type: "message",
  content: [{ type: "text", text: "Done." }],
  stop_reason: "end_turn",
  usage: { input_tokens: 5, output_tokens: 2 },
});
beforeEach(() => {
  upstream.answer(ANSWERED);
  openai.answer(json({ choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }] }));
});

const CLEARING = { edits: [{ type: "clear_tool_uses_20250919" as const, keep: { type: "tool_uses" as const, value: 3 } }] };
const asked = {
  model: "claude-sonnet-4-6",
  max_tokens: 500,
  betas: ["context-management-2025-06-27", "interleaved-thinking-2025-05-14"],
  context_management: CLEARING,
  tools: [
    { type: "bash_20250124" as const, name: "bash" as const, cache_control: { type: "ephemeral" as const } },
    { type: "text_editor_20250728" as const, name: "str_replace_based_edit_tool" as const, max_characters: 9_000 },
    { type: "web_search_20250305" as const, name: "web_search" as const, max_uses: 5 },
    { name: "look_up", input_schema: { type: "object" as const, properties: {} } },
  ],
  messages: [{ role: "user" as const, content: "List the files." }],
};

test("features on trial, edits of the context and Anthropic's own tools reach a model of Anthropic's", async () => {
  const message: any = await client.beta.messages.create({ ...asked, service_tier: "auto", top_k: 5 } as any);
  const { headers, body } = upstream.seen[0]!;
  expect(headers.get("anthropic-beta")).toBe("context-management-2025-06-27,interleaved-thinking-2025-05-14");
  expect(body.context_management).toEqual(CLEARING);
  expect(body.tools).toMatchObject([
    { type: "bash_20250124", name: "bash" },
    { type: "text_editor_20250728", name: "str_replace_based_edit_tool", max_characters: 9_000 },
    { name: "look_up", input_schema: { type: "object" } },
  ]);
  expect(Object.keys(body.tools[0])).not.toContain("input_schema");
  expect(body).not.toHaveProperty("betas");
  expect(message.svc.ignored_parameters).toEqual(["service_tier", "tools.2"]);
});

test("another vendor hears none of it, and has Anthropic's tools written out", async () => {
  await client.beta.messages.create({ ...asked, model: "gpt-4o" });
  const { headers, body } = openai.seen[0]!;
  expect(headers.has("anthropic-beta")).toBe(false);
  expect(body).not.toHaveProperty("context_management");
  expect(body.tools.map(({ function: { name } }: any) => name)).toEqual(["bash", "str_replace_based_edit_tool", "look_up"]);
  expect(body.tools[0].function.parameters.properties).toHaveProperty("command");
  expect(JSON.stringify(body)).not.toContain("bash_20250124");
});

test("only names pass as features on trial; without any no header is sent", async () => {
  const ask = (beta: string | undefined) =>
    gateway.send(
      key,
      "POST",
      "/v1/messages",
      { model: "claude-sonnet-4-6", max_tokens: 50, messages: asked.messages },
      beta ? { "anthropic-beta": beta } : {},
    );
  await ask("good-2026-01-01, b@d, {x:1}, also.good_2");
  await ask("alone-2026-01-01");
  await ask("; drop");
  await ask(undefined);
  const sent = upstream.seen.map(({ headers }) => headers.get("anthropic-beta"));
  expect(sent).toEqual(["good-2026-01-01,also.good_2", "alone-2026-01-01", null, null]);
});

test("a feature that the provider does not know is left out, for that request", async () => {
  const message = "Unexpected value(s) `interleaved-thinking-2025-05-14` for the `anthropic-beta` header.";
  upstream.answer(json({ type: "error", error: { type: "invalid_request_error", message } }, 400), ANSWERED);
  for (const _ of [1, 2]) await client.beta.messages.create({ ...asked, context_management: null });
  expect(upstream.seen.map(({ headers }) => headers.has("anthropic-beta"))).toEqual([true, false, true]);
});

test("a tool that runs at Anthropic is left out, though `tool_choice` names it, and nothing fails", async () => {
  const fetching = { type: "web_fetch_20250910" as const, name: "web_fetch" as const, max_uses: 8 } as unknown as Anthropic.Tool;
  const choice = { tool_choice: { type: "tool" as const, name: "web_fetch" } };
  const request = { model: "claude-sonnet-4-6", max_tokens: 500, messages: asked.messages };
  await client.messages.create({ ...request, ...choice, tools: [fetching] });
  await client.messages.create({ ...request, ...choice, tools: [fetching, asked.tools[3] as Anthropic.Tool] });
  expect(upstream.seen.map(({ body }) => [body.tools?.length, body.tool_choice?.type])).toEqual([
    [undefined, undefined],
    [1, "auto"],
  ]);
  const toolset = { type: "mcp_toolset", mcp_server_name: "x" };
  expect((await client.messages.create({ ...request, tools: [toolset as any] })).stop_reason).toBe("end_turn");
});

test("what such a tool did in an earlier answer is passed over, and what was said of it stays", async () => {
  await client.messages.create({
    model: "claude-sonnet-4-6",
    max_tokens: 500,
    messages: [
      asked.messages[0]!,
      {
        role: "assistant",
        content: [
          { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "rails" } },
          { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
          { type: "text", text: "Rails are of steel." },
        ],
      },
      asked.messages[0]!,
    ],
  });
  expect(upstream.seen[0]!.body.messages[1].content).toEqual([{ type: "text", text: "Rails are of steel." }]);
});

test("servers that Anthropic would ask, and tools without a name, are refused with what to do instead", async () => {
  const send = async (more: object) => {
    const body = { model: "claude-sonnet-4-6", max_tokens: 50, messages: asked.messages, ...more };
    const response = await gateway.send(key, "POST", "/v1/messages", body);
    return [response.status, ((await response.json()) as any).error.message];
  };
  expect(await send({ mcp_servers: [{ type: "url", url: "https://example.org/mcp", name: "x" }] })).toEqual([
    400,
    expect.stringContaining("`mcp_servers`"),
  ]);
  expect(await send({ tools: [{ input_schema: { type: "object" } }] })).toEqual([400, expect.stringContaining("`tools.0.name`")]);
  expect(upstream.seen.length).toBe(0);
});

test("a stream begins with what the provider has said of the prompt's tokens, if it has said anything", async () => {
  const startUsage = async (usage: object) => {
    upstream.answer(
      sse(
        [
          { type: "message_start", message: { id: "msg", content: [], usage } },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Done." } },
          { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
          { type: "message_stop" },
        ],
        { eventNames: true, done: false },
      ),
    );
    const [begun] = await Array.fromAsync(await client.messages.create({ ...asked, tools: [], stream: true }));
    return (begun as Anthropic.RawMessageStartEvent).message.usage;
  };
  const said = { input_tokens: 50, cache_read_input_tokens: 7, cache_creation_input_tokens: 3 };
  expect(await startUsage({ ...said, output_tokens: 1 })).toMatchObject({ ...said, output_tokens: 0 });
  expect((await startUsage({ input_tokens: 0, output_tokens: 0 })).input_tokens).toBeGreaterThan(0);
});

test("OpenAI's callers, too, are told what the cache was read and written for", async () => {
  const usage = { input_tokens: 50, cache_read_input_tokens: 7, cache_creation_input_tokens: 3, output_tokens: 2 };
  upstream.answer(json({ type: "message", content: [{ type: "text", text: "Done." }], stop_reason: "end_turn", usage }));
  const body = { model: "claude-sonnet-4-6", messages: [{ role: "user", content: "Go on." }] };
  const answer = (await (await gateway.send(key, "POST", "/v1/chat/completions", body)).json()) as any;
  expect(answer.usage).toMatchObject({
    prompt_tokens: 60,
    prompt_tokens_details: { cached_tokens: 7, cache_write_tokens: 3, audio_tokens: 0 },
  });
});

test("a tool that failed is told apart at Anthropic, and in words at other vendors", async () => {
  const call = { type: "tool_use" as const, id: "toolu_1", name: "look_up", input: {} };
  const failed = { type: "tool_result" as const, tool_use_id: "toolu_1", content: "No such page.", is_error: true };
  const messages = [
    ...asked.messages,
    { role: "assistant" as const, content: [call] },
    { role: "user" as const, content: [failed] },
  ];
  await client.messages.create({ model: asked.model, max_tokens: 50, messages });
  expect(upstream.seen[0]!.body.messages.at(-1).content[0]).toMatchObject({ tool_use_id: "toolu_1", is_error: true });
  await client.messages.create({ model: "gpt-4o-mini", max_tokens: 50, messages });
  expect(openai.seen[0]!.body.messages.at(-1)).toEqual({
    role: "tool",
    tool_call_id: "toolu_1",
    content: "Error: No such page.",
  });
});
