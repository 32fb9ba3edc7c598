/** Everything between reading a call and the first request to a chat model: what it asks, its context, and which models are asked in turn. */

import type { Platform } from "../../platform.ts";
import type { ChatResult } from "../../providers/provider.ts";
import { type Deadline, deadlineOf } from "../attempts/deadline.ts";
import { reuseAnswer } from "../cache/reuse-answer.ts";
import type { CallDraft } from "../call-draft.ts";
import { classifyInSession } from "../context/classify-in-session.ts";
import { type Context, gatherContext, openPolicies } from "../context/gather-context.ts";
import { answerWithMedia, asksForMedia } from "../media/answer-with-media.ts";
import { type Prepared, prepareCall } from "./prepare-call.ts";
import { checkReachable } from "./reachable-models.ts";

/** A call whose models have been chosen: what all its attempts share. */
export type PendingCall = {
  draft: CallDraft;
  context: Context;
  prepared: Prepared;
  deadline: Deadline;
  result?: undefined;
};

/** A call that has its answer, without a chat model. `context.request`: as it was understood, for the session's memory. */
type AnsweredCall = { draft: CallDraft; context: Pick<Context, "request">; result: ChatResult };

export type DecidedCall = PendingCall | AnsweredCall;

/** A call that asks for media, or for which there is an answer already, comes back with its answer. */
export const decideCall = async (platform: Platform, draft: CallDraft): Promise<DecidedCall> => {
  classifyInSession(platform, draft);
  // Before anything is refused, because a call that is has a row too, and policies decide what may stand in it.
  const policies = await openPolicies(platform, draft);
  if (asksForMedia(platform, draft)) {
    const { request, result } = await answerWithMedia(platform, draft, policies);
    return { draft, context: { request }, result };
  }
  checkReachable(platform, draft);
  const context = await gatherContext(platform, draft, policies);
  const result = await reuseAnswer(platform, draft, context);
  if (result !== undefined) return { draft, context, result };
  const prepared = prepareCall(platform, draft, context);
  return { draft, context, prepared, deadline: deadlineOf(platform, draft.signal) };
};
