/** The story of one chat call that is answered whole. Reads from top to bottom in the order things happen. */

import type { Caller } from "../accounts/authenticate.ts";
import { fallbackUsed } from "../logs/call.ts";
import type { Platform } from "../platform.ts";
import { answerWhole } from "./attempts/answer-whole.ts";
import { deadlineOf } from "./attempts/deadline.ts";
import { type CallDraft, newDraft } from "./call-draft.ts";
import { leaveMemory, rememberAnswer } from "./context/session-memory.ts";
import { decide } from "./decision/decide-call.ts";
import { classifyCall } from "./decision/prepare-call.ts";
import { answerWithMedia, asksForMedia } from "./media/answer-with-media.ts";
import { commitDraft, LedgerError, leavesNoRow, recordDraft, unrecorded } from "./record-draft.ts";
import type { ChatInput } from "./request/chat-input.ts";
import { svcOf } from "./response/svc.ts";
import type { Answer } from "./response/whole-answer.ts";
import { shadowCall } from "./shadow-call.ts";

/**
 * `shape` turns the answer into the caller's wire format. It runs while the disk syncs the call's row; nothing is sent before that is done.
 */
export const answerChat = <T>(
  platform: Platform,
  caller: Caller,
  input: ChatInput,
  signal: AbortSignal,
  shape: (answer: Answer) => T,
): Promise<T> =>
  recorded(platform, newDraft(platform, { caller, input, streamed: false, signal }), async (draft) => {
    classifyCall(platform, draft);
    if (asksForMedia(draft)) return shape(await answerWithMedia(platform, draft, signal));
    const decided = await decide(platform, draft);
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
  });

/** A call that fails after its body was accepted gets a row in the log too, except for those that never became a call (decisions §11). */
const recorded = async <T>(platform: Platform, draft: CallDraft, story: (draft: CallDraft) => Promise<T>): Promise<T> => {
  try {
    return await story(draft);
  } catch (error) {
    if (error instanceof LedgerError) throw unrecorded();
    if (draft.isRecorded) throw error;
    if (draft.signal.aborted) draft.cancelled = true;
    if (leavesNoRow(draft, error)) throw error;
    await recordDraft(platform, draft, error).catch(() => {
      throw unrecorded();
    });
    throw error;
  } finally {
    draft.reservation.release();
    leaveMemory(platform, draft.caller, draft.input);
  }
};
