/** What a chat request says is checked before anything is spent on it, each complaint with its place. */

import { expect, test } from "bun:test";
import { readChatBody } from "../../../src/chat/request/read-chat-body.ts";
import { type ChatBody, ChatBody as Shape } from "../../../src/chat/wire.ts";
import { checkShape } from "../../../src/http/read-json.ts";
import { refusedAt } from "../../support/refused-at.ts";

const read = (changes: Partial<ChatBody>) =>
  readChatBody({ messages: [{ role: "user", content: "Hello." }], ...changes } as ChatBody, "/v1/chat");
const refusedWith = (changes: Partial<ChatBody>): string | undefined => refusedAt(() => read(changes));
const tools = [{ type: "function" as const, function: { name: "look_up" } }];

test("a tool choice names one of the tools", () => {
  const choice = (name: string) => ({ type: "function" as const, function: { name } });
  expect(read({ tools, tool_choice: choice("look_up") }).request.toolChoice).toEqual({ name: "look_up" });
  expect(refusedWith({ tools, tool_choice: choice("look_down") })).toBe("tool_choice.function.name");
});

test("`any`, as Mistral's clients write it, requires a tool", () => {
  expect(checkShape(Shape, { messages: [{ role: "user", content: "Hello." }], tools, tool_choice: "any" })).toBeDefined();
  expect(read({ tools, tool_choice: "any" }).request.toolChoice).toBe("required");
});

test("allowed tools are the only ones offered", () => {
  const named = (name: string) => ({ type: "function" as const, function: { name } });
  const { request } = read({
    tools: ["a", "b", "c"].map(named),
    tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [named("b")] } },
  });
  expect([request.tools, request.toolChoice]).toEqual([[{ name: "b" }], "auto"]);
  const unknown = { type: "allowed_tools" as const, allowed_tools: { mode: "auto" as const, tools: [named("x")] } };
  expect(refusedWith({ tools, tool_choice: unknown })).toBe("tool_choice.allowed_tools.tools");
});

test("a mark for the cache stays with its part, tool or message", () => {
  const text = { type: "text" as const, text: "Hello." };
  const marked = { ...text, cache_control: { type: "ephemeral" } };
  const hour = { ...text, cache_control: { type: "ephemeral", ttl: "1h" } };
  const f = { type: "function" as const, function: { name: "f" }, cache_control: { type: "ephemeral" } };
  const { request } = read({
    messages: [
      { role: "system", content: [hour, text] },
      { role: "user", content: [text, marked] },
      { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "c", content: [marked] },
    ],
    tools: [f],
  });
  expect(request.cachePrompt).toEqual({ longest: "1h" });
  expect(request.messages.slice(0, 2).map(({ content }) => content)).toEqual([
    [{ ...text, cached: "1h" }, text],
    [text, { ...text, cached: "5m" }],
  ]);
  expect(request.messages[3]).toMatchObject({ content: "Hello.", cached: "5m" });
  expect(request.tools).toEqual([{ name: "f", cached: "5m" }]);
  const breakpoints = [{ mode: "explicit" }, { mode: "explicit", ttl: "12h" }].map((prompt_cache_breakpoint) => ({
    ...text,
    prompt_cache_breakpoint,
  }));
  expect(read({ messages: [{ role: "user", content: breakpoints }] }).request).toEqual({
    messages: [
      {
        role: "user",
        content: [
          { ...text, cached: "5m" },
          { ...text, cached: "1h" },
        ],
      },
    ],
    cachePrompt: { longest: "1h" },
  });
  const plain = read({ messages: [{ role: "system", content: [text, text] }] }).request;
  expect(plain).toEqual({ messages: [{ role: "system", content: "Hello.\nHello." }] });
});

test("blank stop sequences are left out", () => {
  expect(read({ stop: "" }).request.stop).toBeUndefined();
  expect(read({ stop: ["", "END"] }).request.stop).toEqual(["END"]);
});

test("a `top_k` below 1, which switches it off elsewhere, has no effect", () => {
  expect([-1, 0, 40, null].map((top_k) => read({ top_k }).request.topK)).toEqual([undefined, undefined, 40, undefined]);
});

test("the end user is `user`, else the one in the metadata", () => {
  expect(read({ user: "ann", metadata: { user_id: "bob" } }).userId).toBe("ann");
  for (const user of [undefined, null, ""]) expect(read({ ...{ user }, metadata: { user_id: "bob" } }).userId).toBe("bob");
});

test("vendors are told the user's `safety_identifier` where there is no other id; the log is not", () => {
  const { request, userId } = read({ safety_identifier: "s7" });
  expect([request.user, userId]).toEqual(["s7", undefined]);
  expect(read({ user: "ann", safety_identifier: "s7" }).request.user).toBe("ann");
});

test("a file is a PDF, whatever it says it is", () => {
  const file = (data: string): Partial<ChatBody> => ({
    messages: [{ role: "user", content: [{ type: "file", file: { file_data: data } }] }],
  });
  const place = "messages.0.content.0.file.file_data";
  expect(read(file("data:application/pdf;base64,JVBERi0xLjQK")).request.messages[0]!.content).toMatchObject([
    { type: "document", data: "JVBERi0xLjQK" },
  ]);
  for (const data of ["data:image/png;base64,aGVsbG8=", "data:application/pdf;base64,aGVsbG8=", "aGVsbG8=", "no base64"]) {
    expect(refusedWith(file(data))).toBe(place);
  }
});

test("a PDF may be named by its URL, as for OpenRouter", () => {
  const url = "https://example.com/a.pdf";
  const file = { type: "file" as const, file: { file_data: url, filename: "a.pdf" } };
  expect(read({ messages: [{ role: "user", content: [file] }] }).request.messages[0]!.content).toMatchObject([
    { type: "document", name: "a.pdf", from: { url, param: "messages.0.content.0.file.file_data" } },
  ]);
});

test("a tool may return pictures beside text", () => {
  const image = { type: "image_url" as const, image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
  const contentOf = (content: Extract<ChatBody["messages"][number], { role: "tool" }>["content"]) =>
    read({ messages: [{ role: "tool", tool_call_id: "a", content }] }).request.messages[0]!.content;
  const text = (words: string) => ({ type: "text" as const, text: words });
  expect(contentOf([text("Seen:"), image])).toEqual([text("Seen:"), { type: "image", url: image.image_url.url }]);
  expect(contentOf([text("Nothing."), text("At all.")])).toBe("Nothing.\nAt all.");
});

test("a message of any role that has a name keeps it", () => {
  for (const role of ["user", "assistant", "system"] as const)
    expect(read({ messages: [{ role, content: "Hello.", name: "Ann" }] }).request.messages).toEqual([
      { role, content: "Hello.", name: "Ann" },
    ]);
});

test("an assistant's message says something, declines, calls, or says nothing, as clients keep an answer without words", () => {
  const call = { id: "a", type: "function" as const, function: { name: "look_up", arguments: "{}" } };
  const said = (message: object) => read({ messages: [{ role: "assistant", ...message } as never] }).request.messages[0]!.content;
  expect([said({ refusal: "No." }), said({ tool_calls: [call] }), said({ content: "" })]).toEqual(["No.", "", ""]);
  expect([said({ content: null }), said({ content: null, tool_calls: [] }), said({ reasoning_content: "Hm" })]).toEqual([
    "",
    "",
    "",
  ]);
});

test("thinking that a client of Mistral's sends back is left out", () => {
  const thinking = { type: "thinking", thinking: [{ type: "text", text: "One and one." }] };
  const answered = { role: "assistant", content: [thinking, { type: "text", text: "Two." }], prefix: false };
  const messages = [{ role: "user", content: "1 + 1?" }, answered, { role: "user", content: "Sure?" }];
  expect(read(checkShape(Shape, { messages })).request.messages[1]).toEqual({ role: "assistant", content: "Two." });
});

test("a file of text is read as text, under its name", () => {
  const file = (file_data: string, filename?: string): Partial<ChatBody> => ({
    messages: [{ role: "user", content: [{ type: "file", file: { file_data, ...(filename && { filename }) } }] }],
  });
  const text = (...of: Parameters<typeof file>) => read(file(...of)).request.messages[0]!.content;
  const bytes = Buffer.from("\ufeffgrün").toString("base64");
  expect(text(`data:text/markdown;charset=utf-8;base64,${bytes}`, "notes.md")).toEqual([
    { type: "text", text: "notes.md\n\ngrün" },
  ]);
  expect(text(`data:application/json;base64,${btoa("{}")}`)).toEqual([{ type: "text", text: "{}" }]);
  const place = "messages.0.content.0.file.file_data";
  for (const data of [`data:text/plain;base64,${btoa("\xfc")}`, "data:text/plain;base64,?", "data:text/plain,hello"])
    expect(refusedWith(file(data))).toBe(place);
});

test("a picture's type has its registered name, and its base64 no line breaks", () => {
  const image = (url: string) =>
    read({ messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] }).request.messages[0]!.content;
  expect(image("data:image/JPG;base64,iVBO\r\nRw0K")).toEqual([{ type: "image", url: "data:image/jpeg;base64,iVBORw0K" }]);
  expect(image("data:image/gif;base64,R0lG-_8")).toEqual([{ type: "image", url: "data:image/gif;base64,R0lG+/8=" }]);
  for (const torn of ["R0lGO", "R0lGO===", "R=lG", "===="])
    expect(() => image(`data:image/gif;base64,${torn}`)).toThrow("not valid base64");
});

test("a picture is what its bytes are, whatever its URL calls it and says beside", () => {
  const image = (url: string) =>
    read({ messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] }).request.messages[0]!.content;
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptV";
  for (const head of ["image/jpeg", "image/png;name=a.png;charset=utf-8", "application/octet-stream", ""])
    expect(image(`data:${head};base64,${png}`)).toEqual([{ type: "image", url: `data:image/png;base64,${png}` }]);
  for (const url of [
    `data:image/svg+xml;base64,${btoa("<svg onload='alert(1)'/>")}`,
    `data:text/html;base64,${btoa("<script>")}`,
  ])
    expect(() => image(url)).toThrow("PNG, JPEG, GIF or WebP");
});

test("the detail of a picture in its original size is the highest that all have", () => {
  const url = "data:image/png;base64,iVBORw0KGgo=";
  const seen = ["original", "low"].map((detail) => {
    const content = [{ type: "image_url", image_url: { url, detail } }];
    return read(checkShape(Shape, { messages: [{ role: "user", content }] })).request.messages[0]!.content;
  });
  expect(seen).toEqual([[{ type: "image", url, detail: "high" }], [{ type: "image", url, detail: "low" }]]);
});

test("metadata is stored as a whole, up to 16,384 characters, however they are shared out", () => {
  const custom = Object.fromEntries(Array.from({ length: 16 }, (_, number) => [`key ${number}`, "x".repeat(512)]));
  expect(read({ metadata: custom }).custom).toEqual(custom);
  const names = Object.fromEntries(Array.from({ length: 5_000 }, (_, number) => [`${number}`, ""]));
  expect(refusedWith({ metadata: names })).toBe("metadata");
  expect(refusedWith({ metadata: { ["n".repeat(20_000)]: "" } })).toBe("metadata");
});

test("a seed may have Mistral's name", () => {
  expect([read({ random_seed: 7 }), read({ seed: 0, random_seed: 7 })].map(({ request }) => request.seed)).toEqual([7, 0]);
});

test("of two bounds the newer name counts; an effort that nobody knows is refused", () => {
  expect(read({ max_tokens: 10, max_completion_tokens: 20 }).request.maxOutputTokens).toBe(20);
  expect(read({ max_tokens: 10 }).request.maxOutputTokens).toBe(10);
  for (const effort of ["minimal", "xhigh", "max"] as const)
    expect(read({ reasoning_effort: effort }).request.reasoningEffort).toBe(effort);
  expect(refusedWith({ reasoning_effort: "utmost" })).toBe("reasoning_effort");
});

test("a function that is chosen and not offered is refused where it is chosen", () => {
  const functions = [{ name: "look" }];
  const tools = functions.map((definition) => ({ type: "function" as const, function: definition }));
  expect(refusedWith({ functions, function_call: { name: "find" } })).toBe("function_call.name");
  expect(refusedWith({ tools, tool_choice: { type: "function", function: { name: "find" } } })).toBe("tool_choice.function.name");
  expect(read({ functions, function_call: { name: "look" } }).request.toolChoice).toEqual({ name: "look" });
});

test("a mark on a whole message, as opencode and Crush write it, is that of its end; a call may have its own", () => {
  const mark = { cache_control: { type: "ephemeral" } };
  const call = (id: string) => ({ id, type: "function" as const, function: { name: "f", arguments: "{}" } });
  const text = { type: "text" as const, text: "Hello." };
  const { request } = read({
    messages: [
      { role: "system", content: "You are brief.", ...mark },
      { role: "user", content: [text, text], ...mark },
      { role: "assistant", content: "I look.", tool_calls: [{ ...call("a"), ...mark }, call("b")] },
      { role: "tool", tool_call_id: "a", content: "1" },
      { role: "tool", tool_call_id: "b", content: "2", cache_control: { type: "ephemeral", ttl: "1h" } },
      { role: "assistant", content: null, tool_calls: [call("c"), call("d")], ...mark },
      { role: "assistant", content: "Done.", ...mark },
      { role: "user", content: "", ...mark },
    ] as ChatBody["messages"],
  });
  const made = (id: string) => ({ id, name: "f", arguments: "{}" });
  expect(request).toEqual({
    messages: [
      { role: "system", content: [{ type: "text", text: "You are brief.", cached: "5m" }] },
      { role: "user", content: [text, { ...text, cached: "5m" }] },
      { role: "assistant", content: "I look.", toolCalls: [{ ...made("a"), cached: "5m" }, made("b")] },
      { role: "tool", toolCallId: "a", content: "1" },
      { role: "tool", toolCallId: "b", content: "2", cached: "1h" },
      { role: "assistant", content: "", toolCalls: [made("c"), { ...made("d"), cached: "5m" }] },
      { role: "assistant", content: [{ type: "text", text: "Done.", cached: "5m" }] },
      { role: "user", content: "" },
    ],
    cachePrompt: { longest: "1h" },
  });
});

test("a system prompt outside the messages is another API's, and has no effect whatever it holds", () => {
  const marked = [{ type: "text", text: "You are brief.", cache_control: { type: "ephemeral" } }];
  for (const system of [{ type: "text" }, [5], [null], true, marked]) {
    const input = read({ system } as Partial<ChatBody>);
    expect(input.request).toEqual(read({}).request);
    expect(input.ignored).toEqual(["system"]);
  }
});

test("the description of a format reaches models with its schema", () => {
  const json_schema = { name: "menu", description: "Tonight's menu.", schema: { type: "object" } };
  const { request } = read({ response_format: { type: "json_schema", json_schema } });
  expect(request.outputFormat).toMatchObject({ schema: { type: "object", description: "Tonight's menu." } });
});
