/**
 * What is told of a call is one truth, wherever rules meet: any API, streamed or not, under any policies, whatever the provider does.
 * Calls are made up by a seed; what holds of each of them is checked against the log, the budget and the sums.
 */

import { expect, test } from "bun:test";
import { type Asked, CHAT_APIS, type ChatApi } from "../support/contract/chat-apis.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, spentNanoUsd } from "../support/known-call.ts";
import { type Random, randomFrom } from "../support/random.ts";

const gateway = await gatewayOfFile();

const SECRETS = ["ann.lee@example.com", "Nimbus"];
const PROMPTS = [
  "Write to ann.lee@example.com about the Nimbus line.",
  "Summarise in a sentence: the signal box stood by the Nimbus line, and ann.lee@example.com kept it.",
  "Extract name and age: Ann is 36 years old.",
  "Write a function that adds two numbers, and explain each step.",
  "Draw a picture of a signal box.",
];
const FAULTS = ["refuse", "truncate", "bad-json", "empty", "error-500", "rate-limit", "disconnect", `reply=Ask ${SECRETS[0]}.`];
const REDACTING = {
  pii_detection: { types: ["email"], action: "redact" },
  blocked_terms: { terms: ["Nimbus"], action: "redact" },
};
const POLICIES: Record<string, [type: "routing" | "content", config: object][]> = {
  none: [],
  redacting: [["content", { ...REDACTING, evaluate_input: true, redact_logs: true }]],
  "blocking and judging": [
    ["content", { pii_detection: { types: ["email"], action: "block" }, criteria: ["It is polite."] }],
    ["routing", { provider_block_list: ["openai"] }],
  ],
  bounding: [
    ["content", REDACTING],
    ["routing", { cost_ceiling_usd: 0.0008, prefer_cheaper_models: true }],
    ["routing", { latency_target_ms: 3_000, on_violation: "warn" }],
  ],
};

const makeUp = (random: Random): Asked => {
  const fault = random.chance(0.5) ? ` [[sandbox:${random.pick(FAULTS)}${random.chance(0.3) ? ":always" : ""}]]` : "";
  const schema = { type: "object", properties: { name: { type: "string" }, note: { type: "string" } }, required: ["note"] };
  return {
    prompt: random.pick(PROMPTS) + fault,
    maxTokens: random.pick([20, 300, 2_000]),
    ...(random.chance(0.3) && { system: "You keep a signal box." }),
    ...(random.chance(0.3) && { model: random.pick(["gpt-5-mini", "claude-haiku-4-5", "gemini-2.5-flash"]) }),
    ...(random.chance(0.4) && { ceilingUsd: random.pick([0.000001, 0.00005, 0.0005, 0.05]) }),
    ...(random.chance(0.2) && { sessionId: "desk" }),
    ...(random.chance(0.3) && { userId: "ann" }),
    ...(random.chance(0.35) ? { schema } : random.chance(0.3) && { tool: { name: "look_up", parameters: schema } }),
  };
};

/** Asks, and holds what is told against the log. Resolves with the log's entry, undefined where the contract wants none. */
const askAndCheck = async (key: TestKey, api: ChatApi, asked: Asked): Promise<any> => {
  const spentBefore = await spentNanoUsd(gateway, key);
  const response = await gateway.send(key, "POST", api.path, api.body(asked));
  const { status, headers } = response;
  const told = api.read(await response.text());
  const id = headers.get("x-svc-request-id")!;
  const spent = ((await spentNanoUsd(gateway, key)) - spentBefore) / 1e9;
  if (status === 429) {
    expect(spent).toBe(0);
    return undefined;
  }
  const row = await getJson(gateway, key, `/v1/logs/${id}`);
  const { execution, routing, quality, policies } = row;
  const paid = [...execution.attempts, execution.side_calls];
  const sum = (figure: string): number => paid.reduce((total, each) => total + each[figure], 0);
  const isLogged = {
    call_id: headers.get("x-request-id"),
    cost: expect.closeTo(sum("cost_usd"), 9),
    paid: expect.closeTo(spent, 9),
    tokens: [sum("input_tokens"), sum("output_tokens")],
    total: execution.input_tokens + execution.output_tokens,
    endpoint: [api.path, api.streams],
    success: told.error === undefined,
    user: asked.userId ?? null,
    fallback: execution.attempts.some(({ purpose }: any) => purpose === "fallback"),
    retries: execution.attempts.filter(({ purpose }: any) => purpose === "retry").length,
  };
  expect({
    call_id: row.call_id,
    cost: execution.cost_usd,
    paid: execution.cost_usd,
    tokens: [execution.input_tokens, execution.output_tokens],
    total: execution.total_tokens,
    endpoint: [row.metadata.endpoint, execution.streamed],
    success: execution.success,
    user: row.metadata.user_id,
    fallback: quality.fallback_used,
    retries: quality.retry_count,
  }).toEqual(isLogged);
  expect(execution.cost_usd).toBeLessThanOrEqual(asked.ceilingUsd ?? Number.POSITIVE_INFINITY);
  if (status >= 400) expect(execution.status).toBe(status);
  if (told.error !== undefined) return row;

  const { svc } = told;
  const used = svc.total_usage ?? { prompt_tokens: told.usage!.input, completion_tokens: told.usage!.output };
  expect({ ...svc, total_usage: used, policy_evaluation: svc.policy_evaluation ?? null }).toMatchObject({
    request_id: id,
    cost_usd: execution.cost_usd,
    latency_ms: execution.latency_ms,
    model_selected: routing.model_selected,
    fallback_used: quality.fallback_used,
    validation_passed: quality.validation_passed,
    task_type: row.classification.task_type,
    complexity: row.classification.complexity_score,
    policy_evaluation: policies.policy_evaluation,
    total_usage: { prompt_tokens: execution.input_tokens, completion_tokens: execution.output_tokens },
    routing: { first_choice: routing.first_choice, reason: routing.routing_reason },
  });
  expect([told.model, headers.get("x-svc-model"), headers.get("x-svc-fallback")]).toEqual([
    svc.model_selected,
    svc.model_selected,
    String(svc.fallback_used),
  ]);
  expect([svc.content_evaluation ?? null, svc.cost_warning ?? null]).toEqual([policies.content_evaluation, quality.cost_warning]);
  if (!svc.fallback_used) expect(svc.model_selected).toBe(svc.routing.first_choice);
  expect(told.finish === "tool_calls").toBe(told.tools.length > 0);
  if (told.tools.length === 0) expect(row.output.text).toBe(told.text);
  if (svc.schema_validation?.enabled && svc.schema_validation.passed)
    expect(row.output.parsed_json).toEqual(JSON.parse(told.text));
  return { ...row, told };
};

for (const [index, [name, policies]] of Object.entries(POLICIES).entries()) {
  test(`under policies: ${name}`, async () => {
    const random = randomFrom(index + 1);
    const key = await gateway.key({ project: name, budgetUsd: index % 2 === 0 ? 0.9 : 0.02, settings: { exploration: 0 } });
    for (const [policy_type, config] of policies)
      expect((await gateway.send(key, "POST", "/v1/policies", { name: "policy", policy_type, config })).status).toBe(201);
    const rows: any[] = [];
    for (let call = 0; call < 40; call++) {
      gateway.clock.advance(10_000);
      const api = CHAT_APIS[call % CHAT_APIS.length]!;
      const row = await askAndCheck(key, api, makeUp(random));
      if (row === undefined) continue;
      rows.push(row);
      const clean = name === "redacting" ? row : name === "bounding" && row.told ? [row.told, row.output] : [];
      for (const secret of SECRETS) expect(JSON.stringify(clean)).not.toContain(secret);
    }
    const cost = expect.closeTo(
      rows.reduce((sum, { execution }) => sum + execution.cost_usd, 0),
      7,
    );
    const failed = rows.filter(({ execution }) => !execution.success).length;
    const { summary } = await getJson(gateway, key, "/v1/logs/summary");
    const overview = (await getJson(gateway, key, "/v1/metrics/overview")).summary;
    const usage = await getJson(gateway, key, "/v1/usage");
    expect(summary).toMatchObject({ total_calls: rows.length, failed_calls: failed, total_cost_usd: cost });
    expect(overview).toMatchObject({ total_calls: rows.length, total_cost_usd: cost });
    expect([usage.month, usage.budget]).toMatchObject([{ calls: rows.length, cost_usd: cost }, { spent_usd: cost }]);
    expect(rows.some(({ execution }) => execution.success)).toBe(true);
    expect(rows.some(({ execution }) => !execution.success)).toBe(true);
  });
}
