/** `/v1/chat` over HTTP against providers on loopback: rule by rule of spec.md "Chat" and decisions §5. */

import { expect, test } from "bun:test";
import { json, stream } from "../support/upstream-stub.ts";
import { completion } from "../support/vendor-answers.ts";
import { ask, chatWithTwo } from "./chat-with-two.ts";

const { gateway, openai, live, sandbox, chat, logOf } = await chatWithTwo();

test("an answer has the shape of spec.md, with the headers", async () => {
  const { status, headers, body } = await chat(live, ask("Say hello."));
  expect(status).toBe(200);
  expect(body.object).toBe("chat.completion");
  expect(typeof body.created).toBe("number");
  const message = { role: "assistant", content: expect.any(String), refusal: null };
  expect(body.choices).toEqual([{ index: 0, message, logprobs: null, finish_reason: "stop" }]);
  expect(body.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
  expect(body.svc).toMatchObject({
    fallback_used: false,
    validation_passed: true,
    model_selected: body.model,
    request_id: headers.get("x-svc-request-id"),
  });
  expect(body.svc.complexity).toBeWithin(0, 1.0001);
  expect(headers.get("x-svc-model")).toBe(body.model);
  expect(headers.get("x-svc-fallback")).toBe("false");
  expect(Number(headers.get("x-svc-latency-ms"))).toBeGreaterThanOrEqual(0);
});

test("missing messages are refused with the field's name", async () => {
  for (const wrong of [{}, { messages: null }, { messages: "hi" }, { messages: [] }]) {
    const { status, body } = await chat(live, wrong);
    expect([status, body.error.type, body.error.param]).toEqual([400, "invalid_request", "messages"]);
  }
  const { body } = await chat(live, { messages: [{ role: "user", content: 5 }] });
  expect(body.error.param).toBe("messages.0.content");
});

test("a missing, wrong or mistyped key is refused before the body is looked at", async () => {
  for (const key of [null, "nonsense", `${live.text.slice(0, -1)}!`, `pk_live_${"a".repeat(38)}`]) {
    const response = await gateway.send(key as string | null, "POST", "/v1/chat", "not json");
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: { type: "authentication_error", message: "Invalid API key" } });
  }
});

test("a key that has expired is refused as one that never was, from that moment on", async () => {
  const key = await gateway.key({ project: "passing", expiresAtMs: gateway.clock.now() + 60_000 });
  expect((await chat(key, ask("Hello."))).status).toBe(200);
  gateway.clock.advance(60_000);
  const { status, body } = await chat(key, ask("Hello."));
  expect([status, body]).toEqual([401, { error: { type: "authentication_error", message: "Invalid API key" } }]);
});

test("vision goes to a model that sees, audio to one that hears", async () => {
  const png =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const seen = await chat(sandbox, {
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is it?" },
          { type: "image_url", image_url: { url: png } },
        ],
      },
    ],
  });
  expect(seen.body.svc.task_type).toBe("vision");
  expect(gateway.platform.catalog.findChatModel(seen.body.model)!.abilities).toContain("vision");
  const heard = await chat(sandbox, {
    messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "UklGRiQAAABXQVZF", format: "wav" } }] }],
  });
  expect(heard.body.svc.task_type).toBe("audio");
  expect(gateway.platform.catalog.findChatModel(heard.body.model)!.abilities).toContain("audio_input");
});

test("URLs that lead inside are refused with their place", async () => {
  for (const url of [
    "http://example.com/a.png",
    "https://localhost/a.png",
    "https://127.0.0.1/a.png",
    "https://10.0.0.1/x",
    "https://[::1]/x",
    "https://169.254.169.254/",
    "file:///etc/passwd",
    "https://0x7f000001/x",
    "https://user:pw@example.com/",
  ]) {
    const picture = { role: "user", content: [{ type: "image_url", image_url: { url } }] };
    for (const before of [[], [{ role: "system", content: "Be brief." }]]) {
      const { status, body } = await chat(sandbox, { messages: [...before, picture] });
      expect([status, body.error.param]).toEqual([400, `messages.${before.length}.content.0.image_url.url`]);
    }
  }
});

test("an unknown model is 404 and no row of the log; a pinned one answers", async () => {
  const before = ((await (await gateway.send(live, "GET", "/v1/logs?limit=1")).json()) as any).total;
  const unknown = await chat(live, ask("Hi", { model: "gpt-99" }));
  expect([unknown.status, unknown.body.error.type, unknown.body.error.param, unknown.body.error.code]).toEqual([
    404,
    "not_found",
    "model",
    "model_not_found",
  ]);
  expect((await chat(live, ask("Hi", { model: "gpt-4o-mni" }))).body.error.message).toStartWith(
    'The model "gpt-4o-mni" was not found. Did you mean gpt-4o-mini? GET /v1/models',
  );
  const bound = await gateway.key({ mode: "live", terms: { models: ["claude-haiku-5-5"] } });
  expect((await chat(bound, ask("Hi", { model: "gpt-4o-mni" }))).body.error.message).not.toContain("mean");
  const after = ((await (await gateway.send(live, "GET", "/v1/logs?limit=1")).json()) as any).total;
  expect(after).toBe(before);
  expect((await chat(live, ask("Hi", { model: "gpt-4o" }))).body.model).toBe("gpt-4o");
});

test("tools, sampling and the rest reach the provider; tool calls come back", async () => {
  openai.answer(
    json({
      id: "x",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "t1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } }],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
    }),
  );
  const tools = [
    {
      type: "function",
      function: { name: "weather", description: "d", parameters: { type: "object", properties: { city: { type: "string" } } } },
    },
  ];
  const { body } = await chat(
    live,
    ask("Weather in Paris?", {
      model: "gpt-4o",
      tools,
      tool_choice: "required",
      temperature: 0.2,
      top_p: 0.9,
      stop: ["END"],
      seed: 7,
      max_tokens: 50,
      user: "u-1",
      metadata: { team: "x" },
    }),
  );
  expect(body.choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { content: null, tool_calls: [{ id: "t1", function: { name: "weather", arguments: '{"city":"Paris"}' } }] },
  });
  expect(openai.seen[0]!.body).toMatchObject({ model: "gpt-4o", temperature: 0.2, top_p: 0.9, stop: ["END"], seed: 7 });
  const log = await logOf(live, body.svc.request_id);
  expect(log.metadata).toMatchObject({ user_id: "u-1", custom: { team: "x" } });
});

test("the same idempotency key and body answer the stored response; another body is a mismatch", async () => {
  const first = await chat(sandbox, ask("Say something."), { "idempotency-key": "k-1" });
  const again = await chat(sandbox, ask("Say something."), { "idempotency-key": "k-1" });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("x-svc-idempotent-replay")).toBe("true");
  const other = await chat(sandbox, ask("Say something else."), { "idempotency-key": "k-1" });
  expect([other.status, other.body.error.type]).toEqual([422, "idempotency_mismatch"]);
  // Neither is answered before the other has been refused.
  const { promise: refusal, resolve: answer } = Promise.withResolvers<void>();
  openai.answer(async (request) => {
    await refusal;
    return completion("Hello.")(request);
  });
  const asked = () => chat(live, ask("Say hello.", { model: "gpt-4o" }), { "idempotency-key": "k-2" });
  const both = [asked(), asked()];
  const { status, body, headers } = await Promise.race(both);
  answer();
  expect(status).toBe(409);
  expect((await Promise.all(both)).map((each) => each.status).sort()).toEqual([200, 409]);
  expect([body.error.type, headers.get("retry-after")]).toEqual(["idempotency_in_progress", "1"]);
});

test("a caller that hangs up aborts the provider and is logged with the prompt", async () => {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  openai.answer(async (request) => {
    resolve();
    await request.gone;
    return new Response(null, { status: 500 });
  });
  const abort = new AbortController();
  const call = fetch(`${gateway.url}/v1/chat`, {
    method: "POST",
    signal: abort.signal,
    headers: { authorization: `Bearer ${live.text}`, "content-type": "application/json" },
    body: JSON.stringify(ask("Hang up on me.", { model: "gpt-4o" })),
  }).catch(() => undefined);
  await reached;
  abort.abort();
  await call;
  await openai.seen[0]!.gone;
  let row: any;
  while (row === undefined)
    row = (await (await gateway.send(live, "GET", "/v1/logs?limit=1&failed_only=true")).json()).logs.find(
      ({ prompt }: any) => prompt.text === "Hang up on me.",
    );
  expect(row.execution).toMatchObject({ status: 499, usage_source: "estimated", output_tokens: 0 });
  expect(row.execution.input_tokens).toBeGreaterThan(0);
});

test("what a provider streams unasked is billed if it breaks off", async () => {
  const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  openai.answer(stream([piece("The first train left "), piece("before the second had come.")]));
  expect((await chat(live, ask("Break off.", { model: "gpt-4o" }))).status).toBe(503);
  const { logs } = (await (await gateway.send(live, "GET", "/v1/logs?limit=1")).json()) as any;
  const { attempts, usage_source } = (await logOf(live, logs[0].call_id)).execution;
  expect([attempts.length, attempts[0].failure, usage_source]).toEqual([2, "truncated", "estimated"]);
  for (const { output_tokens } of attempts) expect(output_tokens).toBeWithin(8, 13);
});

test("a trigger of the sandbox changes neither the task nor what counts as a good answer", async () => {
  const plain = await chat(sandbox, ask("Extract the name and age from: Bob is 44 years old."));
  const broken = await chat(sandbox, ask("Extract the name and age from: Bob is 44 years old. [[sandbox:bad-json]]"));
  expect(broken.body.svc).toMatchObject({ task_type: plain.body.svc.task_type, validation_passed: true });
  expect(broken.body.choices[0].message.content).toBe(plain.body.choices[0].message.content);
  const { execution } = await logOf(sandbox, broken.body.svc.request_id);
  expect(execution.attempts.map(({ failure }: { failure: string | null }) => failure)).toEqual(["format_violation", null]);
});
