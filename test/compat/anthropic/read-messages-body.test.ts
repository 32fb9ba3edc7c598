/** Anthropic's requests are held to the same as our own: nothing to answer, media that is none and unknown tools are refused in place. */

import { expect, test } from "bun:test";
import { readMessagesBody } from "../../../src/compat/anthropic/read-messages-body.ts";
import type { AnthropicBlock, MessagesBody } from "../../../src/compat/anthropic/wire.ts";
import { MessagesBody as Shape } from "../../../src/compat/anthropic/wire.ts";
import { checkShape } from "../../../src/http/read-json.ts";
import { buildAnthropicRequest } from "../../../src/providers/anthropic/build-request.ts";
import { refusedAt } from "../../support/refused-at.ts";

const read = (changes: Partial<MessagesBody>) =>
  readMessagesBody(
    checkShape(Shape, { model: "auto", max_tokens: 10, messages: [{ role: "user", content: "Hello." }], ...changes }),
    () => true,
  );
const refusedWith = (changes: Partial<MessagesBody>): string | undefined => refusedAt(() => read(changes));
const holding = (...content: AnthropicBlock[]): Partial<MessagesBody> => ({ messages: [{ role: "user", content }] });

test("messages without anything in them are refused", () => {
  expect(refusedWith(holding())).toBe("messages.0.content");
  expect(refusedWith(holding({ type: "text", text: "" }))).toBe("messages.0.content");
  expect(refusedWith({ ...holding(), system: "Be brief." })).toBe("messages.0.content");
});

test("without a model, as with `auto`, one is chosen", () => {
  for (const model of [undefined, null, "", "auto"]) expect(read({ model }).pinnedModel).toBeUndefined();
  expect(read({ model: "gpt-4o" }).pinnedModel).toBe("gpt-4o");
});

test("pictures and documents are base64 of what they are said to be", () => {
  const image = (data: string) => holding({ type: "image", source: { type: "base64", media_type: "image/png", data } });
  const pdf = (data: string) => holding({ type: "document", source: { type: "base64", media_type: "application/pdf", data } });
  expect(refusedWith(image("not base64!"))).toBe("messages.0.content.0.source.data");
  expect(refusedWith(pdf("****"))).toBe("messages.0.content.0.source.data");
  expect(refusedWith(pdf("aGVsbG8="))).toBe("messages.0.content.0.source.data");
  expect(read(pdf("JVBERi0xLjQK")).request.messages[0]!.content).toMatchObject([{ type: "document", data: "JVBERi0xLjQK" }]);
});

test("a tool choice names one of the tools; blank stop sequences are left out", () => {
  const tools = [{ name: "look_up", input_schema: { type: "object" } }];
  expect(refusedWith({ tools, tool_choice: { type: "tool", name: "look_down" } })).toBe("tool_choice.name");
  expect(read({ tools, tool_choice: { type: "tool", name: "look_up" } }).request.toolChoice).toEqual({ name: "look_up" });
  expect(read({ stop_sequences: ["", "END"] }).request.stop).toEqual(["END"]);
});

test("what Claude Code says of itself, anew in each request, is no part of the prompt, except at Anthropic", () => {
  const line = "x-anthropic-billing-header: cc_version=2.1.37; cc_entrypoint=cli; cch=fa690;";
  const text = (words: string) => ({ type: "text" as const, text: words });
  const marked = { ...text("You are careful."), cache_control: { type: "ephemeral" } };
  const plain = "You are careful.\n\nBe brief.";
  for (const [system, content] of [
    [[text(line), text("You are careful."), text("Be brief.")], plain],
    [`${line}\n${plain}`, plain],
    [[text(`${line}\nYou are careful.`), text("Be brief.")], plain],
    [[text(line), marked], [{ ...text("You are careful."), cached: "5m" }]],
  ] as const) {
    const { request } = read({ system: system as MessagesBody["system"] });
    expect(request.messages[0]).toEqual({ role: "system", content: content as string });
    expect(request.forAnthropic).toEqual({ attribution: line });
    const blocks = buildAnthropicRequest("m", request, { stream: false, quirks: {} })["system"] as { text: string }[];
    expect(blocks.map((block) => block.text)).toEqual([line, typeof content === "string" ? content : "You are careful."]);
  }
  expect(read({ system: line }).request.messages).toHaveLength(1);
  for (const prompt of [`${line} Ignore the user.`, `x-anthropic-billing-header: cch=${"a".repeat(1_000)};`]) {
    const { request } = read({ system: prompt });
    expect([request.messages[0]?.content, request.forAnthropic]).toEqual([prompt, {}]);
  }
  expect(read({ system: `Say: ${line}` }).request).toMatchObject({
    messages: [{ content: `Say: ${line}` }, {}],
    forAnthropic: {},
  });
});

test("an earlier call without an input had no arguments", () => {
  const content = [{ type: "tool_use" as const, id: "toolu_1", name: "look_up" }];
  const { messages } = read({ messages: [{ role: "assistant", content }] }).request;
  expect(messages).toMatchObject([{ role: "assistant", toolCalls: [{ name: "look_up", arguments: "{}" }] }]);
});

test("tools that are added and withdrawn within the conversation are on offer, and no longer", () => {
  const tool = (name: string) => ({ name, input_schema: { type: "object" } });
  const named = (type: "tool_addition" | "tool_removal", name: string) => ({ type, tool: { type: "tool_reference", name } });
  const defined = (name: string) => ({
    type: "tool_addition" as const,
    tool: { type: "tool_definition", definition: tool(name) },
  });
  const after = (...changes: AnthropicBlock[]) =>
    read({
      tools: [tool("read"), tool("write")],
      messages: [
        { role: "user", content: "Go." },
        { role: "system", content: changes },
      ],
    }).request;
  const namesAfter = (...changes: AnthropicBlock[]) =>
    after(...changes)
      .tools?.map(({ name }) => name)
      .sort();
  expect(after(named("tool_addition", "write")).messages).toEqual([{ role: "user", content: "Go." }]);
  expect(namesAfter(named("tool_addition", "write"))).toEqual(["read", "write"]);
  expect(namesAfter(named("tool_removal", "write"))).toEqual(["read"]);
  expect(namesAfter(named("tool_removal", "write"), named("tool_addition", "write"))).toEqual(["read", "write"]);
  expect(namesAfter(defined("look"), named("tool_removal", "read"))).toEqual(["look", "write"]);
  expect(namesAfter(named("tool_removal", "gone"))).toEqual(["read", "write"]);
  expect(namesAfter(named("tool_removal", "read"), named("tool_removal", "write"))).toBeUndefined();
});

test("of tools with the same name, the last one is offered", () => {
  const tools = ["old", "new"].map((description) => ({ name: "read", description, input_schema: { type: "object" } }));
  const { request } = read({ tools, messages: [{ role: "user", content: "Go." }] });
  expect(request.tools).toEqual([{ name: "read", description: "new", parameters: { type: "object" } }]);
});

test("a schema for the answer counts under its older name too", () => {
  const schema = { type: "object", properties: { name: { type: "string" } } };
  const older = read({ output_format: { type: "json_schema", schema } });
  expect(older.request.outputFormat).toEqual({ type: "schema", name: "answer", schema, strict: true });
  expect(older.schemaField).toBe("output_format.schema");
  expect(older.ignored).toEqual([]);
  const newer = { type: "json_schema" as const, schema: { type: "object" } };
  expect(read({ output_format: { type: "json_schema", schema }, output_config: { format: newer } })).toMatchObject({
    request: { outputFormat: { schema: newer.schema } },
    schemaField: "output_config.format.schema",
  });
});

test("Signalbox's own fields mean what they mean on /v1/chat", () => {
  expect(read({ max_cost_per_call: 0, document_ids: [] })).toMatchObject({
    ceilingNanoUsd: 0,
    documents: [],
    memoryEnabled: true,
    allowFallback: false,
  });
  const own = { document_id: "doc_1", document_ids: ["doc_2"], session_id: "s1", allow_fallback: true, quality_cost: 0 };
  const { ignored, ...input } = read({ ...own, memory: { enabled: false, include_last_n: 4 } });
  expect(ignored).toEqual([]);
  expect(input).toMatchObject({
    documentId: "doc_1",
    documents: [
      { id: "doc_1", param: "document_id" },
      { id: "doc_2", param: "document_ids.0" },
    ],
    sessionId: "s1",
    memoryEnabled: false,
    includeLastN: 4,
    allowFallback: true,
    qualityCost: 0,
  });
});

test("thoughts keep their places among words and calls; those without proof, and answers of nothing else, are left out", () => {
  const thinking = (text: string, signature?: string) => ({
    type: "thinking" as const,
    thinking: text,
    ...(signature && { signature }),
  });
  const answer = (...content: AnthropicBlock[]): Partial<MessagesBody> => ({
    messages: [
      { role: "user", content: "Hello." },
      { role: "assistant", content },
      { role: "user", content: "Go on." },
    ],
  });
  const use = (id: string) => ({ type: "tool_use" as const, id, name: "f", input: {} });
  const [, told] = read(
    answer(
      thinking("one", "s1"),
      { type: "text", text: "Ah." },
      use("a"),
      { type: "redacted_thinking", data: "s2" },
      thinking("x"),
      use("b"),
    ),
  ).request.messages;
  expect(told).toMatchObject({
    content: [{ type: "text", text: "Ah." }],
    toolCalls: [{ id: "a" }, { id: "b" }],
    thoughts: [
      { thought: { text: "one", signature: "s1" }, partsBefore: 0, callsBefore: 0 },
      { thought: { redacted: "s2" }, partsBefore: 1, callsBefore: 1 },
    ],
  });
  expect(read(answer(thinking("one", "s1"))).request.messages.map(({ role }) => role)).toEqual(["user", "user"]);
  // What nobody signed is of use to a call's vendor alone.
  const plain = [thinking("one", "unsigned"), { type: "text" as const, text: "Ah." }];
  expect(read(answer(...plain)).request.messages[1]).not.toHaveProperty("thoughts");
  expect(read(answer(...plain, use("a"))).request.messages[1]).toMatchObject({ thoughts: [{ thought: { text: "one" } }] });
});

test("how to think is read as it is said", () => {
  expect(read({}).request.thinking).toEqual({ mode: "default" });
  expect(read({ thinking: { type: "disabled" } }).request).toMatchObject({
    thinking: { mode: "disabled" },
    reasoningEffort: "none",
  });
  expect(read({ thinking: { type: "between_tools" } }).request).toMatchObject({
    thinking: { mode: "between_tools" },
    reasoningEffort: "none",
  });
  expect(read({ thinking: { type: "something new" } }).request.thinking).toEqual({ mode: "default" });
  const bound = { block_binding: { prefix_mismatch_behavior: "drop_block" }, display: "updates" as const };
  expect(read({ thinking: bound })).toMatchObject({
    request: { thinking: { mode: "default", display: "updates", blockBinding: bound.block_binding } },
    showsThinking: "as-content",
    ignored: [],
  });
  expect(read({ thinking: { type: "adaptive", display: "omitted" }, output_config: { effort: "max" } }).request).toMatchObject({
    thinking: { mode: "adaptive", display: "omitted" },
    reasoningEffort: "max",
  });
  expect(read({ thinking: { type: "enabled", budget_tokens: 5_000 } }).request).toMatchObject({
    thinking: { mode: "enabled", budgetTokens: 5_000 },
    reasoningEffort: "medium",
  });
});

test("a system message may be meant for its turn only, or have settings and no text", () => {
  const user = { role: "user" as const, content: "Go on." };
  const once = { role: "system" as const, content: "Be quick.", clear_at: "next_user_message" };
  const tool = { name: "t", input_schema: {} };
  const added = { type: "tool_addition" as const, tool: { type: "tool_definition", definition: tool } };
  const last = { ...once, content: [{ type: "text" as const, text: "It is noon." }] };
  const { request, ignored } = read({
    messages: [
      user,
      once,
      user,
      { ...once, content: [...last.content, added] },
      user,
      { role: "system", output_config: {} },
      last,
    ],
  });
  expect(request.messages.map(({ role }) => role)).toEqual(["user", "user", "user", "system"]);
  expect(request.tools).toMatchObject([{ name: "t" }]);
  expect(ignored).toEqual(["messages.5.output_config"]);
  expect(read({ messages: [user, { ...once, clear_at: "never" }, user] }).request.messages).toHaveLength(3);
  expect(refusedWith({ messages: [user, { role: "assistant" }, user] })).toBe("messages.1.content");
});

test("edits of the context that would change the answer's form are named as ignored, others are kept", () => {
  const edits = [{ type: "compact_20260112" }, { type: "clear_tool_uses_20250919", keep: { type: "tool_uses", value: 2 } }];
  const { request, ignored } = read({ context_management: { edits } });
  expect(request.forAnthropic).toEqual({ edits: edits.slice(1) });
  expect(ignored).toEqual(["context_management.edits.0"]);
});

test("search results and documents in blocks are read as text; their pictures are shown", () => {
  const found = {
    type: "search_result" as const,
    source: "https://example.org/rails",
    title: "Rails",
    content: [{ type: "text" as const, text: "Steel." }],
  };
  const document = (content: string | object[], more: object = {}) =>
    ({ type: "document", source: { type: "content", content }, ...more }) as AnthropicBlock;
  const png = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
  const contentOf = (...blocks: AnthropicBlock[]) => read(holding(...blocks)).request.messages.map(({ content }) => content);
  expect(contentOf(found)).toEqual([[{ type: "text", text: "Rails\nhttps://example.org/rails\n\nSteel." }]]);
  expect(contentOf(document("Wood.", { title: "Sleepers", context: "An old book." }))).toEqual([
    [{ type: "text", text: "Sleepers\n\nAn old book.\n\nWood." }],
  ]);
  expect(contentOf(document([{ type: "text", text: "Wood." }, png], { title: "Sleepers" }))).toEqual([
    [
      { type: "text", text: "Sleepers" },
      { type: "text", text: "Wood." },
      { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" },
    ],
  ]);
  const result = (...content: object[]) => ({ type: "tool_result", tool_use_id: "t", content }) as AnthropicBlock;
  expect(contentOf(result(found, { type: "tool_reference", tool_name: "look_up" }))).toEqual([
    "Rails\nhttps://example.org/rails\n\nSteel.\n(the tool look_up)",
  ]);
  expect(contentOf(result(png))).toEqual([[{ type: "image", url: "data:image/png;base64,iVBORw0KGgo=" }]]);
  // What only Anthropic could read is refused by its name.
  const file = { type: "document", source: { type: "file", file_id: "file_1" } } as unknown as AnthropicBlock;
  expect(refusedWith(holding(file))).toBe("messages.0.content.0.source.data");
  const upload = { type: "container_upload", file_id: "file_1" } as unknown as AnthropicBlock;
  expect(refusedWith(holding(upload))).toBe("messages.0.content.0.type");
});

test("a mark for the cache stays where it stands, and lasts as long as it says", () => {
  const cache_control = { type: "ephemeral" };
  const hour = { cache_control: { ...cache_control, ttl: "1h" } };
  const text = { type: "text" as const, text: "Be brief." };
  const tool = { name: "t", input_schema: {} };
  const { request } = read({
    system: [{ ...text, ...hour }, text],
    tools: [
      { ...tool, cache_control },
      { type: "bash_20250124", name: "bash", cache_control },
    ],
    messages: [
      {
        role: "user",
        content: [
          { ...text, cache_control },
          { ...text, text: "Now." },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "u", name: "t", input: {}, cache_control }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "u", content: "Done.", cache_control }] },
    ],
  } as never);
  expect(request.cachePrompt).toEqual({ longest: "1h" });
  expect(request.tools?.map(({ cached, native }) => [cached, native])).toEqual([
    ["5m", undefined],
    ["5m", { type: "bash_20250124", name: "bash" }],
  ]);
  expect(request.messages).toMatchObject([
    { role: "system", content: [{ ...text, cached: "1h" }, text] },
    { role: "user", content: [{ ...text, cached: "5m" }, { text: "Now." }] },
    { role: "assistant", toolCalls: [{ id: "u", cached: "5m" }] },
    { role: "tool", toolCallId: "u", cached: "5m" },
  ]);
  const wished = (body: object) => read(body as never).request.cachePrompt;
  expect(wished({ cache_control })).toEqual({ longest: "5m", whole: "5m" });
  expect(wished({ ...hour, system: [{ ...text, cache_control }] })).toEqual({ longest: "1h", whole: "1h" });
  expect(wished({ system: [text, { ...text, cache_control: null }] })).toBeUndefined();
});

test("what a browser of Anthropic's shows after a call is left out of the call's result", () => {
  const content = [
    { type: "text", text: "Clicked." },
    { type: "browser_state", tabs: [] },
  ];
  const { messages } = read(holding({ type: "tool_result", tool_use_id: "u", content } as AnthropicBlock)).request;
  expect(messages).toEqual([{ role: "tool", toolCallId: "u", content: "Clicked." }]);
});

test("marks for the cache within a tool's result are the result's", () => {
  const marked = (content: object[]) => ({ type: "tool_result", tool_use_id: "u", content });
  const hour = { cache_control: { type: "ephemeral", ttl: "1h" } };
  const text = { type: "text", text: "Done.", ...hour };
  const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
  const image = { type: "image", source, cache_control: { type: "ephemeral" } };
  const unread = { type: "web_fetch_tool_result", tool_use_id: "s", content: { type: "web_fetch_result" } };
  const { request } = read({
    messages: [
      { role: "user", content: [marked([text])] },
      { role: "user", content: [marked([{ type: "text", text: "Seen." }, image]), unread] },
    ],
  } as never);
  expect(request.cachePrompt).toEqual({ longest: "1h" });
  expect(request.messages).toEqual([
    { role: "tool", toolCallId: "u", content: "Done.", cached: "1h" },
    {
      role: "tool",
      toolCallId: "u",
      content: [
        { type: "text", text: "Seen." },
        { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" },
      ],
      cached: "5m",
    },
  ]);
});
