/** A call as the ledger takes it, plain unless a test says otherwise; and the way it gets there. */

import type { Attempt, Call } from "../../src/logs/call.ts";
import { recordCall } from "../../src/logs/record-call.ts";
import { noUsage } from "../../src/providers/provider.ts";
import { type Gateway, NOON, type TestKey } from "./gateway.ts";

/** The only one of a call, and answered, unless a test says otherwise. */
export const knownAttempt = (changes: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  model: "gpt-4o",
  provider: "openai",
  purpose: "first",
  success: true,
  latencyMs: 1_000,
  costNanoUsd: 0,
  usage: noUsage(),
  usageSource: "provider",
  ...changes,
});

let counter = 0;

export const knownCall = (key: TestKey, changes: Partial<Call> = {}): Call => {
  const startedAtMs = changes.startedAtMs ?? NOON;
  const model = changes.model ?? "gpt-4o";
  const provider = changes.provider ?? "openai";
  return {
    id: `call_${String(++counter).padStart(32, "0")}`,
    projectId: key.project.id,
    mode: "test",
    keyId: key.id,
    keyHash: "0123456789abcdef",
    kind: "chat",
    route: "/v1/chat",
    startedAtMs,
    completedAtMs: startedAtMs + 1_000,
    upstreamMs: 990,
    status: 200,
    streamed: false,
    taskType: "writing",
    complexity: 0.5,
    confidence: 0.9,
    model,
    provider,
    firstChoice: model,
    attempts: [knownAttempt({ model, provider, latencyMs: 990, costNanoUsd: changes.costNanoUsd ?? 1_000_000 })],
    validationPassed: true,
    validationChecks: { formatValid: true, noRefusal: true, noDisclaimer: true, completeness: true },
    qualityScore: 0.8,
    usage: { ...noUsage(), input: 100, output: 50 },
    usageSource: "provider",
    costNanoUsd: 1_000_000,
    promptText: "Write a line about signal boxes.",
    messageCount: 1,
    outputText: "A lever, a bell, a line set clear.",
    ...changes,
  };
};

/** Puts calls into the ledger, each made of the plain one and `changes`. */
export const record = async (gateway: Gateway, key: TestKey, ...changes: Partial<Call>[]): Promise<Call[]> => {
  const calls = changes.map((change) => knownCall(key, change));
  await Promise.all(calls.map((call) => recordCall(gateway.platform, key.project, call)));
  return calls;
};

export const getJson = async (gateway: Gateway, key: TestKey, path: string): Promise<any> => {
  const response = await gateway.send(key, "GET", path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
};

/** What the key has spent in its budget's period, as it is told. */
export const spentNanoUsd = async (gateway: Gateway, key: TestKey): Promise<number> =>
  Math.round(1e9 * (await getJson(gateway, key, "/v1/usage")).budget.spent_usd);
