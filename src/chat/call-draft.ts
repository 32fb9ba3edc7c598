/** The record of one call while it runs. However it ends, record-draft.ts turns it into the ledger's row. */

import { type Caller, onBehalfOf } from "../accounts/authenticate.ts";
import type { Reservation } from "../accounts/reservation.ts";
import type { Attempt, Call, CallKind, KeptAs } from "../logs/call.ts";
import type { Platform } from "../platform.ts";
import type { ContentRules } from "../policies/content/content-rules.ts";
import type { ContentEvaluation, PolicyEvaluation } from "../policies/evaluation-schemas.ts";
import { type ChatMessage, noUsage, type TokenUsage, type ToolCall } from "../providers/provider.ts";
import type { Classification } from "../router/classify.ts";
import { conversationKey } from "../router/conversations.ts";
import type { DecisionFactors } from "../router/explain.ts";
import type { Enforced } from "../schemas/enforce-schema.ts";
import type { Reuse } from "./cache/read-cache-control.ts";
import { type Named, namedModels } from "./decision/named-models.ts";
import { type ChatInput, wantsSchema } from "./request/chat-input.ts";
import { checkUrls } from "./request/check-media.ts";
import { askedMessages } from "./request/message-content.ts";
import type { CostWarning, Svc } from "./response/completion-schema.ts";

export type CallDraft = {
  caller: Caller;
  input: ChatInput;
  named: Named;
  /** Of the caller's own messages and what a session remembers, before any other context is put in front of them. */
  classification: Classification;
  /** The session's last messages, if only with them it is plain which media the call asks for. */
  said?: ChatMessage[];
  /** `chat`, or the kind of media that the chat asks for. */
  kind: CallKind;
  streamed: boolean;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** Reserved from the budgets for all attempts and side calls, until the row is written. */
  reservation: Reservation;
  /** Set if a policy keeps personal data out of the log. */
  logRules?: ContentRules;

  /** Set if an answer given before will do, or this one may be given again. */
  reuse?: Reuse;
  /** With `reuse`, once the context is known: what later calls must ask to get this answer. */
  question?: string;
  /** The earlier call whose answer is given again, what it cost, and the age of its answer. */
  reused?: Required<Call>["reused"] & { ageS: number };
  keptAs?: KeptAs;

  /** Which model is to answer, and why. Every answer has it, in its `svc`. */
  routing?: Svc["routing"];
  /** Set once chat models have been chosen: media models are not scored. */
  decided?: { decisionFactors: DecisionFactors; context: Required<Call>["context"] };
  /** Estimated; 0 until the models have been chosen. */
  promptTokens: number;
  costWarning?: CostWarning;
  policyEvaluation?: PolicyEvaluation;
  contentEvaluation?: ContentEvaluation;
  verdict?: Required<Call>["verdict"];
  /** What the answer's `svc` tells beside what the ledger keeps. */
  svc: Partial<Pick<Svc, "citations" | "context" | "media">>;

  attempts: Attempt[];
  /** Waited for attempts and side calls. */
  upstreamMs: number;
  /** Side calls (summaries, judges), whose cost and tokens count as the call's. */
  sideUsage: TokenUsage;
  sideCostNanoUsd: number;

  /** A stream's headers were sent before there was any content. */
  hasHeaders?: true;
  /** When the first content of a stream was sent, and what the provider had reported by then. */
  firstTokenMs?: number;
  firstUsage?: TokenUsage;
  /** Set once there is an answer, also if only a part of it was sent or a policy blocked it. */
  answer?: DraftAnswer;
  /** What the checks of the answer found. */
  checked?: Checked;

  /** When the row was made; answer and log report the same latency. */
  completedAtMs?: number;
  /** Its row was written, or could not be written; there is no second try. */
  isClosed: boolean;
  /** Lets the next long answer be processed, once this one is done. */
  releaseLongAnswer?: () => void;
};

/** `text` and `toolCalls`: as they were sent; whole if they were blocked. `schema`: how the text fits the schema, if the call has one. */
type DraftAnswer = {
  model: string;
  provider: string;
  text: string;
  toolCalls: ToolCall[];
  pictures?: string[];
  isRefusal?: true;
  schema?: Enforced;
};

/** As the ledger keeps it. */
type Checked = Required<Pick<Call, "validationPassed">> &
  Pick<Call, "qualityScore" | "validationChecks" | "failureMode" | "formatValid">;

/** Whose texts are classified, and whose conversations are remembered. */
export const ownerOf = ({ project, mode }: Caller): string => `${project.id} ${mode}`;

export const conversationOf = ({ caller, input }: CallDraft): string =>
  conversationKey(ownerOf(caller), input.request.messages, input.sessionId);

export const classifyFor = (
  platform: Platform,
  { caller, input }: Pick<CallDraft, "caller" | "input">,
  messages: ChatMessage[],
): Classification =>
  platform.classify(ownerOf(caller), { messages: askedMessages(caller.mode, messages), hasSchema: wantsSchema(input) });

/** Throws 400 for media at a URL that may not be fetched, 404 for an unknown model, and 403 for one that the key may not use. */
export const newDraft = (
  platform: Platform,
  { caller, input, streamed, signal, reuse }: Pick<CallDraft, "caller" | "input" | "streamed" | "signal" | "reuse">,
): CallDraft => ({
  caller,
  input: { ...input, request: checkUrls(input.request, platform.config.allowedHosts) },
  named: namedModels(platform, caller, input),
  classification: classifyFor(platform, { caller, input }, input.request.messages),
  kind: "chat",
  streamed,
  signal,
  ...(reuse && { reuse }),
  reservation: platform.budgets.open(onBehalfOf(caller, input.userId)),
  promptTokens: 0,
  svc: {},
  attempts: [],
  upstreamMs: 0,
  sideUsage: noUsage(),
  sideCostNanoUsd: 0,
  isClosed: false,
});

export const spentNanoUsd = (draft: CallDraft): number =>
  draft.attempts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, draft.sideCostNanoUsd);

/** The tokens behind the cost: those of all attempts and side calls. */
export const totalUsage = ({ attempts, sideUsage }: CallDraft): TokenUsage =>
  attempts.reduce((sum, { usage }) => addUsage(sum, usage), sideUsage);

export const addUsage = (sum: TokenUsage, more: TokenUsage): TokenUsage => ({
  input: sum.input + more.input,
  inputAudio: (sum.inputAudio ?? 0) + (more.inputAudio ?? 0),
  cacheRead: sum.cacheRead + more.cacheRead,
  cacheWrite: sum.cacheWrite + more.cacheWrite,
  output: sum.output + more.output,
  reasoning: sum.reasoning + more.reasoning,
});
