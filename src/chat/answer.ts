/** The story of one chat call that is answered whole. Reads from top to bottom in the order things happen. */

import type { Platform } from "../platform.ts";
import type { ChatResult } from "../providers/provider.ts";
import { answerWhole } from "./attempts/answer-whole.ts";
import type { CallDraft } from "./call-draft.ts";
import { rememberAnswer } from "./context/session-memory.ts";
import { decideCall } from "./decision/decide-call.ts";
import { commitDraft, recorded } from "./record-draft.ts";
import { svcOf } from "./response/svc.ts";
import { type Answer, shown } from "./response/whole-answer.ts";
import { shadowCall } from "./shadow-call.ts";

/**
 * Throws the error for the caller. `shape` turns the answer into the caller's wire format; it runs while the disk syncs the call's row, and
 * nothing is sent before that is done.
 */
export const answerChat = <T>(platform: Platform, draft: CallDraft, shape: (answer: Answer) => T): Promise<T> =>
  recorded(platform, draft, async () => {
    const call = await decideCall(platform, draft);
    const result = call.result ?? (await answerWhole(platform, call));
    await rememberAnswer(platform, draft, call.context.request.messages);
    const { durable } = await commitDraft(platform, draft);
    shadowCall(platform, call);
    const shaped = shape(answerOf(platform, draft, result));
    await durable;
    return shaped;
  });

const answerOf = (platform: Platform, draft: CallDraft, result: ChatResult): Answer => ({
  requestId: draft.caller.requestId,
  createdAtMs: draft.caller.startedAtMs,
  model: draft.answer!.model,
  result: shown(draft.input, result),
  svc: svcOf(platform, draft, result.usage),
});
