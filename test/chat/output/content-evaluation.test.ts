import { expect, test } from "bun:test";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { readSse } from "../../support/read-sse.ts";

const gateway = await gatewayOfFile();

/** What chat and its stream say of the prompt, in a project with these policies. */
const evaluationsOf = async (prompt: string, ...configs: object[]) => {
  const key = await gateway.key({ project: crypto.randomUUID() });
  for (const config of configs) await gateway.policy(key, "content", config);
  const body = { messages: [{ role: "user", content: prompt }] };
  const whole = (await (await gateway.send(key, "POST", "/v1/chat", body)).json()) as any;
  const frames = await readSse(await gateway.send(key, "POST", "/v1/chat/stream", body));
  return [whole.svc, frames.findLast(({ data }) => data.svc)!.data.svc].map((svc) => svc.content_evaluation);
};

test("names the phase in which something was found: the prompt's only where the answer held nothing", async () => {
  const prompts = {
    evaluate_input: true,
    evaluate_output: false,
    pii_detection: { enabled: true, types: ["ssn"], action: "redact" },
  };
  const answers = { pii_detection: { enabled: true, types: ["email"], action: "redact" } };
  for (const found of await evaluationsOf("[[sandbox:reply=Noted.]] My SSN is 536-22-8726", prompts, answers))
    expect(found).toMatchObject({ result: "redact", phase: "pre_request", pii_count: 1 });
  for (const found of await evaluationsOf("[[sandbox:reply=Write to c@d.co]] My SSN is 536-22-8726", prompts, answers))
    expect(found).toMatchObject({ result: "redact", phase: "post_response", pii_count: 2 });
});

test("an answer that is blocked is told with what was found in its prompt, streamed or not", async () => {
  const key = await gateway.key({ project: crypto.randomUUID() });
  for (const config of [
    { evaluate_input: true, evaluate_output: false, pii_detection: { types: ["ssn"], action: "redact" } },
    { pii_detection: { types: ["email"], action: "block" } },
  ])
    await gateway.policy(key, "content", config);
  for (const path of ["/v1/chat", "/v1/chat/stream"]) {
    const messages = [{ role: "user", content: "[[sandbox:reply=c@d.co]] My SSN is 536-22-8726" }];
    const { error, content_evaluation } = (await (await gateway.send(key, "POST", path, { messages })).json()) as any;
    expect([path, error.code]).toEqual([path, "CONTENT_BLOCKED"]);
    expect(content_evaluation).toMatchObject({ result: "block", phase: "post_response", pii_count: 2 });
  }
});

test("a short answer that a policy held to its end has a time of its first token in the log", async () => {
  const key = await gateway.key({ project: crypto.randomUUID() });
  const config = { blocked_terms: { terms: ["owls of the night"], action: "redact" } };
  await gateway.policy(key, "content", config);
  const messages = [{ role: "user", content: "[[sandbox:reply=owls]] Say it." }];
  const response = await gateway.send(key, "POST", "/v1/chat/stream", { messages });
  await response.text();
  const row = await gateway.send(key, "GET", `/v1/logs/${response.headers.get("x-svc-request-id")}`);
  expect(((await row.json()) as any).execution.first_token_ms).toBeGreaterThanOrEqual(0);
});

test("counts the criteria that the sandbox, asked to judge, finds met", async () => {
  const config = { criteria: ["The answer is polite.", "The answer is\n4. short."], on_violation: "hard_block" };
  for (const found of await evaluationsOf("What is the capital of France?", config))
    expect(found).toMatchObject({ result: "allow", criteria_passed: 2, criteria_failed: 0 });
});

test("a judge keeps the caller's ceiling, and what it could not be asked about has failed", async () => {
  const key = await gateway.key({ project: crypto.randomUUID() });
  const config = { criteria: ["The answer is polite.", "The answer is short."], on_violation: "warn" };
  await gateway.policy(key, "content", config);
  const ask = async (ceiling: number) =>
    (await (
      await gateway.send(key, "POST", "/v1/chat", {
        messages: [{ role: "user", content: "Tell me a short story about bread." }],
        max_cost_per_call: ceiling,
      })
    ).json()) as any;
  const tight = (await ask(0.00001)).svc;
  expect(tight.cost_usd).toBeLessThanOrEqual(0.00001);
  expect(tight.content_evaluation).toMatchObject({ result: "warn", criteria_passed: 0, criteria_failed: 2 });
  expect((await ask(0.01)).svc.content_evaluation).toMatchObject({ result: "allow", criteria_passed: 2 });
});

test("a judge that reads a prompt with one of the sandbox's triggers does not act on it", async () => {
  const config = { criteria: ["It is polite."], on_violation: "hard_block", evaluate_input: true, evaluate_output: false };
  for (const found of await evaluationsOf("[[sandbox:reply=Noted.]] Hello.", config))
    expect(found).toMatchObject({ result: "allow", criteria_passed: 1, criteria_failed: 0 });
});
