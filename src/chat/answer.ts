/** The story of one chat call whose answer is whole before it is sent. Reads from top to bottom as the call goes. */

import type { Caller } from "../accounts/authenticate.ts";
import { ApiError, serviceUnavailable } from "../api-error.ts";
import { fallbackUsed } from "../logs/call.ts";
import type { Platform } from "../platform.ts";
import type { ChatResult, TokenUsage } from "../providers/provider.ts";
import { deadlineOf } from "./attempts/deadline.ts";
import type { PendingCall } from "./attempts/run-attempt.ts";
import { type Judged, runAttempts } from "./attempts/run-attempts.ts";
import { type CallDraft, commitDraft, LedgerError, leavesNoRow, newDraft, recordDraft } from "./call-draft.ts";
import { type Context, gatherContext, openPolicies } from "./context/gather-context.ts";
import { leaveMemory, rememberAnswer } from "./context/session-memory.ts";
import { answerWithMedia, asksForMedia } from "./media/answer-with-media.ts";
import { noteCheck, noteModel, noteOutput } from "./output/note-answer.ts";
import { reviewAnswer } from "./output/review-answer.ts";
import { classifyCall, type Prepared, prepareCall } from "./prepare-call.ts";
import { checkReachable } from "./reachable-models.ts";
import type { ChatInput } from "./request/chat-input.ts";
import { svcOf } from "./response/svc.ts";
import { shadowCall } from "./shadow-call.ts";

/** What every route shapes into its own wire format. */
export type Answer = {
  requestId: string;
  createdAtMs: number;
  /** Catalog id of the model that answered. */
  model: string;
  result: ChatResult;
  usage: TokenUsage;
  fallbackUsed: boolean;
  svc: Record<string, unknown>;
};

/** `shape` makes the answer what the caller gets: while the disk takes the call's row, without which nothing leaves. */
export const answerChat = <T>(
  platform: Platform,
  caller: Caller,
  input: ChatInput,
  signal: AbortSignal,
  shape: (answer: Answer) => T,
): Promise<T> =>
  recorded(platform, newDraft(caller, input, false), signal, async (draft) => {
    classifyCall(platform, draft);
    if (asksForMedia(draft)) return shape(await answerWithMedia(platform, draft, signal));
    const decided = await decide(platform, draft);
    try {
      const judged = await answerWhole(platform, { ...decided, draft, deadline: deadlineOf(platform, signal) });
      await rememberAnswer(platform, draft, decided.context.request.messages);
      const { durable } = await commitDraft(platform, draft);
      shadowCall(platform, draft, decided);
      const shaped = shape({
        requestId: caller.requestId,
        createdAtMs: caller.startedAtMs,
        model: judged.candidate.model.id,
        result: judged.result,
        usage: judged.result.usage,
        fallbackUsed: fallbackUsed(draft),
        svc: svcOf(platform, draft, { ...decided, usage: judged.result.usage, ...(judged.schema && { schema: judged.schema }) }),
      });
      await durable;
      return shaped;
    } finally {
      decided.prepared.reservation.release();
    }
  });

export type Decided = { context: Context; prepared: Prepared };

/** All that happens before a provider is asked; the draft is classified already. */
export const decide = async (platform: Platform, draft: CallDraft): Promise<Decided> => {
  // Before anything can be refused: what policies keep out of the log stays out of a refused call's row too.
  await openPolicies(platform, draft);
  checkReachable(platform, draft);
  const context = await gatherContext(platform, draft);
  return { context, prepared: prepareCall(platform, draft, context.request, context.policies.routing) };
};

/** The best answer that could be had, reviewed and noted. Throws where none came or it may not leave. */
export const answerWhole = async (platform: Platform, call: PendingCall): Promise<Judged> => {
  const { draft, context } = call;
  const judged = await runAttempts(platform, call);
  noteAnswer(draft, judged);
  refuseMismatch(draft, judged);
  const result = await reviewAnswer(platform, draft, context.policies.output, judged.result, judged.schema?.passed === true);
  noteOutput(draft, result.text, result.toolCalls);
  return { ...judged, result };
};

/** Whatever goes wrong after the body was valid is a row of the log too, but for what never became a call (decisions §11). */
const recorded = async <T>(
  platform: Platform,
  draft: CallDraft,
  signal: AbortSignal,
  story: (draft: CallDraft) => Promise<T>,
): Promise<T> => {
  try {
    return await story(draft);
  } catch (error) {
    if (error instanceof LedgerError) throw unrecorded();
    if (draft.isRecorded) throw error;
    if (signal.aborted) draft.cancelled = true;
    if (leavesNoRow(draft, error)) throw error;
    await recordDraft(platform, draft, error).catch(() => {
      throw unrecorded();
    });
    throw error;
  } finally {
    leaveMemory(platform, draft.caller, draft.input);
  }
};

export const unrecorded = (): ApiError =>
  serviceUnavailable("The call could not be written to the log, so it is not answered.", 5, false);

/** As it came: a policy that blocks it leaves it in the log. */
const noteAnswer = (draft: CallDraft, { candidate, result, check, schema }: Judged): void => {
  noteModel(draft, candidate);
  noteCheck(draft, check);
  noteOutput(draft, result.text, result.toolCalls);
  if (schema?.passed) draft.parsedJson = schema.value;
};

/** With `schema_strict` an answer that does not fit is no answer (decisions §4). */
const refuseMismatch = (draft: CallDraft, { schema }: Judged): void => {
  if (!draft.input.schemaStrict || schema === undefined || schema.passed) return;
  throw new ApiError("schema_validation_failed", "No model gave an answer that fits the schema.", {
    details: { errors: schema.errors },
  });
};
