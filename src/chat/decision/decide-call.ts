/** Everything between reading a call and the first request to a provider: its context, and which models are asked in which order. */

import type { Platform } from "../../platform.ts";
import { type Deadline, deadlineOf } from "../attempts/deadline.ts";
import type { CallDraft } from "../call-draft.ts";
import { type Context, gatherContext, openPolicies } from "../context/gather-context.ts";
import { type Prepared, prepareCall } from "./prepare-call.ts";
import { checkReachable } from "./reachable-models.ts";

/** A call whose models have been chosen: what all its attempts share. */
export type PendingCall = { draft: CallDraft; context: Context; prepared: Prepared; deadline: Deadline };

export const decideCall = async (platform: Platform, draft: CallDraft): Promise<PendingCall> => {
  // First, because a call that is refused has a row too, and policies decide what may stand in it.
  const policies = await openPolicies(platform, draft);
  checkReachable(platform, draft);
  const context = await gatherContext(platform, draft, policies);
  const prepared = prepareCall(platform, draft, context);
  return { draft, context, prepared, deadline: deadlineOf(platform, draft.signal) };
};
