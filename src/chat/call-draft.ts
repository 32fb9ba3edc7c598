/** The record of one call while it runs. However it ends, record-draft.ts turns it into the ledger's row. */

import type { Caller } from "../accounts/authenticate.ts";
import type { Reservation } from "../accounts/budgets.ts";
import type { Attempt, CallKind, FailureMode, ValidationChecks } from "../logs/call.ts";
import type { Platform } from "../platform.ts";
import type { ContentEvaluation, PolicyEvaluation } from "../policies/evaluation-schemas.ts";
import { noUsage, type TokenUsage, type ToolCall } from "../providers/provider.ts";
import type { Classification } from "../router/classify.ts";
import type { DecisionFactors } from "../router/explain.ts";
import type { ChatInput } from "./request/chat-input.ts";
import type { CostWarning } from "./response/completion-schema.ts";

export type CallDraft = {
  caller: Caller;
  input: ChatInput;
  kind: CallKind;
  streamed: boolean;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  classification?: Classification;
  firstChoice?: string;
  routingReason?: string;
  decisionFactors?: DecisionFactors;
  context?: unknown;
  embedding?: Int8Array;
  costWarning?: CostWarning;
  policyEvaluation?: PolicyEvaluation;
  contentEvaluation?: ContentEvaluation;
  /** Number of messages (its documents) put in front of the conversation for this call. */
  gatheredMessages?: number;
  /** Reserved from the key's budget for all attempts and side calls, until the row is written. */
  reservation: Reservation;
  attempts: Attempt[];
  upstreamMs: number;
  firstTokenMs?: number;
  /** What the provider had reported when the first part of a stream was sent. */
  firstUsage?: TokenUsage;
  /** The model whose answer was returned. */
  model?: string;
  provider?: string;
  validationPassed?: boolean;
  validationChecks?: ValidationChecks;
  failureMode?: FailureMode;
  qualityScore?: number;
  outputText: string;
  /** Tool calls of the answer. */
  toolCalls?: ToolCall[];
  /** `outputText` is JSON that fits the schema. */
  fitsSchema?: boolean;
  formatValid?: boolean;
  cancelled?: boolean;
  /** When the row was made; answer and log report the same latency. */
  completedAtMs?: number;
  /** The row is in the ledger; there is no second one. */
  isRecorded?: boolean;
  /** Lets the next long answer be processed, once this one is done. */
  releaseLongAnswer?: () => void;
  /** Side calls (summaries, judges), whose cost and tokens count as the call's. */
  sideUsage: TokenUsage;
  sideCostNanoUsd: number;
  /** Set if a policy keeps personal data out of the log: returns the text as it may be stored. */
  redactForLog?: (text: string) => string;
};

export const newDraft = (
  { budgets }: Platform,
  { caller, input, streamed, signal }: Pick<CallDraft, "caller" | "input" | "streamed" | "signal">,
): CallDraft => ({
  caller,
  input,
  kind: "chat",
  streamed,
  signal,
  reservation: budgets.open(caller.key),
  attempts: [],
  upstreamMs: 0,
  outputText: "",
  sideUsage: noUsage(),
  sideCostNanoUsd: 0,
});

export const spentNanoUsd = (draft: CallDraft): number =>
  draft.attempts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, draft.sideCostNanoUsd);

/** The tokens behind the cost: those of all attempts and side calls. */
export const totalUsage = ({ attempts, sideUsage }: CallDraft): TokenUsage =>
  attempts.reduce((sum, { usage }) => addUsage(sum, usage), sideUsage);

export const addUsage = (sum: TokenUsage, more: TokenUsage): TokenUsage => ({
  input: sum.input + more.input,
  cacheRead: sum.cacheRead + more.cacheRead,
  cacheWrite: sum.cacheWrite + more.cacheWrite,
  output: sum.output + more.output,
  reasoning: sum.reasoning + more.reasoning,
});
