import { describe, expect, test } from "bun:test";
import { insertShadow } from "../../src/logs/amend/shadow-store.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, knownAttempt, record } from "../support/known-call.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "detailed" });

describe("GET /v1/logs/{call_id}", () => {
  test("shows every group of a call that was retried and fell back", async () => {
    const startedAtMs = gateway.clock.now() - 5_000;
    const tries = [
      ["gpt-4o", "openai", "first", false, 100, "refusal"],
      ["gpt-4o", "openai", "retry", false, 150, "refusal"],
      ["claude-haiku-4-5", "anthropic", "fallback", true, 200, undefined],
    ] as const;
    await record(gateway, key, {
      id: "call_full",
      startedAtMs,
      completedAtMs: startedAtMs + 470,
      upstreamMs: 450,
      model: "claude-haiku-4-5",
      provider: "anthropic",
      firstChoice: "gpt-4o",
      routingReason: "because",
      decisionFactors: { candidates: [{ model: "gpt-4o", score: 0.9 }] },
      detectedFormat: "json",
      attempts: tries.map(([model, provider, purpose, success, latencyMs, failure], index) =>
        knownAttempt({
          ...{ number: index + 1, model, provider, purpose, success, latencyMs, costNanoUsd: 1_500_000 },
          ...(failure && { failure }),
        }),
      ),
      costNanoUsd: 4_500_000,
      usage: { input: 10, cacheRead: 20, cacheWrite: 3, output: 5, reasoning: 7 },
      costWarning: { ceiling_usd: 0.01 },
      messages: [{ role: "user", content: "all of it" }],
      messageCount: 1,
      outputText: '{"a":1}',
      parsedJson: { a: 1 },
      formatValid: true,
      userId: "ann",
      sessionId: "s-1",
      custom: { team: "red" },
      requestIp: "203.0.113.9",
      userAgent: "a client",
      context: { provider_health: { openai: "degraded" }, budget: { limit_usd: 1 } },
    });
    const shadow = {
      model: "gpt-4o-mini",
      costNanoUsd: 250_000,
      latencyMs: 333,
      qualityScore: 0.9,
      comparison: "better",
    } as const;
    await gateway.platform.db.write((sql) => insertShadow(sql, key.project.id, "call_full", shadow));
    const detail = await getJson(gateway, key, "/v1/logs/call_full");
    expect(detail.prompt).toMatchObject({
      text: "Write a line about signal boxes.",
      length: 32,
      message_count: 1,
      messages: [{ role: "user", content: "all of it" }],
    });
    expect(detail.prompt.hash).toMatch(/^[0-9a-f]{16}$/);
    expect(detail.classification).toEqual({
      task_type: "writing",
      complexity_score: 0.5,
      confidence: 0.9,
      detected_format: "json",
    });
    expect(detail.routing).toMatchObject({
      model_selected: "claude-haiku-4-5",
      fallback_model: "claude-haiku-4-5",
      routing_reason: "because",
      provider: "anthropic",
      first_choice: "gpt-4o",
      decision_factors: { candidates: [{ model: "gpt-4o", score: 0.9 }] },
    });
    expect(detail.execution).toMatchObject({
      latency_ms: 470,
      input_tokens: 33,
      output_tokens: 12,
      total_tokens: 45,
      cost_usd: 0.0045,
      started_at: new Date(startedAtMs).toISOString(),
      completed_at: new Date(startedAtMs + 470).toISOString(),
      usage_source: "provider",
      overhead_ms: 20,
    });
    expect(detail.execution.attempts).toMatchObject([
      { attempt_number: 1, model: "gpt-4o", success: false, latency_ms: 100, cost_usd: 0.0015, failure: "refusal" },
      { attempt_number: 2, model: "gpt-4o", success: false, latency_ms: 150, cost_usd: 0.0015, purpose: "retry" },
      { attempt_number: 3, model: "claude-haiku-4-5", success: true, latency_ms: 200, cost_usd: 0.0015, purpose: "fallback" },
    ]);
    expect(detail.quality).toMatchObject({
      validation_passed: true,
      retry_count: 1,
      fallback_used: true,
      cost_warning_triggered: true,
      output_quality_score: 0.8,
      failure_mode: "refusal",
      validation_checks: { format_valid: true, no_refusal: true, no_disclaimer: true, completeness: true },
    });
    expect(detail.output).toEqual({ text: '{"a":1}', length: 7, format_valid: true, parsed_json: { a: 1 } });
    expect(detail.metadata).toMatchObject({
      user_id: "ann",
      session_id: "s-1",
      api_key_hash: "0123456789abcdef",
      key_id: key.id,
      custom: { team: "red" },
      request_ip: "203.0.113.9",
      user_agent: "a client",
      mode: "test",
    });
    expect(detail.context).toEqual({ provider_health: { openai: "degraded" }, budget: { limit_usd: 1 } });
    expect(detail.shadow_call).toEqual({
      executed: true,
      shadow_model: "gpt-4o-mini",
      shadow_cost_usd: 0.00025,
      shadow_latency_ms: 333,
      quality_comparison: "better",
    });
  });

  test("says null where a call has nothing to show", async () => {
    await record(gateway, key, { id: "call_bare" });
    const detail = await getJson(gateway, key, "/v1/logs/call_bare");
    expect(detail.output.parsed_json).toBeNull();
    expect(detail.context).toEqual({ provider_health: null, budget: null });
    expect(detail.shadow_call).toEqual({
      executed: false,
      shadow_model: null,
      shadow_cost_usd: null,
      shadow_latency_ms: null,
      quality_comparison: null,
    });
  });

  test("parses an answer that is JSON, also in a fence, where no schema did", async () => {
    for (const [id, outputText, parsed] of [
      ["call_array", "[1, 2]", [1, 2]],
      ["call_fence", '```json\n{"a": 1}\n```\n', { a: 1 }],
      ["call_number", "42", null],
      ["call_prose", "[1] says so.", null],
      ["call_deep", "[".repeat(5_000) + "]".repeat(5_000), null],
    ] as const) {
      await record(gateway, key, { id, outputText });
      expect((await getJson(gateway, key, `/v1/logs/${id}`)).output.parsed_json).toEqual(parsed);
    }
  });

  test("has the prompt's vector: the unit vector of the local encoder", async () => {
    await record(gateway, key, { id: "call_unembedded" });
    const { embedding } = (await getJson(gateway, key, "/v1/logs/call_unembedded")).prompt;
    expect(embedding).toHaveLength(256);
    expect(Math.hypot(...embedding)).toBeCloseTo(1, 1);
  });

  test("has the messages as chat takes them, with the tools that were called", async () => {
    const call = { id: "c1", name: "get_weather", arguments: '{"city":"Paris"}' };
    await record(gateway, key, {
      id: "call_tools",
      messages: [
        { role: "user", content: "The weather?" },
        { role: "assistant", content: "", toolCalls: [call] },
        { role: "tool", content: "Error: rain", toolCallId: "c1", isError: true },
      ],
    });
    expect((await getJson(gateway, key, "/v1/logs/call_tools")).prompt.messages).toEqual([
      { role: "user", content: "The weather?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "c1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } }],
      },
      { role: "tool", content: "Error: rain", tool_call_id: "c1" },
    ]);
  });

  test("keeps lengths and no texts where the project leaves bodies out", async () => {
    const silent = await gateway.key({ project: "silent", settings: { storeBodies: false } });
    await record(gateway, silent, {
      id: "call_silent",
      startedAtMs: gateway.clock.now(),
      decisionFactors: { quality_cost: 0.5, evidence: { instruction: "Write a line about signal boxes." } },
    });
    const detail = await getJson(gateway, silent, "/v1/logs/call_silent");
    expect(detail.prompt).toMatchObject({ text: null, length: 32, messages: null, embedding: null });
    expect(detail.routing.decision_factors).toEqual({ quality_cost: 0.5 });
    expect(detail.output).toMatchObject({ text: null, length: 34, parsed_json: null });
    const page = await getJson(gateway, silent, "/v1/logs");
    expect(page.logs[0].prompt).toMatchObject({ text: null, length: 32 });
  });

  test("has the prompt's text, which is stored once where a message holds it", async () => {
    const prompt = "Which of the trains were late, and why?";
    const asParts = [{ role: "user", content: [{ type: "text", text: prompt }] }];
    for (const [id, messages, times] of [
      [
        "call_once",
        [
          { role: "user", content: prompt },
          { role: "assistant", content: "None." },
        ],
        1,
      ],
      ["call_parts", asParts, 2],
      ["call_alone", undefined, 1],
    ] as const) {
      await record(gateway, key, { id, promptText: prompt, messages });
      expect((await getJson(gateway, key, `/v1/logs/${id}`)).prompt.text).toBe(prompt);
      const { data } = gateway.platform.db.get<{ data: Uint8Array }>(
        "SELECT d.data FROM call_details d JOIN calls c ON c.seq = d.call_seq WHERE c.id = ?",
        id,
      )!;
      const stored = Buffer.from(Bun.zstdDecompressSync(data as Uint8Array<ArrayBuffer>)).toString("utf8");
      expect(stored.split(prompt)).toHaveLength(times + 1);
    }
  });

  test("answers 404 for an unknown call", async () => {
    const response = await gateway.send(key, "GET", "/v1/logs/call_nothing");
    expect(response.status).toBe(404);
    expect(((await response.json()) as any).error.type).toBe("not_found");
  });
});

describe("POST /v1/logs/{call_id}/feedback", () => {
  const quality = async (id: string) => (await getJson(gateway, key, `/v1/logs/${id}`)).quality;
  const say = (id: string, body: unknown) => gateway.send(key, "POST", `/v1/logs/${id}/feedback`, body);

  test("finds the call by the id that its answer had in any API", async () => {
    const messages = [{ role: "user", content: "hi" }];
    const asked: [string, object][] = [
      ["/v1/chat/completions", { messages }],
      ["/v1/completions", { model: "auto", prompt: "hi" }],
      ["/v1/responses", { input: "hi" }],
      ["/v1/messages", { model: "auto", max_tokens: 50, messages }],
    ];
    for (const [path, body] of asked) {
      const answer = await gateway.send(key, "POST", path, body);
      const { id } = (await answer.json()) as { id: string };
      const callId = answer.headers.get("x-svc-request-id")!;
      expect((await getJson(gateway, key, `/v1/logs/${id}`)).call_id).toBe(callId);
      expect(await (await say(id, { score: 1 })).json()).toEqual({ call_id: callId, score: 1 });
    }
  });

  test("counts half in the quality score, and a later word replaces the earlier one", async () => {
    await record(gateway, key, { id: "call_judged", startedAtMs: gateway.clock.now(), qualityScore: 0.8 });
    const response = await say("call_judged", { score: 0.2, comment: "too short" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ call_id: "call_judged", score: 0.2 });
    expect(await quality("call_judged")).toMatchObject({
      output_quality_score: 0.5,
      feedback: { score: 0.2, comment: "too short" },
    });
    await say("call_judged", { score: 1 });
    expect(await quality("call_judged")).toMatchObject({ output_quality_score: 0.9, feedback: { score: 1, comment: null } });
  });

  test("is kept as redacted as the project's logs are", async () => {
    const careful = await gateway.key({ project: "feedback redacted" });
    const config = { redact_logs: true, pii_detection: { types: ["email"], action: "warn" } };
    await gateway.send(careful, "POST", "/v1/policies", { name: "careful", policy_type: "content", config });
    await record(gateway, careful, { id: "call_careful", startedAtMs: gateway.clock.now() });
    await gateway.send(careful, "POST", "/v1/logs/call_careful/feedback", { score: 1, comment: "ask ann@example.com" });
    const { quality } = await getJson(gateway, careful, "/v1/logs/call_careful");
    expect(quality.feedback).toEqual({ score: 1, comment: "ask [REDACTED]" });
  });

  test("is the quality score where nothing was checked, and reaches the sums", async () => {
    const other = await gateway.key({ project: "feedback sums" });
    await record(
      gateway,
      other,
      { id: "call_unchecked", startedAtMs: gateway.clock.now(), qualityScore: undefined as never },
      { startedAtMs: gateway.clock.now(), qualityScore: 0.5 },
    );
    await gateway.send(other, "POST", "/v1/logs/call_unchecked/feedback", { score: 1 });
    const { quality_metrics, summary } = await getJson(gateway, other, "/v1/logs/summary");
    expect(quality_metrics.avg_quality_score).toBe(0.75);
    expect(summary).toMatchObject({ total_calls: 2, total_cost_usd: 0.002 });
  });

  test.each([
    [{}, "score"],
    [{ score: 1.1 }, "score"],
    [{ score: "good" }, "score"],
    [{ score: 1, comment: 7 }, "comment"],
  ])("refuses %j", async (body, param) => {
    const response = await say("call_bare", body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as any).error.param).toBe(param);
  });

  test("answers 404 for an unknown call, for another project's, and for one of the other mode", async () => {
    expect((await say("call_nothing", { score: 1 })).status).toBe(404);
    await record(gateway, key, { id: "call_ours" });
    const stranger = await gateway.key({ project: "feedback stranger" });
    const { name } = key.project;
    for (const who of [stranger, await gateway.key({ project: name, mode: "live" })])
      expect((await gateway.send(who, "POST", "/v1/logs/call_ours/feedback", { score: 1 })).status).toBe(404);
    expect((await quality("call_ours")).feedback).toBeNull();
  });
});
