/** Responses, whole and as streams: both say the same. */

import { expect, test } from "bun:test";
import type { ModelQuirks } from "../../../src/catalog/model.ts";
import { splitSignature } from "../../../src/providers/dialect/tool-call-ids.ts";
import type { ChatRequest } from "../../../src/providers/provider.ts";
import { UpstreamError } from "../../../src/providers/upstream-error.ts";
import { askFor, collect, contextWith, listsOf, providerFor } from "../../support/chat-provider.ts";
import { called, framesOf, refused, responseOf, said, thought } from "../../support/responses-stub.ts";
import { json, sse, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const stub = upstreamStubOfFile();
const provider = () => providerFor("openai-responses", `${stub.url}/v1`);

const whole = (response: object) => {
  stub.answer(json(response));
  return provider().chat!("m", askFor("hi"), contextWith());
};
const streamed = (frames: (object | string)[], done = false) => {
  stub.answer(sse(frames, { eventNames: !done, done }));
  return collect(listsOf((take) => provider().streamChat!("m", askFor("hi"), contextWith(), take)));
};
/** What both ways make of it, where they agree. */
const both = async (response: Record<string, any>) => {
  const [one, other] = [await whole(response), await streamed(framesOf(response))];
  const { text = "", refusal = "", toolCalls, finishReason, usage } = one;
  const common = { text: refusal ? "" : text, refusal, toolCalls, finishReason, usage };
  expect(common).toEqual({
    text: other.text,
    refusal: other.refusal,
    toolCalls: other.toolCalls,
    finishReason: other.finishReason!,
    usage: other.usage!,
  });
  return common;
};
const failureOf = async (work: Promise<unknown>): Promise<UpstreamError> => {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error;
};

test("text, and usage in classes that do not overlap", async () => {
  expect(await both(responseOf([thought("s"), said("Grüße, 世界 👋")]))).toEqual({
    text: "Grüße, 世界 👋",
    refusal: "",
    toolCalls: [],
    finishReason: "stop",
    usage: { input: 500, cacheRead: 400, cacheWrite: 100, output: 20, reasoning: 30 },
  });
  expect(stub.seen.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/responses"]);
});

test("what is said on the way stands apart from the answer", async () => {
  expect((await both(responseOf([said("Thinking aloud.", "commentary"), said("42")]))).text).toBe("Thinking aloud.\n\n42");
});

test("a refusal is one, and no answer", async () => {
  expect(await both(responseOf([refused("I cannot help with that.")]))).toMatchObject({
    text: "",
    refusal: "I cannot help with that.",
    finishReason: "stop",
  });
});

test("pages that the messages cite have their places in the whole text", async () => {
  const cited = (text: string, start: number, end: number) => {
    const annotation = {
      type: "url_citation",
      url: `https://example.org/${text}`,
      title: "",
      start_index: start,
      end_index: end,
    };
    return { ...said(text), content: [{ type: "output_text", text, annotations: [annotation] }] };
  };
  const response = responseOf([cited("Wood.", 0, 4), cited("Steel.", 0, 5)]);
  const at = (text: string, start: number, end: number) => {
    const url = `https://example.org/${text}`;
    return { url, title: url, start, end };
  };
  const citations = [at("Wood.", 0, 4), at("Steel.", 7, 12)];
  expect((await whole(response)).citations).toEqual(citations);
  expect((await streamed(framesOf(response))).events.at(-1)).toMatchObject({ type: "finish", citations });
});

test("pages that the server's own searches found are cited by number where the messages name none (Perplexity)", async () => {
  const found = (...results: object[]) => ({ type: "search_results", queries: ["wood"], results });
  const page = (id: number) => ({ id, url: `https://example.org/${id}`, title: `Page ${id}`, snippet: "…", source: "web" });
  const cited = (id: number) => ({ url: `https://example.org/${id}`, title: `Page ${id}`, start: 0, end: 0 });
  const response = responseOf([found(page(1), page(2)), found(page(3), { id: 4 }), said("Wood.[1][3]")]);
  const citations = [cited(1), cited(2), cited(3)];
  expect((await whole(response)).citations).toEqual(citations);
  const frames = [{ type: "response.reasoning.search_results", results: [page(1)] }, ...framesOf(response)];
  expect((await streamed(frames)).events.at(-1)).toMatchObject({ type: "finish", citations });
});

test("a call without a name is none; one that is named only at its end has its arguments from there", async () => {
  const { toolCalls, finishReason } = await both(responseOf([said("Done."), called("call_1", "", { x: 1 })]));
  expect([toolCalls, finishReason]).toEqual([[], "stop"]);
  const frames: any[] = framesOf(responseOf([called("call_1", "f", { x: 1 })]));
  delete frames.find(({ type }) => type === "response.output_item.added").item.name;
  const late = await streamed(frames);
  expect(late.toolCalls).toEqual([{ id: "call_1", name: "f", arguments: '{"x":1}' }]);
});

test("parallel calls keep their order, each with what was thought since the one before", async () => {
  const { text, toolCalls, finishReason } = await both(
    responseOf([
      thought("a"),
      thought("b"),
      said("On it.", "commentary"),
      called("call_1", "f", { x: "ü" }),
      called("call_2", "g", "{}"),
      thought("c"),
      called("call_3", "f", { x: [1, { y: 2 }] }),
    ]),
  );
  expect([text, finishReason]).toEqual(["On it.", "tool_calls"]);
  expect(toolCalls.map(({ id, name, arguments: args }) => [splitSignature(id), name, args])).toEqual([
    [{ id: "call_1", openai: "a\nb" }, "f", '{"x":"ü"}'],
    [{ id: "call_2" }, "g", "{}"],
    [{ id: "call_3", openai: "c" }, "f", '{"x":[1,{"y":2}]}'],
  ]);
});

test("a response that is not whole says why", async () => {
  const ended = async (reason: string | undefined) =>
    (await both(responseOf([said("Once")], { status: "incomplete", incomplete_details: reason ? { reason } : null })))
      .finishReason;
  expect(await ended("max_output_tokens")).toBe("length");
  expect(await ended("content_filter")).toBe("content_filter");
  for (const other of [undefined, "server_timeout"]) expect(await ended(other)).toBe("length");
  const nothing = responseOf([thought("s")], { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  expect(await both(nothing)).toMatchObject({ text: "", finishReason: "length" });
});

test("a call that the bound cut off ends by the bound", async () => {
  const cut = responseOf([called("call_1", "f", '{"a": "b')], {
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
  });
  expect(await both(cut)).toMatchObject({ toolCalls: [{ arguments: '{"a": "b' }], finishReason: "length" });
});

test("a response that failed is a failure, billed for what it used", async () => {
  const failed = responseOf([], { status: "failed", error: { code: "server_error", message: "An error occurred." } });
  for (const work of [() => whole(failed), () => streamed(framesOf(failed))]) {
    const { kind, retryable, details } = await failureOf(work());
    expect([kind, retryable, details.accepted, details.usage?.cacheRead]).toEqual(["server", true, true, 400]);
  }
  expect((await failureOf(whole({ ...failed, error: null, usage: null }))).kind).toBe("server");
  const error = { code: "rate_limit_exceeded", message: "Slow down." };
  for (const event of [{ error }, { response: { status: "in_progress" }, error }, { response: { error } }])
    expect((await failureOf(streamed([{ type: "response.failed", ...event }]))).kind).toBe("rate_limit");
  expect((await failureOf(streamed([{ type: "response.failed" }]))).kind).toBe("server");
  expect((await failureOf(whole(responseOf([], { status: "in_progress" })))).kind).toBe("server");
});

test("an error in the middle of a stream is read in either of its forms", async () => {
  const error = { type: "invalid_request_error", code: "context_length_exceeded", message: "Too long.", param: "input" };
  for (const last of [
    { type: "error", error },
    { type: "error", code: error.code, message: error.message, param: null },
    { error },
  ])
    expect((await failureOf(streamed(framesOf(responseOf([said("On")]), last)))).kind).toBe("context_length");
});

test("a stream that breaks off is no answer, and one that is no JSON is none either", async () => {
  const frames = framesOf(responseOf([said("Once upon")]));
  expect((await failureOf(streamed(frames.slice(0, -1)))).kind).toBe("truncated");
  expect((await failureOf(streamed([...frames.slice(0, 3), "nonsense"], true))).kind).toBe("server");
});

test("an end mark of chat completions, unknown events and summaries of thoughts do no harm", async () => {
  const [created, ...rest] = framesOf(responseOf([said("Hi")]));
  const summary = { type: "response.reasoning_summary_text.delta", item_id: "rs", output_index: 0, delta: "Hm." };
  const all = await streamed([created!, { type: "response.of_tomorrow", output_index: 0 }, "[DONE]", summary, ...rest], true);
  expect([all.text, all.reasoning, all.finishReason]).toEqual(["Hi", "Hm.", "stop"]);
});

test("thoughts that are shown are read from summaries and from plain text", async () => {
  const shown = {
    type: "reasoning",
    summary: [{ type: "summary_text", text: "A." }],
    content: [{ type: "reasoning_text", text: "B." }],
  };
  const response = responseOf([shown, said("x")]);
  expect((await whole(response)).reasoning).toBe("A.\n\nB.");
  const at = { item_id: "rs", output_index: 0 };
  const deltas = [
    { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: "A." },
    { type: "response.reasoning_text.delta", ...at, content_index: 0, delta: "B." },
  ];
  const last = { type: "response.completed", response };
  // Some servers give the end of an item another place.
  const done = { type: "response.output_item.done", output_index: 1, item: shown };
  for (const frames of [
    [...deltas, last],
    [...deltas, done, last],
  ])
    expect((await streamed(frames)).reasoning).toBe("A.\n\nB.");
});

test("parts of the thinking stand apart, whole and streamed, with pieces and without", async () => {
  const response = responseOf([thought("s", "One.", "Two."), thought("s", "", "Three."), said("x")]);
  const ended = { type: "response.completed", response };
  expect((await whole(response)).reasoning).toBe("One.\n\nTwo.\n\nThree.");
  const all = framesOf(response);
  const withoutPieces = all.filter(({ type }) => !type.startsWith("response.reasoning"));
  for (const frames of [all, withoutPieces, [ended]]) {
    const { reasoning, events } = await streamed(frames);
    expect(reasoning).toBe("One.\n\nTwo.\n\nThree.");
    expect(events.slice(events.findIndex(({ type }) => type === "text")).map(({ type }) => type)).not.toContain("reasoning");
  }
});

test("a refusal after a remark stands apart from it", async () => {
  const response = responseOf([said("Let me see.", "commentary"), refused("I cannot.")]);
  for (const { text, refusal } of [await whole(response), await streamed(framesOf(response))])
    expect([text?.replace("I cannot.", ""), refusal]).toEqual(["Let me see.\n\n", "I cannot."]);
});

test.each([null, "", "fc"])("calls that all have the id %p are several, and `null` is no argument", async (id) => {
  const response = responseOf([1, 2].map((n) => ({ ...called(`call_${n}`, "f", n === 1 ? { n } : "null"), id })));
  const expected = [
    { id: "call_1", name: "f", arguments: '{"n":1}' },
    { id: "call_2", name: "f", arguments: "{}" },
  ];
  expect((await whole(response)).toolCalls).toEqual(expected);
  expect((await streamed(framesOf(response))).toolCalls).toEqual(expected);
});

test("servers that send calls without pieces, names of items or places are understood", async () => {
  const end = { type: "response.completed", response: responseOf([]) };
  const item = { type: "function_call", call_id: "call_1", name: "f", arguments: '{"a":1}' };
  const expected = [{ id: "call_1", name: "f", arguments: '{"a":1}' }];
  const done = { type: "response.output_item.done", output_index: 0, item };
  const begun = { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } };
  const told = { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"a":1}' };
  for (const frames of [[done], [begun, done], [begun, told], [begun, told, done]])
    expect((await streamed([...frames, end])).toolCalls).toEqual(expected);
  expect((await streamed([begun, end])).toolCalls).toEqual([{ ...expected[0]!, arguments: "{}" }]);
  const placeless = [1, 2].flatMap((n) => [
    { type: "response.output_item.added", item: { ...item, id: `fc_${n}`, call_id: `call_${n}`, arguments: "" } },
    { type: "response.function_call_arguments.delta", item_id: `fc_${n}`, delta: `{"n":${n}}` },
  ]);
  expect((await streamed([...placeless, end])).toolCalls).toEqual([
    { id: "call_1", name: "f", arguments: '{"n":1}' },
    { id: "call_2", name: "f", arguments: '{"n":2}' },
  ]);
  const named = { ...begun, item: { ...begun.item, id: "fc_1" } };
  const pieces = ['{"a"', ":1}"].map((delta) => ({ type: "response.function_call_arguments.delta", item_id: "fc_1", delta }));
  expect((await streamed([named, ...pieces, end])).toolCalls).toEqual(expected);
  const { output_index: _, ...placelessOne } = named;
  expect((await streamed([placelessOne, { ...done, item: { ...item, id: "fc_1" } }, end])).toolCalls).toEqual(expected);
});

test("a stream may end with the event of another name (OpenRouter)", async () => {
  const frames = framesOf(responseOf([said("Once")]), { type: "response.done", response: responseOf([said("Once")]) });
  expect(await streamed(frames)).toMatchObject({ text: "Once", finishReason: "stop" });
});

test("what comes without pieces, or partly so, is read where its item or the response ends (xAI)", async () => {
  const response = responseOf([said("First."), said("Grüße, 世界"), thought("s"), called("c1", "f", { n: 1 })]);
  const usage = { type: "response.completed", response };
  const ended = response["output"].map((item: object, output_index: number) => ({
    type: "response.output_item.done",
    output_index,
    item,
  }));
  const emptied = { type: "response.completed", response: { ...response, output: [] } };
  const piece = { type: "response.output_text.delta", item_id: "m", delta: "First.\n\nGr" };
  const one = await whole(response);
  for (const frames of [[usage], [...ended, usage], [...ended, emptied], [piece, usage], [piece, ...ended, emptied]]) {
    const { text, toolCalls, finishReason } = await streamed(frames);
    expect({ text, toolCalls, finishReason }).toEqual({ text: one.text!, toolCalls: one.toolCalls, finishReason: "tool_calls" });
  }
  expect((await streamed([{ ...usage, response: responseOf([refused("No.")]) }])).refusal).toBe("No.");
});

test("a model's own format for tools is spoken at its vendor's address, and elsewhere where the operator names it", async () => {
  const tools = [{ name: "f" }];
  const chat = { choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] };
  stub.answer(({ path }) => Response.json(path === "/v1/responses" ? responseOf([said("Hi")]) : chat));
  const spoken = async (isVendors: boolean, quirks: ModelQuirks, more: Partial<ChatRequest> = {}) => {
    const model = providerFor("openai", `${stub.url}/v1`, { isVendors }, quirks);
    const seen = stub.seen.length;
    await model.chat!("m", { ...askFor("hi"), tools, ...more }, contextWith());
    await model.chat!("m", { ...askFor("hi"), ...more }, contextWith());
    return [model.takesTools!("m"), ...stub.seen.slice(seen).map(({ path }) => path)];
  };
  const toolDialect = "openai-responses";
  expect(await spoken(true, { toolDialect })).toEqual([true, "/v1/responses", "/v1/chat/completions"]);
  expect(await spoken(false, { toolDialect })).toEqual([false, "/v1/chat/completions", "/v1/chat/completions"]);
  expect(await spoken(false, { toolDialect, dialect: toolDialect })).toEqual([true, "/v1/responses", "/v1/responses"]);
  expect(await spoken(false, {})).toEqual([true, "/v1/chat/completions", "/v1/chat/completions"]);
  // A model that can do without thinking needs it only for calls that shall think.
  const silent: ModelQuirks = { toolDialect, noReasoningWithTools: true };
  const completions = [true, "/v1/chat/completions", "/v1/chat/completions"];
  expect(await spoken(true, silent)).toEqual(completions);
  expect(await spoken(true, silent, { reasoningEffort: "none" })).toEqual(completions);
  expect(await spoken(true, silent, { reasoningEffort: "high" })).toEqual([true, "/v1/responses", "/v1/chat/completions"]);
  expect(await spoken(false, silent, { reasoningEffort: "high" })).toEqual(completions);
});

test("models are listed and texts embedded as beside chat completions", async () => {
  stub.answer(json({ data: [{ id: "m" }] }), json({ data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 3 } }));
  expect(await provider().listModels!(contextWith())).toEqual([{ id: "m" }]);
  expect(await provider().embed!("e", ["hi"], undefined, contextWith())).toMatchObject({ inputTokens: 3 });
  expect(stub.seen.map(({ path }) => path)).toEqual(["/v1/models", "/v1/embeddings"]);
});

test("a response without usage, or without an id, is an answer", async () => {
  const { id: _, usage: __, ...bare } = responseOf([said("Hi")]);
  expect(await whole(bare)).toMatchObject({ text: "Hi", usageSource: "none" });
  const stream = await streamed([
    ...framesOf(responseOf([said("Hi")])).slice(0, -1),
    { type: "response.completed", response: bare },
  ]);
  expect([stream.text, stream.usage]).toEqual(["Hi", undefined]);
});
