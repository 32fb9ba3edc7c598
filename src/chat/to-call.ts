/** Turns a draft into the ledger's row, with media replaced by its size. */

import { ApiError } from "../api-error.ts";
import { ReaderGone } from "../http/sse.ts";
import { given } from "../lib/given.ts";
import { jsonOf } from "../lib/is-json.ts";
import { type Attempt, beginCall, type Call, callsAsText } from "../logs/call.ts";
import { bareId } from "../providers/dialect/tool-call-ids.ts";
import { type ChatMessage, type ContentPart, type ToolCall, type UsageSource, withoutThoughts } from "../providers/provider.ts";
import { type CallDraft, spentNanoUsd, totalUsage } from "./call-draft.ts";
import type { ChatInput } from "./request/chat-input.ts";
import { joinTexts, lastUserText } from "./request/message-content.ts";

/** `error` is what the caller got instead of an answer. */
export const toCall = (draft: CallDraft, completedAtMs: number, error: unknown): Call => {
  const { caller, input, classification, answer } = draft;
  const { costWarning, policyEvaluation, contentEvaluation, verdict, keptAs, reused, firstTokenMs } = draft;
  const { hasInstructions, echo, userId, sessionId, custom } = input;
  const outputText = answer === undefined ? "" : answer.text || callsAsText(answer.toolCalls);
  return {
    ...beginCall(caller),
    kind: draft.kind,
    route: input.route,
    completedAtMs,
    upstreamMs: draft.upstreamMs,
    ...endOf(draft, error),
    streamed: draft.streamed,
    taskType: classification.task,
    complexity: classification.complexity,
    confidence: classification.confidence,
    detectedFormat: classification.detectedFormat,
    ...modelOf(draft),
    ...routingOf(draft),
    ...given({ firstTokenMs, costWarning, policyEvaluation, contentEvaluation, verdict, keptAs, reused }),
    ...draft.checked,
    attempts: [...draft.attempts],
    usage: totalUsage(draft),
    usageSource: usageSourceOf(draft.attempts),
    costNanoUsd: spentNanoUsd(draft),
    promptText: lastUserText(input.request.messages),
    messages: withoutMedia(input, draft.logRules !== undefined),
    messageCount: input.request.messages.length,
    outputText,
    ...(answer?.pictures && { pictures: answer.pictures.map(bytesOf) }),
    ...(answer?.toolCalls.length && { toolCalls: answer.toolCalls.map(withoutSeal) }),
    ...(answer?.schema?.passed && { parsedJson: jsonOf(outputText) }),
    ...(answer?.isRefusal && { isRefusal: true }),
    ...given({ hasInstructions, echo, userId, sessionId, custom }),
    ...(input.pinnedModel !== undefined && { pinned: true }),
  };
};

/** A call that its caller left ends as cancelled, whatever the error that this caused. */
const endOf = ({ signal }: CallDraft, error: unknown): Pick<Call, "status" | "errorType" | "errorMessage" | "cancelled"> => {
  if (error === undefined) return { status: 200 };
  if (signal.aborted || error instanceof ReaderGone) return { status: 499, errorType: "client_closed_request", cancelled: true };
  const { status, type, message } = error instanceof ApiError ? error : new ApiError("server_error", "unexpected");
  return { status, errorType: type, errorMessage: message };
};

/** Model and provider of the answer; if none came, those that were tried first. */
const modelOf = ({ answer, attempts }: CallDraft): Pick<Call, "model" | "provider"> => {
  const by = answer ?? attempts[0];
  return by === undefined ? {} : { model: by.model, provider: by.provider };
};

/** With an answer that is given again there was nothing to choose. */
const routingOf = ({ routing, decided, reused }: CallDraft): Partial<Call> =>
  routing === undefined
    ? {}
    : { routingReason: routing.reason, ...(reused === undefined && { firstChoice: routing.first_choice }), ...decided };

/** Removes sealed thinking from messages, also from the ids of tool calls and their results. */
const withoutSeals = (message: ChatMessage): ChatMessage => {
  const bare = withoutThoughts(message);
  if (bare.role === "tool") return { ...bare, toolCallId: bareId(bare.toolCallId) };
  if (bare.role !== "assistant" || bare.toolCalls === undefined) return bare;
  return { ...bare, toolCalls: bare.toolCalls.map(withoutSeal) };
};

const withoutSeal = (call: ToolCall): ToolCall => ({ ...call, id: bareId(call.id) });

/** About so many bytes are in base64. */
const bytesOf = (base64: string): number => Math.floor(base64.length * 0.75);

/** The log keeps no media and no sealed thinking; of media it notes the size. */
const withoutMedia = ({ request }: ChatInput, areTextsJoined: boolean): unknown =>
  request.messages.map((message) => ({
    ...withoutSeals(message),
    content:
      typeof message.content === "string"
        ? message.content
        : (areTextsJoined ? joinTexts(message.content) : message.content).map(withoutBytes),
  }));

const withoutBytes = (part: ContentPart) => {
  if (part.type === "text") return part;
  const { type } = part;
  const isAtUrl = "url" in part && !part.url.startsWith("data:");
  if (isAtUrl) return { type, url: part.url };
  return { type, bytes: bytesOf("url" in part ? part.url : part.data) };
};

/** `provider` only if every billed attempt has the provider's own figures. */
const usageSourceOf = (attempts: readonly Attempt[]): UsageSource => {
  const sources = attempts.map(({ usageSource }) => usageSource).filter((source) => source !== "none");
  if (sources.length === 0) return "none";
  return sources.includes("estimated") ? "estimated" : "provider";
};
