/** What OpenAI's Responses say in items, as the messages of a conversation. */

import { expect, test } from "bun:test";
import { ApiError } from "../../../src/api-error.ts";
import { checkUrls } from "../../../src/chat/request/check-media.ts";
import { compactionItems } from "../../../src/compat/responses/compaction.ts";
import { readResponsesBody } from "../../../src/compat/responses/read-responses-body.ts";
import type { ResponsesBody } from "../../../src/compat/responses/wire.ts";

const read = (body: Partial<ResponsesBody>) => readResponsesBody({ input: "hi", ...body }, "/v1/responses");
const messagesOf = (input: unknown) => read({ input: input as ResponsesBody["input"] }).request.messages;
const refusalOf = (input: unknown): [string | undefined, string] => complaintOf(() => messagesOf(input));
const complaintOf = (attempt: () => unknown): [string | undefined, string] => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ApiError) return [error.options.param, error.message];
    throw error;
  }
  throw new Error("It was read.");
};

const call = (id: string, name = "look") => ({ type: "function_call", call_id: id, name, arguments: "{}" });
const output = (id: string, value: unknown = "done") => ({ type: "function_call_output", call_id: id, output: value });
const toolCall = (id: string) => ({ id, name: "look", arguments: "{}" });
const PIXEL = "data:image/png;base64,iVBORw0KGgo=";
const PDF = "JVBERi0xLjQK";

test("a text is the user's, after the instructions", () => {
  expect(read({ instructions: "Be brief." }).request.messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "hi" },
  ]);
});

test("the assistant's words and calls in a row are one message; reasoning between them is left out", () => {
  expect(
    messagesOf([
      { role: "user", content: "Go." },
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me look." }] },
      call("a"),
      { type: "reasoning", id: "rs_2", summary: [] },
      call("b"),
      output("a"),
      output("b"),
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
    ]),
  ).toEqual([
    { role: "user", content: "Go." },
    { role: "assistant", content: "Let me look.", toolCalls: [toolCall("a"), toolCall("b")] },
    { role: "tool", toolCallId: "a", content: "done" },
    { role: "tool", toolCallId: "b", content: "done" },
    { role: "assistant", content: "No." },
  ]);
});

test("words after a call stand before its result, in the message of the call", () => {
  expect(messagesOf([call("a"), { role: "assistant", content: "Looking." }, output("a")])).toEqual([
    { role: "assistant", content: "Looking.", toolCalls: [toolCall("a")] },
    { role: "tool", toolCallId: "a", content: "done" },
  ]);
});

test("two answers one after the other stay two, and an empty one is none", () => {
  expect(
    messagesOf([
      { role: "assistant", content: "One." },
      { role: "assistant", content: "Two." },
      { role: "assistant", content: [{ type: "output_text", text: "" }] },
      { role: "user", content: [] },
    ]),
  ).toEqual([
    { role: "assistant", content: "One." },
    { role: "assistant", content: "Two." },
  ]);
});

test("pictures that functions returned are shown by the user, after all results", () => {
  expect(
    messagesOf([
      call("a"),
      call("b"),
      output("a", [
        { type: "input_text", text: "A chart." },
        { type: "input_image", image_url: PIXEL, detail: "original" },
      ]),
      output("b"),
      { role: "user", content: "And?" },
    ]).slice(1),
  ).toEqual([
    {
      role: "tool",
      toolCallId: "a",
      content: [
        { type: "text", text: "A chart." },
        { type: "image", url: PIXEL, detail: "high" },
      ],
    },
    { role: "tool", toolCallId: "b", content: "done" },
    { role: "user", content: "And?" },
  ]);
});

test("pictures, PDFs, text and sound may stand in the user's message", () => {
  const content = [
    { type: "input_text", text: "See." },
    { type: "input_image", image_url: PIXEL },
    { type: "input_file", filename: "a.pdf", file_data: `data:application/pdf;base64,${PDF}` },
    { type: "input_file", filename: "a.csv", file_data: `data:text/csv;base64,${btoa("a,b")}` },
    { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
  ];
  expect(messagesOf([{ role: "user", content }])).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "See." },
        { type: "image", url: PIXEL },
        { type: "document", mediaType: "application/pdf", data: PDF, name: "a.pdf" },
        { type: "text", text: "a.csv\n\na,b" },
        { type: "audio", data: "UklGRg==", format: "wav" },
      ],
    },
  ]);
});

test("what OpenAI's own tools did in an earlier answer is passed by", () => {
  const found = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "rails" } };
  const said = { role: "assistant", content: [{ type: "output_text", text: "Steel." }] };
  const shell = { type: "local_shell_call", call_id: "s", status: "completed", action: { type: "exec", command: ["ls"] } };
  const listed = { type: "function_call_output", call_id: "s", output: "rails.txt" };
  const snapshot = { type: "ghost_snapshot", ghost_commit: {} };
  const input = [{ role: "user", content: "Of what?" }, found, shell, listed, snapshot, said, { role: "user", content: "Sure?" }];
  expect(messagesOf(input)).toEqual([
    { role: "user", content: "Of what?" },
    { role: "assistant", content: "Steel." },
    { role: "user", content: "Sure?" },
  ]);
});

test("a tool that takes any text is a function of one, in earlier calls too", () => {
  const grammar = { type: "grammar", syntax: "lark", definition: "start: WORD" };
  const tools = [
    { type: "custom" as const, name: "sql", description: "Runs a query.", format: grammar },
    {
      type: "namespace" as const,
      name: "db",
      description: "Our data.",
      tools: ["note", "mark"].map((name) => ({ type: "custom" as const, name })),
    },
  ];
  const input = [
    { role: "user", content: "All users." },
    { type: "custom_tool_call", call_id: "a", name: "sql", input: 'SELECT "name";' },
    { type: "custom_tool_call_output", call_id: "a", output: "Ann" },
    { type: "custom_tool_call", call_id: "b", name: "note", namespace: "db", input: "" },
    { type: "custom_tool_call_output", call_id: "b", output: "done" },
  ];
  const { request } = read({ input: input as ResponsesBody["input"], tools, tool_choice: { type: "custom", name: "sql" } });
  const parameters = {
    type: "object",
    properties: { input: { type: "string" } },
    required: ["input"],
    additionalProperties: false,
  };
  expect(request.tools).toEqual([
    { name: "sql", description: "Runs a query.\n\nThe input must fit this lark grammar:\nstart: WORD", parameters },
    { name: "db__note", description: "Our data.", parameters },
    { name: "db__mark", parameters },
  ]);
  expect(request.toolChoice).toEqual({ name: "sql" });
  expect(request.messages.slice(1)).toEqual([
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "a", name: "sql", arguments: '{"input":"SELECT \\"name\\";"}' }],
    },
    { role: "tool", toolCallId: "a", content: "Ann" },
    { role: "assistant", content: "", toolCalls: [{ id: "b", name: "db__note", arguments: '{"input":""}' }] },
    { role: "tool", toolCallId: "b", content: "done" },
  ]);
});

test("tools that would run at OpenAI are left out, and cannot be demanded", () => {
  const look = { type: "function" as const, name: "look_up" };
  const tools = [
    { type: "web_search" },
    look,
    { type: "namespace" as const, name: "db", tools: [{ type: "mcp" }, { type: "namespace" }] },
  ];
  const { request, ignored } = read({ input: "hi", tools, tool_choice: { type: "web_search" } });
  expect([request.tools?.map(({ name }) => name), request.toolChoice]).toEqual([["look_up"], "auto"]);
  expect(ignored).toEqual(["tools.0", "tools.2.tools.0", "tools.2.tools.1"]);

  const allowed = (...of: { type: "function"; name: string }[] | { type: string }[]) =>
    read({ input: "hi", tools, tool_choice: { type: "allowed_tools", mode: "required", tools: of } }).request;
  expect(allowed({ type: "web_search" }, look)).toMatchObject({ tools: [{ name: "look_up" }], toolChoice: "required" });
  expect(allowed({ type: "web_search" })).toMatchObject({ toolChoice: "none" });
  expect(read({ input: "hi", tools: [{ type: "web_search" }], tool_choice: "required" }).request).not.toHaveProperty("tools");
});

test("tools and settings may come within the conversation, the last ones count", () => {
  const tool = (name: string, description: string) => ({ type: "function" as const, name, description });
  const schema = { type: "object" };
  const { request, schemaField } = read({
    tools: [tool("look_up", "old")],
    reasoning: { effort: "low" },
    input: [
      { role: "user", content: "hi" },
      { type: "additional_tools", tools: [tool("look_up", "new"), { type: "web_search" }] },
      // OpenAI's own search, which no result answers.
      { type: "tool_search_call", execution: "server", call_id: "s", arguments: {} },
      {
        type: "tool_search_output",
        execution: "server",
        call_id: "s",
        tools: [{ type: "namespace", name: "db", tools: [tool("query", "asks")] }],
      },
      { type: "configuration_update", reasoning: { effort: "high" } },
      { type: "configuration_update", text: { format: { type: "json_schema", name: "a", schema } } },
    ],
  });
  expect(request.messages).toEqual([{ role: "user", content: "hi" }]);
  expect(request.tools).toEqual([
    { name: "look_up", description: "new" },
    { name: "db__query", description: "asks" },
  ]);
  expect([request.reasoningEffort, request.outputFormat]).toEqual(["high", expect.objectContaining({ schema })]);
  expect(schemaField).toBe("input.5.text.format.schema");
});

test("a function is strict unless it says otherwise, as at OpenAI", () => {
  const parameters = { type: "object", properties: {} };
  const tool = (name: string, strict?: boolean | null) => ({ type: "function" as const, name, parameters, strict });
  const { request } = read({ tools: [tool("a"), tool("b", null), tool("c", false), { type: "function", name: "d" }] });
  expect(request.tools?.map(({ strict }) => strict)).toEqual([true, true, false, undefined]);
});

test("a function that OpenAI's tool search found alone has its own name, whatever its namespace", () => {
  const tool = { type: "function" as const, name: "look", defer_loading: true };
  const found = { ...call("a"), namespace: "look" };
  const { request } = read({ tools: [tool], input: [found, output("a")] as ResponsesBody["input"] });
  expect(request.tools).toEqual([{ name: "look" }]);
  expect(request.messages[0]).toEqual({ role: "assistant", content: "", toolCalls: [toolCall("a")] });
});

test("what was thought goes back with the calls of its own turn only", () => {
  const thought = (text: string) => ({ type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text }] });
  const messages = messagesOf([
    { role: "user", content: "hi" },
    thought("A greeting."),
    { role: "assistant", content: "Hello." },
    { role: "user", content: "Look." },
    thought("I must look."),
    { role: "assistant", content: "Let me look." },
    call("a", "look"),
  ]);
  expect(messages.flatMap((message) => ("thoughts" in message ? [message.thoughts] : []))).toMatchObject([
    [{ thought: { text: "I must look." } }],
  ]);
});

test("the description of a format reaches models with its schema", () => {
  const format = { type: "json_schema" as const, name: "menu", description: "Tonight's menu." };
  const described = (schema: Record<string, unknown>) => read({ text: { format: { ...format, schema } } }).request.outputFormat;
  expect(described({ type: "object" })).toMatchObject({ schema: { type: "object", description: "Tonight's menu." } });
  const own = { type: "object", description: "A menu." };
  expect(described(own)).toMatchObject({ schema: own });
});

test("a trigger asks for a summary, with tools that are not called and no format; the item with it stands for the conversation", () => {
  const tool = { type: "function" as const, name: "look", parameters: { type: "object" } };
  const format = { type: "json_schema" as const, schema: { type: "object" } };
  const asked = { tools: [tool], tool_choice: "required" as const, text: { format } };
  const { request, schemaField } = read({ ...asked, input: [{ role: "user", content: "Go." }, { type: "compaction_trigger" }] });
  expect(request.messages.map(({ role }) => role)).toEqual(["user", "user"]);
  expect(request.messages[1]!.content).toStartWith("Summarize the conversation");
  expect(request).toMatchObject({ toolChoice: "none", tools: [{ name: "look" }] });
  expect([schemaField, request.outputFormat]).toEqual([undefined, undefined]);
  const update = { type: "configuration_update" as const, text: { format } };
  const input: ResponsesBody["input"] = [{ role: "user", content: "Go." }, update, { type: "compaction_trigger" }];
  expect(read({ input }).schemaField).toBeUndefined();
  const [item] = compactionItems("call_01", "Café: line 42 is open.", "completed");
  expect(messagesOf([item, { role: "user", content: "Go on." }])).toEqual([
    { role: "system", content: "Summary of the conversation until here:\nCafé: line 42 is open." },
    { role: "user", content: "Go on." },
  ]);
  expect(compactionItems("call_01", " \n", "completed")).toEqual([]);
  expect(compactionItems("call_01", "The user wants", "incomplete")).toEqual([]);
  expect(compactionItems("call_01", "I cannot help with that.", "completed", "I cannot help with that.")).toEqual([]);
});

test("what cannot be read is refused where it stands", () => {
  expect(refusalOf([])).toEqual(["input", expect.any(String)]);
  expect(refusalOf([{ type: "reasoning", id: "rs_1", summary: [] }])).toEqual(["input", expect.any(String)]);
  expect(refusalOf([{ role: "user", content: "hi" }, output("a")])).toEqual([
    "input.1.call_id",
    expect.stringContaining("whole"),
  ]);
  for (const named of [{ type: "item_reference" }, {}])
    expect(refusalOf([{ ...named, id: "msg_1" }])).toEqual(["input.0.id", expect.stringContaining("store: false")]);
  expect(refusalOf([{ type: "compaction", encrypted_content: "gAAAA" }])).toEqual([
    "input.0.encrypted_content",
    expect.stringContaining("not made here"),
  ]);
  expect(refusalOf([{ type: "compaction_trigger" }])[0]).toBe("input");
  const refusePart = (part: object, role = "user") =>
    complaintOf(() => checkUrls(read({ input: [{ role, content: [part] }] as ResponsesBody["input"] }).request, []))[0];
  expect(refusePart({ type: "input_image", file_id: "file_1" })).toBe("input.0.content.0.image_url");
  expect(refusePart({ type: "input_image", image_url: "file:///etc/passwd" })).toBe("input.0.content.0.image_url");
  expect(refusePart({ type: "input_image", image_url: "http://127.0.0.1/a.png" })).toBe("input.0.content.0.image_url");
  expect(refusePart({ type: "input_file", file_id: "file_1" })).toBe("input.0.content.0.file_data");
  expect(refusePart({ type: "input_file", file_url: "http://127.0.0.1/a.pdf" })).toBe("input.0.content.0.file_url");
  expect(refusePart({ type: "input_file", file_data: "data:image/png;base64,aGk=" })).toBe("input.0.content.0.file_data");
  expect(refusePart({ type: "input_image", image_url: PIXEL }, "assistant")).toBe("input.0.content.0.type");
});

test("fields that say the same as chat's mean the same", () => {
  const { request, ...input } = read({
    model: "auto",
    max_output_tokens: 50,
    reasoning: { effort: "xhigh" },
    text: { format: { type: "json_schema", schema: { type: "object" }, strict: true }, verbosity: "low" },
    safety_identifier: "s7",
    metadata: { user_id: "u7" },
    max_cost_per_call: 0.01,
    document_ids: ["doc_1"],
    session_id: "s1",
    tools: [],
    tool_choice: "required",
  });
  expect(request).toEqual({
    messages: [{ role: "user", content: "hi" }],
    maxOutputTokens: 50,
    reasoningEffort: "xhigh",
    verbosity: "low",
    user: "s7",
    outputFormat: { type: "schema", name: "answer", schema: { type: "object" }, strict: true },
  });
  expect(input).toMatchObject({
    route: "/v1/responses",
    schemaField: "text.format.schema",
    custom: { user_id: "u7" },
    userId: "u7",
    ceilingNanoUsd: 10_000_000,
    documents: [{ id: "doc_1", param: "document_ids.0" }],
    sessionId: "s1",
  });
  expect(input.pinnedModel).toBeUndefined();
});

test("allowed tools are the only ones offered, and may be demanded", () => {
  const tools = ["a", "b", "c"].map((name) => ({ type: "function" as const, name, parameters: {} }));
  const allow = (...names: string[]) =>
    read({
      tools,
      tool_choice: { type: "allowed_tools", mode: "required", tools: names.map((name) => ({ type: "function", name })) },
    });
  expect(allow("c", "a").request.tools?.map(({ name }) => name)).toEqual(["a", "c"]);
  expect(allow("a").request.toolChoice).toBe("required");
  expect(complaintOf(() => allow("a", "x"))[0]).toBe("tool_choice.tools");
  expect(complaintOf(() => read({ tools, tool_choice: { type: "function", name: "x" } }))[0]).toBe("tool_choice.name");
});

test("what a model drew is a picture of the assistant's, by its bytes or by the address that its vendor gave", () => {
  const drawn = (result: string | null) => ({ type: "image_generation_call", id: "ig_1", status: "completed", result });
  const url = "https://pictures.example.com/fox.png";
  const pixel = PIXEL.slice(PIXEL.indexOf(",") + 1);
  const input = [drawn(pixel), drawn(url), drawn(null), { role: "user", content: "Make it blue." }];
  expect(messagesOf(input)).toEqual([
    { role: "assistant", content: [{ type: "image", url: PIXEL }] },
    { role: "assistant", content: [{ type: "image", url, param: "input.1.result" }] },
    { role: "user", content: "Make it blue." },
  ]);
});
