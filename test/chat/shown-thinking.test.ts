/** What models think is shown on the chat routes as `reasoning_content`, as far as their vendors tell. */

import { expect, test } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { readSse } from "../support/read-sse.ts";
import { twoVendorsOfFile } from "../support/two-vendors.ts";
import { json, sse } from "../support/upstream-stub.ts";

const vendors = await twoVendorsOfFile();

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const whole = (message: object) => json({ choices: [{ index: 0, message, finish_reason: "stop" }], usage });
const signed = (text: string) =>
  json({
    type: "message",
    content: [
      { type: "thinking", thinking: "One and one.", signature: "cHJvb2Y=" },
      { type: "text", text },
    ],
    stop_reason: "end_turn",
    usage: { input_tokens: 20, output_tokens: 10 },
  });
const frames = (...deltas: object[]) => deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }));
const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage };

const send = (key: TestKey, path: string, more: object) =>
  vendors.gateway.send(key, "POST", path, { messages: [{ role: "user", content: "What is one and one?" }], ...more });
const messageOf = async (key: TestKey, path: string, more: object) =>
  ((await (await send(key, path, more)).json()) as { choices: { message: object }[] }).choices[0]!.message;
const deltasOf = async (response: Response) =>
  (await readSse(response)).flatMap(({ data }) => {
    const delta = data.choices?.[0]?.delta ?? {};
    return Object.keys(delta).length > 0 ? [delta] : [];
  });

const OPENAI = { model: "gpt-4o" };
const ANTHROPIC = { model: "claude-haiku-4-5" };

test.each(["/v1/chat", "/v1/chat/completions"])("%s shows it beside the text", async (path) => {
  const { openai, anthropic, live } = vendors;
  const told = { content: "Two.", reasoning_content: "One and one." };
  for (const answer of [told, { content: "Two.", reasoning: "One and one." }, { content: "<think>One and one.</think>Two." }]) {
    openai.answer(whole(answer));
    expect(await messageOf(live, path, OPENAI)).toMatchObject(told);
  }
  anthropic.answer(signed("Two."));
  expect(await messageOf(live, path, ANTHROPIC)).toMatchObject(told);
});

const STREAMS = [
  ["/v1/chat/stream", {}],
  ["/v1/chat/completions", { stream: true }],
] as const;

test.each(STREAMS)("%s streams it before the text, also where the answer is sent whole", async (path, more) => {
  const { openai, anthropic, live } = vendors;
  const thought = { role: "assistant", content: "", reasoning_content: "One and one." };
  openai.answer(sse([...frames({ reasoning_content: "One " }, { reasoning_content: "and one." }, { content: "Two." }), end]));
  expect(await deltasOf(await send(live, path, { ...OPENAI, ...more }))).toEqual([thought, { content: "Two." }]);
  anthropic.answer(signed('{"sum":2}'));
  const schema = { type: "object", properties: { sum: { type: "integer" } } };
  expect(await deltasOf(await send(live, path, { ...ANTHROPIC, ...more, schema }))).toEqual([thought, { content: '{"sum":2}' }]);
});

test.each(STREAMS)("%s: a model that fails while it thinks is replaced unnoticed", async (path, more) => {
  const { openai, anthropic, live } = vendors;
  openai.answer(
    sse([...frames({ reasoning_content: "One and" }), { error: { message: "Overloaded", code: 503 } }], { done: false }),
  );
  anthropic.answer(signed("Two."));
  const response = await send(live, path, { ...OPENAI, ...more, models: [ANTHROPIC.model] });
  expect([response.status, response.headers.get("x-svc-model")]).toEqual([200, ANTHROPIC.model]);
  expect(await deltasOf(response)).toMatchObject([{ reasoning_content: "One and one." }, { content: "Two." }]);
});

test("where a policy reviews answers, it is not shown", async () => {
  const { gateway, openai } = vendors;
  const key = await gateway.key({ mode: "live", project: "reviewed" });
  const config = { blocked_terms: { terms: ["sherry"] } };
  await gateway.policy(key, "content", config);
  openai.answer(whole({ content: "Two.", reasoning_content: "One and one." }));
  expect(await messageOf(key, "/v1/chat", OPENAI)).not.toHaveProperty("reasoning_content");
  openai.answer(sse([...frames({ reasoning_content: "One and one." }, { content: "Two." }), end]));
  expect(await deltasOf(await send(key, "/v1/chat/stream", OPENAI))).toEqual([{ role: "assistant", content: "Two." }]);
});

test.each([
  ["reviews prompts alone", { evaluate_input: true, evaluate_output: false, blocked_terms: { terms: ["sherry"] } }],
  ["looks for nothing", { blocked_terms: { terms: [] } }],
])(
  "where a policy %s, it is shown, and the answer is sent as it comes and said to have been found harmless",
  async (project, config) => {
    const { gateway, openai } = vendors;
    const key = await gateway.key({ mode: "live", project });
    await gateway.policy(key, "content", config);
    const json = { ...OPENAI, response_format: { type: "json_object" } };
    openai.answer(whole({ content: "{}", reasoning_content: "None." }));
    const asked = (await (await send(key, "/v1/chat", json)).json()) as any;
    expect(asked.choices[0].message.reasoning_content).toBe("None.");
    openai.answer(sse([...frames({ reasoning_content: "None." }, { content: "{" }, { content: "}" }), end]));
    const streamed = await readSse(await send(key, "/v1/chat/stream", json));
    const deltas = streamed.map(({ data }) => data.choices?.[0]?.delta);
    expect(deltas).toMatchObject([{ reasoning_content: "None." }, { content: "{" }, { content: "}" }, {}, undefined]);
    for (const { svc } of [asked, streamed.at(-2)!.data])
      expect(svc.content_evaluation).toMatchObject({ result: "allow", phase: "post_response", redacted: false });
  },
);
