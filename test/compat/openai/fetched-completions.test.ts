/** Chat completions that are fetched, listed and deleted after they were given, with OpenAI's official SDK: those that were to be stored. */

import { expect, test } from "bun:test";
import OpenAI from "openai";
import type { TestKey } from "../../support/gateway.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { refusalOf } from "../../support/openai-refusal.ts";
import { json, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1`, SIGNALBOX_COOLDOWN_MS: "1" },
});
const clientOf = ({ text }: TestKey) => new OpenAI({ apiKey: text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const key = await gateway.key();
const { completions } = clientOf(key).chat;
const live = clientOf(await gateway.key({ mode: "live" })).chat.completions;

const asked = { model: "auto", messages: [{ role: "user" as const, content: "[[sandbox:reply=All clear.]]" }] };
const whyNot = async (work: PromiseLike<unknown>) => {
  const { status, message } = await refusalOf(work);
  return [status, message];
};
const cannot = (why: string) => [404, `404 The chat completion cannot be fetched: ${why}`];
const NOT_FOUND = [404, "404 The chat completion was not found."];

test("a completion that was to be stored is fetched as it was given, whichever path answered it, streamed or not", async () => {
  const metadata = { team: "signals" };
  const whole = await completions.create({ ...asked, store: true, metadata });
  expect((whole as any).svc.ignored_parameters).toBeUndefined();
  const fetched = await completions.retrieve(whole.id);
  expect({ ...fetched, _request_id: "" } as unknown).toEqual({ ...whole, metadata, _request_id: "" });
  const streamed = await completions.stream({ ...asked, store: true }).finalChatCompletion();
  expect((await completions.retrieve(streamed.id)).choices[0]!.message.content).toBe("All clear.");
  const ours = (await (await gateway.send(key, "POST", "/v1/chat", { ...asked, store: true })).json()) as { id: string };
  expect((await completions.retrieve(ours.id)).choices[0]!.message.content).toBe("All clear.");
});

test("it tells the session and what the policies found, as it did at first", async () => {
  const reviewed = await gateway.key({ project: "reviewed", tier: "pro" });
  await gateway.policy(reviewed, "content", { evaluate_output: true, pii_detection: { types: ["email"], action: "redact" } });
  const session_id = "on-duty";
  const body = { ...asked, store: true, session_id };
  const whole = (await (await gateway.send(reviewed, "POST", "/v1/chat/completions", body)).json()) as any;
  expect(whole.svc).toMatchObject({ session_id, content_evaluation: { result: "allow" } });
  expect((await gateway.read(reviewed, `/v1/chat/completions/${whole.id}`)).svc).toEqual(whole.svc);
});

test("calls are told in the form of their tools, and the messages before them page by page", async () => {
  const calls = [
    { id: "c1", type: "function", function: { name: "find", arguments: '{"name":"Ann"}' } },
    { id: "c2", type: "function", function: { name: "note", arguments: '{"input":"Ann called."}' } },
  ];
  const tools = [
    { type: "function" as const, function: { name: "find", parameters: { type: "object", properties: {} } } },
    { type: "custom" as const, custom: { name: "note" } },
  ];
  const answer = (message: object, finish: string) =>
    upstream.answer(json({ choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }] }));
  answer({ content: null, tool_calls: calls }, "tool_calls");
  const system = { role: "system" as const, content: "Be brief.", name: "rules" };
  const picture = { type: "image_url" as const, image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
  const linked = { type: "image_url" as const, image_url: { url: "https://example.com/ann.png" } };
  const user = { role: "user" as const, content: [{ type: "text" as const, text: "Find Ann." }, picture, linked] };
  const first = await live.create({ model: "gpt-4o", store: true, tools, messages: [system, user] });
  const { message } = first.choices[0]!;
  expect(message.tool_calls).toMatchObject([{ type: "function" }, { type: "custom", custom: { input: "Ann called." } }]);
  expect((await live.retrieve(first.id)).choices).toEqual(first.choices);

  answer({ content: "Done." }, "stop");
  const results = calls.map(({ id }) => ({ role: "tool" as const, tool_call_id: id, content: "done" }));
  const messages = [system, user, message, ...results];
  const second = await live.create({ model: "gpt-4o", store: true, tools, messages });
  const listed = [];
  for await (const each of live.messages.list(second.id, { limit: 2 })) listed.push(each);
  expect(listed as unknown[]).toEqual([
    { id: `${second.id}-0`, role: "system", content: "Be brief.", content_parts: null, name: "rules" },
    // The log has no pictures.
    {
      ...{ id: `${second.id}-1`, role: "user", content: null, name: null },
      content_parts: [user.content[0]!, { type: "image", bytes: expect.any(Number) }, linked],
    },
    {
      ...{ id: `${second.id}-2`, role: "assistant", content: "", content_parts: null, name: null },
      tool_calls: message.tool_calls,
    },
    ...results.map((result, index) => ({ id: `${second.id}-${3 + index}`, ...result, content_parts: null, name: null })),
  ]);
  const last = await live.messages.list(second.id, { order: "desc", limit: 1 });
  expect([last.data[0]!.id, last.has_more]).toEqual([`${second.id}-4`, true]);
  const rest = await live.messages.list(second.id, { after: `${second.id}-2`, limit: 2 });
  expect([rest.data.map(({ id }) => id), rest.has_more]).toEqual([[`${second.id}-3`, `${second.id}-4`], false]);
  expect(await refusalOf(live.messages.list(second.id, { after: "chatcmpl-1" }))).toMatchObject({ status: 400, param: "after" });
});

test("calls of the older `functions` keep their form", async () => {
  const call = { id: "c1", type: "function", function: { name: "find", arguments: "{}" } };
  upstream.answer(
    json({ choices: [{ index: 0, message: { role: "assistant", tool_calls: [call] }, finish_reason: "tool_calls" }] }),
  );
  const body = { ...asked, model: "gpt-4o", store: true, functions: [{ name: "find" }] };
  const given = await live.create(body);
  expect(given.choices[0]).toMatchObject({ finish_reason: "function_call", message: { function_call: call.function } });
  expect((await live.retrieve(given.id)).choices).toEqual(given.choices);
});

test("others are not fetched, and the 404 says why", async () => {
  const unstored = cannot("it was made without `store: true`.");
  for (const more of [{}, { store: false }, { store: null }]) {
    const { id } = await completions.create({ ...asked, ...more });
    expect(await whyNot(completions.retrieve(id))).toEqual(unstored);
    expect(await whyNot(completions.messages.list(id))).toEqual(unstored);
    expect(await whyNot(completions.delete(id))).toEqual(unstored);
  }
  const { id } = await completions.create({ ...asked, store: true });
  const stranger = clientOf(await gateway.key({ project: "strangers" })).chat.completions;
  for (const other of [stranger, live]) {
    expect(await whyNot(other.retrieve(id))).toEqual(NOT_FOUND);
    expect(await whyNot(other.delete(id))).toEqual(NOT_FOUND);
  }
  const response = await clientOf(key).responses.create({ model: "auto", input: "Hello." });
  expect(await whyNot(completions.retrieve(response.id))).toEqual(NOT_FOUND);
  expect(await refusalOf(completions.create({ ...asked, store: "yes" } as never))).toMatchObject({ status: 400, param: "store" });
});

test("what is deleted leaves the log with its words, and what it cost stays", async () => {
  const { id } = await completions.create({ ...asked, store: true });
  const before = await gateway.read(key, `/v1/logs/${id}`);
  expect(await completions.delete(id)).toMatchObject({ id, object: "chat.completion.deleted", deleted: true } as never);
  const after = await gateway.read(key, `/v1/logs/${id}`);
  expect([after.prompt.text, after.output.text, after.execution]).toEqual([null, null, before.execution]);
  expect(await whyNot(completions.retrieve(id))).toEqual(cannot("it was deleted."));
});

test("a request in the form of the Responses API, as Cursor sends it to this path, is stored only if it says so", async () => {
  const ask = async (store?: boolean) =>
    (await gateway.send(key, "POST", "/v1/chat/completions", { model: "auto", input: asked.messages, store })).json();
  const stored = ((await ask(true)) as { id: string }).id;
  expect((await completions.retrieve(stored)).choices[0]!.message.content).toBe("All clear.");
  const other = ((await ask()) as { id: string }).id;
  expect(await whyNot(completions.retrieve(other))).toEqual(cannot("it was made without `store: true`."));
});
