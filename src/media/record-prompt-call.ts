/** Writes the ledger's row of a media or search call, with the fields that all of them share. */

import type { Caller } from "../accounts/authenticate.ts";
import type { ApiError } from "../api-error.ts";
import { endNow } from "../lib/clock.ts";
import { type Attempt, beginCall, type Call, type CallKind, latencyMsOf } from "../logs/call.ts";
import { recordCall } from "../logs/record-call.ts";
import { redactCall } from "../logs/redact-call.ts";
import type { Platform } from "../platform.ts";
import { noUsage } from "../providers/provider.ts";
import type { ReadTokens, TargetAttempt } from "../providers/targets/targets-call.ts";

export type PromptCall = {
  kind: Exclude<CallKind, "chat" | "embedding">;
  route: string;
  /** Neutral id, or the search engine that answered. */
  model: string;
  attempts: readonly TargetAttempt[];
  promptText: string;
  outputText: string;
  /** What the caller pays; the successful attempt has it. */
  costNanoUsd: number;
  status: number;
  error?: ApiError;
  cancelled?: boolean;
  streamed?: boolean;
  /** Where texts are read. */
  tokens?: ReadTokens;
  userId?: string | undefined;
  /** The request's other options, for the detail view. */
  asked?: Record<string, unknown>;
  policyEvaluation?: Call["policyEvaluation"] | undefined;
  contentEvaluation?: Call["contentEvaluation"] | undefined;
};

/** Resolves with the latency in milliseconds, as logged. */
export const recordPromptCall = async (platform: Platform, caller: Caller, call: PromptCall): Promise<number> => {
  const { logs } = await platform.policies.of(caller.project.id);
  const last = call.attempts.at(-1);
  const recorded: Call = {
    ...beginCall(caller),
    kind: call.kind,
    route: call.route,
    completedAtMs: endNow(platform.clock, caller),
    upstreamMs: call.attempts.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
    status: call.cancelled ? 499 : call.status,
    ...(call.error && { errorType: call.error.type, errorMessage: call.error.message }),
    ...(call.cancelled && { errorType: "client_closed_request", cancelled: true }),
    streamed: call.streamed ?? false,
    model: call.model,
    ...(last && { provider: last.provider }),
    firstChoice: call.model,
    ...(call.asked && { decisionFactors: call.asked }),
    attempts: toAttempts(call.attempts, call.model, call.costNanoUsd, call.tokens),
    ...usageOf(call.tokens),
    costNanoUsd: call.costNanoUsd,
    promptText: call.promptText,
    messageCount: 0,
    outputText: call.outputText,
    ...(call.userId !== undefined && { userId: call.userId }),
    policyEvaluation: call.policyEvaluation,
    contentEvaluation: call.contentEvaluation,
  };
  await recordCall(platform, caller.project, await redactCall(recorded, logs));
  return latencyMsOf(recorded);
};

/** The successful one has the cost, or the one that the caller left at work. */
export const toAttempts = (
  attempts: readonly TargetAttempt[],
  model: string,
  costNanoUsd: number,
  tokens?: ReadTokens,
): Attempt[] =>
  attempts.map(({ abandoned = false, tokens: told, ...attempt }) => ({
    ...attempt,
    model,
    costNanoUsd: attempt.success || abandoned ? costNanoUsd : 0,
    ...usageOf(attempt.success ? tokens : told),
  }));

export const usageOf = (tokens: ReadTokens | undefined): Pick<Call, "usage" | "usageSource"> => ({
  usage: { ...noUsage(), input: tokens?.read ?? 0 },
  usageSource: tokens?.source ?? "none",
});
