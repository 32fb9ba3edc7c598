/** Ceilings of policies and of callers together: what is let through, chosen and refused. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();

const chatUnder = async (config: object | object[], more: object = {}) => {
  const key = await gateway.key({ project: crypto.randomUUID() });
  for (const each of [config].flat()) await gateway.policy(key, "routing", each);
  const body = { messages: [{ role: "user", content: "Explain why the sky is blue in detail." }], ...more };
  const response = await gateway.send(key, "POST", "/v1/chat", body);
  return { status: response.status, body: (await response.json()) as any };
};

test("a policy's ceiling below every usual answer's cost lets a shorter one of a cheap model through, and is kept", async () => {
  const usd = 0.00002;
  // Also where the caller's own would allow more.
  for (const own of [{}, { max_cost_per_call: 1 }]) {
    const { status, body } = await chatUnder({ cost_ceiling_usd: usd, on_violation: "soft_block" }, own);
    expect([status, body.svc.policy_evaluation.result]).toEqual([200, "soft_block"]);
    expect(body.svc.cost_usd).toBeLessThanOrEqual(usd);
    expect(body.svc.policy_evaluation.modifications[0]).toMatchObject({ type: "model_override", to: body.model });
  }
});

test("a policy's ceiling below every possible answer's cost blocks; a hard one does so as soon as the choice would break it", async () => {
  for (const config of [
    { cost_ceiling_usd: 0.000000001, on_violation: "soft_block" },
    { cost_ceiling_usd: 0.00002, on_violation: "hard_block" },
  ]) {
    const { status, body } = await chatUnder(config);
    expect([status, body.code]).toEqual([403, "POLICY_BLOCKED"]);
  }
});

test("a policy's ceiling is not broken by a call whose own ceiling is no higher", async () => {
  const usd = 0.00005;
  for (const on_violation of ["warn", "soft_block", "hard_block"])
    for (const pin of [{}, { model: "gpt-4o-mini" }]) {
      const config = { cost_ceiling_usd: usd, on_violation };
      const free = (await chatUnder({}, { ...pin, max_cost_per_call: usd })).body;
      const { body } = await chatUnder(config, { ...pin, max_cost_per_call: usd });
      expect(body.svc?.policy_evaluation).toMatchObject({ result: "allow", violations: [], policies_matched: [] });
      expect([body.model, body.svc.cost_warning]).toEqual([free.model, free.svc.cost_warning]);
      const { body: dearer } = await chatUnder(config, { ...pin, max_cost_per_call: 2 * usd });
      expect((dearer.policy_evaluation ?? dearer.svc.policy_evaluation).result).toBe(on_violation);
    }
});

test("where the policies leave only what the caller's own ceiling cannot pay, that is said, with the least cost of what they leave", async () => {
  for (const preference of [{}, { prefer_faster_models: true }]) {
    const config = { provider_allow_list: ["anthropic"], ...preference };
    const { status, body } = await chatUnder(config, { max_cost_per_call: 0.00001 });
    expect([status, body.error.param, body.error.code]).toEqual([400, "max_cost_per_call", "cost_ceiling_unreachable"]);
    const least = Number(/call costs ([\d.]+) USD/.exec(body.error.message)![1]);
    expect((await chatUnder(config, { max_cost_per_call: least })).status).toBe(200);
  }
});

test("a preference chooses among what the caller's ceiling can pay: who is said to be chosen answers", async () => {
  const { body } = await chatUnder({ prefer_cheaper_models: true }, { max_cost_per_call: 0.00001 });
  expect([body.svc.routing.first_choice, body.svc.cost_warning.selected_model]).toEqual([body.model, body.model]);
});

test("the reason names what the policies prefer, and what they took out, together or each alone", async () => {
  const reasonUnder = async (...configs: object[]): Promise<string> => (await chatUnder(configs)).body.svc.routing.reason;
  const first = (await chatUnder({})).body.model;
  expect(await reasonUnder({ prefer_cheaper_models: true })).toContain("policies prefer cheaper models");
  expect(await reasonUnder({ prefer_faster_models: true, latency_target_ms: 90_000 })).toContain(
    "policies prefer faster models and answers within 90000 ms",
  );
  expect(await reasonUnder({})).not.toContain("polic");
  const blocked = { model_block_list: [first] };
  for (const configs of [[blocked], [blocked, { prefer_faster_models: true }]])
    expect(await reasonUnder(...configs)).toStartWith(`A policy took ${first} out`);
});

test("in place of what a policy takes out, a model is chosen that the caller's ceiling holds whole", async () => {
  const anthropic = { provider_allow_list: ["anthropic"] };
  const cheapest = (await chatUnder(anthropic, { quality_cost: 1 })).body.svc.routing.candidates[0];
  const usd = 1.02 * cheapest.estimated_cost_usd;
  for (const pin of [{}, { model: "gpt-5" }]) {
    const { body } = await chatUnder(anthropic, { ...pin, quality_cost: 0, max_cost_per_call: usd });
    const { routing, cost_warning } = body.svc;
    expect(routing.candidates[0].estimated_cost_usd).toBeLessThanOrEqual(usd);
    expect(cost_warning).toMatchObject({ selected_model: body.model });
    expect(cost_warning.optimal_cost_usd).toBeGreaterThan(usd);
  }
});

test("a model that the ceiling cannot pay at all is told in cost_warning, also in place of what a policy takes out", async () => {
  const wish = { quality_cost: 0, messages: [{ role: "user", content: `Which colour is the sky? ${"Look up. ".repeat(300)}` }] };
  const within = { ...wish, max_cost_per_call: 0.0005 };
  const best = (await chatUnder({}, wish)).body.model;
  const first = (await chatUnder({}, within)).body;
  expect(first.svc.cost_warning).toMatchObject({ optimal_model: best, selected_model: first.model });
  const { body } = await chatUnder({ model_block_list: [first.model] }, within);
  expect(body.svc.cost_warning).toMatchObject({ optimal_model: best, selected_model: body.model });
  expect(body.svc.cost_warning.optimal_cost_usd).toBeGreaterThan(0.0005);
});

test("in place of what a policy takes out, a model is chosen that no other policy warns of, where there is one", async () => {
  const first = (await chatUnder({})).body.model;
  const acting = { model_block_list: [first] };
  const second = (await chatUnder(acting)).body.model;
  const warning = { model_block_list: [second], on_violation: "warn" };
  const { body } = await chatUnder([acting, warning]);
  expect([first, second]).not.toContain(body.model);
  expect(body.svc.policy_evaluation).toMatchObject({ result: "soft_block", modifications: [{ from: first, to: body.model }] });
  expect(body.svc.routing.reason).toContain(`${body.model} is the best of what no policy objects to`);
  const only = { model_allow_list: [second] };
  expect((await chatUnder([only, warning])).body.model).toBe(second);
});

test("so it is with pictures", async () => {
  const picture = { messages: [{ role: "user", content: "Draw a picture of a red signal." }] };
  const first = (await chatUnder({}, picture)).body.model;
  const acting = { model_block_list: [first] };
  const second = (await chatUnder(acting, picture)).body.model;
  const warning = { model_block_list: [second], on_violation: "warn" };
  const { body } = await chatUnder([acting, warning], picture);
  expect([first, second]).not.toContain(body.model);
  expect(body.svc.policy_evaluation).toMatchObject({ result: "soft_block", modifications: [{ from: first, to: body.model }] });
});

test("a warned model whose usual answer the ceiling holds is chosen before one whose answer it would cut short", async () => {
  const thrifty = { prefer_cheaper_models: true };
  const cheapest = (await chatUnder(thrifty)).body.model;
  const { body: second } = await chatUnder([thrifty, { model_block_list: [cheapest] }]);
  const estimateOf = ({ model, svc }: any): number =>
    svc.routing.candidates.find((each: any) => each.model === model).estimated_cost_usd;
  const within = { max_cost_per_call: estimateOf(second) };
  const acting = { model_block_list: [(await chatUnder({}, within)).body.model] };
  const left = (await chatUnder(acting, within)).body.model;
  const { body } = await chatUnder([acting, { model_block_list: [left], on_violation: "warn" }], within);
  expect(estimateOf(body)).toBeLessThanOrEqual(within.max_cost_per_call);
});

test("a picture that the caller's ceiling cannot pay from whom the policies allow is refused for the ceiling", async () => {
  const picture = { messages: [{ role: "user", content: "Draw a picture of a red signal." }] };
  const config = { provider_allow_list: ["ideogram"] };
  const { status, body } = await chatUnder(config, { ...picture, max_cost_per_call: 0.03 });
  expect([status, body.error.code]).toEqual([400, "cost_ceiling_unreachable"]);
  expect((await chatUnder(config, { ...picture, max_cost_per_call: 0.04 })).body.model).toBe("image-d-2");
});
