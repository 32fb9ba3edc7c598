/** A believable history, the same on every run: call number `n` of `total`, spread evenly over 90 days and unevenly over five projects. */

import { TASK_TYPES } from "../../src/catalog/task-type.ts";
import { DAY_MS } from "../../src/lib/clock.ts";
import type { Attempt, Call, FailureMode } from "../../src/logs/call.ts";
import { noUsage } from "../../src/providers/provider.ts";
import { randomFrom } from "../../test/support/random.ts";

const DAYS = 90;
export const PROJECTS = ["proj_a", "proj_b", "proj_c", "proj_d", "proj_e"].map((name) => `${name}${"0".repeat(31)}`);
const SHARES = [0.4, 0.25, 0.2, 0.1, 0.05];

const MODELS: readonly [model: string, provider: string, latencyMs: number, inputNano: number, outputNano: number][] = [
  ["gpt-4o", "openai", 1400, 2500, 10000],
  ["gpt-4o-mini", "openai", 700, 150, 600],
  ["claude-sonnet-4-5", "anthropic", 1900, 3000, 15000],
  ["claude-haiku-4-5", "anthropic", 800, 1000, 5000],
  ["gemini-2.5-flash", "google", 600, 300, 2500],
  ["mistral-small", "mistral", 650, 100, 300],
];
const FAILURES: readonly FailureMode[] = ["format_violation", "refusal", "incomplete"];

const round3 = (value: number) => Math.round(value * 1000) / 1000;

export const makeCall = (n: number, total: number, endMs: number, text?: string): Call => {
  const random = randomFrom(n).next;
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const share = random();
  let project = 0;
  for (let sum = SHARES[0]!; share > sum && project < 4; sum += SHARES[++project]!);
  const startedAtMs = endMs - Math.round((1 - n / total) * DAYS * DAY_MS) - 1;
  const [model, provider, typicalMs, inputNano, outputNano] = pick(MODELS);
  const usage = { ...noUsage(), input: 50 + Math.floor(random() * 2000), output: 20 + Math.floor(random() * 600) };
  const costNanoUsd = usage.input * inputNano + usage.output * outputNano;
  const latencyMs = Math.round(typicalMs * (0.4 + random() * random() * 4));
  const trouble = random();
  const failure = trouble < 0.05 ? pick(FAILURES) : undefined;
  const failed = trouble > 0.99;
  const answer: Attempt = {
    number: 1, model, provider, purpose: "first", success: !failed && failure === undefined, latencyMs, costNanoUsd, usage,
    usageSource: "provider", finishReason: "stop", ...(failure !== undefined && { failure }), ...(failed && { failure: "server" }),
  }; // biome-ignore format: a record
  const attempts =
    failure === undefined
      ? [answer]
      : [answer, { ...answer, number: 2, purpose: "retry" as const, success: true, failure: undefined as never }];
  const taskType = pick(TASK_TYPES);
  const promptText = text ?? "";
  return {
    id: `call_${startedAtMs.toString(16).padStart(12, "0")}${Bun.hash(`call ${n}`).toString(16).padStart(20, "7")}`,
    projectId: PROJECTS[project]!, mode: random() < 0.9 ? "live" : "test", keyId: `key_${project}${"0".repeat(31)}`, keyHash: "0123456789abcdef",
    kind: "chat", route: "/v1/chat", startedAtMs, completedAtMs: startedAtMs + latencyMs * attempts.length + 1, upstreamMs: latencyMs * attempts.length,
    firstTokenMs: Math.round(latencyMs / 4), status: failed ? 503 : 200, ...(failed && { errorType: "service_unavailable" }), streamed: random() < 0.5,
    taskType, complexity: Math.round(random() * 1000) / 1000, confidence: 0.9, detectedFormat: "text", model, provider, firstChoice: model,
    routingReason: `${model} is the best of 6 for a middling ${taskType} prompt at quality_cost 0.5: expected quality 0.83, cost 0.0012 USD, latency 1.4 s.`,
    decisionFactors: { candidates: MODELS.slice(0, 4).map(([id]) => ({ model: id, score: round3(random()), expected_quality: round3(random()), expected_cost_usd: round3(random()) })) },
    attempts, validationPassed: !failed, validationChecks: { formatValid: true, noRefusal: true, noDisclaimer: true, completeness: true },
    ...(failure !== undefined && { failureMode: failure }), qualityScore: Math.round(random() * 100) / 100, usage, usageSource: "provider", costNanoUsd,
    promptText, messageCount: 1 + Math.floor(random() * 8), outputText: promptText, userId: `user-${Math.floor(random() * 2000)}`, sessionId: `session-${Math.floor(random() * 5000)}`,
    requestIp: "192.0.2.7", userAgent: "OpenAI/JS 7.55.0",
    context: { provider_health: { openai: "healthy", anthropic: "healthy" }, budget: { limit_usd: 100, spent_usd: 12.5 } },
  }; // biome-ignore format: a record
};
