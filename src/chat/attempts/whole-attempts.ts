/** Attempts for a whole answer: each is checked before anyone sees it, and the best one is kept. */

import type { Attempt } from "../../logs/call.ts";
import type { Platform } from "../../platform.ts";
import { reviewInSteps } from "../../policies/content/review-json.ts";
import type { ChatEvent, ChatMessage, ChatRequest, ChatResult } from "../../providers/provider.ts";
import { countMessage } from "../../router/count-prompt.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import { type Enforced, enforceSchema, misfit, retryMessage } from "../../schemas/enforce-schema.ts";
import { unwrapJson } from "../../schemas/repair/unwrap-json.ts";
import type { PendingCall } from "../decision/decide-call.ts";
import type { Prepared } from "../decision/prepare-call.ts";
import { checkAnswer, type OutputCheck } from "../output/check-output.ts";
import { isCutByCaller } from "../output/is-incomplete.ts";
import { askInTurn, type Outcome } from "./ask-in-turn.ts";
import { asUpstreamError, beginAttempt, givenUp, noteMisfit, type OpenAttempt, settleAttempt } from "./attempt.ts";
import { counted, usedInVain } from "./billed-usage.ts";
import type { Target } from "./next-target.ts";
import { leavingRoom } from "./output-bound.ts";
import { newReceived, type Received, receive, usageOf } from "./received.ts";

/** An answer, the results of its checks, and its entry in the ledger. */
export type Judged = { attempt: Attempt; candidate: Candidate; result: ChatResult; check: OutputCheck; schema?: Enforced };

/** The first answer that passes, else the best. Throws the caller's refusal where none came. */
export const runAttempts = (platform: Platform, call: PendingCall): Promise<Judged> =>
  askInTurn(platform, call, {
    attempt: (target, asked) => attemptWhole(platform, call, target, asked),
    askAfter: (answer) => mending(call, answer),
    best: (answers) => answers.reduce((top, each) => (isBetter(each, top) ? each : top)),
  });

/** Of answers that passed the same checks, the one that comes closer to the schema is of more use. */
const isBetter = (one: Judged, other: Judged): boolean => {
  if (one.check.score !== other.check.score) return one.check.score > other.check.score;
  return one.schema !== undefined && other.schema !== undefined && misfit(one.schema) < misfit(other.schema);
};

const attemptWhole = async (platform: Platform, call: PendingCall, target: Target, asked: Prepared): Promise<Outcome<Judged>> => {
  const { draft, deadline, prepared } = call;
  const open = await beginAttempt(platform, call, target, asked);
  let received: Received | undefined;
  const hear = (events: readonly ChatEvent[]): void => {
    received ??= newReceived();
    for (const event of events) receive(received, event);
  };
  let result: ChatResult;
  try {
    result = counted(await open.provider.chat!(open.upstreamModel, open.request, { ...open.context, hear }), open);
  } catch (error) {
    const failure = asUpstreamError(error);
    const ended = failure ?? givenUp(deadline, open);
    const used = received === undefined ? usedInVain(ended.details, open.promptTokens) : usageOf(received, open, ended);
    settleAttempt(platform, draft, open, used, ended);
    if (failure === undefined) throw error;
    return { failure };
  }
  settleAttempt(platform, draft, open, result);
  const answer = judge(platform, call, asked.request, open, result);
  noteMisfit(open.attempt, answer.check);
  // If the caller's own output bound cut the answer, another attempt would be cut as well.
  return { answer, isLast: answer.check.passed || isCutByCaller(answer.result, prepared.request) };
};

const judge = (
  platform: Platform,
  call: PendingCall,
  request: ChatRequest,
  { attempt, candidate }: OpenAttempt,
  given: ChatResult,
): Judged => {
  const {
    draft,
    context: { schema },
  } = call;
  const result = schema === undefined && request.outputFormat !== undefined ? withoutFence(given) : given;
  const fit = fitOf(call, result);
  const check = checkAnswer(platform, draft, request, result, fit?.passed);
  const marks = fit === undefined && draft.input.isSummary !== true ? {} : formedAs(fit, check, result);
  return {
    attempt,
    candidate,
    result: { ...result, ...marks },
    check,
    ...(fit && { schema: fit }),
  };
};

/** How the answer fits the schema, if there is one; calls of tools need not fit. */
const fitOf = (
  { draft, context: { schema } }: PendingCall,
  { text, toolCalls, finishReason }: ChatResult,
): Enforced | undefined =>
  schema === undefined || toolCalls.length > 0
    ? undefined
    : enforceSchema(schema, text, { strict: draft.input.schemaStrict, cutOff: finishReason === "length" });

/**
 * The text in the form that fits the schema. A refusal is marked as one, because a client that asked for a schema would try to parse it, and
 * one that asked for a summary would forget the conversation for it.
 */
const formedAs = (
  enforced: Enforced | undefined,
  { failureMode }: OutputCheck,
  { text, refusal }: ChatResult,
): Partial<ChatResult> => {
  if (enforced?.passed) return { text: enforced.text };
  return failureMode === "refusal" && refusal === undefined && text !== "" ? { refusal: text } : {};
};

/** Removes the code fence around JSON that was requested without a schema. */
const withoutFence = (result: ChatResult): ChatResult => {
  const text = result.toolCalls.length > 0 ? undefined : unwrapJson(result.text);
  return text === undefined ? result : { ...result, text };
};

/**
 * The request for the attempt after an answer that did not fit the schema: it shows the model its answer and the validator's errors. Both
 * are billed as prompt, and policies that review prompts see them too.
 */
const mending = async (call: PendingCall, { result, schema: given }: Judged): Promise<Prepared> => {
  const {
    prepared,
    context: { policies },
  } = call;
  if (result.text.trim() === "") return leavingRoom(prepared, result.finishReason);
  if (given === undefined || given.passed) return prepared;
  const text = policies.input === undefined ? result.text : (await reviewInSteps(policies.input, result.text, false)).text;
  // What errors quote must not be what the policies have taken out.
  const schema = text === result.text ? given : fitOf(call, { ...result, text })!;
  if (text === "" || schema.passed) return prepared;
  const shown: ChatMessage[] = [
    { role: "assistant", content: text },
    { role: "user", content: retryMessage(schema.errors) },
  ];
  const request = { ...prepared.request, messages: [...prepared.request.messages, ...shown] };
  const promptTokens = prepared.promptTokens + shown.reduce((sum, message) => sum + countMessage(message), 0);
  return { ...prepared, request, promptTokens };
};
