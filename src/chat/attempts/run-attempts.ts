/** Attempts whose answer is whole before anyone sees it: each is checked, and the best of what came is kept. */

import { estimateTokens } from "../../lib/estimate-tokens.ts";
import type { Platform } from "../../platform.ts";
import { type ChatMessage, type ChatRequest, type ChatResult, noUsage } from "../../providers/provider.ts";
import type { UpstreamError } from "../../providers/upstream-error.ts";
import { countMessage } from "../../router/count-prompt.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import { type Enforced, enforceSchema, retryMessage } from "../../schemas/enforce-schema.ts";
import { unwrapJson } from "../../schemas/repair/unwrap-json.ts";
import type { CallDraft } from "../call-draft.ts";
import type { Prepared } from "../decision/prepare-call.ts";
import { checkOutput, type OutputCheck } from "../output/check-output.ts";
import { isCutByCaller } from "../output/is-incomplete.ts";
import { askedText } from "../request/last-user-text.ts";
import { askInTurn, type Outcome } from "./ask-in-turn.ts";
import type { Target } from "./next-target.ts";
import {
  asUpstreamError,
  beginAttempt,
  failureOf,
  givenUp,
  type OpenAttempt,
  type PendingCall,
  settleAttempt,
} from "./run-attempt.ts";

/** An answer and what was found out about it. */
export type Judged = { candidate: Candidate; result: ChatResult; check: OutputCheck; schema?: Enforced };

/** The first answer that passes, else the best. Throws the caller's refusal where none came. */
export const runAttempts = (platform: Platform, call: PendingCall): Promise<Judged> =>
  askInTurn(platform, call, {
    attempt: (target, asked) => attemptWhole(platform, call, target, asked),
    askAfter: (answer) => mending(call.prepared, answer),
    best: (answers) => answers.reduce((top, each) => (each.check.score > top.check.score ? each : top)),
  });

const attemptWhole = async (platform: Platform, call: PendingCall, target: Target, asked: Prepared): Promise<Outcome<Judged>> => {
  const { draft, deadline, prepared } = call;
  const open = await beginAttempt(platform, call, target, asked);
  let result: ChatResult;
  try {
    result = counted(await open.provider.chat!(open.upstreamModel, open.request, open.context), open.promptTokens);
  } catch (error) {
    const failure = asUpstreamError(error);
    settleFailure(platform, draft, open, failure ?? givenUp(deadline));
    if (failure === undefined) throw error;
    return { failure };
  }
  const answer = judge(platform, call, asked.request, target.candidate, result);
  const { passed, failureMode, reason = "" } = answer.check;
  settleAttempt(platform, draft, open, {
    success: passed,
    usage: result.usage,
    usageSource: result.usageSource,
    finishReason: result.finishReason,
    ...(failureMode && { failure: failureMode, failureMessage: reason }),
  });
  // What the caller's own bound cut off would be cut off again.
  return { answer, isLast: passed || isCutByCaller(answer.result, prepared.request) };
};

/** A failed attempt is billed for what the provider said it used, or, once it had accepted the prompt, for the prompt. */
const settleFailure = (platform: Platform, draft: CallDraft, open: OpenAttempt, error: UpstreamError): void => {
  const { usage, accepted } = error.details;
  settleAttempt(platform, draft, open, {
    success: false,
    usage: usage ?? (accepted ? { ...noUsage(), input: open.promptTokens } : noUsage()),
    usageSource: usage ? "provider" : accepted ? "estimated" : "none",
    ...failureOf(error),
  });
};

/** What the provider did not count is estimated: the caller, the price and the log know the same. */
const counted = (result: ChatResult, promptTokens: number): ChatResult => {
  if (result.usageSource !== "none") return result;
  const texts = [result.text, ...result.toolCalls.flatMap(({ name, arguments: given }) => [name, given])];
  const output = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  return { ...result, usage: { ...result.usage, input: promptTokens, output }, usageSource: "estimated" };
};

const judge = (
  platform: Platform,
  { draft, prepared, context: { schema } }: PendingCall,
  request: ChatRequest,
  candidate: Candidate,
  given: ChatResult,
): Judged => {
  const result = schema === undefined && request.outputFormat !== undefined ? withoutFence(given) : given;
  const enforced =
    schema === undefined || result.toolCalls.length > 0
      ? undefined
      : enforceSchema(schema, result.text, { strict: draft.input.schemaStrict, cutOff: result.finishReason === "length" });
  const check = checkOutput(platform.encoder, {
    request,
    result,
    task: prepared.classification.task,
    prompt: askedText(draft.caller.mode, draft.input.request.messages),
    ...(enforced && { schemaPassed: enforced.passed }),
  });
  return {
    candidate,
    result: enforced === undefined ? result : { ...result, ...formedAs(enforced, check, result) },
    check,
    ...(enforced && { schema: enforced }),
  };
};

/** Who asks for a schema parses the answer, unless it is told that it is a refusal. */
const formedAs = (enforced: Enforced, { failureMode }: OutputCheck, { text, refusal }: ChatResult): Partial<ChatResult> => {
  if (enforced.passed) return { text: enforced.text };
  return failureMode === "refusal" && refusal === undefined && text !== "" ? { refusal: text } : {};
};

/** Where JSON was asked for without a schema: a fence around it is no part of it. */
const withoutFence = (result: ChatResult): ChatResult => {
  const text = result.toolCalls.length > 0 ? undefined : unwrapJson(result.text);
  return text === undefined ? result : { ...result, text };
};

/** After an answer that did not fit the schema, the model is shown it and what was wrong with it; that is prompt to pay for, too. */
const mending = (prepared: Prepared, { result, schema }: Judged): Prepared => {
  if (schema === undefined || schema.passed || result.text === "") return prepared;
  const shown: ChatMessage[] = [
    { role: "assistant", content: result.text },
    { role: "user", content: retryMessage(schema.errors) },
  ];
  const request = { ...prepared.request, messages: [...prepared.request.messages, ...shown] };
  const promptTokens = prepared.promptTokens + shown.reduce((sum, message) => sum + countMessage(message), 0);
  return { ...prepared, request, promptTokens };
};
