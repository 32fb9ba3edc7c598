/** What a call may cost: ceilings over all attempts, and budgets that parallel calls cannot overdraw. */

import { expect, test } from "bun:test";
import { json, sse } from "../support/upstream-stub.ts";
import { completion, failing } from "../support/vendor-answers.ts";
import { ask, chatWithTwo } from "./chat-with-two.ts";

const { gateway, openai, anthropic, sandbox, chat, logOf } = await chatWithTwo();

test("the sum over all attempts never exceeds the ceiling", async () => {
  for (const trigger of ["", "[[sandbox:refuse:always]] ", "[[sandbox:truncate:always]] ", "[[sandbox:bad-json:always]] "]) {
    for (const ceiling of [0.0001, 0.001, 0.01]) {
      const { status, body } = await chat(
        sandbox,
        ask(`${trigger}Write a long story about a railway in the mountains.`, { max_cost_per_call: ceiling }),
      );
      expect(status).toBe(200);
      const log = await logOf(sandbox, body.svc.request_id);
      expect(log.execution.cost_usd).toBeLessThanOrEqual(ceiling);
      expect(body.svc.cost_usd).toBeLessThanOrEqual(ceiling);
    }
  }
});

test("a ceiling that changes the choice is told in cost_warning; one below every call is refused", async () => {
  const free = await chat(
    sandbox,
    ask("Prove that the square root of two is irrational, in full rigor, and generalise.", { quality_cost: 0 }),
  );
  expect(free.body.svc.cost_warning).toBeUndefined();
  const bound = await chat(
    sandbox,
    ask("Prove that the square root of two is irrational, in full rigor, and generalise.", {
      quality_cost: 0,
      max_cost_per_call: 0.0005,
    }),
  );
  expect(bound.body.svc.cost_warning).toMatchObject({
    ceiling_usd: 0.0005,
    optimal_model: free.body.model,
    selected_model: bound.body.model,
    message: expect.stringContaining(`; ${bound.body.model} was chosen instead.`),
  });
  expect(bound.body.svc.cost_warning.optimal_cost_usd).toBeGreaterThan(0.0005);
  const refused = await chat(sandbox, ask("Hello", { max_cost_per_call: 0.000000001 }));
  expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
    400,
    "cost_ceiling_unreachable",
    "max_cost_per_call",
  ]);
  expect(refused.body.error.message).toMatch(/0\.0000\d+ USD/);
  const { execution } = await logOf(sandbox, refused.headers.get("x-svc-request-id")!);
  expect([execution.usage_source, execution.total_tokens, execution.cost_usd]).toEqual(["none", 0, 0]);
  for (const wrong of [0, -1, "1", null]) {
    const { status, body } = await chat(sandbox, ask("Hello", { max_cost_per_call: wrong }));
    if (wrong === null) expect(status).toBe(200);
    else expect([status, body.error.param]).toEqual([400, "max_cost_per_call"]);
  }
});

test("a ceiling that another than the pinned model keeps is told as well", async () => {
  const pinned = { model: "gpt-4o", allow_fallback: true };
  const { body } = await chat(sandbox, ask("Explain photosynthesis.", { ...pinned, max_cost_per_call: 0.0005 }));
  expect(body.svc.cost_warning).toMatchObject({ optimal_model: "gpt-4o", selected_model: body.model });
  expect(body.svc.routing.reason).toContain("gpt-4o would have been chosen");
  const ample = await chat(sandbox, ask("Explain photosynthesis.", { ...pinned, max_cost_per_call: 1 }));
  expect([ample.body.model, ample.body.svc.cost_warning]).toEqual(["gpt-4o", undefined]);
});

test("where the only model whose usual answer a ceiling holds fails, another gives a shorter one within it", async () => {
  const essay = ask("Write a long essay about the sea.", { model: "gpt-4o-mini", allow_fallback: true });
  for (const whose of ["the caller's", "a policy's"]) {
    const key = await gateway.key({ project: `held by ${whose}`, mode: "live" });
    const { estimated_cost_usd: usd } = (await (await gateway.send(key, "POST", "/v1/route", essay)).json()) as any;
    if (whose === "a policy's") await gateway.policy(key, "routing", { cost_ceiling_usd: usd });
    gateway.clock.advance(120_000);
    openai.answer(failing(500));
    const { status, body } = await chat(key, { ...essay, ...(whose === "the caller's" && { max_cost_per_call: usd }) });
    expect([whose, status, body.svc?.routing.first_choice, body.svc?.fallback_used]).toEqual([whose, 200, "gpt-4o-mini", true]);
    const answering = body.svc.routing.candidates.find(({ model }: any) => model === body.model);
    expect(answering.estimated_cost_usd).toBeGreaterThan(usd);
    expect((anthropic.seen.at(-1)!.body as any).max_tokens).toBeLessThan(1_000);
    expect(body.svc.cost_usd).toBeLessThanOrEqual(usd);
  }
});

test("a spent budget refuses with 429, and parallel calls cannot overdraw it", async () => {
  const key = await gateway.key({ project: "poor", budgetUsd: 0.01 });
  // Slow enough for all of them to be let in, or not, before the first has cost anything.
  const prompt = "[[sandbox:slow=500]] Explain the theory of relativity at length.";
  const results = await Promise.all(
    Array.from({ length: 60 }, () => chat(key, ask(prompt, { max_tokens: 40, model: "claude-sonnet-5-5" }))),
  );
  const refused = results.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.body.error.type).toBe("budget_exceeded");
  expect(refused[0]!.headers.get("x-should-retry")).toBe("false");
  const spent = results.reduce((sum, { body }) => sum + (body.svc?.cost_usd ?? 0), 0);
  expect(spent).toBeWithin(0.005, 0.01 + 1e-9);
});

test("the cost that a warning expects keeps the ceiling, and a ceiling of nothing is below every price", async () => {
  const { body } = await chat(
    sandbox,
    ask("Write a long essay of two thousand words about bread.", { max_cost_per_call: 0.00001 }),
  );
  expect(body.svc.cost_warning.estimated_cost_usd).toBeLessThanOrEqual(0.00001);
  const nothing = await chat(sandbox, ask("Hi.", { max_cost_per_call: 0 }));
  expect([nothing.status, nothing.body.error.code]).toEqual([400, "cost_ceiling_unreachable"]);
});

test.each([
  ["Hi.", {}],
  ["Prove that there are infinitely many primes, then generalise.", {}],
  ["Which of spam and ham is this: you have won a prize", { max_tokens: 3 }],
  [`Summarise: ${"The harbour was quiet that morning. ".repeat(2_000)}`, {}],
])(
  "a ceiling of just what the first choice is told to cost changes nothing, a billionth less does: %.40s",
  async (content, more) => {
    const free = await chat(sandbox, ask(content, more));
    const told = free.body.svc.routing.candidates[0].estimated_cost_usd;
    const { svc, model } = (await chat(sandbox, ask(content, { ...more, max_cost_per_call: told }))).body;
    expect([model, svc.cost_warning]).toEqual([free.body.model, undefined]);
    const below = Math.round((told - 1e-9) * 1e9) / 1e9;
    const warning = (await chat(sandbox, ask(content, { ...more, max_cost_per_call: below }))).body.svc.cost_warning;
    expect(warning).toMatchObject({ ceiling_usd: below, optimal_model: free.body.model, optimal_cost_usd: told });
    expect(warning.estimated_cost_usd).toBeLessThanOrEqual(below);
  },
);

test("a ceiling that leaves no cheaper model, only a shorter answer, is told as well", async () => {
  const essay = "Write a long essay of two thousand words about bread.";
  const { body } = await chat(sandbox, ask(essay, { model: "gpt-4o", max_cost_per_call: 0.001 }));
  expect(body.svc.cost_warning).toMatchObject({ optimal_model: "gpt-4o", selected_model: "gpt-4o", estimated_cost_usd: 0.001 });
  expect(body.svc.cost_warning.optimal_cost_usd).toBeGreaterThan(0.001);
  const free = await chat(sandbox, ask(essay, { model: "gpt-4o", max_cost_per_call: 1 }));
  expect(free.body.svc.cost_warning).toBeUndefined();
});

test("judges keep the call's ceiling and the key's budget: one that does not fit is not asked, and its criteria count as failed", async () => {
  const judging = { criteria: ["It is polite.", "It is in English."], on_violation: "warn" };
  const cats = ask("Tell me a long story about cats.", { model: "gpt-4o-mini", max_tokens: 20 });
  const free = await gateway.key({ project: "judged" });
  await gateway.policy(free, "content", judging);
  const { svc } = (await chat(free, cats)).body;
  expect(svc.content_evaluation.criteria_passed).toBe(2);
  const estimated = svc.routing.candidates[0].estimated_cost_usd;
  expect(svc.cost_usd).toBeGreaterThan(estimated);

  const held = await gateway.key({ project: "judged-within" });
  await gateway.policy(held, "content", judging);
  await gateway.policy(held, "routing", { cost_ceiling_usd: estimated });
  const within = (await chat(held, cats)).body.svc;
  expect(within.cost_usd).toBeLessThanOrEqual(estimated);
  expect(within.content_evaluation).toMatchObject({ result: "warn", criteria_passed: 0, criteria_failed: 2 });

  const poor = await gateway.key({ project: "judged", budgetUsd: estimated });
  const last = await chat(poor, cats);
  expect([last.status, last.body.svc.content_evaluation.criteria_failed]).toEqual([200, 2]);
  const { budget } = (await (await gateway.send(poor, "GET", "/v1/usage")).json()) as any;
  expect(budget.spent_usd).toBeLessThanOrEqual(estimated);
});

test("a budget that cannot pay the judge of a prompt is told for what it is, and nothing is asked", async () => {
  const key = await gateway.key({ project: "judged-poor", budgetUsd: 0.000001 });
  const config = { evaluate_input: true, evaluate_output: false, criteria: ["It is polite."], on_violation: "hard_block" };
  await gateway.policy(key, "content", config);
  const { status, body } = await chat(key, ask("Say hello."));
  expect([status, body.error.type]).toEqual([429, "budget_exceeded"]);
  expect(((await (await gateway.send(key, "GET", "/v1/logs")).json()) as any).total).toBe(0);
});

test("a ceiling that the judge of the prompt has used up is told for what it is", async () => {
  const key = await gateway.key({ project: "judged-first" });
  const config = { evaluate_input: true, evaluate_output: false, criteria: ["It is polite."], on_violation: "info" };
  await gateway.policy(key, "content", config);
  // With all that is left a judge can be asked, and then nobody else.
  const refused = await chat(key, ask("Say hello.", { max_cost_per_call: 0.00002 }));
  expect([refused.status, refused.body.error.code]).toEqual([400, "cost_ceiling_unreachable"]);
  const least = Number(/call costs ([\d.]+) USD/.exec(refused.body.error.message)![1]);
  expect(least).toBeGreaterThan(0.00002);
  expect((await chat(key, ask("Say hello.", { max_cost_per_call: 2 * least }))).status).toBe(200);
});

test("a call that a spent budget refuses is no row of the log", async () => {
  const spent = await gateway.key({ budgetUsd: 0 });
  for (const path of ["/v1/chat", "/v1/chat/stream"]) {
    const refused = await gateway.send(spent, "POST", path, ask("Hello."));
    expect([refused.status, ((await refused.json()) as any).error.type]).toEqual([429, "budget_exceeded"]);
    expect((await gateway.send(sandbox, "GET", `/v1/logs/${refused.headers.get("x-svc-request-id")}`)).status).toBe(404);
  }
});

test("what the judge of a prompt cost is part of the call: before a budget, which leaves a row for it, and before a policy's ceiling", async () => {
  const essay = ask("Write a long essay of two thousand words about bread.", { model: "gpt-4o" });
  const alone = await gateway.key({ project: "not judged" });
  const estimated: number = (await chat(alone, essay)).body.svc.routing.candidates[0].estimated_cost_usd;
  const judging = { evaluate_input: true, evaluate_output: false, criteria: ["It is polite."], on_violation: "info" };

  const poor = await gateway.key({ project: "judged, then refused", budgetUsd: estimated });
  await gateway.policy(poor, "content", judging);
  const refused = await chat(poor, essay);
  expect([refused.status, refused.body.error.type]).toEqual([429, "budget_exceeded"]);
  const { logs, total } = (await (await gateway.send(poor, "GET", "/v1/logs")).json()) as any;
  expect(total).toBe(1);
  expect(logs[0].execution.cost_usd).toBeGreaterThan(0);

  const held = await gateway.key({ project: "judged, then held" });
  const ceiling = { cost_ceiling_usd: estimated, on_violation: "hard_block" };
  await gateway.policy(held, "routing", ceiling);
  expect((await chat(held, essay)).status).toBe(200);
  await gateway.policy(held, "content", judging);
  expect((await chat(held, essay)).status).toBe(403);
});

test("a picture keeps the ceiling together with the judge of its prompt, the caller's and a policy's", async () => {
  const key = await gateway.key({ project: "judged, then painted" });
  const judging = { evaluate_input: true, evaluate_output: false, criteria: ["It is polite."], on_violation: "info" };
  await gateway.policy(key, "content", judging);
  const fox = "Generate an image of a red fox";
  const free = (await chat(key, ask(fox))).body.svc;
  expect(free.cost_usd).toBeGreaterThan(free.media.cost_usd);

  const bound = (await chat(key, ask(fox, { max_cost_per_call: free.media.cost_usd }))).body.svc;
  expect(bound.cost_usd).toBeLessThanOrEqual(free.media.cost_usd);
  expect(bound.cost_warning).toMatchObject({ optimal_model: free.media.model, selected_model: bound.media.model });
  expect(bound.cost_warning.estimated_cost_usd).toBe(bound.cost_usd);

  await gateway.policy(key, "routing", { cost_ceiling_usd: free.media.cost_usd });
  const held = (await chat(key, ask(fox))).body.svc;
  expect([held.cost_usd <= free.media.cost_usd, held.policy_evaluation.result]).toEqual([true, "soft_block"]);
});

test("a prompt beyond the length up to which its vendor has its usual prices costs the higher ones, all of it", async () => {
  const key = await gateway.key({ project: "long-prompts", mode: "live" });
  const costOf = async (prompt: number) => {
    const usage = { prompt_tokens: prompt, completion_tokens: 1_000, total_tokens: prompt + 1_000 };
    openai.answer(completion("Hello.", usage));
    return (await chat(key, ask("Say hello.", { model: "gpt-6-luna" }))).body.svc.cost_usd;
  };
  // 0.1 and 0.5 USD a million up to 272,000 tokens, above that 0.2 and 0.75.
  expect(await costOf(272_000)).toBeCloseTo(0.0277, 9);
  expect(await costOf(273_000)).toBeCloseTo(0.05535, 9);
});

test("what an uncounted answer's model thought is paid for, however it told it", async () => {
  const key = await gateway.key({ project: "uncounted", mode: "live" });
  const thought = "a word ".repeat(200);
  for (const message of [{ content: `<think>${thought}</think>Hello.` }, { reasoning_content: thought, content: "Hello." }]) {
    openai.answer(json({ choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }] }));
    const { body } = await chat(key, ask("Say hello.", { model: "gpt-4o" }));
    expect(body.choices[0].message.content).toBe("Hello.");
    expect(body.usage.completion_tokens).toBeGreaterThan(300);
  }
});

test("an estimate of what was not counted stays within the bound that was sent, whole or streamed", async () => {
  const key = await gateway.key({ project: "estimated", mode: "live" });
  const content = "a word ".repeat(400);
  const bounded = ask("Say much.", { model: "gpt-4o", max_cost_per_call: 0.0005 });
  openai.answer(json({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] }));
  const { body } = await chat(key, bounded);
  const { max_tokens, max_completion_tokens = max_tokens } = openai.seen[0]!.body;
  expect(body.usage.completion_tokens).toBe(max_completion_tokens);
  expect(body.svc.cost_usd).toBeLessThanOrEqual(0.0005);
  const frames = [{ content }, {}].map((delta, index) => ({
    choices: [{ index: 0, delta, finish_reason: index ? "stop" : null }],
  }));
  openai.answer(sse(frames));
  const response = await gateway.send(key, "POST", "/v1/chat/stream", bounded);
  await response.text();
  const { execution } = await logOf(key, response.headers.get("x-svc-request-id")!);
  expect([execution.usage_source, execution.output_tokens]).toEqual(["estimated", max_completion_tokens]);
  expect(execution.cost_usd).toBeLessThanOrEqual(0.0005);
});

/** Repeats the delta until the caller leaves. Returns a function that waits for that. */
const answerForEver = (delta: object): (() => Promise<void> | undefined) => {
  const frame = `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
  let gone: Promise<void> | undefined;
  openai.answer((request) => {
    gone = request.gone;
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(frame);
    return new Response(new ReadableStream({ pull }), { headers: { "content-type": "text/event-stream" } });
  });
  return () => gone;
};

test("a provider that goes on far beyond the ceiling is left, whatever it writes, and the answer ends as one cut by length", async () => {
  const key = await gateway.key({ project: "flooded", mode: "live" });
  const call = { index: 0, id: "call_1", type: "function", function: { name: "look", arguments: "" } };
  for (const delta of [
    { content: "a word ".repeat(50) },
    { reasoning_content: "a word ".repeat(50) },
    { tool_calls: [{ ...call, function: { ...call.function, arguments: " ".repeat(400) } }] },
    { tool_calls: ["look", "draw"].map((name) => ({ index: 0, function: { name: name.repeat(40) } })) },
  ]) {
    const left = answerForEver(delta);
    const tools = [{ type: "function", function: { name: "look" } }];
    const bounded = ask("Say much.", { model: "gpt-4o", max_cost_per_call: 0.0005, tools });
    const response = await gateway.send(key, "POST", "/v1/chat/stream", bounded);
    expect((await response.text()).length).toBeLessThan(200_000);
    await left();
    const { execution } = await logOf(key, response.headers.get("x-svc-request-id")!);
    expect(execution.attempts[0]).toMatchObject({ finish_reason: "length" });
    expect([execution.usage_source, execution.cost_usd > 0.0003, execution.cost_usd <= 0.0005]).toEqual([
      "estimated",
      true,
      true,
    ]);
  }
});

test("text behind a code fence, which is left out, counts as well", async () => {
  const key = await gateway.key({ project: "flooded", mode: "live" });
  const left = answerForEver({ content: "```json\n{}\n```\nMany more words." });
  const bounded = ask("Say much.", { model: "gpt-4o", max_cost_per_call: 0.0005, response_format: { type: "json_object" } });
  const response = await gateway.send(key, "POST", "/v1/chat/stream", bounded);
  expect(await response.text()).toContain('"finish_reason":"length"');
  await left();
});
