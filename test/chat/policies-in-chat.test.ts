/** Policies where a call takes a side way: a judge, a picture instead of words, JSON that nobody asked a schema for. */
import { expect, test } from "bun:test";
import { findCall } from "../../src/logs/read-store.ts";
import { unpackCall } from "../../src/logs/store.ts";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { readSse } from "../support/read-sse.ts";
import { twoVendorsOfFile } from "../support/two-vendors.ts";
import { json, sse } from "../support/upstream-stub.ts";
import { claude, completion } from "../support/vendor-answers.ts";

const { gateway: live, openai, anthropic } = await twoVendorsOfFile();
const sandbox = await gatewayOfFile();

const keyWith = async (gateway: Gateway, content?: object, ...routing: object[]): Promise<TestKey> => {
  const key = await gateway.key({ project: crypto.randomUUID(), mode: gateway === live ? "live" : "test" });
  if (content !== undefined) await gateway.policy(key, "content", content);
  for (const config of routing) await gateway.policy(key, "routing", config);
  return key;
};

const chat = async (gateway: Gateway, key: TestKey, content: string, more: object = {}) => {
  const response = await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content }], ...more });
  return { status: response.status, body: (await response.json()) as any };
};

const VERDICT = '{"verdicts":[{"criterion":1,"passed":true}]}';
const PICTURE = "Draw a picture of a cat whose number is 219-09-9999";
const prompts = (action: "redact" | "block") => ({
  evaluate_input: true,
  redact_logs: true,
  pii_detection: { types: ["ssn"], action },
});

test("a summary of what was said before a policy reviewed prompts is asked for without personal data", async () => {
  openai.answer(completion("The harbour was discussed."));
  anthropic.answer(claude("Noted."));
  const key = await live.key({ project: "long-memory", tier: "pro", mode: "live" });
  const part = `My number is 219-09-9998. ${"The committee met on Monday and talked about the harbour. ".repeat(900)}`;
  for (let turn = 0; turn < 7; turn += 1) await chat(live, key, part, { session_id: "long" });
  await live.policy(key, "content", prompts("redact"));
  const before = [openai.seen.length, anthropic.seen.length];
  await chat(live, key, part, { session_id: "long" });
  const asked = [...openai.seen.slice(before[0]), ...anthropic.seen.slice(before[1])].map(({ body }) => JSON.stringify(body));
  expect(asked.some((body) => body.includes("Merge the summary so far"))).toBe(true);
  expect(asked.some((body) => body.includes("219-09-9998"))).toBe(false);
});

test("a judge is no way around a block list: the provider that is blocked is not shown the answer", async () => {
  openai.answer(completion(VERDICT));
  anthropic.answer(claude(VERDICT, { input_tokens: 3, output_tokens: 3 }));
  const key = await keyWith(live, { criteria: ["It is polite."] }, { provider_block_list: ["openai"] });
  const asked = openai.seen.length;
  const { status, body } = await chat(live, key, "Say hello to everybody.");
  expect(status).toBe(200);
  expect(body.svc.content_evaluation.criteria_passed).toBe(1);
  expect(openai.seen.length).toBe(asked);
  // What the judge used is not the answer's, but the call's: a reader of the log can add it up.
  const { total_usage, cost_usd, request_id } = body.svc;
  expect(total_usage.total_tokens).toBe(body.usage.total_tokens + 6);
  const { execution } = (await (await live.send(key, "GET", `/v1/logs/${request_id}`)).json()) as any;
  expect(execution.side_calls).toMatchObject({ input_tokens: 3, output_tokens: 3 });
  expect(execution.attempts[0].cost_usd + execution.side_calls.cost_usd).toBeCloseTo(cost_usd, 9);
  expect(execution.total_tokens).toBe(total_usage.total_tokens);
});

test("where the judge's provider fails, one of another provider judges", async () => {
  const key = await keyWith(live, { criteria: ["It is polite."] });
  const unavailable = json({ error: { message: "The model does not exist.", code: "model_not_found" } }, 404);
  for (const [ours, theirs] of [
    [unavailable, claude(VERDICT)],
    [completion(VERDICT), json({ type: "error", error: { type: "not_found_error", message: "No such model." } }, 404)],
  ] as const) {
    openai.answer(ours);
    anthropic.answer(theirs);
    const { status, body } = await chat(live, key, "Say hello to everybody.");
    expect([status, body.svc.content_evaluation.criteria_passed]).toEqual([200, 1]);
  }
});

test("criteria are for the answer, also where the prompt is reviewed: a question need not meet them", async () => {
  const criteria = { criteria: ["It names the harbour's master."], on_violation: "hard_block" };
  const key = await keyWith(live, { evaluate_input: true, ...criteria }, { provider_allow_list: ["openai"] });
  const judged: string[] = [];
  openai.answer((request) => {
    const asked = JSON.stringify(request.body);
    if (!asked.includes("You check a text")) return completion("Olga Brandt is.")(request);
    judged.push(asked);
    return completion(`{"verdicts":[{"criterion":1,"passed":${asked.includes("Olga Brandt")}}]}`)(request);
  });
  const { status, body } = await chat(live, key, "Who is master of the harbour?");
  expect([status, judged.length]).toEqual([200, 1]);
  expect(body.svc.content_evaluation).toMatchObject({ phase: "post_response", criteria_passed: 1, criteria_failed: 0 });
});

test("a prompt that a judge objects to is redacted before the model sees it, and what goes before it is sent", async () => {
  const criteria = { evaluate_output: false, criteria: ["It asks for no codes."], on_violation: "soft_block" };
  const key = await keyWith(live, { evaluate_input: true, ...criteria }, { provider_allow_list: ["openai"] });
  const verdict = completion('{"verdicts":[{"criterion":1,"passed":false}]}');
  openai.answer((request) =>
    (JSON.stringify(request.body).includes("You check a text") ? verdict : completion("Pardon?"))(request),
  );
  const messages = [
    { role: "user", content: "Good morning." },
    { role: "assistant", content: "Good morning to you." },
    { role: "user", content: "Tell me the code of the vault." },
  ];
  const { status, body } = await chat(live, key, "", { messages, model: "gpt-4o" });
  expect([status, body.svc.content_evaluation.result, body.svc.content_evaluation.redacted]).toEqual([200, "redact", true]);
  const sent = openai.seen.at(-1)!.body.messages.map(({ content }: any) => content);
  expect(sent).toEqual(["Good morning.", "Good morning to you.", "[REDACTED]"]);
});

test("JSON that no schema asked for is read as JSON: an escape hides nothing, and what is redacted leaves it valid", async () => {
  const key = await keyWith(live, { pii_detection: { types: ["email", "ssn_no_dash"], action: "redact" } });
  openai.answer(completion('{"mail":"jane.doe\\u0040example.com","ssn":219099999}'));
  const { body } = await chat(live, key, "Who is it? As JSON.", {
    model: "gpt-4o-mini",
    response_format: { type: "json_object" },
  });
  expect(JSON.parse(body.choices[0].message.content)).toEqual({ mail: "[REDACTED]", ssn: "[REDACTED]" });
});

test("a stream of JSON is reviewed as JSON too", async () => {
  const key = await keyWith(live, { pii_detection: { types: ["email", "ssn_no_dash"], action: "redact" } });
  openai.answer(completion('{"mail":"jane.doe\\u0040example.com","ssn":219099999}'));
  const response = await live.send(key, "POST", "/v1/chat/stream", {
    model: "gpt-4o-mini",
    response_format: { type: "json_object" },
    messages: [{ role: "user", content: "Who is it? As JSON." }],
  });
  const frames = await readSse(response);
  const text = frames.map(({ data }) => data.choices?.[0]?.delta.content ?? "").join("");
  expect(JSON.parse(text)).toEqual({ mail: "[REDACTED]", ssn: "[REDACTED]" });
});

test("a streamed tool call is remembered and logged as it left", async () => {
  const key = await keyWith(live, { pii_detection: { types: ["email"], action: "redact" } });
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const call = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] });
  openai.answer(
    sse([
      chunk({
        role: "assistant",
        ...call({ id: "t1", type: "function", function: { name: "mail", arguments: '{"to":"jane.doe' } }),
      }),
      // Escaped, as some models write it.
      chunk(call({ function: { arguments: '\\u0040example.com"}' } })),
      chunk({}, "tool_calls"),
    ]),
  );
  const response = await live.send(key, "POST", "/v1/chat/stream", {
    model: "gpt-4o-mini",
    session_id: "tools",
    tools: [{ type: "function", function: { name: "mail", parameters: { type: "object" } } }],
    messages: [{ role: "user", content: "Mail her." }],
  });
  expect(await response.text()).not.toContain("jane.doe");
  const session = await (await live.send(key, "GET", "/v1/memory/tools")).text();
  expect(session).toContain("[REDACTED]");
  expect(session).not.toContain("jane.doe");
  const id = response.headers.get("x-svc-request-id");
  expect(await (await live.send(key, "GET", `/v1/logs/${id}`)).text()).not.toContain("jane.doe");
});

test("a tool call whose arguments a policy blocks does not leave, nor does any other of the answer, streamed or not", async () => {
  const config = { blocked_terms: { terms: ["launch code"], action: "block" } };
  const key = await keyWith(live, config);
  const called = (name: string, given: object) => ({ name, arguments: JSON.stringify(given) });
  const calls = [called("greet", { to: "Ada" }), called("send", { what: "the launch code" })];
  const choice = (fields: object) => ({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, ...fields }] });
  const whole = calls.map((each, index) => ({ index, id: `t${index}`, type: "function", function: each }));
  const asked = {
    model: "gpt-4o-mini",
    tools: calls.map(({ name }) => ({ type: "function", function: { name, parameters: { type: "object" } } })),
    messages: [{ role: "user", content: "Go on." }],
  };
  openai.answer(json(choice({ message: { role: "assistant", content: null, tool_calls: whole }, finish_reason: "tool_calls" })));
  const refused = await live.send(key, "POST", "/v1/chat", asked);
  expect([refused.status, ((await refused.json()) as any).error.code]).toEqual([403, "CONTENT_BLOCKED"]);

  openai.answer(sse([choice({ delta: { tool_calls: whole } }), choice({ delta: {}, finish_reason: "tool_calls" })]));
  const told = await (await live.send(key, "POST", "/v1/chat/stream", asked)).text();
  expect(told).toContain("CONTENT_BLOCKED");
  for (const word of ["greet", "send", "launch"]) expect(told).not.toContain(word);
});

test("a call that no provider can answer keeps personal data out of the log all the same", async () => {
  const project = crypto.randomUUID();
  const key = await sandbox.key({ project, mode: "live" });
  await sandbox.policy(key, "content", prompts("redact"));
  const { status } = await chat(sandbox, key, "His number is 219-09-9999.");
  expect(status).toBe(503);
  expect(await (await sandbox.send(key, "GET", "/v1/logs")).text()).not.toContain("219-09");
});

test("a picture that a chat asks for is made of the prompt that policies let pass, and nothing else is kept of it", async () => {
  const key = await keyWith(sandbox, prompts("redact"));
  const { status, body } = await chat(sandbox, key, PICTURE, { session_id: "pictures" });
  expect(status).toBe(200);
  expect(body.svc.media.type).toBe("image");
  expect(body.svc.content_evaluation).toMatchObject({ result: "redact", phase: "pre_request", pii_count: 1 });
  const log = await (await sandbox.send(key, "GET", `/v1/logs/${body.svc.request_id}`)).text();
  expect(log).not.toContain("219-09");
  const session = await (await sandbox.send(key, "GET", "/v1/memory/pictures")).text();
  expect(session).toContain("[REDACTED]");
  expect(session).not.toContain("219-09");
});

test("a picture is not made where a policy blocks its prompt", async () => {
  const key = await keyWith(sandbox, prompts("block"));
  const { status, body } = await chat(sandbox, key, PICTURE);
  expect(status).toBe(403);
  expect(body).toMatchObject({
    error: { code: "CONTENT_BLOCKED" },
    content_evaluation: { result: "block", phase: "pre_request" },
  });
});

test("the arguments of a tool call that is sent back are words of the prompt too", async () => {
  const key = await keyWith(live, prompts("redact"));
  openai.answer(completion("Done."));
  const messages = [
    { role: "user", content: "Look him up." },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "t1", type: "function", function: { name: "find", arguments: '{"ssn":"219-09-9999","page":1}' } }],
    },
    { role: "tool", tool_call_id: "t1", content: "219-09-9999 is known." },
  ];
  const response = await live.send(key, "POST", "/v1/chat", { model: "gpt-4o-mini", messages });
  expect(((await response.json()) as any).svc.content_evaluation).toMatchObject({ result: "redact", pii_count: 2 });
  const sent = openai.seen.at(-1)!.body.messages;
  expect(JSON.parse(sent[1].tool_calls[0].function.arguments)).toEqual({ ssn: "[REDACTED]", page: 1 });
  expect(JSON.stringify(sent)).not.toContain("219-09");
});

test("a warned model that can be asked replaces what a policy takes out, before an unwarned one that is down", async () => {
  const key = await keyWith(
    live,
    undefined,
    { model_allow_list: ["gpt-4.1-mini", "claude-haiku-5-5"] },
    { provider_block_list: ["anthropic"], on_violation: "warn" },
  );
  const { health } = live.platform.providers;
  health.forgive("anthropic");
  for (let call = 0; call < 5; call++) health.record("openai", "gpt-4.1-mini", { ok: false, kind: "server" });
  anthropic.answer(claude("Hello."));
  const { body } = await chat(live, key, "Hello!", { model: "gpt-4o" });
  expect([body.svc.routing.first_choice, body.model, body.svc.fallback_used]).toEqual([body.model, "claude-haiku-5-5", false]);
  expect(body.svc.policy_evaluation.modifications).toMatchObject([{ from: "gpt-4o", to: body.model }]);
});

test("a content policy's evaluation stands beside a picture too", async () => {
  const key = await keyWith(sandbox, { pii_detection: { action: "redact" } });
  const { body } = await chat(sandbox, key, "Draw a picture of a cat.");
  expect(body.svc.content_evaluation).toMatchObject({ result: "allow", phase: "post_response" });
  expect(body.choices[0].message.content).toStartWith(sandbox.url);
});

test("an upstream of a picture's model that is blocked does not step in for one that fails", async () => {
  await using gateway = await startGateway({
    settings:
      "media_models:\n  image-a-3:\n    - provider: openai\n      model: one\n    - provider: stability\n      model: two\n",
    environment: {
      OPENAI_API_KEY: "sk-one",
      OPENAI_BASE_URL: `${openai.url}/v1`,
      STABILITY_API_KEY: "sk-three",
      STABILITY_BASE_URL: anthropic.url,
    },
  });
  openai.answer(json({ error: { message: "down" } }, 500));
  anthropic.answer(json({ image: "" }));
  const key = await gateway.key({ mode: "live" });
  await gateway.policy(key, "routing", { provider_block_list: ["stability"] });
  const asked = [openai.seen.length, anthropic.seen.length];
  expect((await chat(gateway, key, "Draw a picture of a cat.")).status).toBe(503);
  expect(openai.seen.length).toBeGreaterThan(asked[0]!);
  expect(anthropic.seen.length).toBe(asked[1]!);
});

test("what a caller sends again is not repeated from the session, also beside a document", async () => {
  const key = await keyWith(live);
  const document = (await (
    await live.send(key, "POST", "/v1/documents", { filename: "mars.txt", content: "The sky over Mars is butterscotch." })
  ).json()) as any;
  await live.platform.background.idle();
  const about = { model: "gpt-4o-mini", session_id: "mars", document_id: document.id };
  openai.answer(completion("Butterscotch."));
  await chat(live, key, "What colour is the sky?", about);
  const messages = [
    { role: "user", content: "What colour is the sky?" },
    { role: "assistant", content: "Butterscotch." },
    { role: "user", content: "Why is that so?" },
  ];
  await live.send(key, "POST", "/v1/chat", { ...about, messages });
  const sent = openai.seen.at(-1)!.body.messages.map(({ content }: any) => content);
  expect(sent.filter((content: string) => content === "Butterscotch.")).toHaveLength(1);
  expect(sent.filter((content: string) => content.includes("<documents>"))).toHaveLength(1);
});

test("a picture without a word has nothing to review", async () => {
  const config = { evaluate_input: true, evaluate_output: false, pii_detection: { enabled: true, action: "block" } };
  const key = await keyWith(sandbox, config);
  const picture = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
  const { status, body } = await chat(sandbox, key, [picture] as never);
  expect([status, body.svc.content_evaluation]).toMatchObject([200, { result: "allow", phase: "post_response" }]);
});

test("what stands in two text parts is found, in the prompt that is sent and in the one that is logged", async () => {
  const key = await keyWith(live, {
    evaluate_input: true,
    redact_logs: true,
    blocked_terms: { terms: ["night owl"], action: "redact" },
  });
  openai.answer(completion("Noted."));
  const parts = ["The project is called Night", "Owl, as you know."].map((text) => ({ type: "text", text }));
  const response = await live.send(key, "POST", "/v1/chat", {
    model: "gpt-4o-mini",
    messages: [{ role: "user", content: parts }],
  });
  expect(response.status).toBe(200);
  expect(JSON.stringify(openai.seen.at(-1)!.body.messages)).not.toContain("Owl");
  const id = response.headers.get("x-svc-request-id");
  expect(await (await live.send(key, "GET", `/v1/logs/${id}`)).text()).not.toContain("Owl");
});

test("redact_logs reaches what an upstream quotes in its complaint, and the caller's own metadata", async () => {
  const key = await keyWith(live, { redact_logs: true, pii_detection: { types: ["email"], action: "warn" } });
  openai.answer(json({ error: { message: "bad value: 'jane.doe@example.com'", type: "invalid_request_error" } }, 400));
  const { status, body } = await chat(live, key, "Write to jane.doe@example.com", {
    model: "gpt-4o-mini",
    metadata: { copy: "jane.doe@example.com" },
  });
  expect(status).toBe(400);
  const id = body.error.request_id ?? ((await (await live.send(key, "GET", "/v1/logs?limit=1")).json()) as any).logs[0].call_id;
  const logged = await (await live.send(key, "GET", `/v1/logs/${id}`)).text();
  expect(logged).toContain("bad value: '[REDACTED]'");
  expect(logged).not.toContain("jane.doe");
});

test("the log keeps no personal data of a tool call that left with it, and no picture's bytes", async () => {
  const config = { redact_logs: true, pii_detection: { types: ["email"], action: "warn" } };
  const key = await keyWith(live, config);
  const given = { name: "mail", arguments: '{"to":"jane.doe@example.com"}' };
  const message = { role: "assistant", content: null, tool_calls: [{ id: "t1", type: "function", function: given }] };
  openai.answer(json({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] }));
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const response = await live.send(key, "POST", "/v1/chat", {
    model: "gpt-4o",
    tools: [{ type: "function", function: { name: "mail", parameters: { type: "object" } } }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Mail her this." },
          { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } },
        ],
      },
    ],
  });
  const id = response.headers.get("x-svc-request-id")!;
  expect(await response.text()).toContain("jane.doe@example.com");
  const kept = JSON.stringify(unpackCall((await findCall(live.platform.db, key.project.id, id, "live"))!));
  expect(kept).toContain("Mail her this.");
  for (const word of ["jane.doe", pixel.slice(0, 30)]) expect(kept).not.toContain(word);
});

test("what a policy stopped is in the log, streamed or not", async () => {
  const config = { blocked_terms: { terms: ["secret"], action: "block" } };
  const key = await keyWith(sandbox, config);
  const messages = [{ role: "user", content: "[[sandbox:reply=It began well enough, and then the secret was out.]]" }];
  for (const path of ["/v1/chat", "/v1/chat/stream"]) {
    const response = await sandbox.send(key, "POST", path, { messages });
    await response.text();
    const log = await sandbox.send(key, "GET", `/v1/logs/${response.headers.get("x-svc-request-id")}`);
    const { output, execution } = (await log.json()) as any;
    expect([path, execution.success, execution.error_type]).toEqual([path, false, "content_policy_violation"]);
    expect(output.text).toStartWith("It began well enough, and then the secret");
  }
});

test("a call that a routing policy blocked is in the log, with what the policy objected to", async () => {
  const key = await keyWith(sandbox, undefined, { model_block_list: ["gpt-4o"], on_violation: "hard_block" });
  for (const path of ["/v1/chat", "/v1/chat/stream"]) {
    const refused = await sandbox.send(key, "POST", path, { model: "gpt-4o", messages: [{ role: "user", content: "Hi" }] });
    expect([path, refused.status, ((await refused.json()) as any).policy_evaluation.result]).toEqual([path, 403, "hard_block"]);
    const log = await sandbox.send(key, "GET", `/v1/logs/${refused.headers.get("x-svc-request-id")}`);
    const { policy_evaluation } = ((await log.json()) as any).policies;
    expect(policy_evaluation).toMatchObject({ result: "hard_block", violations: [{ rule: "model_block_list" }] });
  }
});
