/** Requests in the Responses format: what becomes of messages, tools and formats, and what is left out when it is refused. */

import { expect, test } from "bun:test";
import type { ModelQuirks } from "../../../src/catalog/model.ts";
import { buildResponsesRequest } from "../../../src/providers/openai-responses/build-request.ts";
import { dropResponsesParameter, PHASE, SUMMARY } from "../../../src/providers/openai-responses/drop-parameter.ts";
import { sealedCallId } from "../../../src/providers/openai-responses/sealed-thoughts.ts";
import type { ChatRequest } from "../../../src/providers/provider.ts";
import { asSent } from "../../support/chat-provider.ts";
import { refusalOfRequest } from "../../support/responses-stub.ts";

const build = (request: Partial<ChatRequest>, quirks: ModelQuirks = {}, stream = false): any =>
  asSent(buildResponsesRequest("m", { messages: [{ role: "user", content: "hi" }], ...request }, { stream, quirks }));

test("nothing is kept at the provider, and a stream is asked for by one field", () => {
  const body = { model: "m", input: [{ type: "message", role: "user", content: "hi" }], store: false };
  expect(build({})).toEqual(body);
  expect(build({}, {}, true)).toEqual({ ...body, stream: true });
});

test("what the format does not know stays here: stop sequences, seeds, penalties and names", () => {
  const body = build({
    messages: [{ role: "user", content: "hi", name: "Ann" }],
    stop: ["END"],
    seed: 7,
    presencePenalty: 1,
    frequencyPenalty: 1,
  });
  expect(body).toEqual(build({}));
});

test("bounds, sampling and effort take the format's names, as far as the model takes them", () => {
  const request: Partial<ChatRequest> = {
    messages: [{ role: "system", content: "s" }],
    maxOutputTokens: 90,
    temperature: 0.5,
    topP: 0.9,
    reasoningEffort: "minimal",
    user: "u",
  };
  expect(build(request)).toMatchObject({
    input: [{ role: "system", content: "s" }],
    max_output_tokens: 90,
    temperature: 0.5,
    top_p: 0.9,
    reasoning: { effort: "minimal" },
    user: "u",
  });
  const reasoning = build(request, { developerRole: true, noSampling: true, efforts: ["low", "high"] });
  expect(reasoning).toMatchObject({ input: [{ role: "developer" }], reasoning: { effort: "low" } });
  expect(reasoning).not.toContainAnyKeys(["temperature", "top_p"]);
  expect(build(request, { singleSampling: true })).not.toHaveProperty("top_p");
  // Beside tools it thinks here, but where it is told not to.
  const late: ModelQuirks = { noSampling: true, samplesUnthinking: true, noReasoningWithTools: true };
  const tools = [{ name: "f" }];
  expect(build({ ...request, tools }, late)).not.toHaveProperty("temperature");
  expect(build({ ...request, tools, reasoningEffort: "none" }, late)).toMatchObject({ temperature: 0.5, top_p: 0.9 });
  expect(build({ maxOutputTokens: 3 }).max_output_tokens).toBe(16);
});

test("pictures and PDFs become parts, in results of tools too; sound and clips have no place", () => {
  const parts: Exclude<ChatRequest["messages"][number]["content"], string> = [
    { type: "text", text: "t" },
    { type: "image", url: "https://x.test/a.png", detail: "low" },
    { type: "document", mediaType: "application/pdf", data: "JVBE" },
  ];
  const wire = [
    { type: "input_text", text: "t" },
    { type: "input_image", image_url: "https://x.test/a.png", detail: "low" },
    { type: "input_file", filename: "document.pdf", file_data: "data:application/pdf;base64,JVBE" },
  ];
  const messages: ChatRequest["messages"] = [
    { role: "user", content: parts },
    { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "f", arguments: "" }] },
    { role: "tool", toolCallId: "c1", content: parts },
  ];
  expect(build({ messages }).input).toEqual([
    { type: "message", role: "user", content: wire },
    { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: wire },
  ]);
  for (const part of [
    { type: "audio" as const, data: "AA", format: "wav" as const },
    { type: "video" as const, url: "https://x.test/a.mp4" },
  ])
    expect(() => build({ messages: [{ role: "user", content: [part] }] })).toThrow(`cannot take ${part.type} input`);
});

test("calls come back after what was thought and said before them", () => {
  const id = sealedCallId({ call_id: "call_1" }, ["first", "second"]);
  const messages: ChatRequest["messages"] = [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: "Let me look.",
      toolCalls: [
        { id, name: "f", arguments: '{"a":1}' },
        { id: "call_2", name: "g", arguments: "{" },
      ],
    },
    { role: "tool", toolCallId: id, content: "1" },
    { role: "tool", toolCallId: "call_2", content: [{ type: "text", text: "2" }] },
    { role: "assistant", content: "Done." },
  ];
  const body = build({ messages });
  expect(body.input).toEqual([
    { type: "message", role: "user", content: "hi" },
    { type: "reasoning", summary: [], encrypted_content: "first" },
    { type: "reasoning", summary: [], encrypted_content: "second" },
    { type: "message", role: "assistant", content: "Let me look.", phase: "commentary" },
    { type: "function_call", call_id: "call_1", name: "f", arguments: '{"a":1}' },
    { type: "function_call", call_id: "call_2", name: "g", arguments: '{"raw":"{"}' },
    { type: "function_call_output", call_id: "call_1", output: "1" },
    { type: "function_call_output", call_id: "call_2", output: "2" },
    { type: "message", role: "assistant", content: "Done.", phase: "final_answer" },
  ]);
  expect(refusalOfRequest(body, ["first", "second"])).toBeUndefined();
});

test("ids that other vendors gave are made fit, the same for a call and its output", () => {
  const id = `toolu ${"x".repeat(100)}`;
  const [, call, output] = build({
    messages: [
      { role: "user", content: "hi" },
      { role: "assistant", content: "", toolCalls: [{ id, name: "f", arguments: "{}" }] },
      { role: "tool", toolCallId: id, content: "" },
    ],
  }).input;
  expect(call.call_id).toMatch(/^[\w-]{1,64}$/);
  expect(output.call_id).toBe(call.call_id);
});

test("a flood of thoughts is not carried", () => {
  expect(sealedCallId({ call_id: "call_1" }, ["x".repeat(250_001)])).toBe("call_1");
  expect(sealedCallId({ call_id: "call_1" }, ["", ""])).toBe("call_1");
});

test("tools say whether they are strict, and thoughts are asked for with them alone", () => {
  const parameters = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const tools = [{ name: "f" }, { name: "g", description: "d", parameters, strict: true }];
  expect(build({ tools, toolChoice: { name: "f" }, parallelToolCalls: false })).toMatchObject({
    tools: [
      { type: "function", name: "f", parameters: { type: "object", properties: {} }, strict: false },
      { type: "function", name: "g", description: "d", parameters: { ...parameters, additionalProperties: false }, strict: true },
    ],
    tool_choice: { type: "function", name: "f" },
    parallel_tool_calls: false,
    include: ["reasoning.encrypted_content"],
  });
  expect(build({ tools, toolChoice: "required" }).tool_choice).toBe("required");
  expect(build({ tools, toolChoice: "required" }, { noForcedTool: true }).tool_choice).toBe("auto");
  expect(build({ toolChoice: "required" })).not.toContainAnyKeys(["tools", "tool_choice", "include"]);
});

test("a schema is a format of its own; JSON is asked for in words too", () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const format = { type: "schema", name: "n", schema, strict: true } as const;
  expect(build({ outputFormat: format }).text).toEqual({
    format: { type: "json_schema", name: "n", schema: { ...schema, additionalProperties: false }, strict: true },
  });
  const json = build({ outputFormat: { type: "json" } });
  expect(json.text).toEqual({ format: { type: "json_object" } });
  expect(refusalOfRequest(json)).toBeUndefined();
});

test("how much an answer says stands beside its format, for models with a setting for it", () => {
  const json: Partial<ChatRequest> = { outputFormat: { type: "json" }, verbosity: "low" };
  expect(build(json, { verbosity: true })["text"]).toEqual({ format: { type: "json_object" }, verbosity: "low" });
  expect(build({ verbosity: "low" }, { verbosity: true })["text"]).toEqual({ verbosity: "low" });
  expect(build({ verbosity: "low" })).not.toHaveProperty("text");
});

test("a summary is asked for of any model that thinks, whatever the effort", () => {
  const reasoningOf = (request: Partial<ChatRequest>, quirks = {}) =>
    build({ thinkingSummary: "auto", ...request }, quirks).reasoning;
  expect(reasoningOf({})).toEqual({ summary: "auto" });
  expect(reasoningOf({ reasoningEffort: "low" })).toEqual({ effort: "low", summary: "auto" });
  expect(reasoningOf({}, { efforts: [] })).toBeUndefined();
});

test("what a model refuses is left out, and what it was to say is asked for in words", () => {
  const schema = { type: "object", properties: { a: {} } };
  const id = sealedCallId({ call_id: "call_1" }, ["s"]);
  const messages: ChatRequest["messages"] = [
    { role: "system", content: "s" },
    { role: "assistant", content: "t", toolCalls: [{ id, name: "f", arguments: "{}" }] },
    { role: "tool", toolCallId: id, content: "1" },
  ];
  const request: Partial<ChatRequest> = {
    messages,
    tools: [{ name: "f" }],
    temperature: 1,
    reasoningEffort: "high",
    thinkingSummary: "auto",
    outputFormat: { type: "schema", name: "n", schema, strict: false },
  };
  const without = (param: string) => {
    const body = build(request);
    dropResponsesParameter(body, param);
    return body;
  };
  const terse = build({ ...request, verbosity: "low" }, { verbosity: true });
  dropResponsesParameter(terse, "verbosity");
  const whole = build(request);
  expect(without("reasoning_effort beside tools")).toEqual(whole);
  expect(without("whole answers")).toEqual({ ...whole, stream: true });
  expect(without("temperature")).toEqual({ ...whole, temperature: undefined });
  expect(whole.reasoning).toEqual({ effort: "high", summary: "auto" });
  expect(without(SUMMARY)).toEqual({ ...whole, reasoning: { effort: "high" } });
  expect(without("reasoning_effort")).toEqual({ ...whole, reasoning: undefined });
  expect(terse.text).toEqual(whole.text);
  expect(without("include")).toEqual({ ...whole, include: undefined });
  expect(without("messages[0].role").input[0]).toEqual({ type: "message", role: "developer", content: "s" });
  expect(without("messages.reasoning_content").input.map(({ type }: any) => type)).not.toContain("reasoning");
  expect(JSON.stringify(without(PHASE))).not.toContain("commentary");
  const unheld = without("response_format");
  expect(unheld).not.toHaveProperty("text");
  expect(unheld.input[0].content).toContain(JSON.stringify(schema));
});
