/** Everything between reading a call and the first request to a provider: its context, and which models are asked in which order. */

import type { Platform } from "../../platform.ts";
import { type Deadline, deadlineOf } from "../attempts/deadline.ts";
import { questionOf } from "../cache/question.ts";
import { type ReusedCall, reuseAnswer } from "../cache/reuse-answer.ts";
import type { CallDraft } from "../call-draft.ts";
import { type Context, gatherContext, openPolicies } from "../context/gather-context.ts";
import { type Prepared, prepareCall } from "./prepare-call.ts";
import { checkReachable } from "./reachable-models.ts";

/** A call whose models have been chosen: what all its attempts share. */
export type PendingCall = {
  draft: CallDraft;
  context: Context;
  prepared: Prepared;
  deadline: Deadline;
  /** Set if the answer may be given again: what later calls must ask to get it. */
  question?: string;
};

/** A call for which there is an answer already comes back with it. */
export const decideCall = async (platform: Platform, draft: CallDraft): Promise<PendingCall | ReusedCall> => {
  // First, because a call that is refused has a row too, and policies decide what may stand in it.
  const policies = await openPolicies(platform, draft);
  checkReachable(platform, draft);
  const context = await gatherContext(platform, draft, policies);
  const question = draft.reuse && questionOf(draft, context);
  const reused = question && (await reuseAnswer(platform, draft, context, question));
  if (reused) return reused;
  const prepared = prepareCall(platform, draft, context);
  return { draft, context, prepared, deadline: deadlineOf(platform, draft.signal), ...(question && { question }) };
};
