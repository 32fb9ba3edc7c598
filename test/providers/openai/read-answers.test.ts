/** Whole answers in OpenAI's format: their usage, their ends, and the parts of their content. */

import { expect, test } from "bun:test";
import { calls, delta, end, stubOpenAi } from "../../support/openai-stub.ts";

const { streamed, whole } = stubOpenAi();

test("a refusal has events of its own and stands in the text of a whole answer", async () => {
  expect((await streamed([delta({ refusal: "I can" }), delta({ refusal: "not." }), end()])).refusal).toBe("I cannot.");
  const result = await whole({ choices: [{ message: { content: null, refusal: "I cannot." }, finish_reason: "stop" }] });
  expect([result.text, result.refusal]).toEqual(["I cannot.", "I cannot."]);
});

test("a refusal or a transcript that is the content, too, is told once", async () => {
  const refused = { content: "I cannot.", refusal: "I cannot." };
  const spoken = { content: "Hello.", audio: { transcript: "Hello." } };
  for (const message of [refused, spoken]) {
    const all = await streamed([delta(message), end()]);
    expect(all.text + all.refusal).toBe(message.content);
    expect((await whole({ choices: [{ message, finish_reason: "stop" }] })).text).toBe(message.content);
  }
});

test.each([
  ["Mistral", { type: "thinking", thinking: [{ type: "text", text: "hm" }] }],
  ["Claude at Databricks", { type: "reasoning", summary: [{ type: "summary_text", text: "hm", signature: "s" }] }],
])("content that is a list of thinking and text parts is told apart (%s)", async (_, thought) => {
  const content = [thought, { type: "text", text: "4" }];
  const all = await streamed([delta({ content }), delta({ content: "2" }, "stop")]);
  expect([all.reasoning, all.text]).toEqual(["hm", "42"]);
  const result = await whole({ choices: [{ message: { content }, finish_reason: "stop" }] });
  expect([result.reasoning, result.text]).toEqual(["hm", "4"]);
});

test("content that is the JSON itself is its text (Cloudflare)", async () => {
  const content = { city: "Zürich" };
  const result = await whole({ choices: [{ message: { content }, finish_reason: "stop" }] });
  for (const { text } of [result, await streamed([delta({ content }), end()])]) expect(text).toBe('{"city":"Zürich"}');
});

test("an answer without choices is a failure", async () => {
  await expect(whole({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 } })).rejects.toMatchObject({
    kind: "server",
  });
});

test("an error with status 200 is a failure", async () => {
  await expect(whole({ error: { message: "overloaded", code: 503 } })).rejects.toMatchObject({ kind: "overloaded" });
});

test("an error beside the answer is a failure, whole and streamed, and one without content is none", async () => {
  const message = { role: "assistant", content: "Once" };
  const error = { code: 429, message: "slow down" };
  for (const [more, ofChoice, kind] of [
    [{}, { error }, "rate_limit"],
    [{ error: { code: 503, message: "gone" } }, {}, "overloaded"],
    [{ base_resp: { status_code: 1027, status_msg: "output new_sensitive" } }, {}, "content_filter"],
  ] as const) {
    await expect(whole({ ...more, choices: [{ message, finish_reason: "stop", ...ofChoice }] })).rejects.toMatchObject({ kind });
    await expect(streamed([{ ...more, choices: [{ delta: message, ...ofChoice }] }, end()])).rejects.toMatchObject({ kind });
  }
  const empty = { error: {} };
  const [fine, also] = [
    await whole({ ...empty, choices: [{ message, finish_reason: "stop", ...empty }] }),
    await streamed([{ ...empty, choices: [{ delta: message, ...empty }] }, end()]),
  ];
  expect([fine.text, also.text]).toEqual(["Once", "Once"]);
});

test("the message of a whole answer counts, also beside an empty delta", async () => {
  const choice = { index: 0, message: { content: "Once" }, delta: {}, finish_reason: "stop" };
  expect((await whole({ choices: [choice] })).text).toBe("Once");
});

test("calls of a whole answer are as many as it lists, whatever indices and ids they have", async () => {
  const call = (args: string) => ({ index: 0, id: "c1", function: { name: "a", arguments: args } });
  const tool_calls = [call(""), call(""), call('{"n":1}'), { index: 0, function: { name: "null" } }];
  const result = await whole({ choices: [{ message: { content: null, tool_calls }, finish_reason: "tool_calls" }] });
  expect(calls(result)).toEqual([
    ["a", "{}"],
    ["a", "{}"],
    ["a", '{"n":1}'],
  ]);
});

test("thinking beside the content counts only if none is in it", async () => {
  const content = [
    { type: "thinking", thinking: "hm" },
    { type: "text", text: "4" },
  ];
  const message = { content, reasoning_content: "hm" };
  expect((await streamed([delta(message), end()])).reasoning).toBe("hm");
  expect((await whole({ choices: [{ message, finish_reason: "stop" }] })).reasoning).toBe("hm");
});

test("a call of the format's first years, outside any list, is a tool call", async () => {
  const whole1 = await whole({
    choices: [{ message: { content: null, function_call: { name: "a", arguments: '{"n":1}' } }, finish_reason: "function_call" }],
  });
  const inPlace = await streamed([
    delta({ tool_calls: { index: 0, id: "", function: { name: "a", arguments: '{"n":' } } }),
    delta({ tool_calls: { index: 0, id: "", function: { name: "", arguments: "1}" } } }),
    end("tool_calls"),
  ]);
  const all = await streamed([
    delta({ content: null, function_call: { name: "a", arguments: "" } }),
    delta({ function_call: { arguments: '{"n":' } }),
    delta({ function_call: { arguments: "1}" } }),
    end("function_call"),
  ]);
  for (const result of [whole1, inPlace, all]) {
    expect(calls(result)).toEqual([["a", '{"n":1}']]);
    expect(result.finishReason).toBe("tool_calls");
  }
});

test("what came says whether an answer ended with calls, and `null` is no argument", async () => {
  const call = { index: 0, id: "c1", function: { name: "a", arguments: "null" } };
  for (const [more, reason, ends, called] of [
    [{ tool_calls: [call] }, "stop", "tool_calls", [["a", "{}"]]],
    [{ content: "4" }, "tool_calls", "stop", []],
  ] as const)
    for (const result of [
      await whole({ choices: [{ message: more, finish_reason: reason }] }),
      await streamed([delta(more), end(reason)]),
    ])
      expect([result.finishReason, calls(result)]).toEqual([ends, called] as any);
});

const CACHED = { input: 36, cacheRead: 64, output: 20 };
const WRITTEN = { input: 36, cacheWrite: 64, output: 20 };
const THOUGHT = { input: 100, output: 5, reasoning: 15 };
test.each<[string, object, object]>([
  [
    "thinking far beyond the answer's count is not in it (Vercel's gateway, DeepInfra)",
    { total_tokens: 120, completion_tokens_details: { reasoning_tokens: 75 } },
    { input: 100, output: 20, reasoning: 75 },
  ],
  [
    "thinking a little beyond the answer's count is all of it (Kimi)",
    { total_tokens: 121, completion_tokens_details: { reasoning_tokens: 21 } },
    { input: 100, output: 0, reasoning: 21 },
  ],
  ["what only the total counts is thinking", { total_tokens: 182 }, { input: 100, output: 20, reasoning: 62 }],
  [
    "what is cached beside the prompt is none",
    { total_tokens: 1_120, cache_creation_input_tokens: 400, cache_read_input_tokens: 600 },
    { input: 100, cacheRead: 600, cacheWrite: 400, output: 20, reasoning: 0 },
  ],
  [
    "what is cached of the prompt is counted once",
    { total_tokens: 120, prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 } },
    { input: 10, cacheRead: 60, cacheWrite: 30, output: 20, reasoning: 0 },
  ],
  ["read from a cache (DeepSeek)", { prompt_cache_hit_tokens: 64 }, CACHED],
  ["read from a cache (Mistral)", { num_cached_tokens: 64 }, CACHED],
  ["read from a cache (Moonshot, Together)", { cached_tokens: 64 }, CACHED],
  ["read from a cache, in other details", { prompt_token_details: { cached_tokens: 64 } }, CACHED],
  ["written (Qwen)", { prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 64 } }, WRITTEN],
  ["written, in the details", { prompt_tokens_details: { cache_write_tokens: 64 } }, WRITTEN],
  ["written, beside the prompt's count", { total_tokens: 120, cache_creation_input_tokens: 64 }, WRITTEN],
  ["thought, in the details", { completion_tokens_details: { reasoning_tokens: 15 } }, THOUGHT],
  ["thought (SGLang)", { prompt_tokens_details: null, reasoning_tokens: 15 }, THOUGHT],
])("usage: %s", async (_, more, expected) => {
  const usage = { prompt_tokens: 100, completion_tokens: 20, ...more };
  expect((await whole({ choices: [{ message: { content: "a" }, finish_reason: "stop" }], usage })).usage).toMatchObject(expected);
});

test("without usage the source says so; a usage of zeros is the provider's word", async () => {
  const choices = [{ message: { content: "a" }, finish_reason: "stop" }];
  expect((await whole({ choices })).usageSource).toBe("none");
  const counted = { prompt_tokens: 9, completion_tokens: 4 };
  for (const more of [{ choices: [{ ...choices[0], usage: counted }] }, { x_groq: { usage: counted } }])
    expect((await whole({ choices, ...more })).usage).toMatchObject({ input: 9, output: 4 });
  expect((await whole({ choices, usage: { prompt_tokens: 0, completion_tokens: 0 } })).usageSource).toBe("provider");
  expect((await whole({ choices, usage: { prompt_tokens: -5, completion_tokens: 1e308 } })).usageSource).toBe("none");
});

test("unknown finish reasons are an ordinary end; the vendors' own words for a length and a filter are known", async () => {
  for (const [word, reason] of [
    ["eos", "stop"],
    ["model_length", "length"],
    ["model_context_window_exceeded", "length"],
    ["SAFETY", "content_filter"],
    ["sensitive", "content_filter"],
    ["guardrail_intervened", "content_filter"],
    ["content_filtered", "content_filter"],
    ["PROHIBITED_CONTENT", "content_filter"],
    ["content_filter: RECITATION", "content_filter"],
  ] as const) {
    expect((await streamed([delta({ content: "a" }, word)])).finishReason).toBe(reason);
  }
});

test("a prompt that Azure looked at and let pass is answered; one whose answer it stopped ends as filtered", async () => {
  const looked = {
    choices: [],
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false } } }],
  };
  const all = await streamed([looked, delta({ content: "a" }, "content_filter")]);
  expect([all.text, all.finishReason]).toEqual(["a", "content_filter"]);
});
