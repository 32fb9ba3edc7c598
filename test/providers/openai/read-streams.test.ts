/** Streams in OpenAI's format, and how its vendors depart from it; each test is a lesson somebody paid for. */

import { expect, test } from "bun:test";
import { askFor, contextWith, eachEvent, listsOf, providerFor } from "../../support/chat-provider.ts";
import { calls, delta, end, stubOpenAi, tool } from "../../support/openai-stub.ts";
import { sse } from "../../support/upstream-stub.ts";

const { stub, streamed, whole } = stubOpenAi();

/** A piece of a call; what is undefined is not sent. */
const piece = (index?: number, id?: string, name?: string, text?: string) =>
  tool({ index, id, function: { name, arguments: text } });
const together = (...calls: object[]) => delta({ tool_calls: calls });

test.each<[string, object[], string[]]>([
  [
    "parallel calls that all come with index 0 are kept apart by their ids",
    [piece(0, "c1", "a", '{"x":'), piece(0, "c1", undefined, "1}"), piece(0, "c2", "b", "{}")],
    ['a {"x":1}', "b {}"],
  ],
  [
    "interleaved calls with true indices grow side by side",
    [
      together({ index: 0, id: "c1", function: { name: "a" } }, { index: 1, id: "c2", function: { name: "b" } }),
      piece(1, undefined, undefined, '{"b":1}'),
      piece(0, undefined, undefined, '{"a":1}'),
    ],
    ['a {"a":1}', 'b {"b":1}'],
  ],
  [
    "pieces of several calls in one list, without indices, are told apart by their places (Moonshot)",
    [
      together({ id: "c1", function: { name: "a", arguments: "" } }, { id: "c2", function: { name: "b", arguments: "" } }),
      together({ function: { arguments: '{"n":' } }, { function: { arguments: '{"m":2}' } }),
      together({ function: { arguments: "1}" } }, { function: {} }),
    ],
    ['a {"n":1}', 'b {"m":2}'],
  ],
  [
    "an empty name in a later piece continues the call (Mistral)",
    [piece(0, "c1", "a", ""), piece(0, undefined, "", '{"q":1}')],
    ['a {"q":1}'],
  ],
  [
    "a vendor that repeats the name with every piece makes one call",
    [piece(0, "c1", "a", '{"q"'), piece(0, undefined, "a", ":1}")],
    ['a {"q":1}'],
  ],
  [
    "a name in pieces is one name, and calls keep their order",
    [
      piece(0, "c1", "look", ""),
      piece(0, undefined, "_up", ""),
      piece(1, "c2", "draw", ""),
      piece(0, undefined, undefined, '{"q":1}'),
      piece(1, undefined, "_map"),
    ],
    ['look_up {"q":1}', "draw_map {}"],
  ],
  [
    "arguments that come before the name wait for it",
    [piece(0, "c1", undefined, '{"q"'), piece(0, undefined, "a", ":1}")],
    ['a {"q":1}'],
  ],
  [
    "pieces whose index is not their call's continue the call that is still open (DeepSeek behind gateways)",
    [
      piece(0, "c1", "a", ""),
      piece(0, undefined, undefined, '{"x":1}'),
      piece(0, "c2", "a", ""),
      piece(1, undefined, undefined, '{"x":'),
      piece(1, undefined, undefined, "2}"),
    ],
    ['a {"x":1}', 'a {"x":2}'],
  ],
  [
    "and so do those with the index of the call before",
    [
      piece(0, "c1", "a", ""),
      piece(0, undefined, undefined, '{"x":1}'),
      piece(1, "c2", "a", ""),
      piece(0, undefined, undefined, '{"x":'),
      piece(0, undefined, undefined, "2}"),
    ],
    ['a {"x":1}', 'a {"x":2}'],
  ],
  [
    "arguments that come again, or after an empty object that held their place, stand once",
    [
      piece(0, "c1", "a", '{"x":"}",'),
      piece(0, "c1", undefined, '"y":{}}'),
      piece(0, "c1", "a", '{"x":"}","y":{}}'),
      piece(1, "c2", "b", "{}"),
      piece(1, "c2", undefined, '{"z":2}'),
      piece(2, "c3", "c", "{}"),
      piece(2, "c3", undefined, "{}"),
    ],
    ['a {"x":"}","y":{}}', 'b {"z":2}', "c {}"],
  ],
])("%s", async (_, pieces, expected) => {
  const all = await streamed([...pieces, end("tool_calls")]);
  expect(calls(all).map((call) => call.join(" "))).toEqual(expected);
});

test("indices that do not begin at 0 are counted anew", async () => {
  const all = await streamed([piece(3, "c1", "a", "{}"), end("tool_calls")]);
  expect(all.events[0]).toMatchObject({ type: "tool-start", index: 0 });
});

test("calls without index and id get both, and a repeated whole call is a second one", async () => {
  const all = await streamed([piece(undefined, undefined, "a", '{"n":1}'), piece(undefined, undefined, "a", '{"n":2}'), end()]);
  expect(all.toolCalls.map((call) => call.arguments)).toEqual(['{"n":1}', '{"n":2}']);
  expect(new Set(all.toolCalls.map(({ id }) => id)).size).toBe(2);
  expect(all.finishReason).toBe("tool_calls");
});

test("a call whose id changes from piece to piece is one call, and keeps the first (Poolside, vLLM)", async () => {
  const all = await streamed([
    piece(0, "c1", "a", ""),
    piece(0, "c1-again", undefined, '{"x":'),
    piece(0, "c1-anew", undefined, "1}"),
    piece(1, "c2", "b", ""),
    piece(1, "c2-again", undefined, '{"y":2}'),
    end("tool_calls"),
  ]);
  expect(all.toolCalls).toEqual([
    { id: "c1", name: "a", arguments: '{"x":1}' },
    { id: "c2", name: "b", arguments: '{"y":2}' },
  ]);
});

test("a call without arguments has the empty object, as in a whole answer", async () => {
  expect(calls(await streamed([piece(0, "c1", "a", ""), end("tool_calls")]))).toEqual([["a", "{}"]]);
  const message = { content: null, tool_calls: [{ id: "c1", function: { name: "a", arguments: "" } }] };
  expect(calls(await whole({ choices: [{ message, finish_reason: "tool_calls" }] }))).toEqual([["a", "{}"]]);
});

test("empty lists of tool calls in every delta are no tool calls", async () => {
  const all = await streamed([delta({ content: "Hello", reasoning_content: "", tool_calls: [] }, "stop")]);
  expect([all.text, all.toolCalls, all.finishReason]).toEqual(["Hello", [], "stop"]);
});

test("the usage-only chunk after the finish reason is read, and finish still comes last", async () => {
  const all = await streamed([
    delta({ content: "a" }),
    end(),
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } },
  ]);
  expect(all.events.map(({ type }) => type)).toEqual(["text", "usage", "finish"]);
  expect(all.usage).toEqual({ input: 3, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 });
});

test("usage on the empty delta that finishes is read", async () => {
  const all = await streamed([
    delta({ content: "a" }),
    { ...end(), usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } },
  ]);
  expect(all.usage?.input).toBe(3);
});

test("a second answer that nobody asked for is not mixed into the first", async () => {
  const second = { choices: [{ index: 1, delta: { content: "b" }, finish_reason: "length" }] };
  const all = await streamed([delta({ content: "a" }), second, delta({ content: "c" }), end()]);
  expect([all.text, all.finishReason]).toEqual(["ac", "stop"]);
});

test("of two answers the first counts, wherever it is in the list", async () => {
  const [second, first] = [
    { index: 1, finish_reason: "length" },
    { index: 0, finish_reason: "stop" },
  ];
  const piece = (choice: object, content: string) => ({ ...choice, finish_reason: null, delta: { content } });
  const all = await streamed([
    { choices: [piece(second, "b"), piece(first, "a")] },
    { choices: [{ ...second, delta: {} }] },
    { choices: [{ ...first, delta: {} }] },
  ]);
  expect([all.text, all.finishReason]).toEqual(["a", "stop"]);
  const one = await whole({
    choices: [
      { ...second, message: { content: "b" } },
      { ...first, message: { content: "a" } },
    ],
  });
  expect([one.text, one.finishReason]).toEqual(["a", "stop"]);
});

test("chunks without choices and with null usage are passed over", async () => {
  expect((await streamed([{ choices: [], usage: null }, delta({ content: "a" }), { id: "x" }, end()])).text).toBe("a");
});

test("a stream with a finish reason but without [DONE] is complete", async () => {
  expect((await streamed([delta({ content: "a" }), end()], { done: false })).finishReason).toBe("stop");
});

test("[DONE] without a finish reason is an ordinary end", async () => {
  expect((await streamed([delta({ content: "a" })])).finishReason).toBe("stop");
});

test("an end mark alone is a failed attempt", async () => {
  await expect(streamed([])).rejects.toMatchObject({ kind: "server", details: { accepted: true } });
  await expect(streamed([delta({ role: "assistant", content: "" })])).rejects.toMatchObject({ kind: "server" });
});

test("an end mark with blanks around it is the end", async () => {
  expect((await streamed([delta({ content: "a" }), end(), " [DONE] "], { done: false })).finishReason).toBe("stop");
});

test("nothing after [DONE] is read", async () => {
  expect((await streamed([delta({ content: "a" }), end(), "[DONE]", delta({ content: "b" })])).text).toBe("a");
});

test("an error frame after status 200 is a failure of its own kind, after the text that came before it", async () => {
  const seen: string[] = [];
  stub.answer(
    sse([
      delta({ content: "a" }),
      { error: { message: "maximum context length is 8192 tokens", type: "invalid_request_error", code: null } },
    ]),
  );
  const events = listsOf((take) => providerFor("openai", stub.url).streamChat!("m", askFor("hi"), contextWith(), take));
  const failure = (async () => {
    for await (const event of eachEvent(events)) if (event.type === "text") seen.push(event.text);
  })();
  await expect(failure).rejects.toMatchObject({ kind: "context_length", details: { accepted: true } });
  expect(seen).toEqual(["a"]);
});

test("an overload in the stream is known by its code alone", async () => {
  await expect(streamed([{ error: { code: 503, message: "no instances" } }])).rejects.toMatchObject({ kind: "overloaded" });
  await expect(
    streamed([{ choices: [{ delta: {}, finish_reason: "error", error: { code: 502, message: "bad" } }] }]),
  ).rejects.toMatchObject({ kind: "server" });
  await expect(streamed([delta({}, "insufficient_system_resource")])).rejects.toMatchObject({ kind: "server" });
});

test("a frame that is no JSON is a failure, not a crash", async () => {
  await expect(streamed(["{oops"])).rejects.toMatchObject({ kind: "server" });
});

test("a stream whose usage stands in Groq's own field alone is billed by it", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
  const all = await streamed([
    { ...delta({ content: "a" }), x_groq: { id: "req_1" } },
    { ...end(), x_groq: { id: "req_1", usage } },
  ]);
  expect(all.usage).toEqual({ input: 9, cacheRead: 0, cacheWrite: 0, output: 4, reasoning: 0 });
});

test("usage inside the choice is read (Moonshot), and so is what comes with an error (OpenRouter)", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
  const counted = { input: 9, cacheRead: 0, cacheWrite: 0, output: 4, reasoning: 0 };
  const all = await streamed([{ choices: [{ index: 0, delta: { content: "a" }, finish_reason: "stop", usage }] }]);
  expect(all.usage).toEqual(counted);
  const failing = streamed([delta({ content: "a" }), { error: { code: 502, message: "gone" }, choices: [], usage }]);
  await expect(failing).rejects.toMatchObject({ kind: "server", details: { usage: counted } });
});

test("errors in Groq's own field, and Mistral's that stand bare in a frame, are failures", async () => {
  for (const frame of [
    { x_groq: { error: "over capacity" }, choices: [] },
    { object: "error", message: "internal", code: 500 },
  ]) {
    await expect(streamed([delta({ content: "a" }), frame, end()])).rejects.toMatchObject({ kind: "server" });
  }
});

test.each([
  [
    "Alibaba",
    { code: "Throttling.RateQuota", message: "Requests rate limit exceeded, try again later.", request_id: "r" },
    "rate_limit",
  ],
  ["a gateway", { code: 429, message: "Too many requests" }, "rate_limit"],
  ["a server of models", { detail: "This model's maximum context length is 9 tokens." }, "context_length"],
  ["a spent account", { code: "Arrearage", message: "Your credit balance is too low." }, "billing"],
])("an error that stands in a frame, or an answer, without any mark is one (%s)", async (_, error, kind) => {
  await expect(streamed([error])).rejects.toMatchObject({ kind });
  await expect(streamed([delta({ content: "Hi" }), error])).rejects.toMatchObject({ kind });
  await expect(whole(error)).rejects.toMatchObject({ kind });
});

test("an error behind the end of an answer does not undo it (OpenRouter, of a bound that was reached)", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
  const all = await streamed([
    delta({ content: "a" }, "length"),
    { error: { code: 400, message: "Token limit reached" }, choices: [{ delta: { content: "" }, finish_reason: null }], usage },
  ]);
  expect([all.text, all.finishReason, all.usage?.output]).toEqual(["a", "length", 4]);
});

test("an error without content is not a failure", async () => {
  const error = { message: "", code: null };
  expect(
    (
      await streamed([
        { ...delta({ content: "a" }), error: {} },
        { ...end(), error },
      ])
    ).text,
  ).toBe("a");
});

test("MiniMax's status in an answer says what kind of failure it is, streamed or not", async () => {
  const failing = (status_code: number, status_msg: string) => ({
    id: "x",
    choices: null,
    base_resp: { status_code, status_msg },
  });
  for (const [status, message, kind] of [
    [1002, "rate limit", "rate_limit"],
    [1004, "login fail", "auth"],
    [1008, "insufficient balance", "billing"],
    [1026, "input new_sensitive", "content_filter"],
    [1033, "system error", "server"],
    [2013, "invalid params, no such role", "bad_request"],
  ] as const) {
    await expect(whole(failing(status, message))).rejects.toMatchObject({ kind });
    await expect(streamed([failing(status, message)])).rejects.toMatchObject({ kind });
  }
  const fine = { base_resp: { status_code: 0, status_msg: "" } };
  expect(
    (
      await streamed([
        { ...delta({ content: "a" }), ...fine },
        { ...end(), ...fine },
      ])
    ).text,
  ).toBe("a");
});

test("pages that searches within an answer found are its citations (Groq)", async () => {
  const page = { title: "Steam", url: "https://example.org/steam" };
  const searched = (results: object[]) => ({ executed_tools: [{ index: 0, type: "search", search_results: { results } }] });
  const citations = [{ ...page, start: 0, end: 0 }];
  const { events } = await streamed([delta(searched([])), delta(searched([page])), delta({ content: "It does." }), end()]);
  expect(events.at(-1)).toEqual({ type: "finish", reason: "stop", citations });
  const message = { role: "assistant", content: "It does.", ...searched([page]) };
  expect((await whole({ choices: [{ index: 0, message, finish_reason: "stop" }] })).citations).toEqual(citations);
});

test("sources that a vendor names for the whole answer are its citations, once (Perplexity, xAI)", async () => {
  const page = { title: "Rails", url: "https://example.org/rails" };
  const cited = { url: page.url, title: "Rails", start: 0, end: 0 };
  for (const [named, citation] of [
    [{ search_results: [page], citations: ["https://example.org/old"] }, cited],
    [{ citations: [page.url, "no address"] }, { ...cited, title: page.url }],
  ] as const) {
    const { events } = await streamed([
      { ...delta({ content: "Steel." }), ...named },
      { ...end(), ...named },
    ]);
    expect(events.at(-1)).toEqual({ type: "finish", reason: "stop", citations: [citation] });
    const one = await whole({ choices: [{ message: { content: "Steel." }, finish_reason: "stop" }], ...named });
    expect(one.citations).toEqual([citation]);
  }
});

test("thinking that a server leaves in the text, within tags, is not part of the answer, streamed or not", async () => {
  const pieces = ["<th", "ink>\nA greet", "ing.\n</thi", "nk>\n\nHel", "lo!"];
  const all = await streamed([...pieces.map((content) => delta({ content })), end()]);
  const one = await whole({ choices: [{ message: { content: pieces.join("") }, finish_reason: "stop" }] });
  for (const { text, reasoning } of [all, one]) expect([text, reasoning?.trim()]).toEqual(["Hello!", "A greeting."]);
});

test("a frame with the whole answer is read unless its pieces came before; then it adds its usage alone (MiniMax)", async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
  const call = { id: "c1", type: "function", function: { name: "a", arguments: '{"x":1}' } };
  const message = { role: "assistant", content: "Hello", reasoning_content: "A greeting.", tool_calls: [call] };
  const last = { object: "chat.completion", choices: [{ index: 0, message, finish_reason: "tool_calls" }], usage };
  const opening = delta({ role: "assistant", content: "" });
  const pieces = [delta({ reasoning_content: "A greeting." }), delta({ content: "Hello" }), tool(call)];
  for (const frames of [[last], [opening, last], [opening, ...pieces, last]]) {
    const all = await streamed(frames);
    expect([all.text, all.reasoning, calls(all)]).toEqual(["Hello", "A greeting.", [["a", '{"x":1}']]]);
    expect([all.usage?.output, all.finishReason]).toEqual([20, "tool_calls"]);
  }
});

test("thinking that is only in reasoning_details is read from there, and thinking that is sent twice is read once", async () => {
  const parts = [
    { type: "reasoning.text", text: "A greeting" },
    { type: "reasoning.summary", summary: "." },
    { type: "reasoning.encrypted", data: "c2VhbA" },
  ];
  for (const thought of [{}, { reasoning: "A greeting." }]) {
    const message = { content: "Hello", ...thought, reasoning_details: parts };
    expect((await streamed([delta(message), end()])).reasoning).toBe("A greeting.");
    expect((await whole({ choices: [{ message, finish_reason: "stop" }] })).reasoning).toBe("A greeting.");
  }
});
