/** Everything between reading a call and the first request to a provider: its context, and which models are asked in which order. */

import type { Platform } from "../../platform.ts";
import type { ChatResult } from "../../providers/provider.ts";
import { type Deadline, deadlineOf } from "../attempts/deadline.ts";
import { reuseAnswer } from "../cache/reuse-answer.ts";
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
};

/** A call that has its answer, without a chat model. `context.request`: as it was understood, for the session's memory. */
export type AnsweredCall = { draft: CallDraft; context: Pick<Context, "request">; result: ChatResult };

/** A call for which there is an answer already comes back with it. */
export const decideCall = async (platform: Platform, draft: CallDraft): Promise<PendingCall | AnsweredCall> => {
  // First, because a call that is refused has a row too, and policies decide what may stand in it.
  const policies = await openPolicies(platform, draft);
  checkReachable(platform, draft);
  const context = await gatherContext(platform, draft, policies);
  const result = await reuseAnswer(platform, draft, context);
  if (result !== undefined) return { draft, context, result };
  const prepared = prepareCall(platform, draft, context);
  return { draft, context, prepared, deadline: deadlineOf(platform, draft.signal) };
};
