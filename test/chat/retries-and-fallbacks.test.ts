/** Which model is asked after one that failed or answered badly (rule 3), and what the caller and the log are told of it. */

import { expect, test } from "bun:test";
import { spendRetries } from "../support/spend-retries.ts";
import { json, sse } from "../support/upstream-stub.ts";
import { claude, completion, failing } from "../support/vendor-answers.ts";
import { ask, chatWithTwo } from "./chat-with-two.ts";

const { gateway, openai, anthropic, live, sandbox, chat, logOf } = await chatWithTwo();

test("a failing provider is replaced by another, and every attempt is in the log", async () => {
  openai.answer(failing(500));
  anthropic.answer(claude("Fallback answer."));
  const { status, body, headers } = await chat(live, ask("Say hello to the world.", { model: "gpt-4o", allow_fallback: true }));
  expect(status).toBe(200);
  expect(body.choices[0].message.content).toBe("Fallback answer.");
  expect(body.svc.fallback_used).toBe(true);
  expect(headers.get("x-svc-fallback")).toBe("true");
  const log = await logOf(live, body.svc.request_id);
  expect(log.execution.attempts.map((attempt: any) => [attempt.model, attempt.success])).toEqual([
    ["gpt-4o", false],
    ["gpt-4o", false],
    [body.model, true],
  ]);
  expect(openai.seen.length).toBe(2);
  // Who refuses a prompt before it accepts it bills nothing for it.
  const [refused] = log.execution.attempts;
  expect([refused.input_tokens, refused.cost_usd]).toEqual([0, 0]);
  expect(log.execution.cost_usd).toBe(log.execution.attempts[2].cost_usd);
});

test("models named beside the pinned one are its fallbacks, in the caller's order, and no other answers", async () => {
  const named = { model: "gpt-4o", models: ["gpt-4o", "claude-haiku-5-5", "claude-sonnet-5-5"] };
  openai.answer(failing(500));
  const { body } = await chat(live, ask("Say hello to the world.", named));
  expect([body.model, body.svc.fallback_used, body.svc.routing.reason]).toEqual([
    "claude-haiku-5-5",
    true,
    "The caller pinned gpt-4o.",
  ]);
  expect(body.svc.routing.candidates.map(({ model }: any) => model)).toEqual(["gpt-4o", "claude-haiku-5-5", "claude-sonnet-5-5"]);
  const backwards = ask("Say hello to the world.", { ...named, models: named.models.toReversed() });
  const { fallbacks } = (await (await gateway.send(live, "POST", "/v1/route", backwards)).json()) as any;
  expect(fallbacks).toEqual(["claude-sonnet-5-5", "claude-haiku-5-5"]);
  gateway.clock.advance(120_000);
  anthropic.answer(failing(500));
  const failed = await chat(live, ask("Say hello to the world.", { ...named, models: ["claude-haiku-5-5"] }));
  expect(failed.status).toBe(503);
  const { execution } = await logOf(live, failed.headers.get("x-svc-request-id")!);
  expect(new Set(execution.attempts.map(({ model }: any) => model))).toEqual(new Set(["gpt-4o", "claude-haiku-5-5"]));
});

test("where a policy takes out the pinned model, its fallbacks keep the caller's order, unless a policy prefers among them", async () => {
  const key = await gateway.key({ project: crypto.randomUUID(), mode: "live" });
  await gateway.policy(key, "routing", { provider_block_list: ["openai"] });
  const models = ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"];
  for (const order of [models, models.toReversed()])
    for (const more of [{}, { allow_fallback: true }]) {
      const asked = ask("Say hello to the world.", { model: "gpt-4o", models: order, ...more });
      const { model, fallbacks, reason } = (await (await gateway.send(key, "POST", "/v1/route", asked)).json()) as any;
      expect([model, ...fallbacks].slice(0, 3)).toEqual(order);
      expect(reason).toBe(`A policy took gpt-4o out; ${order[0]} is the first of the models named that is left.`);
      expect((await chat(key, asked)).body.model).toBe(order[0]!);
    }
  await gateway.policy(key, "routing", { prefer_cheaper_models: true });
  const { body } = await chat(key, ask("Say hello to the world.", { model: "gpt-4o", models: models.toReversed() }));
  expect(body.model).toBe("claude-haiku-5-5");
});

test("a named model whose provider is not configured is passed over where another may answer", async () => {
  const hello = ask("Say hello to the world.", { model: "gemini-2.5-pro" });
  const alone = await chat(live, hello);
  expect([alone.status, alone.body.error.message]).toEqual([503, expect.stringContaining("GEMINI_API_KEY")]);
  const { body } = await chat(live, { ...hello, models: ["gpt-4o-mini"] });
  const reason = "gpt-4o-mini is the first of the models named that can answer: gemini-2.5-pro cannot.";
  expect([body.model, body.svc.fallback_used, body.svc.routing.reason]).toEqual(["gpt-4o-mini", false, reason]);
  expect((await chat(live, { ...hello, allow_fallback: true })).status).toBe(200);
});

test("where another model stands in for those named, the reason says why", async () => {
  const key = await gateway.key({ project: "stand-ins" });
  const svcOf = async (more: object) => (await chat(key, ask("Explain rain.", { allow_fallback: true, ...more }))).body.svc;
  const deaf = await svcOf({ model: "gpt-audio-1.5" });
  expect(deaf.routing.reason).toStartWith(`gpt-audio-1.5 cannot answer. ${deaf.model_selected} is `);
  const picture = { type: "image_url", image_url: { url: "https://example.com/rain.png" } };
  const messages = [{ role: "user", content: [picture] }];
  const both = await svcOf({ messages, model: "gpt-audio-1.5", models: ["gpt-oss-20b"] });
  expect(both.routing.reason).toStartWith("None of the models named can answer. ");
  // So it is with a ceiling, also under a policy that prefers others.
  for (const config of [undefined, { prefer_cheaper_models: true }]) {
    if (config !== undefined) await gateway.policy(key, "routing", config);
    const {
      routing,
      cost_warning: warning,
      model_selected,
    } = await svcOf({ model: "claude-opus-5-5", max_cost_per_call: 0.0003 });
    expect(routing.reason).toContain("claude-opus-5-5");
    expect(routing.reason).toContain("exceeds the cost ceiling");
    expect(warning).toMatchObject({ optimal_model: "claude-opus-5-5", selected_model: model_selected });
  }
  const cheaper = await svcOf({ model: "claude-opus-5-5", models: ["gpt-oss-20b"], max_cost_per_call: 0.0003 });
  expect(cheaper.routing.reason).toBe(
    "gpt-oss-20b is the first of the models named that can answer: claude-opus-5-5 exceeds the cost ceiling.",
  );
});

test("the router chooses among the models that are named, and so do policies", async () => {
  const models = ["gpt-4o", "claude-haiku-5-5"];
  const prompt = ask("Say hello to the world.", { models, quality_cost: 1 });
  const key = await gateway.key({ project: "a few models", mode: "live" });
  const free = await chat(key, prompt);
  expect([free.body.model, free.body.svc.routing.candidates.length]).toEqual(["claude-haiku-5-5", 2]);
  for (const more of [{}, { allow_fallback: true }]) {
    const { svc } = (await chat(key, { ...prompt, ...more })).body;
    expect(svc.routing.candidates.map(({ model }: any) => model).sort()).toEqual(models.toSorted());
  }
  await gateway.policy(key, "routing", { provider_block_list: ["anthropic"] });
  const governed = await chat(key, prompt);
  expect([governed.body.model, governed.body.svc.policy_evaluation.result]).toEqual(["gpt-4o", "soft_block"]);
  await gateway.policy(key, "routing", { prefer_cheaper_models: true });
  expect((await chat(key, prompt)).body.model).toBe("gpt-4o");
  expect((await chat(key, ask("Hello.", { models: ["claude-haiku-5-5"] }))).body).toMatchObject({ code: "POLICY_BLOCKED" });
  // A model named twice is one model, which policies may replace.
  const twice = await chat(key, ask("Hello.", { model: "claude-haiku-5-5", models: ["claude-haiku-5-5"] }));
  expect([twice.status, twice.body.svc?.policy_evaluation.modifications[0]?.from]).toEqual([200, "claude-haiku-5-5"]);
  expect((await chat(live, ask("Hello.", { models: ["gpt-4o", "nobody-1"] }))).body.error).toMatchObject({
    type: "not_found",
    param: "models.1",
    code: "model_not_found",
  });
  const drawing = await chat(sandbox, ask("Draw a picture of a red fox in the snow.", { models }));
  expect(drawing.body.svc.media).toBeUndefined();
});

test("a model that the account may not use is asked once, and then only where it is named", async () => {
  anthropic.answer(json({ type: "error", error: { type: "not_found_error", message: "model: claude-haiku-5-5" } }, 404));
  const either = ask("Say hello to the world.", { models: ["gpt-4o", "claude-haiku-5-5"] });
  const asked = async (body: object) => {
    const { body: answer } = await chat(live, body);
    return [anthropic.seen.length, answer.model, answer.svc.fallback_used];
  };
  expect([await asked(either), await asked(either)]).toEqual([
    [1, "gpt-4o", true],
    [1, "gpt-4o", false],
  ]);
  const { svc } = (await chat(live, either)).body;
  expect(svc.routing.reason).toContain("claude-haiku-5-5 would have been chosen but is down");
  expect((await logOf(live, svc.request_id)).context.provider_health).toEqual({ openai: "healthy", anthropic: "down" });
  anthropic.answer(claude("Here I am."));
  expect(await asked(ask("Say hello.", { model: "claude-haiku-5-5" }))).toEqual([2, "claude-haiku-5-5", false]);
  expect((await asked(either))[1]).toBe("claude-haiku-5-5");
});

test("where too many of a provider's attempts are retries already, the next model is asked at once, and the log says why", async () => {
  spendRetries(gateway, "openai");
  openai.answer(failing(500));
  const { body } = await chat(live, ask("Say hello to the world.", { model: "gpt-4o", allow_fallback: true }));
  const { execution } = await logOf(live, body.svc.request_id);
  expect(execution.attempts.map(({ model, purpose, not_retried }: any) => [model, purpose, not_retried])).toEqual([
    ["gpt-4o", "first", "retry_budget"],
    [body.model, "fallback", null],
  ]);
  // What the provider asks for itself is no storm, an answer that did not pass no failure; and where nobody else may answer, it is asked again.
  for (const first of [failing(429, { "retry-after-ms": "1" }), completion(""), failing(500)]) {
    openai.answer(first, completion("Hello."));
    expect((await chat(live, ask("Say hello.", { model: "gpt-4o" }))).body.choices[0].message.content).toBe("Hello.");
  }
});

test("a call that no model answered counts against the one that was asked first, in the log and in the metrics", async () => {
  const own = await gateway.key({ project: "unlucky" });
  const { headers } = await chat(own, ask("[[sandbox:error-500:always]] Explain hail.", { model: "gpt-4o" }));
  const row = await logOf(own, headers.get("x-svc-request-id")!);
  expect([row.execution.status, row.routing.model_selected, row.routing.provider]).toEqual([503, "gpt-4o", "openai"]);
  const found = (await (await gateway.send(own, "GET", "/v1/logs?failed_only=true&model=gpt-4o")).json()) as any;
  expect(found.total).toBe(1);
  const { by_task_type } = (await (await gateway.send(own, "GET", "/v1/metrics/performance")).json()) as any;
  expect(by_task_type[row.classification.task_type].models["gpt-4o"]).toMatchObject({ calls: 1, success_rate: 0 });
});

test("all providers failing is a 503 with retry_after that names neither key nor address", async () => {
  openai.answer(failing(500));
  anthropic.answer(failing(500));
  const { status, body, headers } = await chat(live, ask("Say hello."));
  expect([status, body.error.type]).toEqual([503, "service_unavailable"]);
  expect(body.error.retry_after).toBeGreaterThan(0);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(headers.get("x-should-retry")).toBe("false");
  expect(body.error.request_id).toBe(headers.get("x-svc-request-id"));
  expect(JSON.stringify(body)).not.toMatch(/sk-|127\.0\.0\.1|http:/);
});

test("a 503 says in a word what the last failure was, and where nothing was asked, why", async () => {
  openai.answer(json({ error: { message: "Incorrect API key provided.", type: "invalid_request_error" } }, 401));
  const pinned = ask("Say hello.", { model: "gpt-4o" });
  const refused = await chat(live, pinned);
  const why =
    "No provider could answer: all failed or are cooling down. The last failure: OpenAI refused the configured credentials.";
  expect(refused.body.error.message).toBe(why);
  openai.answer(json({ error: { message: "Rate limit reached.", code: "rate_limit_exceeded" } }, 429, { "retry-after": "47" }));
  await chat(live, pinned);
  const seen = openai.seen.length;
  const { body, headers } = await chat(live, pinned);
  expect(openai.seen.length).toBe(seen);
  const resting = "No provider could answer: gpt-4o is cooling down after failures or a rate limit. Nothing was sent.";
  expect(body.error.message).toBe(resting);
  expect((await logOf(live, headers.get("x-svc-request-id")!)).execution.error_message).toBe(resting);
});

test("a refusal is retried once with the same model, then a fallback is asked", async () => {
  const { body } = await chat(sandbox, ask("[[sandbox:refuse]] Explain photosynthesis."));
  const log = await logOf(sandbox, body.svc.request_id);
  expect(log.execution.attempts.length).toBe(2);
  expect(body.svc).toMatchObject({ validation_passed: true, fallback_used: false });
  const always = await chat(sandbox, ask("[[sandbox:refuse:always]] Explain photosynthesis."));
  const models = (await logOf(sandbox, always.body.svc.request_id)).execution.attempts.map((attempt: any) => attempt.model);
  expect(models.length).toBe(3);
  expect(models[0]).toBe(models[1]);
  expect(models[2]).not.toBe(models[0]);
  expect(always.status).toBe(200);
  expect(always.body.svc).toMatchObject({ validation_passed: false, fallback_used: true });
});

test("of answers none of which passes the best is given, whoever made it and whenever it came", async () => {
  const refusal = "I'm sorry, but I can't help with that request.";
  for (const [answers, best] of [
    [[refusal, ""], refusal],
    [["", refusal], refusal],
  ] as const) {
    openai.answer(...answers.map((text) => completion(text)));
    anthropic.answer(claude(""));
    const { body } = await chat(live, ask("Name a river.", { model: "gpt-4o", allow_fallback: true }));
    expect([body.choices[0].message.content, body.model, body.svc.validation_passed]).toEqual([best, "gpt-4o", false]);
  }
});

test("usage is the answer's; with what was discarded it is total_usage, which the log and the cost count", async () => {
  openai.answer(
    completion("", { prompt_tokens: 20, completion_tokens: 1, total_tokens: 21 }),
    completion("A hill is a small mountain."),
  );
  const { body } = await chat(live, ask("What is a hill?", { model: "gpt-4o" }));
  expect(body.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
  expect(body.svc.total_usage).toMatchObject({ prompt_tokens: 40, completion_tokens: 11, total_tokens: 51 });
  const { execution } = await logOf(live, body.svc.request_id);
  expect(execution).toMatchObject({ input_tokens: 40, output_tokens: 11, total_tokens: 51, cost_usd: body.svc.cost_usd });
  expect(execution.attempts.map((each: any) => [each.input_tokens, each.output_tokens])).toEqual([
    [20, 1],
    [20, 10],
  ]);
  expect(execution.side_calls).toEqual({ input_tokens: 0, output_tokens: 0, cost_usd: 0 });
  const plain = await chat(live, ask("What is a hill?", { model: "gpt-4o" }));
  expect("total_usage" in plain.body.svc).toBe(false);
});

test("a 503 asks for as long as the providers did", async () => {
  openai.answer(failing(429, { "retry-after": "47" }));
  anthropic.answer(failing(429, { "retry-after": "47" }));
  const { status, body } = await chat(live, ask("Say hello."));
  expect(status).toBe(503);
  expect(body.error.retry_after).toBeWithin(35, 48);
});

test("while nobody may be called, a 503 asks for as long as that lasts", async () => {
  openai.answer(failing(500));
  const pinned = ask("Say hello.", { model: "gpt-4o" });
  let refused = await chat(live, pinned);
  for (let call = 0; call < 5; call++) refused = await chat(live, pinned);
  expect(refused.status).toBe(503);
  gateway.clock.advance(20_000);
  const seen = openai.seen.length;
  expect((await chat(live, pinned)).body.error.retry_after).toBeWithin(30, 41);
  expect(openai.seen.length).toBe(seen);
});

test("what a provider did not count is estimated for the caller as for the log", async () => {
  const call = { id: "c1", type: "function", function: { name: "find_fox", arguments: '{"where":"in the wood"}' } };
  for (const message of [
    { role: "assistant", content: "A fox lives in the wood." },
    { role: "assistant", content: null, tool_calls: [call] },
  ]) {
    openai.answer(json({ id: "up-1", object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] }));
    const tools = [{ type: "function", function: { name: "find_fox", parameters: { type: "object" } } }];
    const { body } = await chat(live, ask("Where does a fox live?", { model: "gpt-4.1", tools }));
    const { execution } = await logOf(live, body.svc.request_id);
    expect(execution.usage_source).toBe("estimated");
    expect(body.usage.completion_tokens).toBeGreaterThan(4);
    expect(body.usage).toMatchObject({
      prompt_tokens: execution.input_tokens,
      completion_tokens: execution.output_tokens,
      total_tokens: execution.total_tokens,
    });
  }
});

test("of a provider's counts two tell the third, and one tells nothing: what it leaves out would be free", async () => {
  const used = async (usage: object) => {
    openai.answer(completion("A fox lives in the wood.", usage));
    const { body } = await chat(live, ask("Where does a fox live?", { model: "gpt-4.1" }));
    const { input_tokens, output_tokens, usage_source } = (await logOf(live, body.svc.request_id)).execution;
    return [input_tokens, output_tokens, usage_source];
  };
  const estimated = await used({});
  expect(estimated).toEqual([expect.any(Number), expect.any(Number), "estimated"]);
  for (const one of [{ prompt_tokens: 9 }, { completion_tokens: 9, prompt_tokens: null }, { total_tokens: 9 }])
    expect(await used(one)).toEqual(estimated);
  for (const two of [
    { prompt_tokens: 9, total_tokens: 16 },
    { completion_tokens: 7, total_tokens: 16 },
    { prompt_tokens: 9, completion_tokens: 7 },
  ])
    expect(await used(two)).toEqual([9, 7, "provider"]);
});

test("words do not come of no tokens: counts of zero are estimated, and a count beside one is kept", async () => {
  const text = "A fox lives in the wood.";
  const whole = (usage: object) => completion(text, usage);
  const streamed = (usage: object) => sse([{ choices: [{ index: 0, delta: { content: text }, finish_reason: "stop" }], usage }]);
  for (const [answer, stream] of [
    [whole, false],
    [streamed, true],
  ] as const) {
    const used = async (usage: object) => {
      openai.answer(answer(usage));
      const response = await gateway.send(
        live,
        "POST",
        "/v1/chat/completions",
        ask("Where does a fox live?", { model: "gpt-4.1", stream }),
      );
      await response.text();
      const { execution } = await logOf(live, response.headers.get("x-svc-request-id")!);
      return [execution.input_tokens, execution.output_tokens, execution.usage_source];
    };
    const [input, output, source] = await used({});
    expect(source).toBe("estimated");
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    expect(await used(zeros)).toEqual([input, output, "estimated"]);
    expect(await used({ ...zeros, completion_tokens: 7 })).toEqual([input, 7, "estimated"]);
    expect(await used({ ...zeros, prompt_tokens: 9 })).toEqual([9, output, "estimated"]);
  }
});

test("zeros behind the true counts of a stream do not replace them", async () => {
  const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  const counts = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 };
  for (const stream of [true, false]) {
    openai.answer(
      sse([
        { choices: [{ index: 0, delta: { content: "A wood." }, finish_reason: null }], usage: zeros },
        { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: counts },
        { choices: [], usage: zeros },
      ]),
    );
    const asked = ask("Where does a fox live?", { model: "gpt-4.1", stream });
    const response = await gateway.send(live, "POST", "/v1/chat/completions", asked);
    await response.text();
    const { execution } = await logOf(live, response.headers.get("x-svc-request-id")!);
    expect([execution.input_tokens, execution.output_tokens, execution.usage_source]).toEqual([9, 7, "provider"]);
  }
});

test("where one attempt was counted and another only estimated, the sum is an estimate", async () => {
  const uncounted = { role: "assistant", content: "A hill is a small mountain." };
  openai.answer(completion(""), json({ choices: [{ index: 0, message: uncounted, finish_reason: "stop" }] }));
  const { body } = await chat(live, ask("What is a hill?", { model: "gpt-4o" }));
  const { execution } = await logOf(live, body.svc.request_id);
  expect(execution.attempts.length).toBe(2);
  expect(execution.usage_source).toBe("estimated");
});

test("a pinned model is the only one that is asked, unless the caller allows others", async () => {
  openai.answer(failing(500));
  const { status } = await chat(live, ask("Say hello to the world.", { model: "gpt-4o" }));
  expect([status, openai.seen.length, anthropic.seen.length]).toEqual([503, 2, 0]);
});

test("so is the model that a policy puts in place of a pinned one", async () => {
  const key = await gateway.key({ project: "replaced", mode: "live" });
  await gateway.policy(key, "routing", { model_block_list: ["gpt-4o"] });
  openai.answer(failing(500));
  anthropic.answer(failing(500));
  const pinned = ask("Say hello to the world.", { model: "gpt-4o" });
  const asked = async (body: object) => {
    const response = await gateway.send(key, "POST", "/v1/chat", body);
    const { execution } = await logOf(key, response.headers.get("x-svc-request-id")!);
    return new Set(execution.attempts.map(({ model }: any) => model)).size;
  };
  expect(await asked(pinned)).toBe(1);
  gateway.clock.advance(120_000);
  expect(await asked({ ...pinned, allow_fallback: true })).toBeGreaterThan(1);
});

test("a model that a policy takes out does not step in for one that fails", async () => {
  const key = await gateway.key({ project: "walled", mode: "live" });
  await gateway.policy(key, "routing", { provider_block_list: ["anthropic"] });
  openai.answer(failing(500));
  const { status } = await chat(key, ask("Say hello to the world.", { model: "gpt-4o", allow_fallback: true }));
  expect([status, anthropic.seen.length]).toEqual([503, 0]);
  expect(openai.seen.length).toBeGreaterThan(2);
});

test("an outage of a provider is none for test keys", async () => {
  openai.answer(failing(500));
  const pinned = ask("Say hello to the world.", { model: "gpt-4o" });
  for (let call = 0; call < 3; call++) await chat(live, pinned);
  const healthFor = async (key: typeof live) => {
    const { decision_factors: factors } = (await (await gateway.send(key, "POST", "/v1/route", pinned)).json()) as any;
    return factors.candidates[0].health;
  };
  expect([await healthFor(live), await healthFor(sandbox)]).toEqual(["down", "healthy"]);
  gateway.clock.advance(120_000);
});
