/** A month of calls whose figures can be added up by hand. */

import type { Call } from "../../src/logs/call.ts";
import { noUsage } from "../../src/providers/provider.ts";
import { NOON } from "../support/gateway.ts";
import { knownAttempt } from "../support/known-call.ts";

const DAY = 86_400_000;
export const HOUR = 3_600_000;

const tokens = (input: number, output: number) => ({ ...noUsage(), input, output });

/**
 * The history, all within 30 days and most within 7:
 * code:    6 × gpt-4o, 10,000,000 n$, 1,000 ms, quality 0.9; one of them after a refusal and a retry (2,000 ms)
 *          5 × claude-haiku-4-5, 2,000,000 n$, 500 ms, quality 0.88; one of them as the fallback for a refusing gpt-4o
 * writing: 1 × gpt-4o-mini, 1 n$ (the smallest sum there is); 1 × gpt-4o that failed with 503 for want of an answer
 * image:   1 without tokens, 40,000,000 n$
 * and ten days ago, in the month before nothing: 2 × gpt-4o, 3,000,000 n$
 */
export const history = (): Partial<Call>[] => {
  const code = (at: number, changes: Partial<Call> = {}): Partial<Call> => ({
    taskType: "code",
    complexity: 0.6,
    startedAtMs: at,
    completedAtMs: at + 1_000,
    costNanoUsd: 10_000_000,
    qualityScore: 0.9,
    usage: tokens(1_000, 200),
    messageCount: 3,
    attempts: [knownAttempt()],
    ...changes,
  });
  const haiku = { model: "claude-haiku-4-5", provider: "anthropic", costNanoUsd: 2_000_000, qualityScore: 0.88 };
  const haikuAttempt = knownAttempt({ model: "claude-haiku-4-5", provider: "anthropic", latencyMs: 500 });
  return [
    ...[1, 2, 3, 4, 5].map((n) => code(NOON - n * HOUR)),
    code(NOON - DAY, {
      completedAtMs: NOON - DAY + 2_000,
      attempts: [knownAttempt({ success: false, failure: "refusal" }), knownAttempt({ number: 2, purpose: "retry" })],
      streamed: true,
      costWarning: { ceiling_usd: 0.02 },
    }),
    ...[1, 2, 3, 4].map((n) =>
      code(NOON - 2 * DAY - n * HOUR, {
        ...haiku,
        completedAtMs: NOON - 2 * DAY - n * HOUR + 500,
        attempts: [haikuAttempt],
        pinned: n === 1,
      }),
    ),
    code(NOON - 3 * DAY, {
      ...haiku,
      completedAtMs: NOON - 3 * DAY + 500,
      firstChoice: "gpt-4o",
      failureMode: "refusal",
      attempts: [knownAttempt({ success: false, failure: "refusal" }), { ...haikuAttempt, number: 2, purpose: "fallback" }],
    }),
    code(NOON - 4 * DAY, {
      taskType: "writing",
      complexity: 0.2,
      model: "gpt-4o-mini",
      costNanoUsd: 1,
      qualityScore: 1,
      usage: tokens(1, 0),
      attempts: [knownAttempt({ model: "gpt-4o-mini" })],
      messageCount: 1,
    }),
    code(NOON - 4 * DAY, {
      taskType: "writing",
      complexity: 0.2,
      costNanoUsd: 0,
      qualityScore: undefined as never,
      validationPassed: undefined as never,
      usage: noUsage(),
      status: 503,
      errorType: "service_unavailable",
      attempts: [knownAttempt({ success: false, failure: "server" })],
      messageCount: 1,
    }),
    code(NOON - 5 * DAY, {
      kind: "image",
      taskType: undefined as never,
      complexity: undefined as never,
      model: "image-a-3",
      firstChoice: undefined as never,
      costNanoUsd: 40_000_000,
      qualityScore: undefined as never,
      validationPassed: undefined as never,
      usage: noUsage(),
      attempts: [knownAttempt({ model: "image-a-3", latencyMs: 4_000 })],
      completedAtMs: NOON - 5 * DAY + 4_000,
      messageCount: 0,
    }),
    ...[1, 2].map((n) => code(NOON - 10 * DAY - n * HOUR, { costNanoUsd: 3_000_000 })),
  ];
};
