/** Rule 3 for answers that are whole before anyone sees them: attempt, retry, fall back, and keep the best of what came. */

import { estimateTokens } from "../../lib/estimate-tokens.ts";
import type { Platform } from "../../platform.ts";
import type { ChatMessage, ChatRequest, ChatResult, UpstreamError } from "../../providers/provider.ts";
import { countMessage } from "../../router/count-prompt.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import type { CompiledSchema } from "../../schemas/compile/compile-schema.ts";
import { type Enforced, enforceSchema, retryMessage } from "../../schemas/enforce-schema.ts";
import { unwrapJson } from "../../schemas/repair/unwrap-json.ts";
import type { CallDraft } from "../call-draft.ts";
import { checkOutput, type OutputCheck } from "../output/check-output.ts";
import { isCutByCaller } from "../output/is-incomplete.ts";
import type { Prepared } from "../prepare-call.ts";
import { askedText } from "../request/last-user-text.ts";
import { type Deadline, waitWithin } from "./deadline.ts";
import { inlineImages } from "./inline-images.ts";
import { type LastOutcome, newProgress, nextTarget } from "./next-target.ts";
import { refusalOf } from "./refusal-of.ts";
import { asUpstreamError, beginAttempt, fitsCeiling, givenUp, isOpen, settleAttempt, settleFailure } from "./run-attempt.ts";

/** An answer and what was found out about it. */
export type Judged = { candidate: Candidate; result: ChatResult; check: OutputCheck; schema?: Enforced };

/** The first answer that passes, else the best. Throws the caller's refusal where none came. */
export const runAttempts = async (
  platform: Platform,
  draft: CallDraft,
  prepared: Prepared,
  schema: CompiledSchema | undefined,
  deadline: Deadline,
): Promise<Judged> => {
  const { ranked } = prepared.decision;
  const progress = newProgress();
  const answers: Judged[] = [];
  let last: LastOutcome | undefined;
  let failure: UpstreamError | undefined;
  while (performance.now() < deadline.endsAt && !deadline.signal.aborted) {
    const asked = mending(prepared, answers.at(-1));
    const target = nextTarget(
      ranked,
      progress,
      last,
      (each) => isOpen(platform, draft, each),
      (each) => fitsCeiling(asked, draft, each),
    );
    if (target === undefined || !prepared.reservation.raise(reservationFor(draft, target.candidate))) break;
    if (target.waitMs > 0 && !(await waitWithin(deadline, target.waitMs))) break;
    const outcome = await attemptOnce(platform, draft, asked, schema, deadline, target);
    if ("failure" in outcome) {
      failure = outcome.failure;
      last = { candidate: target.candidate, failure };
      continue;
    }
    answers.push(outcome);
    // What the caller's own bound cut off would be cut off again.
    if (outcome.check.passed || isCutByCaller(outcome.result, prepared.request)) return outcome;
    progress.answers++;
    last = { candidate: target.candidate, failure: "check" };
  }
  const best = answers.reduce<Judged | undefined>(
    (top, each) => (top === undefined || each.check.score > top.check.score ? each : top),
    undefined,
  );
  if (best === undefined) throw refusalOf(platform, failure, ranked);
  return best;
};

/** What the attempts so far have cost, and the next one is expected to. */
export const reservationFor = (draft: CallDraft, candidate: Candidate): number =>
  draft.attempts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, candidate.expectedCostNanoUsd);

const attemptOnce = async (
  platform: Platform,
  draft: CallDraft,
  prepared: Prepared,
  schema: CompiledSchema | undefined,
  deadline: Deadline,
  target: Parameters<typeof beginAttempt>[3],
): Promise<Judged | { failure: UpstreamError }> => {
  const request = await requestFor(platform, draft, target.candidate, prepared.request, deadline);
  const open = beginAttempt(platform, draft, prepared, target, request, deadline);
  let result: ChatResult;
  try {
    result = counted(await open.provider.chat!(open.upstreamModel, open.request, open.context), prepared.promptTokens);
  } catch (error) {
    const failure = asUpstreamError(error);
    const settled = failure ?? givenUp(deadline);
    settleFailure(platform, draft, open, settled, prepared.promptTokens);
    if (failure === undefined) throw error;
    return { failure };
  }
  const judged = judge(platform, draft, prepared, schema, target.candidate, result);
  settleAttempt(platform, draft, open, {
    success: judged.check.passed,
    usage: result.usage,
    usageSource: result.usageSource,
    finishReason: result.finishReason,
    ...(judged.check.failureMode && { failure: judged.check.failureMode, failureMessage: judged.check.reason ?? "" }),
  });
  return judged;
};

/** What the provider did not count is estimated: the caller, the price and the log know the same. */
const counted = (result: ChatResult, promptTokens: number): ChatResult => {
  if (result.usageSource !== "none") return result;
  const texts = [result.text, ...result.toolCalls.flatMap(({ name, arguments: given }) => [name, given])];
  const output = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  return { ...result, usage: { ...result.usage, input: promptTokens, output }, usageSource: "estimated" };
};

/** As this model's provider can take it. The sandbox looks at nothing outside. */
export const requestFor = (
  platform: Platform,
  draft: CallDraft,
  { model }: Candidate,
  request: ChatRequest,
  deadline: Deadline,
): Promise<ChatRequest> | ChatRequest =>
  draft.caller.mode === "test" ? request : inlineImages(platform, model.provider, request, deadline.signal);

const judge = (
  platform: Platform,
  draft: CallDraft,
  prepared: Prepared,
  schema: CompiledSchema | undefined,
  candidate: Candidate,
  given: ChatResult,
): Judged => {
  const result = schema === undefined && prepared.request.outputFormat !== undefined ? withoutFence(given) : given;
  const enforced =
    schema === undefined || result.toolCalls.length > 0
      ? undefined
      : enforceSchema(schema, result.text, { strict: draft.input.schemaStrict, cutOff: result.finishReason === "length" });
  const check = checkOutput(platform.encoder, {
    request: prepared.request,
    result,
    task: prepared.classification.task,
    prompt: askedText(draft.caller.mode, draft.input.request.messages),
    ...(enforced && { schemaPassed: enforced.passed }),
  });
  return {
    candidate,
    result: enforced?.passed ? { ...result, text: enforced.text } : result,
    check,
    ...(enforced && { schema: enforced }),
  };
};

/** Where JSON was asked for without a schema: a fence around it is no part of it. */
const withoutFence = (result: ChatResult): ChatResult => {
  const text = result.toolCalls.length > 0 ? undefined : unwrapJson(result.text);
  return text === undefined ? result : { ...result, text };
};

/** After an answer that did not fit the schema, the model is shown it and what was wrong with it; that is prompt to pay for, too. */
const mending = (prepared: Prepared, before: Judged | undefined): Prepared => {
  if (before?.schema === undefined || before.schema.passed || before.result.text === "") return prepared;
  const shown: ChatMessage[] = [
    { role: "assistant", content: before.result.text },
    { role: "user", content: retryMessage(before.schema.errors) },
  ];
  const request = { ...prepared.request, messages: [...prepared.request.messages, ...shown] };
  const promptTokens = prepared.promptTokens + shown.reduce((sum, message) => sum + countMessage(message), 0);
  return { ...prepared, request, promptTokens };
};
