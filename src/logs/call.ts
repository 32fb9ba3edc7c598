/** One record per served request; logs, metrics and what the router learns are views of it. An attempt is one upstream call. */

import type { Mode } from "../accounts/api-key.ts";
import type { Caller } from "../accounts/authenticate.ts";
import type { TraceContext } from "../lib/trace-context.ts";
import type { ContentEvaluation, PolicyEvaluation } from "../policies/evaluation-schemas.ts";
import type { FinishReason, TokenUsage, ToolCall, UsageSource } from "../providers/provider.ts";

export const CALL_KINDS = [
  "chat",
  "embedding",
  "image",
  "video",
  "speech",
  "transcription",
  "search",
  "rerank",
  "moderation",
] as const;
export type CallKind = (typeof CALL_KINDS)[number];

export type Attempt = {
  number: number;
  model: string;
  provider: string;
  /** `first`, `retry` (same model), `fallback` (another). */
  purpose: "first" | "retry" | "fallback";
  success: boolean;
  latencyMs: number;
  costNanoUsd: number;
  usage: TokenUsage;
  usageSource: UsageSource;
  finishReason?: FinishReason;
  /** Its whole answer is the call's, passed or not. */
  isGiven?: true;
  /** The ceiling left room for less output than the caller and the model allow. */
  boundByCeiling?: true;
  /** The kind of an UpstreamError, or the output check that failed. */
  failure?: string;
  /** For the operator; never sent to the caller. */
  failureMessage?: string;
  upstreamStatus?: number;
  /** Why the same model was not retried although it could have been. */
  notRetried?: "retry_budget";
};

/** The failure modes of `/v1/metrics/failures`; each is a column of the sums (`call_days`, `attempt_hours`). */
export const FAILURE_MODES = ["format_violation", "refusal", "hallucination", "incomplete", "reasoning_error"] as const;
export type FailureMode = (typeof FAILURE_MODES)[number];

/** The failure mode of an attempt's `failure`; undefined if the provider gave no answer to judge. A cut stream counts as incomplete. */
export const failureModeOf = (failure: string | undefined): FailureMode | undefined =>
  failure === "truncated" ? "incomplete" : FAILURE_MODES.find((mode) => mode === failure);

export type ValidationChecks = { formatValid: boolean; noRefusal: boolean; noDisclaimer: boolean; completeness: boolean };

export type Call = {
  id: string;
  projectId: string;
  mode: Mode;
  keyId: string;
  keyHash: string;
  kind: CallKind;
  /** The path that the caller used. */
  route: string;
  startedAtMs: number;
  completedAtMs: number;
  /** Time spent waiting for providers; the rest of the latency is our own. */
  upstreamMs: number;
  firstTokenMs?: number;
  /** The HTTP status that the caller got (or would have got, for an error event in a stream). */
  status: number;
  errorType?: string;
  errorMessage?: string;
  streamed: boolean;
  /** Set if the caller disconnected before the end. */
  cancelled?: boolean;

  taskType?: string;
  complexity?: number;
  confidence?: number;
  detectedFormat?: string;

  /** Catalog id of the model that answered. */
  model?: string;
  provider?: string;
  firstChoice?: string;
  /** The caller named the model; nothing was routed. */
  pinned?: boolean;
  routingReason?: string;
  decisionFactors?: unknown;

  attempts: Attempt[];
  validationPassed?: boolean;
  validationChecks?: ValidationChecks;
  failureMode?: FailureMode;
  qualityScore?: number;
  costWarning?: unknown;

  usage: TokenUsage;
  usageSource: UsageSource;
  costNanoUsd: number;

  /** The last user message (chat), prompt, input or query. */
  promptText: string;
  /** The whole conversation, media left out; for the detail view and replay. */
  messages?: unknown;
  /** The first message held this call's `instructions` only. */
  hasInstructions?: true;
  messageCount: number;
  outputText: string;
  /** The bytes of each picture in the answer; the pictures themselves are not kept. */
  pictures?: number[];
  /** Tool calls of the answer. */
  toolCalls?: ToolCall[];
  /** The answer is a refusal, which some APIs tell apart from other text. */
  isRefusal?: true;
  /** What a caller who fetches the answer later is told of the request, beside its messages; false if it may not be fetched. */
  echo?: object | false;
  parsedJson?: unknown;
  formatValid?: boolean;
  /** Set if a policy redacts logs: prompt and output are stored redacted. */
  redacted?: boolean;

  userId?: string;
  sessionId?: string;
  custom?: Record<string, string>;
  requestIp?: string;
  userAgent?: string;

  policyEvaluation?: PolicyEvaluation;
  contentEvaluation?: ContentEvaluation;
  /** What a judge said of the answer, for the router to learn from; criteria that no judge was heard about are not in it. Not stored. */
  verdict?: { met: number; unmet: number };
  /** `provider_health` and `budget` as the router saw them. */
  context?: unknown;
  /** Under what its answer may be given again, and until when. */
  keptAs?: KeptAs;
  /** The call whose answer was given again, so that no model was asked, and what that call cost. */
  reused?: { callId: string; savedNanoUsd: number };
  /** The trace that this call belongs to; derived from the call's id if absent. */
  trace?: TraceContext;
};

/** `question`: a digest of all that shapes an answer. */
export type KeptAs = { question: string; untilMs: number };

/** The fields known before anything is done: who asks, and since when. */
export const beginCall = (
  caller: Caller,
): Pick<
  Call,
  "id" | "projectId" | "mode" | "keyId" | "keyHash" | "startedAtMs" | "trace" | "requestIp" | "userAgent" | "userId"
> => ({
  id: caller.requestId,
  projectId: caller.project.id,
  mode: caller.mode,
  keyId: caller.key.id,
  keyHash: caller.key.logHash,
  startedAtMs: caller.startedAtMs,
  ...(caller.trace && { trace: caller.trace }),
  ...(caller.ip !== null && { requestIp: caller.ip }),
  ...(caller.userAgent !== null && { userAgent: caller.userAgent }),
  ...(caller.userId !== undefined && { userId: caller.userId }),
});

export const retryCount = (call: Call): number => call.attempts.filter(({ purpose }) => purpose === "retry").length;
export const fallbackUsed = ({ attempts }: Pick<Call, "attempts">): boolean =>
  attempts.some(({ purpose }) => purpose === "fallback");
/** Zero if the clock was set back meanwhile. */
export const latencyMsOf = ({ startedAtMs, completedAtMs }: Pick<Call, "startedAtMs" | "completedAtMs">): number =>
  Math.max(0, Math.round(completedAtMs - startedAtMs));

/** Also set for a call that a retry saved: the mode of its first failed attempt. */
export const failureModeOfCall = (call: Call): FailureMode | undefined =>
  call.failureMode ??
  failureModeOf(call.attempts.find(({ success, failure }) => !success && failureModeOf(failure) !== undefined)?.failure);

/** The text form of tool calls, for answers without text. */
export const callsAsText = (calls: readonly ToolCall[]): string =>
  calls.map((call) => `${call.name}(${call.arguments})`).join("\n");
