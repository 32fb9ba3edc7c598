/** The record of one call while its story is told. Once it has ended, however it ended, record-draft.ts makes the ledger's row of it. */

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
  /** Aborts when the caller leaves. */
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
  /** How many messages in front of the conversation were gathered for the call: its documents. */
  gatheredMessages?: number;
  /** Of the key's budget: for all attempts and side calls together, held until the row is written. */
  reservation: Reservation;
  attempts: Attempt[];
  upstreamMs: number;
  firstTokenMs?: number;
  /** Of the answer that was returned. */
  model?: string;
  provider?: string;
  validationPassed?: boolean;
  validationChecks?: ValidationChecks;
  failureMode?: FailureMode;
  qualityScore?: number;
  outputText: string;
  /** What the answer asks the caller's tools. */
  toolCalls?: ToolCall[];
  /** `outputText` is JSON that fits the schema. */
  fitsSchema?: boolean;
  formatValid?: boolean;
  cancelled?: boolean;
  /** When its row was made: the answer says the latency that the log has. */
  completedAtMs?: number;
  /** Its row is in the ledger: there is no second one. */
  isRecorded?: boolean;
  /** Lets the next long answer be written down, once this one is. */
  releaseLongAnswer?: () => void;
  /** Calls that the story made besides (a summary, a judge): their cost and tokens are the call's too. */
  sideUsage: TokenUsage;
  sideCostNanoUsd: number;
  /** Where a policy keeps personal data out of the log: prompt and answer as they may be stored. */
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

/** What the cost is for: the tokens of all attempts, and of the calls made besides. */
export const totalUsage = ({ attempts, sideUsage }: CallDraft): TokenUsage =>
  attempts.reduce((sum, { usage }) => addUsage(sum, usage), sideUsage);

export const addUsage = (sum: TokenUsage, more: TokenUsage): TokenUsage => ({
  input: sum.input + more.input,
  cacheRead: sum.cacheRead + more.cacheRead,
  cacheWrite: sum.cacheWrite + more.cacheWrite,
  output: sum.output + more.output,
  reasoning: sum.reasoning + more.reasoning,
});
