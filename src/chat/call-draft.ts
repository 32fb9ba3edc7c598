/** The record of one call while its story is told; turned into the ledger's row once it has ended, however it ended. */

import type { Caller } from "../accounts/authenticate.ts";
import { ApiError, serviceUnavailable } from "../api-error.ts";
import { type Attempt, beginCall, type Call, type CallKind, type FailureMode, type ValidationChecks } from "../logs/call.ts";
import { commitCall } from "../logs/record-call.ts";
import type { Platform } from "../platform.ts";
import { splitSignature } from "../providers/dialect/tool-call-ids.ts";
import {
  type ChatMessage,
  noUsage,
  type TokenUsage,
  type ToolCall,
  type UsageSource,
  withoutThoughts,
} from "../providers/provider.ts";
import type { Classification } from "../router/classify.ts";
import { conversationKey } from "../router/conversations.ts";
import { bandOf } from "../router/difficulty.ts";
import type { ChatInput } from "./request/chat-input.ts";
import { joinTexts, lastUserText } from "./request/last-user-text.ts";

export type CallDraft = {
  caller: Caller;
  input: ChatInput;
  kind: CallKind;
  streamed: boolean;
  classification?: Classification;
  firstChoice?: string;
  routingReason?: string;
  decisionFactors?: unknown;
  context?: unknown;
  embedding?: Int8Array;
  costWarning?: unknown;
  policyEvaluation?: unknown;
  contentEvaluation?: unknown;
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
  parsedJson?: unknown;
  formatValid?: boolean;
  cancelled?: boolean;
  /** When its row was made: the answer says the latency that the log has. */
  completedAtMs?: number;
  /** Its row is in the ledger: there is no second one. */
  isRecorded?: boolean;
  /** Ends the turn of a long answer that is being written down. */
  endTurn?: () => void;
  /** Calls that the story made besides (a summary, a judge): their cost and tokens are the call's too. */
  sideUsage: TokenUsage;
  sideCostNanoUsd: number;
  /** Where a policy keeps personal data out of the log: prompt and answer as they may be stored. */
  redactForLog?: (text: string) => string;
};

export const newDraft = (caller: Caller, input: ChatInput, streamed: boolean): CallDraft => ({
  caller,
  input,
  kind: "chat",
  streamed,
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

/** Provider figures only where every attempt that was billed has them. */
const usageSourceOf = (attempts: readonly Attempt[]): UsageSource => {
  const sources = attempts.map(({ usageSource }) => usageSource).filter((source) => source !== "none");
  if (sources.length === 0) return "none";
  return sources.includes("estimated") ? "estimated" : "provider";
};

/** What never became a call: a model that does not exist, a budget that was spent before anything was asked (decisions §11). */
export const leavesNoRow = (draft: CallDraft, error: unknown): boolean =>
  error instanceof ApiError &&
  (error.options.code === "model_not_found" ||
    (error.status === 429 && draft.attempts.length === 0 && draft.sideCostNanoUsd === 0));

/** The row could not be committed: then there is no answer either (disk full, file locked). */
export class LedgerError extends Error {}

export const unrecorded = (): ApiError =>
  serviceUnavailable("The call could not be written to the log, so it is not answered.", 5, false);

/** Writes the row; the answer ends after it (decisions §10). `error` is what the caller got instead of an answer. */
export const recordDraft = async (platform: Platform, draft: CallDraft, error?: unknown): Promise<void> => {
  const { durable } = await commitDraft(platform, draft, error);
  await durable;
};

/** The same, for an answer that is made ready while the disk syncs: it may leave once `durable` resolves. */
export const commitDraft = async (platform: Platform, draft: CallDraft, error?: unknown): Promise<{ durable: Promise<void> }> => {
  draft.completedAtMs = platform.clock.now();
  const call = toCall(draft, draft.completedAtMs, error);
  const { durable } = await commitCall(platform, draft.caller.project, call).catch(unwritten);
  draft.isRecorded = true;
  learnFrom(platform, draft, call);
  return { durable: durable.catch(unwritten) };
};

const unwritten = (cause: unknown): never => {
  throw new LedgerError("The call could not be written to the log.", { cause });
};

/** The router learns from what is in the ledger, and the conversation stays with the model that answered it. */
const learnFrom = (platform: Platform, { caller, input, classification, redactForLog }: CallDraft, call: Call): void => {
  if (call.kind !== "chat" || classification === undefined) return;
  const keepsPrompt = caller.project.settings.storeBodies !== false && redactForLog === undefined;
  platform.learning.heardOfCall(caller.project, call, classification, keepsPrompt);
  if (call.status !== 200 || call.model === undefined) return;
  const key = conversationKey(`${caller.project.id} ${caller.mode}`, input.request.messages, input.sessionId);
  platform.conversations.remember(key, call.model, bandOf(classification.complexity), call.completedAtMs);
};

const toCall = (draft: CallDraft, completedAtMs: number, error: unknown): Call => {
  const { caller, input, classification } = draft;
  const redact = draft.redactForLog ?? ((text: string) => text);
  const refusal =
    error === undefined ? undefined : error instanceof ApiError ? error : new ApiError("server_error", "unexpected");
  return {
    ...beginCall(caller),
    kind: draft.kind,
    route: input.route,
    completedAtMs,
    upstreamMs: draft.upstreamMs,
    ...(draft.firstTokenMs !== undefined && { firstTokenMs: draft.firstTokenMs }),
    status: draft.cancelled ? 499 : (refusal?.status ?? 200),
    ...(draft.cancelled
      ? { errorType: "client_closed_request", cancelled: true }
      : refusal && { errorType: refusal.type, errorMessage: redact(refusal.message) }),
    streamed: draft.streamed,
    ...(classification && {
      taskType: classification.task,
      complexity: classification.complexity,
      confidence: classification.confidence,
      detectedFormat: classification.detectedFormat,
    }),
    ...modelOf(draft),
    ...pick(draft, "firstChoice", "routingReason", "decisionFactors", "context", "embedding", "costWarning"),
    ...pick(
      draft,
      "policyEvaluation",
      "contentEvaluation",
      "validationPassed",
      "validationChecks",
      "failureMode",
      "qualityScore",
      "formatValid",
    ),
    attempts: draft.attempts.map((attempt) => withoutPersonalData(attempt, draft.redactForLog)),
    usage: totalUsage(draft),
    usageSource: usageSourceOf(draft.attempts),
    costNanoUsd: spentNanoUsd(draft),
    promptText: redact(lastUserText(input.request.messages)),
    messages: redactDeep(withoutMedia(input, draft.redactForLog !== undefined), draft.redactForLog),
    messageCount: input.request.messages.length,
    outputText: redact(draft.outputText),
    ...(draft.parsedJson !== undefined && { parsedJson: redactDeep(draft.parsedJson, draft.redactForLog) }),
    ...(draft.redactForLog && { redacted: true }),
    ...pick(input, "userId", "sessionId"),
    ...(input.custom && { custom: redactDeep(input.custom, draft.redactForLog) as Record<string, string> }),
    ...(input.pinnedModel !== undefined && { pinned: true }),
  };
};

/** Of the answer; where none came, the model that was tried first is the one whose call failed. */
const modelOf = ({ model, provider, attempts }: CallDraft): Pick<Call, "model" | "provider"> => {
  if (model !== undefined) return { model, ...(provider !== undefined && { provider }) };
  const first = attempts[0];
  return first === undefined ? {} : { model: first.model, provider: first.provider };
};

/** The members that are there: an absent one must stay absent. */
const pick = <From extends object, Name extends keyof From>(from: From, ...names: Name[]): Pick<From, Name> => {
  const picked = {} as Pick<From, Name>;
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked;
};

const redactDeep = (value: unknown, redact: ((text: string) => string) | undefined): unknown => {
  if (redact === undefined) return value;
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactDeep(item, redact)]));
  }
  return value;
};

/** An upstream's complaint may quote what it was sent. */
const withoutPersonalData = (attempt: Attempt, redact: CallDraft["redactForLog"]): Attempt =>
  redact === undefined || attempt.failureMessage === undefined
    ? attempt
    : { ...attempt, failureMessage: redact(attempt.failureMessage) };

/** Of calls and their results, too: in their ids. */
const withoutSeals = (message: ChatMessage): ChatMessage => {
  const bare = withoutThoughts(message);
  if (bare.role === "tool") return { ...bare, toolCallId: splitSignature(bare.toolCallId).id };
  if (bare.role !== "assistant" || bare.toolCalls === undefined) return bare;
  return { ...bare, toolCalls: bare.toolCalls.map((call) => ({ ...call, id: splitSignature(call.id).id })) };
};

/** Pictures, sound and sealed thoughts are not kept in the log: the size of the former says enough. */
const withoutMedia = ({ request }: ChatInput, areTextsJoined: boolean): unknown =>
  request.messages.map((message) => ({
    ...withoutSeals(message),
    content:
      typeof message.content === "string"
        ? message.content
        : (areTextsJoined ? joinTexts(message.content) : message.content).map((part) => {
            if (part.type === "text") return part;
            if (part.type === "image" || part.type === "video") {
              return part.url.startsWith("data:")
                ? { type: part.type, bytes: Math.floor(part.url.length * 0.75) }
                : { type: part.type, url: part.url };
            }
            return { type: part.type, bytes: Math.floor(part.data.length * 0.75) };
          }),
  }));
