/** Memory as a caller meets it: `session_id` and `memory` in chat, its stream and the compatible routes. */
import { expect, test } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

let names = 0;
const newName = () => `chat-${++names}`;

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "memory-chat", tier: "pro" });

const send = async (method: string, path: string, body?: unknown, as: TestKey = key) => {
  const response = await gateway.send(as, method, path, body);
  return { status: response.status, body: (await response.json()) as any };
};
const chat = (session: string, content: string, more: object = {}, as: TestKey = key) =>
  send("POST", "/v1/chat", { messages: [{ role: "user", content }], session_id: session, ...more }, as);
const stored = async (session: string) => {
  const { status, body } = await send("GET", `/v1/memory/${session}`);
  return status === 200 ? body.messages.map(({ role, content }: any) => [role, content]) : status;
};

test("a turn is stored with the answer the caller got, and stands before the next call", async () => {
  const session = newName();
  const first = await chat(session, "My cat is called Ada. [[sandbox:reply=Noted.]]");
  expect(first.status).toBe(200);
  expect(await stored(session)).toEqual([
    ["user", "My cat is called Ada. [[sandbox:reply=Noted.]]"],
    ["assistant", "Noted."],
  ]);
  const alone = await chat(newName(), "Hello again. [[sandbox:reply=Hi.]]");
  const second = await chat(session, "Hello again. [[sandbox:reply=Hi.]]");
  expect(second.body.usage.prompt_tokens).toBeGreaterThan(alone.body.usage.prompt_tokens);
  const without = await chat(session, "Hello again. [[sandbox:reply=Hi.]]", { memory: { include_last_n: 0 } });
  expect(without.body.usage.prompt_tokens).toBe(alone.body.usage.prompt_tokens);
  const all = await chat(session, "Hello again. [[sandbox:reply=Hi.]]", { memory: { include_last_n: 2 ** 31 - 1 } });
  expect(all.body.usage.prompt_tokens).toBeGreaterThan(second.body.usage.prompt_tokens);
});

test("a follow-up is understood with what the session remembers, as with the whole conversation", async () => {
  const asked = "Write a Python function that parses a CSV file and handles quoted fields.";
  const session = newName();
  await chat(session, asked);
  const understood = ({ body: { svc } }: { body: any }) => [svc.task_type, svc.complexity];
  const conversation = { messages: [asked, "Shorter, please."].map((content) => ({ role: "user", content })) };
  const whole = understood(await send("POST", "/v1/chat", conversation));
  expect(whole).not.toEqual(understood(await chat(newName(), "Shorter, please.")));
  expect(understood(await chat(session, "Shorter, please.", { memory: { enabled: false } }))).not.toEqual(whole);
  expect(understood(await chat(session, "Shorter, please."))).toEqual(whole);
  const other = newName();
  await chat(other, asked);
  expect(understood(await chat(other, "Shorter, please.", { memory: { include_last_n: 0 } }))).not.toEqual(whole);
});

test("another picture is of what the session's last one was, in a stream too", async () => {
  const session = newName();
  const { body } = await chat(session, "Draw a picture of a red fox.");
  expect(body.svc.media.type).toBe("image");
  const another = await chat(session, "Another one, please.");
  expect(another.body.svc.media.type).toBe("image");
  const order = { messages: [{ role: "user", content: "Another one, please." }], session_id: session };
  const stream = await gateway.send(key, "POST", "/v1/chat/stream", order);
  expect(await stream.text()).toContain('"media":{"type":"image"');
  expect(await stored(session)).toHaveLength(6);
  expect((await stored(session)).slice(2, 3)).toEqual([["user", "Another one, please."]]);
  expect((await chat(newName(), "Another one, please.")).body.svc.media).toBeUndefined();
});

test("memory.enabled false neither reads nor writes", async () => {
  const session = newName();
  await chat(session, "one [[sandbox:reply=1]]");
  const alone = await chat(newName(), "two [[sandbox:reply=2]]");
  const off = await chat(session, "two [[sandbox:reply=2]]", { memory: { enabled: false } });
  expect([off.status, off.body.usage.prompt_tokens]).toEqual([200, alone.body.usage.prompt_tokens]);
  expect(await stored(session)).toHaveLength(2);
});

test("a stream and the OpenAI route remember too", async () => {
  const session = newName();
  const stream = await gateway.send(key, "POST", "/v1/chat/stream", {
    messages: [{ role: "user", content: "streamed [[sandbox:reply=by stream]]" }],
    session_id: session,
  });
  expect(await stream.text()).toContain("[DONE]");
  await send("POST", "/v1/chat/completions", {
    messages: [{ role: "user", content: "compatible [[sandbox:reply=by completions]]" }],
    session_id: session,
  });
  expect((await stored(session)).map(([, content]: string[]) => content)).toEqual([
    "streamed [[sandbox:reply=by stream]]",
    "by stream",
    "compatible [[sandbox:reply=by completions]]",
    "by completions",
  ]);
});

test("simultaneous calls on one session keep every turn, each with its own answer", async () => {
  const session = newName();
  await Promise.all(Array.from({ length: 10 }, (_, n) => chat(session, `q${n} [[sandbox:reply=a${n}]]`)));
  const messages = await stored(session);
  expect(messages).toHaveLength(20);
  for (let at = 0; at < 20; at += 2) {
    expect(messages[at][0]).toBe("user");
    expect(messages[at + 1]).toEqual(["assistant", /reply=(a\d)/.exec(messages[at][1])?.[1]]);
  }
});

test("a client that sends its whole history is not made to pay for it twice", async () => {
  const session = newName();
  await chat(session, "first [[sandbox:reply=one]]");
  const history = [
    { role: "user", content: "first [[sandbox:reply=one]]" },
    { role: "assistant", content: "one" },
    { role: "user", content: "second [[sandbox:reply=two]]" },
  ];
  const remembered = await send("POST", "/v1/chat", { messages: history, session_id: session });
  const plain = await send("POST", "/v1/chat", { messages: history });
  expect(remembered.body.usage.prompt_tokens).toBe(plain.body.usage.prompt_tokens);
  expect(await stored(session)).toHaveLength(4);
});

test("a tool's result may come alone: its call is remembered, and the turn is stored once", async () => {
  const tools = [{ type: "function", function: { name: "find_city", parameters: { type: "object" } } }];
  const question = { role: "user", content: "Where is it?" };
  const onChat = (messages: object[], more: object) => send("POST", "/v1/chat", { messages, tools, ...more });
  const onResponses = (input: object[], more: object) =>
    send("POST", "/v1/responses", {
      input,
      tools: [{ type: "function", name: "find_city", parameters: { type: "object" } }],
      ...more,
    });
  const first = newName();
  const called = await onChat([question], { session_id: first, tool_choice: "required" });
  const { id } = called.body.choices[0].message.tool_calls[0];
  await onChat([{ role: "tool", tool_call_id: id, content: "Oslo" }], { session_id: first });
  const second = newName();
  const asked = await onResponses([question], { session_id: second, tool_choice: "required" });
  const { call_id } = asked.body.output.find(({ type }: any) => type === "function_call");
  await onResponses([{ type: "function_call_output", call_id, output: "Oslo" }], { session_id: second });
  for (const session of [first, second]) {
    const turn = await stored(session);
    expect(turn.map(([role]: [string]) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(turn[2][1]).toBe("Oslo");
  }
});

test("a failed call leaves no turn and no session behind", async () => {
  const session = newName();
  const failed = await chat(session, "x [[sandbox:error-500:always]]");
  expect(failed.status).toBe(503);
  expect(await stored(session)).toBe(404);
});

test("a call that fails takes none of the project's session places, whole or streamed, before or after a model was asked", async () => {
  const full = await gateway.key({ project: "memory-chat-full", tier: "pro" });
  for (let n = 0; n < 99; n++) await chat(`place-${n}`, "x [[sandbox:reply=y]]", {}, full);
  const failing = { messages: [{ role: "user", content: "x [[sandbox:error-500:always]]" }] };
  const unaffordable = { messages: [{ role: "user", content: "x" }], max_cost_per_call: 1e-9 };
  const drawing = { messages: [{ role: "user", content: "Draw a picture of a red fox. [[sandbox:error-500:always]]" }] };
  for (const path of ["/v1/chat", "/v1/chat/stream"]) {
    for (const [index, body] of [failing, unaffordable, drawing].entries()) {
      const { status } = await gateway.send(full, "POST", path, { ...body, session_id: `new${path}${index}` });
      expect(status).toBeOneOf([400, 503]);
    }
  }
  expect((await chat("place-99", "x [[sandbox:reply=y]]", {}, full)).status).toBe(200);
  expect((await chat("place-100", "x [[sandbox:reply=y]]", {}, full)).body.error).toMatchObject({ type: "limit_exceeded" });
});

test("below Pro a session is refused before anything is spent, also with memory switched off", async () => {
  const starter = await gateway.key({ project: "memory-chat-starter", tier: "starter" });
  for (const more of [{}, { memory: { enabled: false } }]) {
    const refused = await chat("s", "hello", more, starter);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ type: "insufficient_tier", required_tier: "pro", current_tier: "starter" });
  }
});

test("a long session is summarised before it outgrows its tier, and goes on", async () => {
  const session = newName();
  const filler = "The committee met on Monday and talked about the harbour. ".repeat(900);
  await chat(session, "Please remember that my dog is called Biscuit.");
  for (let n = 0; n < 9; n++) await chat(session, `Part ${n}. ${filler} [[sandbox:reply=ok ${n}]]`);
  const { body } = await send("GET", `/v1/memory/${session}`);
  expect(body.summarized).toBe(true);
  expect(body.summary).toContain("harbour");
  expect(body.summary).toContain("Biscuit");
  expect(body.message_count).toBe(20);
  expect(body.messages.at(-1).content).toBe("ok 8");
  expect(body.token_count).toBeLessThan(100_000);
});

test("a session is summarised for the turn that would take it past 80 % of its tier, not only for the one after", async () => {
  const session = newName();
  const harbour = "The committee met on Monday and talked about the harbour. ";
  for (let n = 0; n < 5; n++) await chat(session, `Part ${n}. ${harbour.repeat(1_150)} [[sandbox:reply=ok ${n}]]`);
  const before = (await send("GET", `/v1/memory/${session}`)).body;
  expect([before.summarized, before.token_count > 60_000, before.token_count < 80_000]).toEqual([false, true, true]);
  await chat(session, `The long part. ${harbour.repeat(3_600)} [[sandbox:reply=ok]]`);
  const { body } = await send("GET", `/v1/memory/${session}`);
  expect(body.summarized).toBe(true);
  expect(body.message_count).toBe(12);
  expect(body.token_count).toBeLessThan(100_000);
});

test("what an agent sends again with each tool's result does not fill the session twice", async () => {
  const session = newName();
  const harbour = "The committee met on Monday and talked about the harbour. ";
  await chat(session, `The minutes. ${harbour.repeat(1_000)} [[sandbox:reply=ok]]`);
  const tools = [{ type: "function", function: { name: "read_file", parameters: { type: "object" } } }];
  const messages: object[] = [{ role: "user", content: "Read both files." }];
  for (const file of [harbour.repeat(3_400), "Empty."]) {
    const { body } = await send("POST", "/v1/chat", { messages, tools, tool_choice: "required", session_id: session });
    const { message } = body.choices[0];
    messages.push(message, { role: "tool", tool_call_id: message.tool_calls[0].id, content: file });
  }
  await send("POST", "/v1/chat", { messages, tools, session_id: session });
  const { body } = await send("GET", `/v1/memory/${session}`);
  expect([body.summarized, body.message_count, body.token_count > 46_000]).toEqual([false, 8, true]);
});

test("calls with a ceiling fold a long session too, without asking a model for it", async () => {
  const session = newName();
  const filler = "The committee met on Monday and talked about the harbour. ".repeat(900);
  for (let n = 0; n < 9; n++) {
    const { body } = await chat(session, `Part ${n}. ${filler} [[sandbox:reply=ok ${n}]]`, { max_cost_per_call: 0.05 });
    expect(body.svc.cost_usd).toBeLessThanOrEqual(0.05);
  }
  const { body } = await send("GET", `/v1/memory/${session}`);
  expect(body.summarized).toBe(true);
  expect(body.token_count).toBeLessThan(100_000);
});

test("a session that no path could name is refused on every route that would begin it", async () => {
  const messages = [{ role: "user", content: "hello" }];
  const bodies = {
    "/v1/chat": { messages },
    "/v1/messages": { model: "auto", max_tokens: 9, messages },
    "/v1/responses": { input: "hello" },
  };
  for (const [path, body] of Object.entries(bodies)) {
    for (const session_id of [".", ".."]) {
      const { status, body: said } = await send("POST", path, { ...body, session_id });
      expect([path, status]).toEqual([path, 400]);
      expect(said.error.message).toContain('`session_id` must be a string from 1 to 200 characters other than "." and ".."');
    }
  }
  expect((await chat("...", "hello [[sandbox:reply=hi]]")).status).toBe(200);
  expect(await stored("...")).toHaveLength(2);
});
