/** Whose words an answer ended at: told where the provider tells it, never guessed. */

import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { TestKey } from "../support/gateway.ts";
import { twoVendorsOfFile } from "../support/two-vendors.ts";
import { json, sse } from "../support/upstream-stub.ts";

const { gateway, openai, anthropic, live } = await twoVendorsOfFile();

const ask = async (key: TestKey, model: string, content = "Count to ten.") => {
  const client = new Anthropic({ apiKey: key.text, baseURL: gateway.url, maxRetries: 0 });
  const { stop_reason, stop_sequence } = await client.messages.create(asked(model, content));
  return [stop_reason, stop_sequence];
};
const asked = (model: string, content: string) => ({
  model,
  max_tokens: 100,
  stop_sequences: ["four", "END"],
  messages: [{ role: "user" as const, content }],
});
const stream = async (key: TestKey, model: string, content = "Count to ten.") => {
  const client = new Anthropic({ apiKey: key.text, baseURL: gateway.url, maxRetries: 0 });
  const { stop_reason, stop_sequence } = await client.messages.stream(asked(model, content)).finalMessage();
  return [stop_reason, stop_sequence];
};
const claude = (text: string, stop: object) =>
  json({ type: "message", content: [{ type: "text", text }], usage: { input_tokens: 1, output_tokens: 1 }, ...stop });
const gpt = (text: string, choice: object = {}) =>
  json({
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop", ...choice }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  });

test("/v1/messages says at which stop sequence an answer ended", async () => {
  const sandbox = await gateway.key();
  expect(await ask(sandbox, "auto", "[[sandbox:reply=one END four]]")).toEqual(["stop_sequence", "END"]);
  expect(await ask(sandbox, "auto", "[[sandbox:reply=one two]]")).toEqual(["end_turn", null]);
  anthropic.answer(claude("one, two, three, ", { stop_reason: "stop_sequence", stop_sequence: "four" }));
  expect(await ask(live, "claude-sonnet-5-5")).toEqual(["stop_sequence", "four"]);
  anthropic.answer(claude("one, two", { stop_reason: "end_turn", stop_sequence: null }));
  expect(await ask(live, "claude-sonnet-5-5")).toEqual(["end_turn", null]);
});

test("where a provider does not tell, nothing is guessed", async () => {
  openai.answer(gpt("one, two, three, "));
  expect(await ask(live, "gpt-4.1")).toEqual(["end_turn", null]);
  openai.answer(gpt("one, two, three, ", { stop_reason: "stop" }));
  expect(await ask(live, "gpt-4.1")).toEqual(["end_turn", null]);
  // vLLM's way of telling.
  openai.answer(gpt("one, two, three, ", { stop_reason: "four" }));
  expect(await ask(live, "gpt-4.1")).toEqual(["stop_sequence", "four"]);
});

test("an answer that ended at once, or in the middle, by the caller's own stop sequence is not asked for again", async () => {
  anthropic.seen.length = 0;
  for (const text of ["", "```js\nrun()\n"]) {
    anthropic.answer(claude(text, { stop_reason: "stop_sequence", stop_sequence: "END" }));
    expect(await ask(live, "claude-sonnet-5-5")).toEqual(["stop_sequence", "END"]);
  }
  expect(anthropic.seen).toHaveLength(2);
  openai.seen.length = 0;
  openai.answer(gpt("```js\nrun()\n"));
  await ask(live, "gpt-4.1");
  expect(openai.seen).toHaveLength(1);
});

test("a stream says so at its end, and one that ended at once is not asked for again", async () => {
  const sandbox = await gateway.key();
  expect(await stream(sandbox, "auto", "[[sandbox:reply=one END four]]")).toEqual(["stop_sequence", "END"]);
  expect(await stream(sandbox, "auto", "[[sandbox:reply=one two]]")).toEqual(["end_turn", null]);
  const start = { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } };
  const delta = {
    type: "message_delta",
    delta: { stop_reason: "stop_sequence", stop_sequence: "four" },
    usage: { output_tokens: 0 },
  };
  anthropic.seen.length = 0;
  anthropic.answer(sse([start, delta, { type: "message_stop" }], { eventNames: true, done: false }));
  expect(await stream(live, "claude-sonnet-5-5")).toEqual(["stop_sequence", "four"]);
  expect(anthropic.seen).toHaveLength(1);
  const chunk = (delta: object, choice: object = {}) => ({ choices: [{ index: 0, delta, ...choice }] });
  openai.answer(sse([chunk({ content: "one" }), chunk({}, { finish_reason: "stop", stop_reason: "four" })]));
  expect(await stream(live, "gpt-4.1")).toEqual(["stop_sequence", "four"]);
  openai.answer(sse([chunk({ content: "one" }), chunk({}, { finish_reason: "stop" })]));
  expect(await stream(live, "gpt-4.1")).toEqual(["end_turn", null]);
});

test("sequences beyond what a vendor takes end its answers too, whole and streamed; a stream's upstream is left there", async () => {
  const client = new OpenAI({ apiKey: live.text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const request = {
    model: "gpt-4.1",
    stop: ["one hundred", "two hundred", "three hundred", "four hundred", "five"],
    messages: [{ role: "user" as const, content: "Count to ten." }],
  };
  openai.seen.length = 0;
  openai.answer(gpt("one, two, three, four, five, six"));
  const whole = (await client.chat.completions.create(request)).choices[0]!;
  expect([whole.message.content, whole.finish_reason]).toEqual(["one, two, three, four, ", "stop"]);
  expect(openai.seen[0]!.body.stop).toEqual(request.stop.slice(0, 4));

  const delta = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  openai.answer(sse([delta("one, two, three, four, fi"), delta("ve, six")], { hangs: true }));
  const { data, response } = await client.chat.completions.create({ ...request, stream: true }).withResponse();
  let text = "";
  let finish: string | null = null;
  for await (const { choices } of data) {
    text += choices[0]?.delta.content ?? "";
    finish = choices[0]?.finish_reason ?? finish;
  }
  expect([text, finish]).toEqual(["one, two, three, four, ", "stop"]);
  await openai.seen[1]!.gone;
  const log: any = await (await gateway.send(live, "GET", `/v1/logs/${response.headers.get("x-svc-request-id")}`)).json();
  expect([log.execution.usage_source, log.execution.output_tokens > 0]).toEqual(["estimated", true]);
});
